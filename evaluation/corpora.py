"""The corpora that questions are asked of: one for a whole set (open), or one for each question's own documents."""

import hashlib
import shutil
from collections.abc import Callable, Sequence

from evaluation.datasets.benchmark import Benchmark, Question
from ingestion.pipeline import Progress, ingest
from tools.errors import ConfigError
from tools.services import Services

__all__ = ["corpora_of", "open_corpus", "own_corpora"]

OnProgress = Callable[[Progress], None]


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
    """Ingest the documents of all the set's questions as one corpus, if that was not done; return its name."""
    keys = sorted({q.own for q in benchmark.questions})
    return _corpus(benchmark, keys, services, on_progress)


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
        corpora[key] = _corpus(benchmark, [key], services, None)
        if on_progress:
            on_progress(Progress(done + 1, len(keys), ""))
    return {q.id: corpora[q.own] for q in questions}


def _corpus(benchmark: Benchmark, keys: Sequence[str], services: Services, on_progress: OnProgress | None) -> str:
    """Ingest documents under a name made of their keys' hash: it tells nothing, and is the same every time."""
    told = "\n".join([benchmark.name, *keys])
    name = f"eval-{hashlib.sha256(told.encode()).hexdigest()[:12]}"
    done = services.settings.home / "evaluated" / name
    if done.exists():
        return name
    folder = services.settings.home / "documents" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    benchmark.write_documents(folder, keys)
    entries = ingest([folder], services, name, on_progress=on_progress).entries
    failed = [e for e in entries if e.status == "failed"]
    if not entries or len(failed) == len(entries):
        why = failed[0].error if failed else "there are none"
        raise ConfigError(f"no document of {benchmark.name} could be read: {why}")
    done.parent.mkdir(exist_ok=True)
    done.write_text("".join(f"{e.source}: {e.error}\n" for e in failed), encoding="utf-8")
    return name
