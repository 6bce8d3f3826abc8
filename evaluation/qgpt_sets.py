"""QGpT's table retrieval sets as benchmarks: which tables answer a question, measured by Recall@k.

The documents are the corpora's partial tables (ten rows) as files with their released titles (E2E-WTQ has none),
without the corpora's questions. The variants take the questions too, or the corpus's own texts instead of files.
"""

import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from tablerag.evaluation.corpora import OnProgress, ingested
from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.qgpt import QgptCorpus, QgptEntry, load_parts, load_qgpt, write_files
from tablerag.evaluation.datasets.qgpt_files import DECOMPOSERS, MIMO_KINDS
from tablerag.evaluation.table_retrieval import DEPTHS, place, sheet_of
from tablerag.ingestion.pipeline import Progress
from tablerag.ingestion.questions import index_questions, partial_table
from tablerag.tools.chunks import add_chunks
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Chunk
from tablerag.tools.services import Services

__all__ = [
    "load_e2e_wtq",
    "load_fetaqa",
    "load_mimotable",
    "load_mimotable_chinese",
    "load_mmqa",
    "load_qgpt_ottqa",
]

BATCH = 500
"""Texts indexed at a time."""
MMQA = {"dev": "MMQA_2table", "2tables": "MMQA_2table", "3tables": "MMQA_3table"}
"""The splits of MMQA: questions over two tables, and over three."""


@dataclass(frozen=True, slots=True)
class Variant:
    """What is indexed, and what is searched for."""

    kind: str = "QGpT"
    """The kind of the corpus's texts."""
    as_texts: bool = False
    """Whether the texts are indexed as they are; else they are written as files and ingested."""
    questions: bool = False
    """Whether an ingested corpus's own questions are indexed too."""
    titled: bool = True
    decomposed_by: str = ""
    """The model whose sub-questions are searched for instead of the question."""


def _variants(*kinds: str, untitled: bool = False, decomposed: bool = False, first: str = "QGpT") -> dict[str, Variant]:
    """Return the variants of a corpus that has texts of these kinds; ``first`` is the one that files are made of."""
    found = {"": Variant(first)} | {_named(kind): Variant(kind, as_texts=True) for kind in kinds}
    if "QGpT" in kinds:
        found["questions"] = Variant(questions=True)
    if untitled:
        bare = {f"{n or 'files'}-untitled": Variant(v.kind, v.as_texts, v.questions, False) for n, v in found.items()}
        found |= bare
    for model in DECOMPOSERS if decomposed else ():
        split = {f"{n or 'files'}-by-{model}": Variant(v.kind, v.as_texts, v.questions, True, model)
                 for n, v in found.items() if not v.decomposed_by}  # fmt: skip
        found |= split
    return found


def _named(kind: str) -> str:
    """Return a kind's variant: pT&desc is pt-and-desc."""
    return kind.lower().replace("&", "-and-").replace("_", "-")


SINGLE = _variants("pT", "QGpT")
OTTQA = _variants("pT", "QGpT", untitled=True)
MIMO = _variants(*MIMO_KINDS)
CHINESE = _variants("1k", "2k", "5k", "full", "top10", first="top10")
MULTIPLE = _variants("pT", "QGpT", decomposed=True)


def load_mimotable(folder: Path, split: str, variant: str = "") -> Benchmark:
    """Read QGpT's MiMoTable with its questions; there is one split."""
    return _load(folder, "MiMoTable", "mimotable", MIMO, variant)


def load_mimotable_chinese(folder: Path, split: str, variant: str = "") -> Benchmark:
    """Read QGpT's Chinese MiMoTable with its questions; there is one split."""
    return _load(folder, "MiMoTable-Chinese", "mimotable-ch", CHINESE, variant)


def load_qgpt_ottqa(folder: Path, split: str, variant: str = "") -> Benchmark:
    """Read QGpT's OTT-QA with its questions; there is one split."""
    return _load(folder, "OTTQA", "ottqa", OTTQA, variant)


def load_fetaqa(folder: Path, split: str, variant: str = "") -> Benchmark:
    """Read QGpT's FeTaQA with its questions; there is one split."""
    return _load(folder, "FetaQA", "fetaqa", SINGLE, variant)


def load_e2e_wtq(folder: Path, split: str, variant: str = "") -> Benchmark:
    """Read QGpT's E2E-WTQ with its questions; there is one split."""
    return _load(folder, "E2EWTQ", "e2e-wtq", SINGLE, variant)


