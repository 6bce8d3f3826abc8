"""Questions with their own tables as training examples: every candidate's features, and whether its result is right."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from agent.offline.alignment import Alignment
from agent.offline.candidates import candidates_for
from agent.offline.evaluation import Denotation, Evaluator
from agent.offline.features import NUMBERS_OF, CandidateNumbers
from agent.offline.intent import read_intent
from agent.offline.mention import read_words
from agent.offline.mentions import mentions_in
from agent.offline.program import Program
from agent.offline.question import read_question
from agent.offline.ranker import hashed
from agent.offline.table_view import TableView
from agent.offline.tags import phrases_of, tags_of
from evaluation.datasets.wikitq import WikiTqQuestion
from evaluation.metrics import normalise, values_match
from ingestion.pipeline import ingest
from tools.evidence import search
from tools.records import TableSchema
from tools.services import Services
from tools.settings import Settings
from tools.table_rows import RowReader, TableRows

__all__ = ["Example", "examples_of", "ingested"]

CORPUS = "questions"
CHUNK = 100
RECALL_N, TOP_K = 30, 3
MOST_VALUES = 100
"""Longer results answer no question here."""


@dataclass(slots=True)
class Example:
    """One question's candidates (n of them)."""

    id: str
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
    """(n,) equal numbers for equal results."""
    place: int = 0
    """The table's among those that were retrieved for the question."""
    by_rules: int | None = None
    """The result of sure rules, in the numbers of ``results``; -1 for another one, None where they are not sure."""


def ingested(tables: Path, home: Path) -> Services:
    """Bring a folder of CSV files into a home of its own, all in one corpus; safe to repeat."""
    services = Services(Settings(home=home, model="offline", _env_file=None))
    if not services.catalog.documents(CORPUS):
        ingest([tables], services, CORPUS)
    return services


def examples_of(
    questions: Sequence[WikiTqQuestion], home: Path, *, retrieved: bool = False, workers: int = 2
) -> Iterator[Example]:
    """Yield an example for each question whose table was ingested, in order; or one for each table retrieved for it."""
    chunks = [questions[i : i + CHUNK] for i in range(0, len(questions), CHUNK)]
    # Spawned, not forked: the stores that this process opened hold locks that a copy would wait for for ever.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for some in pool.map(_retrieved if retrieved else _own, chunks, [home] * len(chunks)):
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
        schema = schemas.get("/".join(question.table.parts[-2:]))
        if schema is not None:
            found.append(_example(question, schema, read(schema), services))
    return found


def _retrieved(questions: Sequence[WikiTqQuestion], home: Path) -> list[Example]:
    services, read, _ = _opened(home)
    found = []
    for question in questions:
        _, schemas = search(services, question.question, corpus=CORPUS, recall_n=RECALL_N, top_k=TOP_K)
        hints = services.value_linker.hints(question.question, schemas)
        for place, schema in enumerate(schemas[:TOP_K]):
            by_rules = read_intent(read_question(question.question), schema, hints)
            sure = by_rules.sketch.program() if by_rules and by_rules.is_sure else None
            made = _example(question, schema, read(schema), services, sure)
            made.place = place
            # Another table may hold the same answer: it is no less right for that.
            found.append(made)
    return found


def _example(
    asked: WikiTqQuestion, schema: TableSchema, rows: TableRows, services: Services, by_rules: Program | None = None
) -> Example:
    view, words = TableView.of(schema, rows), read_words(asked.question)
    evaluator = Evaluator(view)
    mentions = mentions_in(words, view)
    candidates = candidates_for(words, view, mentions, evaluator)
    features = CandidateNumbers(Alignment(words, view, mentions, services.embedding.embed))
    known: dict[Denotation, tuple[int, bool]] = {}
    for candidate in candidates:
        if candidate.result not in known:
            known[candidate.result] = len(known), is_right(asked.gold, candidate.result)
    numbers = [features.of(c, len(evaluator.rows(c.program.rows))) for c in candidates]
    return Example(
        id=asked.id,
        question=asked.question,
        phrases=hashed([phrases_of(words, mentions)])[0],
        tags=hashed([tags_of(c, view) for c in candidates]),
        numbers=np.array(numbers, dtype=np.float16).reshape(len(candidates), len(NUMBERS_OF)),
        right=np.array([known[c.result][1] for c in candidates], dtype=bool),
        results=np.array([known[c.result][0] for c in candidates], dtype=np.int32),
        by_rules=known.get(evaluator.run(by_rules), (-1, False))[0] if by_rules else None,
    )


_normal = lru_cache(100_000)(normalise)
_match = lru_cache(200_000)(values_match)


def is_right(gold: Sequence[str], result: Denotation) -> bool:
    """Apply the official rule to a result (see evaluation.metrics.denotations_match), remembering what was compared."""
    values = {_normal(str(v)) for v in result[:MOST_VALUES] if v is not None}
    wanted = {_normal(g) for g in gold}
    return len(values) == len(wanted) and all(any(_match(g, v) for v in values) for g in wanted)
