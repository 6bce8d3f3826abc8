"""Ingest a folder of hostile files: python -m benchmarks.hostile_folder [--seed 1] [--only REGEX] [--limit-mb 2000]

About 150 files, few of each kind (benchmarks.hostile_files and hostile_pdfs), stand among good ones. `tablerag ingest`
reads the folder in a process of its own into a fresh home; the memory of it and of all its reader processes (PSS, which
counts shared pages once) is sampled twice a second. Printed are the outcome and the wait of each file, and the peak
while a file of each kind was waited for. The exit status is 1 if the peak passes the limit, if a good file is missing
or its question is not answered, or if an error is more than a line, has no advice or names an exception.
"""

import argparse
import fcntl
import json
import os
import pty
import random
import re
import subprocess
import sys
import tempfile
import termios
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from struct import pack

from benchmarks.hostile_files import GROUPS
from benchmarks.reader_fuzz import ADVICE, LEAK, MOST_CHARS

__all__ = ["main"]

TOWNS = ("Arvik", "Bolnes", "Carrum", "Dunlea", "Elvast", "Farsta")
"""Each has a good file with the litres that it sold."""
SHOWN = re.compile(rf"\b((?:{'|'.join(GROUPS)})/[^\x1b\r\n]*?)\s*[\x1b\r\n]")
SAMPLE_S = 0.5
TABLERAG = str(Path(sys.executable).with_name("tablerag"))
KILLED_MB = 4000.0
"""The memory from which on the ingest is ended, as it would take all of the machine."""


def make(folder: Path, seed: int, only: str) -> Counter[str]:
    """Write the files whose path matches; return how many there are of each kind."""
    made = Counter[str]()
    for group, files in GROUPS.items():
        for name, content in files(random.Random(f"{seed} {group}")).items():
            if re.search(only, f"{group}/{name}"):
                made[group] += 1
                _write(folder / group / name, content)
    for place, town in enumerate(TOWNS):
        rows = f"town,month,litres\n{town},May,{1000 + 37 * place}\n{town},June,{2000 + 41 * place}\n"
        path = folder / list(GROUPS)[place] / f"sales {town}.csv"
        _write(path, lambda rows=rows: rows)
    if re.search(only, "special/"):
        special = folder / "special"
        special.mkdir()
        os.mkfifo(special / "pipe.csv")
        for name, target in {
            "zero.csv": "/dev/zero",
            "users.txt": "/etc/passwd",
            "all": "/",
            "self.csv": "self.csv",
        }.items():
            (special / name).symlink_to(target)
        made["special"] = 5
    return made


def _write(path: Path, content: Callable[[], str | bytes]) -> None:
    path.parent.mkdir(exist_ok=True)
    data = content()
    path.write_bytes(data.encode() if isinstance(data, str) else data)


@dataclass(slots=True)
class Measured:
    """What a run took, sampled."""

    status: int = 0
    seconds: float = 0.0
    peak: float = 0.0
    """In MB, of all processes together."""
    at_peak: str = ""
    """The file that was waited for, and the memory of each process."""
    waits: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    peaks: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """The peak while a kind was waited for."""


def ingest(folder: Path, home: Path, report: Path, timeout_s: float) -> Measured:
    """Ingest, on a pseudo-terminal, as the progress bar tells what is waited for."""
    found, own = Measured(), time.monotonic()
    terminal, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, pack("HHHH", 50, 200, 0, 0))
    os.set_blocking(terminal, False)
    timeout = f"TABLERAG_READ_TIMEOUT_S={timeout_s}"
    command = [*_with(home), timeout, "TERM=xterm", TABLERAG, "ingest", str(folder), "--report", str(report)]
    with (home.parent / "output.txt").open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=theirs)
        doing, last = "", own
        while process.poll() is None:
            time.sleep(SAMPLE_S)
            with suppress(BlockingIOError):
                named = SHOWN.findall(os.read(terminal, 1 << 20).decode("utf-8", "replace"))
                doing = named[-1] if named else doing
            now = time.monotonic()
            found.waits[doing], last = found.waits[doing] + now - last, now
            parts = sorted((_pss_mb(p) for p in _tree(process.pid)), reverse=True)
            if sum(parts) > KILLED_MB:
                process.kill()
            kind = doing.partition("/")[0]
            found.peaks[kind] = max(found.peaks[kind], sum(parts))
            if sum(parts) > found.peak:
                found.peak, found.at_peak = sum(parts), f"{doing} ({' + '.join(f'{p:,.0f}' for p in parts if p > 5)})"
    found.status, found.seconds = process.returncode, time.monotonic() - own
    os.close(terminal)
    os.close(theirs)
    return found


