"""Fuzz the readers with mutated files: python -m benchmarks.reader_fuzz --cases 10000 [--seed 1] [FOLDER ...]

Each case takes a file of the folders (examples/corpus and training/folders by default) and flips bits, cuts it off,
exchanges or repeats blocks, or puts hostile pieces into it; the same within a member of an archive and a compressed
stream of a PDF, as their checksums would refuse most changes. It is read in a reader process with the usual limits. The
outcome must be a document or a clean error: one line, with advice, without the name of an exception. A crash, a time
limit and anything else are printed, the file is kept in --keep, and the exit status is 1. Errors that no reader foresaw
are clean too, and only counted.
"""

import argparse
import io
import random
import re
import sys
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import local

from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.overrides import DocumentWishes
from tablerag.ingestion.reader_worker import Job, Outcome, Reading, Worker
from tablerag.ingestion.readers import READERS

__all__ = ["main", "mutated", "trouble"]

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (ROOT / "examples" / "corpus", ROOT / "training" / "folders")
MOST_BYTES = 200_000
READING = Reading(chunk_tokens=1000, chunk_overlap=200, memory_mb=1000, timeout_s=30.0)
LEAK = re.compile(r"\w(Error|Exception|Warning)\b|Traceback|NoneType|has no attribute|0x[0-9a-f]{6}|tablerag\.|\n")
ADVICE = re.compile(
    r"\b(save|fetch|give|split|remove|run|open|delete|fix|ingest|copy|use|check|shorten)\b", re.IGNORECASE
)
UNFORESEEN = "made to mislead"
MOST_CHARS = 500
PIECES = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b",", b";", b"\t", b"\n", b"\r\n", b"|", b"<", b">",
    b"&#0;", b"&#xD800;", b"[", b"]", b"(", b")", b"1e999", b"NaN",
    b"<table>", b"</td>", b"<tr>", b' colspan="99999"', b' rowspan="0"', b"-1", b"99999999999999999999",
    b"0000-00-00", b"2024-02-30", b"=1/0", b"#REF!", b"\xe2\x80\xae", b"<<", b">>", b"endobj", b"0 R",
)  # fmt: skip
PDF_STREAM = re.compile(rb"stream\r?\n(.+?)\r?\nendstream", re.DOTALL)
ARCHIVES = (".docx", ".ods", ".xlsm", ".xlsx")


def mutated(data: bytes, suffix: str, chance: random.Random) -> bytes:
    """Return a mutation of a file."""
    if suffix in ARCHIVES and chance.random() < 0.8:
        return _within_member(data, chance)
    if suffix == ".pdf" and chance.random() < 0.5:
        return _within_stream(data, chance)
    return _changed(data, chance)


def _changed(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        start = chance.randrange(len(made) + 1)
        length = chance.choice((1, 4, 64, 1024))
        match chance.randrange(6):
            case 0:
                for place in range(start, min(start + chance.choice((1, 8)), len(made))):
                    made[place] ^= 1 << chance.randrange(8)
            case 1:
                made[start : start + length] = chance.choice(PIECES)
            case 2:
                made[start:start] = chance.choice(PIECES) * chance.choice((1, 2, 50))
            case 3:
                other = chance.randrange(len(made) + 1)
                made[start : start + length], made[other : other + length] = (
                    made[other : other + length],
                    made[start : start + length],
                )
            case 4:
                made[start:start] = made[start : start + length] * chance.choice((1, 10))
            case _:
                if chance.random() < 0.3:
                    del made[start:]
    return bytes(made)


def _within_member(data: bytes, chance: random.Random) -> bytes:
    """Return an archive with a member changed and packed again."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(list(members))
    if chance.random() < 0.1:
        del members[name]
    else:
        members[name] = _changed(members[name], chance)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for member, content in members.items():
            file.writestr(member, content)
    return stream.getvalue()


def _within_stream(data: bytes, chance: random.Random) -> bytes:
    """Return a PDF with a compressed stream changed and packed again."""
    streams = list(PDF_STREAM.finditer(data))
    if not streams:
        return _changed(data, chance)
    found = chance.choice(streams)
    try:
        content = zlib.decompress(found[1])
    except zlib.error:
        return _changed(data, chance)
    return data[: found.start(1)] + zlib.compress(_changed(content, chance)) + data[found.end(1) :]


def trouble(outcome: Outcome) -> str:
    """Return what is wrong with an outcome, "" for a document and for a clean error."""
    if isinstance(outcome, DocumentContent):
        return ""
    said = str(outcome)
    if "crashed the reader process" in said or "took longer" in said:
        return said
    if LEAK.search(said) or not ADVICE.search(said) or len(said) > MOST_CHARS:
        return f"not clean: {said!r}"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases and print those that went wrong."""
    parser = argparse.ArgumentParser(description="Fuzz the readers with mutated files.")
    parser.add_argument("folders", nargs="*", type=Path, default=FOLDERS)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder for the files of cases that went wrong")
    given = parser.parse_args(arguments)
    files = [f for folder in given.folders for f in sorted(folder.rglob("*")) if f.suffix.lower() in READERS]
    files = [f for f in files if f.is_file() and 0 < f.stat().st_size <= MOST_BYTES]
    mine, counts, failed = local(), Counter[str](), 0
    started = time.monotonic()

    def run(case: int) -> tuple[Path, Outcome, bytes]:
        chance = random.Random(f"{given.seed} {case}")
        source = chance.choice(files)
        data = mutated(source.read_bytes(), source.suffix.lower(), chance)
        path = Path(folder) / f"{case}{source.suffix.lower()}"
        path.write_bytes(data)
        worker = getattr(mine, "worker", None)
        if worker is None or not worker.is_idle:
            worker = mine.worker = Worker()
        outcome = worker.read(Job(SourceFile(path, path.name), "fuzz", len(data), "", DocumentWishes()), READING)
        path.unlink()
        return source, outcome, data

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.workers) as threads:
        for case, (source, outcome, data) in enumerate(threads.map(run, range(given.cases))):
            kind = "read" if isinstance(outcome, DocumentContent) else "refused"
            counts["unforeseen" if UNFORESEEN in str(outcome) and kind == "refused" else kind] += 1
            if wrong := trouble(outcome):
                failed += 1
                print(f"case {case}, {source.name}: {wrong}", flush=True)
                if given.keep:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    (given.keep / f"{case}{source.suffix.lower()}").write_bytes(data)
    spent = time.monotonic() - started
    print(f"{given.cases} cases in {spent:.0f} s, {failed} wrong; {', '.join(f'{n} {k}' for k, n in counts.items())}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
