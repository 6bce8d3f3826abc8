"""The likeliest answer by two hops and how sure it is: a linear scorer over candidates, with learned weights."""

import json
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

import numpy as np

from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.hops.asked import Asked, read_asked
from tablerag.agent.offline.hops.candidates import NUMBERS, Candidate, candidates_over
from tablerag.agent.offline.hops.evidence import TableText
from tablerag.agent.offline.interpretation import ReadRows
from tablerag.tools.errors import SqlProblem
from tablerag.tools.linked_passages import likeness
from tablerag.tools.records import Chunk, TableSchema, ValueHint

__all__ = ["IDENTIFYING", "WEIGHTS", "HopAnswer", "HopReader", "Linked", "chance_of_top", "odds"]

Linked = Callable[[TableSchema, Iterable[str]], Mapping[str, Chunk]]
"""Returns the passages that the cells of a table name, by the cells' texts."""

WEIGHTS = Path(__file__).parent.parent / "model" / "hops.json"
MOST_TABLES = 2
LEAST_LIKE = 0.5
"""Least likeness of an entity and the title of its passage."""
IN_FULL = 0.9
MOST_REPEATED, COMMON = 3, 0.05
"""A cell that more rows have, and a larger share of them, is a category."""
CACHED_TABLES = 16
KEPT_ANSWERS = 8
IDENTIFYING = 0.1
"""Share of the question's words about rows that a passage must contain to identify the row."""


@dataclass(frozen=True, slots=True)
class HopWeights:
    """The scorer's weights."""

    numbers: np.ndarray
    """One per name in NUMBERS."""
    confidence: tuple[float, float]
    """Bias, and factor on the odds of the best answer."""


@dataclass(frozen=True, slots=True)
class HopAnswer:
    """The best candidate, the chance that it is right, and the text of the second best."""

    best: Candidate
    table: TableText
    asked: Asked
    confidence: float
    other: str

    @property
    def passage_ids(self) -> frozenset[str]:
        """Ids of the chunks that cells of the table name in full: "Depot" is no name of "House rules Depot"."""
        cells = (c for row in self.table.rows for c in row.cells if c.passage)
        return frozenset(p.chunk.id for c in cells if (p := c.passage) and likeness(p.chunk.title, c.text) >= IN_FULL)

    @property
    def doubt(self) -> str:
        """What to tell the user if the confidence is too low."""
        between = f"{self.best.text!r} or {self.other!r}" if self.other else repr(self.best.text)
        return f"Not sure whether the answer is {between}."

    @property
    def needs_text(self) -> bool:
        """Whether a passage holds the answer or identifies the row."""
        return self.best.passage is not None or self.best.passage_share >= IDENTIFYING


@lru_cache(maxsize=1)
def load_weights(path: Path = WEIGHTS) -> HopWeights:
    """Return the packaged weights."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return HopWeights(np.array([stored["numbers"][name] for name in NUMBERS]), tuple(stored["confidence"]))


def odds(chance: float) -> float:
    """Return the logarithm of a chance's odds, bounded."""
    return float(np.log((chance + 1e-3) / (1 - chance + 1e-3)))


def chance_of_top(candidates: Sequence[Candidate], scores: np.ndarray) -> tuple[int, float, str]:
    """Return the likeliest candidate's index, its answer's chance among all answers, and the second best answer."""
    likely = np.exp(scores - scores.max())
    likely /= likely.sum()
    answers: dict[str, float] = {}
    for candidate, chance in zip(candidates, likely, strict=True):
        key = candidate.text.casefold()
        answers[key] = answers.get(key, 0.0) + float(chance)
    place = int(scores.argmax())
    top = candidates[place].text.casefold()
    other = max((a for a in answers if a != top), key=lambda a: answers[a], default="")
    return place, answers[top], next((c.text for c in candidates if c.text.casefold() == other), "")