def _with(home: Path) -> list[str]:
    return ["env", f"TABLERAG_HOME={home}", "TABLERAG_MODEL=offline"]


def _tree(root: int) -> list[int]:
    """Return the process and all below it, the parent first."""
    found = [root]
    for process in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{process}/task").iterdir():
                found += map(int, (thread / "children").read_text().split())
    return found


def _pss_mb(process: int) -> float:
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith("Pss:")).split()[1]) * 1024 / 1e6
    return 0.0


def wrong_with(text: str) -> str:
    """Return why an error is not one short line with advice and without a library's words, "" if it is."""
    if len(text) > MOST_CHARS or "\n" in text:
        return "is long"
    if LEAK.search(text):
        return "names an exception"
    return "" if ADVICE.search(text) else "gives no advice"


def check(documents: Sequence[dict[str, str]], home: Path) -> list[str]:
    """Return what is wrong with the outcomes and with the answers about the good files."""
    wrong = [
        f"{d['source']}: {why}: {d['error'][:300]!r}"
        for d in documents
        if d["status"] == "failed" and (why := wrong_with(d["error"]))
    ]
    read = {Path(d["source"]).name for d in documents if d["status"] == "added"}
    for place, town in enumerate(TOWNS):
        if f"sales {town}.csv" not in read:
            wrong.append(f"sales {town}.csv was not read")
            continue
        question = f"How many litres did {town} sell in June?"
        command = [*_with(home), TABLERAG, "ask", question, "--json"]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        with suppress(ValueError):
            said = str(json.loads(said)["answer"])
        if str(2000 + 41 * place) not in said.replace(",", ""):
            wrong.append(f"{question} {said[:200]!r}")
    return wrong


def show(made: Counter[str], documents: Sequence[dict[str, str]], run: Measured) -> None:
    """Print each file, then each kind."""
    for document in sorted(documents, key=lambda d: d["source"]):
        source, said = ascii(document["source"])[1:-1], ascii(document["error"])[1:-1]
        print(f"{document['status']:8} {run.waits.get(document['source'], 0):6.1f} s  {source[:60]}  {said[:160]}")
    print("\nkind      files  outcomes                                  longest wait  peak MB")
    for kind, count in made.items():
        outcomes = Counter(d["status"] for d in documents if d["source"].startswith(f"{kind}/"))
        longest = max((s for n, s in run.waits.items() if n.startswith(f"{kind}/")), default=0.0)
        shown = ", ".join(f"{n} {s}" for s, n in outcomes.items())
        print(f"{kind:9} {count:5}  {shown:40} {longest:12.1f} s  {run.peaks.get(kind, 0):7,.0f}")
    print(f"\nstatus {run.status} after {run.seconds:.0f} s; peak {run.peak:,.0f} MB at {run.at_peak}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the folder, ingest it and print what became of it."""
    parser = argparse.ArgumentParser(description="Ingest a folder of hostile files.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="REGEX", help="only files whose path matches")
    parser.add_argument("--limit-mb", type=float, default=2000.0)
    parser.add_argument("--timeout-s", type=float, default=60.0, help="of one file, for the whole to end in time")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="hostile-") as temporary:
        folder, home, report = (Path(temporary, n) for n in ("folder", "home", "report"))
        folder.mkdir()
        made = make(folder, given.seed, given.only)
        run = ingest(folder, home, report, given.timeout_s)
        written = report.with_suffix(".json")
        documents = json.loads(written.read_text(encoding="utf-8"))["documents"] if written.exists() else []
        show(made, documents, run)
        wrong = check(documents, home) + [f"peak above {given.limit_mb:,.0f} MB"] * (run.peak > given.limit_mb)
        if not documents:
            wrong.append(ascii((home.parent / "output.txt").read_text(encoding="utf-8", errors="replace")[-500:]))
    print("\n".join(f"WRONG {ascii(w)[1:-1]}" for w in wrong) or "all as it should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
