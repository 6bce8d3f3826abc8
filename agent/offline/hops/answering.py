"""The likeliest answer by two hops, and how sure it is: a linear scorer over candidates, its weights learned."""

import json
from collections import OrderedDict, deque
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

__all__ = ["HopReader", "HopReading", "HopWeights", "Linked", "chance_of_top", "load_weights", "odds"]

Linked = Callable[[TableSchema, Iterable[str]], Mapping[str, Chunk]]
"""Gives the passages that cells' texts of a table name."""

WEIGHTS = Path(__file__).parent.parent / "model" / "hops.json"
MOST_TABLES = 2
LEAST_LIKE = 0.5
"""How alike an entity and the title of its passage must be."""
CACHED_TABLES = 16
KEPT_READINGS = 8
TOLD = 0.1
"""Share of what the question says about rows that a passage must tell for it to be the reason why a row is meant."""


@dataclass(frozen=True, slots=True)
class HopWeights:
    """What the scorer learned."""

    numbers: np.ndarray
    """One for each of NUMBERS."""
    confidence: tuple[float, float]
    """Bias, and factor of the odds of the best answer."""


@dataclass(frozen=True, slots=True)
class HopReading:
    """The best candidate, the chance that it is right, and the next best answer."""

    best: Candidate
    table: TableText
    asked: Asked
    confidence: float
    other: str

    @property
    def passage_ids(self) -> frozenset[str]:
        """The chunks that cells of the table name."""
        return frozenset(c.passage.chunk.id for row in self.table.rows for c in row.cells if c.passage)

    @property
    def doubt(self) -> str:
        """What to say where the confidence is too little."""
        between = f"{self.best.text!r} or {self.other!r}" if self.other else repr(self.best.text)
        return f"not sure whether the row and passages that it speaks of say {between}; a language model would help"

    @property
    def needs_text(self) -> bool:
        """Whether a passage holds the answer, or tells which row is meant."""
        return self.best.passage is not None or self.best.told_by_passage >= TOLD


@lru_cache(maxsize=1)
def load_weights(path: Path = WEIGHTS) -> HopWeights:
    """Read the weights that the package ships."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return HopWeights(np.array([stored["numbers"][name] for name in NUMBERS]), tuple(stored["confidence"]))


def odds(chance: float) -> float:
    """Return the logarithm of a chance's odds, bounded."""
    return float(np.log((chance + 1e-3) / (1 - chance + 1e-3)))


def chance_of_top(candidates: Sequence[Candidate], scores: np.ndarray) -> tuple[int, float, str]:
    """Return the place of the likeliest candidate, its answer's chance among all answers, and the next best answer."""
    likely = np.exp(scores - scores.max())
    likely /= likely.sum()
    answers: dict[str, float] = {}
    for candidate, chance in zip(candidates, likely, strict=True):
        key = candidate.text.casefold()
        answers[key] = answers.get(key, 0.0) + float(chance)
    place = int(scores.argmax())
    top = candidates[place].text.casefold()
    other = max((a for a in answers if a != top), key=lambda a: answers[a], default="")
    said = next((c.text for c in candidates if c.text.casefold() == other), "")
    return place, answers[top], said


class HopReader:
    """Reads questions over tables and the passages that their cells name. Safe to share between threads."""

    def __init__(self, read_rows: ReadRows, linked: Linked, embed: Embed | None) -> None:
        self._read_rows, self._linked, self._embed = read_rows, linked, embed
        self._texts: OrderedDict[tuple[str, ...], TableText] = OrderedDict()
        self._readings: deque[tuple[tuple[object, ...], tuple[TableText, ...], HopReading]] = deque(
            maxlen=KEPT_READINGS
        )
        self._lock = Lock()

    def read(self, question: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()) -> HopReading | None:
        """Return the likeliest reading; None where no cell of the best tables names a passage."""
        return self._likeliest(question, self.tables(schemas, hints), "")

    def tables(self, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = ()) -> list[TableText]:
        """Return the best tables that are read whole and have cells that name passages."""
        own = [s for s in schemas if not s.members][:MOST_TABLES]
        return [t for s in own if (t := self._table(s, hints)) is not None]

    def read_about(
        self, question: str, entity: str, schemas: Sequence[TableSchema], chunks: Sequence[Chunk]
    ) -> HopReading | None:
        """Return the likeliest span of the passage that ``entity`` names; None where there is none."""
        found = self._likeliest(question, self.tables(schemas), entity)
        if found is not None:
            return found
        named = [(likeness(c.title, entity), c) for c in chunks if c.kind == "text"]
        like, chunk = max(named, key=lambda n: n[0], default=(0.0, None))
        if chunk is None or like < LEAST_LIKE:
            return None
        return self._likeliest(question, [TableText.of_passage(entity, chunk)], entity)

    def _likeliest(self, question: str, tables: Sequence[TableText], entity: str) -> HopReading | None:
        """Return the likeliest reading, of spans about ``entity`` alone unless that is "".

        The nodes of a run ask for the same one several times: the last ones are kept.
        """
        key = (question, entity, *(id(t) for t in tables))
        with self._lock:
            known = next((r for k, _, r in self._readings if k == key), None)
        if known is not None:
            return known
        found = _likeliest(read_asked(question), tables, entity, self._embed)
        if found is not None:
            with self._lock:
                # The tables are kept beside it: an id is that of one object only as long as it lives.
                self._readings.append((key, tuple(tables), found))
        return found

    def _table(self, schema: TableSchema, hints: Sequence[ValueHint]) -> TableText | None:
        """Return a table's texts; None for one that is read in part, or whose cells name nothing."""
        try:
            rows = self._read_rows(schema, hints)
        except SqlProblem:
            return None  # dropped just now, or too slow to read
        if not rows.complete:
            return None
        linked = self._linked(schema, (cell for row in rows.rows for cell in row if isinstance(cell, str)))
        if not linked:
            return None
        # Passages are ingested apart from the table: which they are is part of what makes its texts the same.
        key = (schema.stored_as or schema.name, *sorted(c.id for c in linked.values()))
        with self._lock:
            known = self._texts.get(key)
            if known is None:
                known = self._texts[key] = TableText.of(schema, rows, linked)
            self._texts.move_to_end(key)
            while len(self._texts) > CACHED_TABLES:
                self._texts.popitem(last=False)
        return known


def _likeliest(asked: Asked, tables: Sequence[TableText], entity: str, embed: Embed | None) -> HopReading | None:
    """Return the likeliest reading, of spans about ``entity`` alone unless that is ""."""
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
    return HopReading(found[place], table, asked, sure, other)
