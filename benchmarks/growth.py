"""Measure what a question, a listing and a repeated ingest cost in corpora of growing size.

    python -m benchmarks.growth [--documents 100 1000 10000] [--keep FOLDER] [--plot growth.svg]

Every size holds the same core, about which the same questions are asked by the embedded reasoner. CPU seconds are of
the process and its children. "warm" questions are asked in one process after others were; "cold" ones are the command
line. With ``--keep`` documents and stores are kept and used again, which saves the first ingest.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.growth_corpus import CHANGED, questions, write_corpus

SIZES = (100, 1_000, 10_000, 50_000)
COLD_RUNS = 3
CLI = "tablerag.cli.app"
TABLE = "pumps_barbarbar"
Spent = tuple[float, float]
"""CPU and wall seconds."""


def command(home: Path, *arguments: str) -> Spent:
    """Run the command line; return its CPU and wall seconds, with its children's."""
    begun = time.perf_counter()
    with Path(os.devnull).open("w") as nowhere:
        process = subprocess.Popen(
            ["env", f"TABLERAG_HOME={home}", "TABLERAG_MODEL=offline", sys.executable, "-m", CLI, *arguments],
            stdout=nowhere,
            stderr=nowhere,
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 3):
        raise SystemExit(f"tablerag {' '.join(arguments)} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - begun


def ask_warm(home: Path, out: Path | None) -> dict[str, list[Spent]]:
    """Ask all questions in this process, those of every kind in turn; return what each spent, by kind."""
    from tablerag import TableRAG

    spent: dict[str, list[Spent]] = {}
    with TableRAG(home, model="offline") as rag:
        rag.ask("How many shipments are there?")
        for asked in sorted(questions(), key=lambda q: hash_of(q.text)):
            begun = time.process_time(), time.perf_counter()
            answer = rag.ask(asked.text)
            used = time.process_time() - begun[0], time.perf_counter() - begun[1]
            spent.setdefault(asked.kind, []).append(used)
            if out is not None:
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"kind": asked.kind, **answer.to_dict()}, ensure_ascii=False) + "\n")
    return spent


def hash_of(text: str) -> int:
    """Return a number that orders questions of different kinds among each other, the same in every run."""
    return sum(ord(c) * (i + 7) ** 3 for i, c in enumerate(text)) % 9973


def measure(size: int, folder: Path) -> dict[str, Spent]:
    """Make a corpus if it is not there, and measure it: CPU and wall seconds by what was done."""
    documents, home = folder / f"documents{size}", folder / f"home{size}"
    spent: dict[str, Spent] = {}
    if not (folder / f"done{size}").exists():
        shutil.rmtree(documents, ignore_errors=True)
        write_corpus(documents, size)
        spent["first ingest"] = command(home, "ingest", str(documents))
        (folder / f"done{size}").touch()
    said = subprocess.run(
        [sys.executable, "-m", "benchmarks.growth", "--warm", str(home)], check=True, capture_output=True, text=True
    )
    for kind, used in json.loads(said.stdout.splitlines()[-1]).items():
        spent[f"ask, {kind}"] = middle(used)
    for kind in dict.fromkeys(q.kind for q in questions()):
        some = [q for q in questions() if q.kind == kind][:COLD_RUNS]
        spent[f"ask cold, {kind}"] = middle([command(home, "ask", q.text) for q in some])
    for name, arguments in (("tables", ("tables",)), ("describe", ("describe", TABLE)), ("doctor", ("doctor",))):
        spent[name] = middle([command(home, *arguments) for _ in range(COLD_RUNS)])
    command(home, "ingest", str(documents))
    spent["ingest again"] = middle([command(home, "ingest", str(documents)) for _ in range(COLD_RUNS)])
    for name, path in (("ingest again, 1 changed", documents), ("ingest 1 changed file", documents / CHANGED)):
        spent[name] = middle([_changed(documents / CHANGED, home, path) for _ in range(COLD_RUNS)])
    return spent


def _changed(changed: Path, home: Path, path: Path) -> Spent:
    """Add a row to a document, and ingest a path."""
    row = changed.read_text(encoding="utf-8").splitlines()[-1]
    with changed.open("a", encoding="utf-8") as file:
        file.write(row + "\n")
    return command(home, "ingest", str(path))


def middle(spent: Sequence[Sequence[float]]) -> Spent:
    """Return the medians of CPU and wall seconds."""
    return statistics.median(s[0] for s in spent), statistics.median(s[1] for s in spent)


def report(measured: Mapping[int, Mapping[str, Spent]]) -> str:
    """Return a table of CPU seconds by size, with the ratio of the last to the first, and of wall seconds."""
    sizes = list(measured)
    names = list(dict.fromkeys(n for of_size in measured.values() for n in of_size))
    lines = ["| CPU s (wall s) | " + " | ".join(f"{s:,}" for s in sizes) + " | last / first |"]
    lines.append("| --- |" + " ---: |" * (len(sizes) + 1))
    for name in names:
        row = [measured[s].get(name) for s in sizes]
        cells = [f"{of[0]:.2f} ({of[1]:.2f})" if of else "" for of in row]
        ratio = f"{row[-1][0] / row[0][0]:.2f}" if row[0] and row[-1] else ""
        lines.append(f"| {name} | {' | '.join(cells)} | {ratio} |")
    return "\n".join(lines)


def plot(measured: Mapping[int, Mapping[str, Spent]], path: Path) -> None:
    """Draw CPU seconds by the number of documents."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(n for of_size in measured.values() for n in of_size if n != "first ingest"))
    asked = [n for n in names if n.startswith("ask,")]
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4))
    for of, shown in zip(axes, (asked, [n for n in names if n not in asked]), strict=True):
        for name in shown:
            sizes = [s for s in measured if name in measured[s]]
            of.plot(sizes, [measured[s][name][0] for s in sizes], marker="o", label=name)
        of.set(xscale="log", xlabel="documents", ylabel="CPU seconds", ylim=(0, None))
        of.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    """Measure each size, print a table and draw it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, nargs="+", default=SIZES, help="numbers of documents")
    parser.add_argument("--keep", type=Path, help="keep documents and stores in this folder")
    parser.add_argument("--plot", type=Path, help="draw CPU seconds to this file (svg, png, pdf)")
    parser.add_argument("--warm", type=Path, metavar="HOME", help=argparse.SUPPRESS)
    parser.add_argument("--answers", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.warm:
        print(json.dumps(ask_warm(options.warm, options.answers)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        measured: dict[int, dict[str, Spent]] = {}
        for size in sorted(options.documents):
            measured[size] = measure(size, folder)
            print(report({size: measured[size]}), flush=True)
    print(report(measured))
    if options.plot:
        plot(measured, options.plot)


if __name__ == "__main__":
    main()
