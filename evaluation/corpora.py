"""The corpora that questions are asked of: one for a whole set (open), or one for each question's own documents."""

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.locking import waited_for
from tablerag.ingestion.pipeline import Progress, ingest
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services

__all__ = ["corpora_of", "open_corpus", "own_corpora"]

OnProgress = Callable[[Progress], None]
LOCK = "lock"
"""Beside the notes of what was ingested: one process at a time ingests into the stores."""
WRITTEN_AT = "docProps/core.xml"
"""Where a workbook says when it was written."""


def corpora_of(
    benchmark: Benchmark,
    questions: Sequence[Question],
    services: Services,
    *,
    closed: bool,
    on_progress: OnProgress | None = None,
) -> dict[str, str]:
    """Return the corpus of each question's id: the whole set's, or in the closed setting its own."""
    if closed:
        return own_corpora(benchmark, questions, services, on_progress)
    return dict.fromkeys((q.id for q in questions), open_corpus(benchmark, services, on_progress))


def open_corpus(benchmark: Benchmark, services: Services, on_progress: OnProgress | None = None) -> str:
    """Ingest all the set's documents as one corpus, if that was not done; return its name."""
    keys = sorted({q.own for q in benchmark.questions})
    write = benchmark.write_whole or (lambda out: benchmark.write_documents(out, keys))
    return _corpus(benchmark.name, write, services, on_progress)


def own_corpora(
    benchmark: Benchmark,
    questions: Sequence[Question],
    services: Services,
    on_progress: OnProgress | None = None,
) -> dict[str, str]:
    """Ingest each question's own documents as a corpus; return the corpus of each question's id."""
    keys = list(dict.fromkeys(q.own for q in questions))
    corpora = {}
    for done, key in enumerate(keys):
        corpora[key] = _corpus(benchmark.name, partial(_write_own, benchmark, key), services, None)
        if on_progress:
            on_progress(Progress(done + 1, len(keys), ""))
    return {q.id: corpora[q.own] for q in questions}


def _write_own(benchmark: Benchmark, key: str, out: Path) -> None:
    benchmark.write_documents(out, [key])


def _corpus(benchmark: str, write: Callable[[Path], None], services: Services, on_progress: OnProgress | None) -> str:
    """Ingest what is written under a name made of its hash: other documents never pass for these."""
    home = services.settings.home
    with waited_for(home / "evaluated" / LOCK):
        (home / "documents").mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home / "documents", prefix=".new-") as beside:
            written = Path(beside, "documents")
            written.mkdir()
            write(written)
            name = f"eval-{_digest(written)[:12]}"
            done, folder = home / "evaluated" / name, home / "documents" / name
            if done.exists():
                return name
            shutil.rmtree(folder, ignore_errors=True)
            written.replace(folder)
        entries = ingest([folder], services, name, on_progress=on_progress).entries
        failed = [e for e in entries if e.status == "failed"]
        if not entries or len(failed) == len(entries):
            why = failed[0].error if failed else "there are none"
            raise ConfigError(f"no document of {benchmark} could be read: {why}")
        done.write_text("".join(f"{e.source}: {e.error}\n" for e in failed), encoding="utf-8")
    return name


def _digest(folder: Path) -> str:
    """Return the hash of all files below a folder, their names and bytes."""
    told = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        told.update(f"{path.relative_to(folder).as_posix()}\0{_content(path)}\n".encode())
    return told.hexdigest()


def _content(path: Path) -> str:
    """Return the hash of a file's bytes; of a workbook's parts, as it also holds when it was written."""
    if path.suffix != ".xlsx":
        return hashlib.sha256(path.read_bytes()).hexdigest()
    with zipfile.ZipFile(path) as book:
        return " ".join(f"{m.filename}:{m.CRC:x}" for m in book.infolist() if m.filename != WRITTEN_AT)
