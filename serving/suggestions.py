"""Route for questions to ask: made of the tables' headers, and each tried, so that only what is answered is shown."""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tablerag.agent.presenting.rows import ROWS, noun_of
from tablerag.client import TableRAG
from tablerag.serving.bodies import read_body
from tablerag.serving.results import Statement
from tablerag.tools.access.requests import corpus_of, owner_of, refuse_foreign_origin, services_of
from tablerag.tools.errors import TableRagError
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.services import Services

__all__ = ["ROUTES", "Asked", "candidates"]

EXPECTED = "a statement that was answered, and its question"
MOST = 3
MOST_TRIED = 8
MOST_TABLES = 6
MOST_S = 6.0
"""Time for all tries of one list; what was found until then is shown."""
MOST_KEPT = 500
SMALL_ROWS = 20
"""A table of more rows is grouped, one of fewer is ranked."""
NOT_SUMMED = re.compile(
    r"price|rate|year|%|rank|position|place|#|number$|week|round|average|ratio|share|percent|score|code"
    r"|\b(id|no|nr|age)\b",
    re.IGNORECASE,
)
"""Headers of numbers whose sum means nothing."""
COUNTED = ("", "money", "quantity")
BRACKETS = re.compile(r"\s*[(\[].*$")

_kept: OrderedDict[tuple[str, ...], list[str]] = OrderedDict()
_one_at_a_time = threading.Lock()


class Asked(Statement):
    """A statement that was answered, and its question."""

    question: str = ""


def candidates(schema: TableSchema) -> list[str]:
    """Return questions about a table in its own words, the likeliest to be wanted first."""
    numbers = [c for c in schema.columns if c.type in ("integer", "decimal") and c.kind in COUNTED]
    summed = [_name(c) for c in numbers if not NOT_SUMMED.search(c.header)]
    texts = [c for c in schema.columns if c.type == "text" and c.kind == "" and len(c.examples) > 1]
    few = [_name(c) for c in texts if len(c.examples) < 5 and schema.row_count > 2 * len(c.examples)]
    names = few or [_name(c) for c in texts]
    ways = ("What is the total {} per {}?", "Which {1} has the highest {0}?")
    if schema.row_count <= SMALL_ROWS:
        ways = ways[::-1]
    found = [way.format(n, t) for way in ways for t in names[:2] for n in summed[:2]]
    found += [f"What is the average {_name(c)}?" for c in numbers[:2]]
    noun = noun_of(schema)
    if noun != ROWS:
        found += [f"How many {noun.lower()} are there per {t}?" for t in few[:2]]
    return list(dict.fromkeys(found))


def _name(column: Column) -> str:
    return BRACKETS.sub("", column.header).lower()


async def suggestions(request: Request) -> JSONResponse:
    """Return questions that the corpus answers, each tried by the embedded reasoner."""

    def found() -> JSONResponse:
        services = services_of(request)
        corpus = corpus_of(request, services)
        tables = [s for s in services.catalog.tables(corpus) if not s.members]
        largest = sorted(tables, key=lambda s: -s.row_count)[:MOST_TABLES]
        # The first question of each table, then the second of each.
        mixed = zip_longest(*(candidates(s) for s in largest))
        return _reply(services, corpus, owner_of(request), [q for group in mixed for q in group if q])

    return await run_in_threadpool(found)


async def follow_ups(request: Request) -> JSONResponse:
    """Return further questions about the tables of the statement in the body, each tried likewise."""
    refuse_foreign_origin(request)
    owner_of(request)
    given = await read_body(request, Asked, EXPECTED)

    def found() -> JSONResponse:
        services = services_of(request)
        corpus = corpus_of(request, services)
        read = _read_by(given.sql, services.catalog.tables(corpus))
        asked = _words(given.question)
        every = [q for s in read for q in candidates(s) if _words(q) != asked]
        return _reply(services, corpus, owner_of(request), every)

    return await run_in_threadpool(found)


def _read_by(sql: str, schemas: Sequence[TableSchema]) -> list[TableSchema]:
    try:
        names = {t.name.casefold() for t in sqlglot.parse_one(sql, read="mysql").find_all(exp.Table)}
    except (SqlglotError, RecursionError):
        return []
    return [s for s in schemas if s.name.casefold() in names]


def _words(question: str) -> list[str]:
    return re.findall(r"\w+", question.casefold())


def _reply(services: Services, corpus: str, owner: str, questions: Sequence[str]) -> JSONResponse:
    key = (owner, corpus, str(services.catalog.generation(corpus)), *questions)
    if key not in _kept:
        with _one_at_a_time:
            _kept[key] = _kept.get(key) or list(_answered(services, corpus, questions))
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
    return JSONResponse({"questions": _kept[key]})


def _answered(services: Services, corpus: str, questions: Sequence[str]) -> Iterator[str]:
    """Yield the first questions that the embedded reasoner answers, with a value and without asking back."""
    rag, until, found = TableRAG.over(services, corpus=corpus, model="offline"), time.monotonic() + MOST_S, 0
    for question in questions[:MOST_TRIED]:
        if found == MOST or time.monotonic() > until:
            return
        try:
            answer = rag.ask(question)
        except TableRagError:
            continue
        if answer.found and answer.sql and not answer.readings:
            found += 1
            yield question


ROUTES = [
    Route("/api/suggestions", suggestions, include_in_schema=False),
    Route("/api/suggestions", follow_ups, methods=["POST"], include_in_schema=False),
]
