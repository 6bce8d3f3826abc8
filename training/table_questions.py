"""Training examples: the features of a question's candidates, and whether their results are right."""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

import numpy as np

from tablerag.agent.offline.alignment import Alignment
from tablerag.agent.offline.candidates import candidates_for
from tablerag.agent.offline.execution import Denotation, Evaluator
from tablerag.agent.offline.features import NUMBERS_OF, CandidateNumbers
from tablerag.agent.offline.mention import read_words
from tablerag.agent.offline.mentions import mentions_in
from tablerag.agent.offline.program import Program
from tablerag.agent.offline.ranker import hashed
from tablerag.agent.offline.table_view import TableView
from tablerag.agent.offline.tags import phrases_of, tags_of
from tablerag.evaluation.datasets.wikitq import WikiTqQuestion
from tablerag.evaluation.metrics.denotation import normalise, values_match
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import search
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.table_rows import RowReader, TableRows
from training.composed import Composed, composed_over
from training.meaning import Meaning

__all__ = ["Example", "composed_examples", "examples_of", "ingested"]

CORPUS = "questions"
CHUNK = 100
WORKERS = 2
Judge = Callable[[Program, Denotation], bool]
"""Returns whether a program with this result is right."""
RECALL_N, TOP_K = 30, 3
MOST_VALUES = 100
"""Longer results are never answers here."""


@dataclass(slots=True)
class Example:
    """One question's n candidates."""

    question: str
    phrases: np.ndarray
    """(p,) hashes of the question's phrases."""
    tags: np.ndarray
    """(n, k) hashes of the candidates' tags, padded with 0."""
    numbers: np.ndarray
    """(n, len(NUMBERS_OF)), float16."""
    right: np.ndarray
    """(n,) whether the result equals the gold answer."""
    results: np.ndarray
    """(n,) the same number for equal results."""
    place: int = 0
    """The table's rank among those retrieved for the question."""
    alone: bool = True
    """Whether only this table was read for the question."""
    kind: str = ""
    """The kind of a composed question."""


def ingested(tables: Path, home: Path) -> Services:
    """Ingest a folder of CSV files into its own home as one corpus; safe to repeat."""
    services = Services(Settings(home=home, model="offline", _env_file=None))
    if not services.catalog.documents(CORPUS):
        ingest([tables], services, CORPUS)
    return services


def examples_of(
    questions: Sequence[WikiTqQuestion],
    home: Path,
    *,
    tables: Literal["own", "other", "retrieved"] = "own",
) -> Iterator[Example]:
    """Yield an example for each question whose table was ingested, in order, or one for each table retrieved for it.

    "other": each question is asked of another question's table, which hardly ever has the answer.
    """
    makers = {"own": _own, "retrieved": _retrieved, "other": _of_others}
    return _in_chunks(makers[tables], questions, home)


def composed_examples(tables: Sequence[Path], home: Path, count: int) -> Iterator[Example]:
    """Yield up to ``count`` examples for each table, of questions composed over it."""
    return _in_chunks(partial(_composed, count=count), tables, home)


def _in_chunks(make: Callable[[Sequence, Path], list[Example]], all_: Sequence, home: Path) -> Iterator[Example]:
    chunks = [all_[i : i + CHUNK] for i in range(0, len(all_), CHUNK)]
    # Spawn, not fork: a forked copy would wait forever for locks that this process's stores hold.
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        for some in pool.map(make, chunks, [home] * len(chunks)):
            yield from some


@lru_cache(maxsize=1)
def _opened(home: Path) -> tuple[Services, RowReader, dict[str, TableSchema]]:
    services = Services(Settings(home=home, model="offline", _env_file=None))
    schemas = {s.source: s for s in services.catalog.schemas(CORPUS)}
    return services, RowReader(services.database), schemas


def _own(questions: Sequence[WikiTqQuestion], home: Path) -> list[Example]:
    services, read, schemas = _opened(home)
    found = []
    for question in questions:
        schema = schemas.get(source_of(question.table))
        if schema is not None:
            found.append(_example(question, schema, read(schema), services, _judge(question.gold)))
    return found


def _of_others(questions: Sequence[WikiTqQuestion], home: Path) -> list[Example]:
    others = [*questions[len(questions) // 2 :], *questions[: len(questions) // 2]]
    pairs = zip(questions, others, strict=True)
    return _own([replace(q, table=other.table) for q, other in pairs], home)


def source_of(table: Path) -> str:
    """Return a table's source name."""
    return "/".join(table.parts[-2:])


def _composed(tables: Sequence[Path], home: Path, count: int) -> list[Example]:
    services, read, schemas = _opened(home)
    found = []
    for table in tables:
        schema = schemas.get(source_of(table))
        if schema is None:
            continue
        random_, rows = random.Random(schema.source), read(schema)
        view = TableView.of(schema, rows)
        for made in composed_over(view, random_, count):
            meaning = Meaning(made.program, view, random_)
            example = _example(made, schema, rows, services, meaning.is_meant)
            example.kind = made.kind
            found.append(example)
    return found


def _retrieved(questions: Sequence[WikiTqQuestion], home: Path) -> list[Example]:
    services, read, _ = _opened(home)
    found = []
    for question in questions:
        _, schemas = search(services, question.question, corpus=CORPUS, recall_n=RECALL_N, top_k=TOP_K)
        for place, schema in enumerate(schemas[:TOP_K]):
            made = _example(question, schema, read(schema), services, _judge(question.gold))
            made.place, made.alone = place, len(schemas) == 1
            # Another table may have the same answer, which is just as right.
            found.append(made)
    return found


def _judge(gold: Sequence[str]) -> Judge:
    """Return a test of results by the gold answer alone."""
    known: dict[Denotation, bool] = {}

    def is_right_result(_: Program, result: Denotation) -> bool:
        if result not in known:
            known[result] = is_right(gold, result)
        return known[result]

    return is_right_result


def _example(
    asked: WikiTqQuestion | Composed,
    schema: TableSchema,
    rows: TableRows,
    services: Services,
    judge: Judge,
) -> Example:
    view, words = TableView.of(schema, rows), read_words(asked.question)
    evaluator = Evaluator(view)
    mentions = mentions_in(words, view)
    candidates = candidates_for(words, view, mentions, evaluator)
    features = CandidateNumbers(Alignment(words, view, mentions, services.embedding.embed))
    known: dict[Denotation, int] = {}
    for candidate in candidates:
        known.setdefault(candidate.result, len(known))
    numbers = [features.of(c, len(evaluator.rows(c.program.rows))) for c in candidates]
    return Example(
        question=asked.question,
        phrases=hashed([phrases_of(words, mentions)])[0],
        tags=hashed([tags_of(c, view) for c in candidates]),
        numbers=np.array(numbers, dtype=np.float16).reshape(len(candidates), len(NUMBERS_OF)),
        right=np.array([judge(c.program, c.result) for c in candidates], dtype=bool),
        results=np.array([known[c.result] for c in candidates], dtype=np.int32),
    )


_normal = lru_cache(100_000)(normalise)
_match = lru_cache(200_000)(values_match)


def is_right(gold: Sequence[str], result: Denotation) -> bool:
    """Apply the official rule to a result (see denotations_match), with a cache of comparisons."""
    values = {_normal(str(v)) for v in result[:MOST_VALUES] if v is not None}
    wanted = {_normal(g) for g in gold}
    return len(values) == len(wanted) and all(any(_match(g, v) for v in values) for g in wanted)