def load_mmqa(folder: Path, split: str, variant: str = "") -> Benchmark:
    """Read QGpT's MMQA: the questions over two tables (2tables, or dev), or over three (3tables)."""
    if split not in MMQA:
        raise ConfigError(f"unknown MMQA split {split!r}: expected 2tables or 3tables")
    return _load(folder, MMQA[split], "mmqa-3tables" if split == "3tables" else "mmqa-2tables", MULTIPLE, variant)


def _load(folder: Path, corpus: str, name: str, variants: dict[str, Variant], chosen: str) -> Benchmark:
    variant = variants[chosen]
    native = load_qgpt(folder, corpus, variant.kind)
    write = _write_texts if variant.as_texts else write_files
    with_questions = partial(_index_questions, native, variant.titled) if variant.questions else None

    @lru_cache(maxsize=1)
    def keys() -> dict[str, str]:
        """Return the corpus's key for each place, as the files are named."""
        with tempfile.TemporaryDirectory() as out:
            written = write(native.entries, Path(out), titled=variant.titled)
            return {place(*names): entry.key for names, entry in written.items()}

    def write_documents(out: Path, _: Collection[str]) -> None:
        write(native.entries, out, titled=variant.titled)

    def score(question: Question, values: Sequence[str]) -> dict[str, float]:
        found = [keys().get(v, "") for v in values]
        gold = set(question.gold)
        return {f"recall@{k}": len(gold & set(found[:k])) / len(gold) for k in DEPTHS}

    return Benchmark(
        name=f"qgpt-{name}" + f"-{chosen}" * bool(chosen),
        questions=_questions(folder, native, variant.decomposed_by),
        write_documents=write_documents,
        score=score,
        # Where each question needs several tables, the first place cannot hold all.
        main=f"recall@{DEPTHS[-1 if all(len(q.answers) > 1 for q in native.questions) else 0]}",
        retrieval=True,
        index=_index_texts if variant.as_texts else with_questions,
        indexed_as="texts" if variant.as_texts else f"{corpus} with questions" * variant.questions,
    )


def _questions(folder: Path, native: QgptCorpus, decomposed_by: str) -> tuple[Question, ...]:
    """Return the questions, or the sub-questions of each, one a line."""
    parts = load_parts(folder, native.name, decomposed_by) if decomposed_by else {}
    missing = next((q.text for q in native.questions if decomposed_by and q.text not in parts), None)
    if missing is not None:
        raise ConfigError(f"{folder}: {native.name} has no sub-questions of {missing!r}: use the complete file")
    return tuple(
        Question(f"q{number}", "\n".join(parts.get(q.text, (q.text,))), tuple(sorted(q.answers)), "")
        for number, q in enumerate(native.questions, start=1)
    )


def _write_texts(entries: Sequence[QgptEntry], out: Path, *, titled: bool = True) -> dict[tuple[str, str], QgptEntry]:
    """Write the entries' texts, each as a file, and return the entry of each (file, "")."""
    named = {f"{number:05}.txt": entry for number, entry in enumerate(entries)}
    for name, entry in named.items():
        (out / name).write_text(entry.shown(titled=titled), encoding="utf-8")
    return {(name, ""): entry for name, entry in named.items()}


def _index_texts(folder: Path, services: Services, corpus: str, on_progress: OnProgress | None) -> list[str]:
    """Index each text as one chunk, as the paper embeds it; blank ones are not indexed."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    chunks = [
        Chunk(id=name, text=text, kind="table", document_id=name, source=name)
        for name, text in texts.items()
        if text.strip()
    ]
    for start in range(0, len(chunks), BATCH):
        add_chunks(services, corpus, chunks[start : start + BATCH])
        if on_progress:
            on_progress(Progress(min(start + BATCH, len(chunks)), len(chunks), ""))
    return [f"{name}: the released text is blank" for name, text in texts.items() if not text.strip()]


def _index_questions(
    native: QgptCorpus, titled: bool, folder: Path, services: Services, corpus: str, on_progress: OnProgress | None
) -> list[str]:
    """Ingest the files, and index each table's own questions as if a model had written them."""
    unread = ingested(folder, services, corpus, on_progress)
    with tempfile.TemporaryDirectory() as out:
        entries = write_files(native.entries, Path(out), titled=titled)
    written = []
    for schema in services.catalog.schemas(corpus):
        if asked := entries[schema.source, sheet_of(schema.locator)].questions:
            written.append((partial_table(schema, services), asked))
    index_questions(services, corpus, written)
    return unread
