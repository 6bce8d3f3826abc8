"""How long short commands take, beside other tools' in the same run, and what `tablerag ask` spends on imports."""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

CORPUS = Path("examples/corpus")
QUESTION = "What is the total quantity of the orders in the region North?"
BIN = Path(sys.executable).parent
IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)")
MOST_IMPORTS = 10


def commands(database: Path) -> dict[str, list[str]]:
    """Return the commands to time, by the name they are shown under."""
    tablerag, python = str(BIN / "tablerag"), sys.executable
    return {
        "python -c pass": [python, "-c", "pass"],
        "python -c 'import tablerag'": [python, "-c", "import tablerag"],
        "tablerag --version": [tablerag, "--version"],
        "tablerag --help": [tablerag, "--help"],
        "tablerag tables": [tablerag, "tables"],
        "tablerag describe orders": [tablerag, "describe", "orders"],
        "tablerag sql": [tablerag, "sql", "SELECT COUNT(*) FROM orders"],
        "tablerag ask": [tablerag, "ask", QUESTION],
        "sqlite-utils tables": [str(BIN / "sqlite-utils"), "tables", str(database)],
        "llm --version": [str(BIN / "llm"), "--version"],
    }


def seconds(command: Sequence[str]) -> tuple[float, float]:
    """Run a command; return its wall and its CPU seconds, user and system."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime


def dearest_imports(setting: Sequence[str], command: Sequence[str]) -> list[tuple[int, str]]:
    """Return the modules that took longest by themselves, in microseconds, with their names."""
    traced = [*setting, sys.executable, "-X", "importtime", *command]
    said = subprocess.run(traced, capture_output=True, text=True, check=True).stderr
    return sorted(((int(own), name) for own, name in IMPORT.findall(said)), reverse=True)[:MOST_IMPORTS]


def main() -> None:
    """Time each command in turn, several rounds, and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="rounds; the first, which warms the disk, is not counted")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Settings(home=Path(folder)))
        ingest([CORPUS], services, "default")
        services.close()
        setting = ("env", f"TABLERAG_HOME={folder}", "TABLERAG_MODEL=offline")
        timed = {n: c for n, c in commands(Path(folder) / "tables.db").items() if Path(c[0]).exists()}
        rounds = [{name: seconds((*setting, *c)) for name, c in timed.items()} for _ in range(runs + 1)][1:]
        dearest = dearest_imports(setting, timed["tablerag ask"])
    medians = {n: tuple(statistics.median(r[n][i] for r in rounds) for i in (0, 1)) for n in timed}
    print(f"{'median of ' + str(runs) + ' runs':28} {'wall s':>7} {'CPU s':>7} {'x python':>9}")
    for name, (wall, cpu) in medians.items():
        print(f"{name:28} {wall:7.2f} {cpu:7.2f} {cpu / medians['python -c pass'][1]:9.1f}")
    for name in commands(Path()).keys() - timed.keys():
        print(f"{name:28} not installed: pip install -c constraints.txt -e '.[bench]'")
    print("\nThe imports on which `tablerag ask` spends most, without what they import in turn:")
    for own, name in dearest:
        print(f"{own / 1000:7.1f} ms  {name}")


if __name__ == "__main__":
    main()
