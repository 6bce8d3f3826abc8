"""Measure the indexes at scale: build, size, memory, queries, adding, deleting, and two processes at once.

    python -m benchmarks.scale [--chunks 100000] [--out FOLDER]

The chunks are synthetic: rows of words with frequencies as in text. Each fits one window, so there are as many vectors
as chunks.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.progress import track

from tablerag.tools.records import Chunk
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

WORDS = 60_000
PER_DOCUMENT = 500
CORPUS = "scale"


def make_chunks(first: int, count: int) -> list[Chunk]:
    """Return synthetic table chunks, the same for the same numbers."""
    return [_chunk(i) for i in range(first, first + count)]


def _chunk(number: int) -> Chunk:
    random_ = random.Random(number)
    rows = "\n".join("| " + " | ".join(_word(random_) for _ in range(5)) + " |" for _ in range(4))
    header = " | ".join(_word(random_) for _ in range(5))
    document = f"d{number // PER_DOCUMENT}"
    return Chunk(
        id=f"{document}:{number}",
        text=f"| {header} |\n| --- |\n{rows}",
        kind="table",
        document_id=document,
        source=f"{document}.csv",
        title=f"{_word(random_)} {_word(random_)} {number}",
        table_id=f"t{number}",
    )


def _word(random_: random.Random) -> str:
    """Draw a word; the r-th is about 1/r as frequent as the first."""
    rank = int(WORDS ** random_.random())
    letters = "bcdfghklmnprst"
    vowels = "aeiou"
    text = ""
    while rank or not text:
        rank, rest = divmod(rank, 70)
        text += letters[rest % 14] + vowels[rest // 14]
    return text


def questions(count: int, chunks: int) -> Iterator[tuple[str, str]]:
    """Return queries of three words of a known chunk, with its id."""
    random_ = random.Random(7)
    for _ in range(count):
        chunk = _chunk(random_.randrange(chunks))
        yield " ".join(random_.sample(chunk.text.replace("|", " ").replace("-", " ").split(), 3)), chunk.id


def build(services: Services, chunks: int) -> float:
    """Index all chunks, one document at a time; return the seconds."""
    begun = time.perf_counter()
    for first in track(range(0, chunks, PER_DOCUMENT), "building", transient=True):
        some = make_chunks(first, min(PER_DOCUMENT, chunks - first))
        services.vector_store(CORPUS).add(some)
        services.lexical_index(CORPUS).add(some)
    return time.perf_counter() - begun


def ask(services: Services, chunks: int, concurrency: int, count: int) -> tuple[list[float], float]:
    """Return milliseconds per query with reranking, and the share of queries whose chunk is among the first three."""

    def one(asked: tuple[str, str]) -> tuple[float, bool]:
        begun = time.perf_counter()
        found = services.reranker(CORPUS).rerank(asked[0], services.retriever(CORPUS).search(asked[0], 30), 3)
        return 1000 * (time.perf_counter() - begun), asked[1] in {c.id for c in found}

    one(next(questions(1, chunks)))
    with ThreadPoolExecutor(concurrency) as pool:
        timed = list(pool.map(one, questions(count, chunks)))
    return [t for t, _ in timed], sum(hit for _, hit in timed) / len(timed)


def quantiles(times: list[float]) -> str:
    """Return the median and the 95th percentile as text."""
    return f"p50 {statistics.median(times):.1f} ms, p95 {statistics.quantiles(times, n=20)[-1]:.1f} ms"


def two_processes(services: Services, home: Path, chunks: int) -> None:
    """Query while another process adds documents, then search for these."""
    added = 10
    other = subprocess.Popen([sys.executable, "-m", "benchmarks.scale", "--add", str(home), str(chunks), str(added)])
    asked = errors = 0
    while other.poll() is None:
        for question, _ in questions(5, chunks):
            asked += 1
            try:
                services.reranker(CORPUS).rerank(question, services.retriever(CORPUS).search(question, 30), 3)
            except Exception as error:  # counted and shown: the measurement is whether there are any
                errors += 1
                print(f"  {type(error).__name__}: {error}")
    last = _chunk(chunks + added * PER_DOCUMENT - 1)
    found = services.vector_store(CORPUS).search(f"{last.title} {last.text}", 1)[0].id == last.id
    seen = services.lexical_index(CORPUS).search(last.title, 1)[0].id == last.id
    print(
        f"two processes: {asked} queries while another added {added * PER_DOCUMENT} chunks (exit {other.returncode}), "
        f"{errors} errors; its last chunk is found by Chroma {found}, by tantivy {seen}"
    )


def main() -> None:
    """Build and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--add", nargs=3, metavar=("HOME", "FIRST", "DOCUMENTS"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.add:
        _add(Path(args.add[0]), int(args.add[1]), int(args.add[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        services = Services(Settings(home=home, _env_file=None))
        seconds = build(services, args.chunks)
        print(f"built {args.chunks} chunks: {args.chunks / seconds:.0f} chunks/s")
        for name in ("chroma", "lexical"):
            size = sum(f.stat().st_size for f in (home / name).rglob("*") if f.is_file())
            print(f"{name}: {size / args.chunks:.0f} bytes per chunk, {size / 1e6:.0f} MB")
        for concurrency in (1, 8):
            times, hits = ask(services, args.chunks, concurrency, args.queries)
            print(f"{concurrency} at once: {quantiles(times)}; right chunk among the first three: {100 * hits:.0f} %")
        begun = time.perf_counter()
        extra = make_chunks(args.chunks, PER_DOCUMENT)
        services.vector_store(CORPUS).add(extra)
        services.lexical_index(CORPUS).add(extra)
        between = time.perf_counter()
        services.vector_store(CORPUS).delete_documents([extra[0].document_id])
        services.lexical_index(CORPUS).delete_documents([extra[0].document_id])
        ended = time.perf_counter()
        print(
            f"adding a document of {PER_DOCUMENT} chunks {between - begun:.2f} s, deleting it {ended - between:.2f} s"
        )
        two_processes(services, home, args.chunks + PER_DOCUMENT)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(json.dumps({"peak_memory_mb": round(peak), "chunks": args.chunks}))
        services.close()


def _add(home: Path, first: int, documents: int) -> None:
    services = Services(Settings(home=home, _env_file=None))
    for document in range(documents):
        some = make_chunks(first + document * PER_DOCUMENT, PER_DOCUMENT)
        services.vector_store(CORPUS).add(some)
        services.lexical_index(CORPUS).add(some)
    services.close()


if __name__ == "__main__":
    main()
