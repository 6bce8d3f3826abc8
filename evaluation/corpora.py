"""The corpora that questions are asked of: the whole set's (open), or each question's own documents (closed)."""

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from filelock import FileLock

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.ingestion.pipeline import Progress, ingest
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services

__all__ = ["OnProgress", "corpora_of", "ingested", "open_corpus", "unread"]

OnProgress = Callable[[Progress], None]
WRITTEN_AT = "docProps/core.xml"
"""The part of a workbook that states when it was written."""


def corpora_of(
    benchmark: Benchmark,
    questions: Sequence[Question],
    services: Services,
    *,
    closed: bool,
    on_progress: OnProgress | None = None,
) -> dict[str, str]:
    """Ingest the documents, unless that is done, and return each question id's corpus."""
    if not closed:
        return dict.fromkeys((q.id for q in questions), open_corpus(benchmark, services, on_progress))
    corpora: dict[str, str] = {}
    own = list(dict.fromkeys(q.own for q in questions))
    for done, key in enumerate(own, start=1):
        corpora[key] = _corpus(benchmark, lambda out, k=key: benchmark.write_documents(out, [k]), services, None)
        if on_progress:
            on_progress(Progress(done, len(own), ""))
    return {q.id: corpora[q.own] for q in questions}


def open_corpus(benchmark: Benchmark, services: Services, on_progress: OnProgress | None = None) -> str:
    """Ingest all documents of a benchmark as one corpus, unless that is done; return its name."""
    keys = sorted({q.own for q in benchmark.questions})
    write = benchmark.write_whole or (lambda out: benchmark.write_documents(out, keys))
    return _corpus(benchmark, write, services, on_progress)


def _corpus(
    benchmark: Benchmark, write: Callable[[Path], object], services: Services, on_progress: OnProgress | None
) -> str:
    """Index the written documents as a corpus named by their hash, so that no others are taken for them."""
    home = services.settings.home
    (home / "evaluated").mkdir(parents=True, exist_ok=True)
    (home / "documents").mkdir(exist_ok=True)
    with FileLock(home / "evaluated" / "lock"):
        with tempfile.TemporaryDirectory(dir=home / "documents", prefix=".new-") as beside:
            written = Path(beside, "documents")
            written.mkdir()
            write(written)
            # The same documents, indexed in another way, are another corpus.
            name = f"eval-{_digest(written, benchmark.indexed_as)[:12]}"
            done, folder = home / "evaluated" / name, home / "documents" / name
            if done.exists():
                return name
            shutil.rmtree(folder, ignore_errors=True)
            written.replace(folder)
        try:
            lines = (benchmark.index or ingested)(folder, services, name, on_progress)
        except ConfigError as error:
            raise ConfigError(f"could not read any document of {benchmark.name}: {error}") from error
        done.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return name


def ingested(folder: Path, services: Services, corpus: str, on_progress: OnProgress | None = None) -> list[str]:
    """Ingest a folder of documents; return a line for each unread one, and raise ConfigError if all are."""
    entries = ingest([folder], services, corpus, on_progress=on_progress).entries
    left_out = [e for e in entries if e.status in ("failed", "skipped")]
    if not entries or len(left_out) == len(entries):
        raise ConfigError(left_out[0].error if left_out else "it has no documents")
    return [" ".join(f"{e.source}: {e.error}".split()) for e in left_out]


def unread(corpora: Iterable[str], services: Services) -> list[str]:
    """Return a line for each document of these corpora that could not be read, with the reason."""
    files = (services.settings.home / "evaluated" / corpus for corpus in dict.fromkeys(corpora))
    return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def _digest(folder: Path, way: str) -> str:
    """Return the hash of the names and contents of all files below a folder, and of the way they are indexed."""
    digest = hashlib.sha256(way.encode())
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{_content(path)}\n".encode())
    return digest.hexdigest()


def _content(path: Path) -> str:
    """Return the hash of a file's bytes; of a workbook, the checksums of its parts without the time of writing."""
    if path.suffix != ".xlsx" or not zipfile.is_zipfile(path):  # a damaged or encrypted workbook is no archive
        return hashlib.sha256(path.read_bytes()).hexdigest()
    with zipfile.ZipFile(path) as book:
        return " ".join(f"{m.filename}:{m.CRC:x}" for m in book.infolist() if m.filename != WRITTEN_AT)