class HopReader:
    """Answers questions over tables and the passages that their cells name. Thread-safe."""

    def __init__(self, read_rows: ReadRows, linked: Linked, embed: Embed | None) -> None:
        self._read_rows, self._linked, self._embed = read_rows, linked, embed
        self._texts: OrderedDict[tuple[str, ...], TableText] = OrderedDict()
        self._answers: deque[tuple[tuple[object, ...], tuple[TableText, ...], HopAnswer]] = deque(maxlen=KEPT_ANSWERS)
        self._lock = Lock()

    def read(self, question: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()) -> HopAnswer | None:
        """Return the likeliest answer; None if no cell of the best tables names a passage."""
        return self._likeliest(question, self.tables(schemas, hints), "")

    def tables(self, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()) -> list[TableText]:
        """Return the best tables that are read completely and have cells that name passages."""
        own = [s for s in schemas if not s.members][:MOST_TABLES]
        return [t for s in own if (t := self._table(s, hints)) is not None]

    def read_about(
        self, question: str, entity: str, schemas: Sequence[TableSchema], chunks: Sequence[Chunk]
    ) -> HopAnswer | None:
        """Return the likeliest span of the passage that ``entity`` names; None if there is none."""
        found = self._likeliest(question, self.tables(schemas), entity)
        if found is not None:
            return found
        named = [(likeness(c.title, entity), c) for c in chunks if c.kind == "text"]
        like, chunk = max(named, key=lambda n: n[0], default=(0.0, None))
        if chunk is None or like < LEAST_LIKE:
            return None
        return self._likeliest(question, [TableText.of_passage(entity, chunk)], entity)

    def _likeliest(self, question: str, tables: Sequence[TableText], entity: str) -> HopAnswer | None:
        """Return the likeliest answer, if ``entity`` is not "" only among the spans about it.

        The nodes of a run ask for the same answer several times, so the latest are cached.
        """
        key = (question, entity, *(id(t) for t in tables))
        with self._lock:
            known = next((r for k, _, r in self._answers if k == key), None)
        if known is not None:
            return known
        found = _likeliest(read_asked(question), tables, entity, self._embed)
        if found is not None:
            with self._lock:
                # Keep the tables too: an id is unique only among living objects.
                self._answers.append((key, tuple(tables), found))
        return found

    def _table(self, schema: TableSchema, hints: Sequence[ValueHint]) -> TableText | None:
        """Return a table's texts; None if it is read in part, or its cells name no passage."""
        try:
            rows = self._read_rows(schema, hints)
        except SqlProblem:
            return None  # just dropped, or too slow to read
        if not rows.complete:
            return None
        linked = self._linked(schema, _entities(rows.rows))
        if not linked:
            return None
        # Passages are ingested independently of the table, so they are part of the key.
        key = (schema.stored_as or schema.name, *sorted(c.id for c in linked.values()))
        with self._lock:
            known = self._texts.get(key)
            if known is None:
                known = self._texts[key] = TableText.of(schema, rows, linked)
            self._texts.move_to_end(key)
            while len(self._texts) > CACHED_TABLES:
                self._texts.popitem(last=False)
        return known


def _entities(rows: Sequence[Sequence[object]]) -> set[str]:
    """Return the texts of the cells that may name what a passage is about, without those that many rows share."""
    counts = Counter(cell for row in rows for cell in row if isinstance(cell, str))
    return {cell for cell, times in counts.items() if times <= max(MOST_REPEATED, len(rows) * COMMON)}


def _likeliest(asked: Asked, tables: Sequence[TableText], entity: str, embed: Embed | None) -> HopAnswer | None:
    """Return the likeliest answer, if ``entity`` is not "" only among the spans about it."""
    found = candidates_over(asked, tables, embed)
    if entity:
        found = [c for c in found if c.passage and c.cell.text.casefold() == entity.casefold()]
    if not found:
        return None
    weights = load_weights()
    place, chance, other = chance_of_top(found, np.array([c.numbers for c in found]) @ weights.numbers)
    bias, factor = weights.confidence
    sure = float(1 / (1 + np.exp(-(bias + factor * odds(chance)))))
    table = next(t for t in tables if t.schema is found[place].schema)
    return HopAnswer(found[place], table, asked, sure, other)
