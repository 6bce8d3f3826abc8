"""Fuzz the readers with mutated files: python -m benchmarks.reader_fuzz --cases 10000 [--seed 1] [FOLDER ...]

Each case takes a file of the folders (examples/corpus and training/folders by default), of every format as often as of
the others, and changes it by benchmarks.reader_mutations. It is read in a reader process with the usual limits. The
outcome must be a document or a clean error: one line, with advice, without the name of an exception or a path; so
must a document's warnings. A crash, a time limit and anything else are printed, the file is kept in --keep, and the
exit status is 1. Errors that no reader foresaw are clean too: they are counted, and kept. The largest memory of a
reader process and the longest time are printed at the end.
"""

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from threading import local

from benchmarks.reader_mutations import mutated
from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.overrides import DocumentWishes
from tablerag.ingestion.reader_worker import Job, Outcome, OutOfMemory, Reading, Worker
from tablerag.ingestion.readers import READERS

__all__ = ["main", "trouble"]

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (ROOT / "examples" / "corpus", ROOT / "training" / "folders")
MOST_BYTES = 200_000
READING = Reading(chunk_tokens=1000, chunk_overlap=200, memory_mb=1000, timeout_s=30.0)
LEAK = re.compile(
    r"\w(Error|Exception|Warning)\b|Traceback|NoneType|has no attribute|0x[0-9a-f]{6}|tablerag\.(?!yaml)|\n"
)
ADVICE = re.compile(
    r"\b(save|fetch|give|split|remove|run|open|delete|fix|ingest|copy|use|check|shorten|unpack|install)\b",
    re.IGNORECASE,
)
UNFORESEEN = "made to mislead"
MOST_CHARS = 500
SLOW_S = 10.0
"""A case that takes longer is kept, too."""
KEPT = ("out of memory", "unforeseen")


def trouble(outcome: Outcome, folder: str) -> str:
    """Return what is wrong with an outcome, "" for a document with clean warnings and for a clean error."""
    if isinstance(outcome, DocumentContent):
        odd = next((w for w in outcome.warnings if LEAK.search(w) or len(w) > MOST_CHARS or folder in w), "")
        return odd and f"not clean: {odd!r}"
    said = str(outcome)
    if "crashed the reader process" in said or "took longer" in said:
        return said
    if LEAK.search(said) or not ADVICE.search(said) or len(said) > MOST_CHARS or folder in said:
        return f"not clean: {said!r}"
    return ""


@dataclass(frozen=True, slots=True)
class Case:
    """One mutated file and what became of it."""

    name: str
    data: bytes
    outcome: Outcome
    seconds: float
    megabytes: int
    """The most resident memory that the reader process has had so far."""

    @property
    def kind(self) -> str:
        if isinstance(self.outcome, DocumentContent):
            return "read"
        if isinstance(self.outcome, OutOfMemory):
            return "out of memory"
        return "unforeseen" if UNFORESEEN in str(self.outcome) else "refused"


class Fuzzer:
    """Runs cases; each thread has a reader process of its own."""

    def __init__(self, sources: Sequence[Path], seed: int, folder: Path) -> None:
        self._by_suffix: dict[str, list[Path]] = {}
        for source in sources:
            self._by_suffix.setdefault(source.suffix.lower(), []).append(source)
        self._seed, self._folder, self._mine = seed, folder, local()

    def run(self, case: int) -> Case:
        chance = random.Random(f"{self._seed} {case}")
        source = chance.choice(self._by_suffix[chance.choice(sorted(self._by_suffix))])
        data = mutated(source.read_bytes(), source.suffix.lower(), chance)
        path = self._folder / f"{case}{source.suffix.lower()}"
        path.write_bytes(data)
        worker = getattr(self._mine, "worker", None)
        if worker is None or not worker.is_idle:
            worker = self._mine.worker = Worker()
        started = time.monotonic()
        outcome = worker.read(Job(SourceFile(path, path.name), "fuzz", len(data), "", DocumentWishes()), READING)
        seconds = time.monotonic() - started
        path.unlink()
        return Case(f"case {case}, {source.name}", data, outcome, seconds, _peak_mb(worker))


def _peak_mb(worker: Worker) -> int:
    """Return the most resident memory of a reader process in MB, 0 if it has ended."""
    process = worker._process
    try:
        status = Path(f"/proc/{process.pid if process else 0}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1000 for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases and print those that went wrong."""
    parser = argparse.ArgumentParser(description="Fuzz the readers with mutated files.")
    parser.add_argument("folders", nargs="*", type=Path, default=FOLDERS)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--minutes", type=float, default=1e6, help="end after so many, whatever is left")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder for the files of cases that went wrong")
    given = parser.parse_args(arguments)
    files = [f for folder in given.folders for f in sorted(folder.rglob("*")) if f.suffix.lower() in READERS]
    files = [f for f in files if f.is_file() and 0 < f.stat().st_size <= MOST_BYTES]
    counts, failed, slowest, largest = Counter[str](), 0, ("", 0.0), ("", 0)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.workers) as threads:
        fuzzer = Fuzzer(files, given.seed, Path(folder))
        for case in threads.map(fuzzer.run, range(given.first, given.first + given.cases)):
            counts[case.kind] += 1
            slowest = max(slowest, (case.name, case.seconds), key=itemgetter(1))
            largest = max(largest, (case.name, case.megabytes), key=itemgetter(1))
            if wrong := trouble(case.outcome, folder):
                failed += 1
                print(f"{case.name}: {wrong[:MOST_CHARS]}", flush=True)
            if given.keep and (wrong or case.kind in KEPT or case.seconds > SLOW_S):
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / case.name.replace("case ", "").replace(", ", " ")).write_bytes(case.data)
            if time.monotonic() > started + given.minutes * 60:
                threads.shutdown(cancel_futures=True)
                break
    spent = time.monotonic() - started
    print(
        f"{counts.total()} cases in {spent:.0f} s, {failed} wrong; {', '.join(f'{n} {k}' for k, n in counts.items())}"
    )
    print(f"longest: {slowest[1]:.1f} s ({slowest[0]}); largest process: {largest[1]:,} MB ({largest[0]})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
