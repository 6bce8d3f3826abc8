"""Possible answers in a table and the passages that its cells name, each with its numbers for the scorer."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.hops.asked import Asked, Kind
from tablerag.agent.offline.hops.evidence import CellText, PassageText, RowText, Sentence, TableText
from tablerag.agent.offline.hops.fitting import cell_fits, span_fits
from tablerag.agent.offline.hops.spans import spans_in
from tablerag.tools.records import TableSchema

__all__ = ["NUMBERS", "Candidate", "candidates_over"]

MOST_ROWS = 6
"""How many rows to search, those that share most with the question first."""
NEAR = 8
"""Distance, in words, within which a word of the question supports a span."""
ROW_NUMBERS = (
    "row cells", "row passages", "row best passage", "row pairs", "row behind", "row first", "row numbers",
    "second table",
)  # fmt: skip
CELL_NUMBERS = (
    "cell", "cell focus", "cell header", "cell embedded", "cell fits", "cell misfits", "cell names best passage",
    "cell has evidence", "cell first column",
    "cell named otherwise",
)  # fmt: skip
SPAN_NUMBERS = (
    "span", "span fits", "span misfits", "span is any name", "sentence words", "sentence new words", "near words",
    "near focus", "sentence first", "span first", "span title", "column focus", "column header", "column asked of",
    "passage words", "sentence embedded", "whole name",
)  # fmt: skip
NUMBERS = ROW_NUMBERS + CELL_NUMBERS + SPAN_NUMBERS
"""Names of a candidate's numbers."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell, or a span of the passage that a cell names."""

    text: str
    schema: TableSchema
    row: RowText
    cell: CellText
    """The cell itself, or the one that names the passage."""
    passage: PassageText | None
    sentence: str
    identified_by: CellText | None
    """The cell whose passage adds most to the row's own cells; None if none does."""
    passage_share: float
    """Share of the question's words about rows that only that passage contains."""
    numbers: np.ndarray
    """One per name in NUMBERS."""


@dataclass(frozen=True, slots=True)
class _RowEvidence:
    """How much a row shares with the question."""

    row: RowText
    cells: float
    passages: float
    best: CellText | None
    best_share: float
    pairs: float
    named: float

    @property
    def total(self) -> float:
        """The sum, by which rows are ranked."""
        return self.cells + self.passages + 0.5 * self.best_share + self.pairs + self.named


class _Finder:
    """Finds candidates for one question in one table."""

    def __init__(self, asked: Asked, table: TableText, place: int, embed: Embed | None) -> None:
        self.asked, self.table, self.place = asked, table, place
        self.rarity = table.rarity(asked)
        self.whole = sum(self.rarity.values()) or 1.0
        self._headers = self._embedded_headers(embed)
        self._embed = embed
        self._likeness: dict[str, float] = {}

    def _embedded_headers(self, embed: Embed | None) -> np.ndarray:
        headers = [c.header for c in self.table.schema.columns]
        if embed is None or not self.asked.phrase:
            return np.zeros(len(headers))
        vectors = embed([self.asked.phrase, *headers])
        return vectors[1:] @ vectors[0]

    def candidates(self) -> Iterator[Candidate]:
        found = sorted((self._evidence(row) for row in self.table.rows), key=lambda e: -e.total)
        best = found[0].total if found else 0.0
        self._likeness = self._likenesses(found[:MOST_ROWS])
        for rank, evidence in enumerate(found[:MOST_ROWS]):
            about = self._row_numbers(evidence, best, rank)
            for cell in evidence.row.cells:
                if not self._in_question(cell.words):
                    yield self._cell(evidence, cell, about)
            for cell in evidence.row.passages:
                yield from self._spans(evidence, cell, about)

    def _in_question(self, words: frozenset[str]) -> bool:
        return not words or words <= set(self.asked.words)

    def _share(self, words: frozenset[str] | set[str]) -> float:
        return sum(r for w, r in self.rarity.items() if w in words) / self.whole

    def _evidence(self, row: RowText) -> _RowEvidence:
        own = frozenset[str]().union(*(c.words for c in row.cells))
        linked = frozenset[str]().union(*(c.passage.words for c in row.passages if c.passage))
        shares = [(self._share(c.passage.words - own), -i) for i, c in enumerate(row.passages) if c.passage]
        best_share, at = max(shares, default=(0.0, 0))
        pairs = frozenset[tuple[str, str]]().union(*(c.passage.pairs for c in row.passages if c.passage))
        met = sum(self.rarity.get(a, 0) + self.rarity.get(b, 0) for a, b in self.asked.pairs & pairs)
        return _RowEvidence(
            row=row,
            cells=self._share(own),
            passages=self._share(linked - own),
            best=row.passages[-at] if shares and best_share > 0 else None,
            best_share=best_share,
            pairs=met / (2 * self.whole),
            named=self._named_numbers(row),
        )

    def _named_numbers(self, row: RowText) -> float:
        """Return how many of the question's numbers are in a column that it names next to them, at most 2, halved."""
        words = self.asked.words
        found = 0
        for cell in row.cells:
            for i, w in enumerate(words):
                if w[0].isdigit() and cell.words == {w}:
                    around = {*words[max(0, i - 2) : i], *words[i + 1 : i + 3]}
                    found += any(_same(h, a) for h in self.table.headers[cell.column] for a in around)
        return min(found, 2) / 2

    def _row_numbers(self, e: _RowEvidence, best: float, rank: int) -> list[float]:
        return [e.cells, e.passages, e.best_share, e.pairs, best - e.total, rank == 0, e.named, self.place > 0]

    def _header(self, column: int) -> tuple[float, float]:
        """Return the share of the focus in a header, and the share of the header in the question."""
        header = self.table.headers[column]
        if not header:
            return 0.0, 0.0
        focus = [w for w in self.asked.focus if any(_same(h, w) for h in header)]
        named = sum(any(_same(h, w) for w in self.asked.words) for h in header)
        return len(focus) / len(self.asked.focus) if self.asked.focus else 0.0, named / len(header)

    def _cell(self, e: _RowEvidence, cell: CellText, about: list[float]) -> Candidate:
        focus, header = self._header(cell.column)
        fits = cell_fits(self.asked.kind, self.table.schema.columns[cell.column], cell.text)
        own = [
            1.0, focus, header, float(self._headers[cell.column]), fits > 0, fits < 0,
            e.best is cell, self._share(cell.words), cell.column == 0,
            header > 0 and focus == 0 and bool(self.asked.focus),
        ]  # fmt: skip
        numbers = np.array([*about, *own, *([0.0] * len(SPAN_NUMBERS))], dtype=float)
        return Candidate(cell.text, self.table.schema, e.row, cell, None, "", e.best, e.best_share, numbers)

    def _spans(self, e: _RowEvidence, cell: CellText, about: list[float]) -> Iterator[Candidate]:
        passage = cell.passage
        if passage is None:
            return
        focus, header = self._header(cell.column)
        own = frozenset[str]().union(*(c.words for c in e.row.cells))
        local = self._local_rarity(passage)
        whole = sum(local.values()) or 1.0
        covered = sum(local.get(w, 0) > 0 for w in self.asked.words) / max(len(self.asked.words), 1)
        seen: set[tuple[str, Kind]] = set()
        for number, sentence in enumerate(passage.sentences):
            held = set(sentence.words)
            asked = sum(r for w, r in local.items() if w in held) / whole
            new = sum(r for w, r in local.items() if w in held and w not in own) / whole
            like = self._likeness.get(sentence.text, 0.0)
            for span in spans_in(sentence.text):
                first, last = bisect_left(sentence.starts, span.start), bisect_left(sentence.starts, span.end)
                inside = frozenset(sentence.words[first:last])
                if self._in_question(inside) or (span.text, span.kind) in seen:
                    continue
                seen.add((span.text, span.kind))
                near, near_focus = self._near(sentence, first, last, local)
                fits = span_fits(self.asked, span)
                numbers = [
                    1.0, fits > 0, fits < 0, fits == 0, asked, new, near / whole, near_focus, number == 0,
                    len(seen) == 1, inside <= passage.title, focus, header, self._share(cell.words) > 0, covered,
                    like, " " in span.text,
                ]  # fmt: skip
                row = np.array([*about, *([0.0] * len(CELL_NUMBERS)), *numbers], dtype=float)
                yield Candidate(
                    span.text, self.table.schema, e.row, cell, passage, sentence.text, e.best, e.best_share, row
                )

    def _local_rarity(self, passage: PassageText) -> dict[str, float]:
        """Return how rare each word of the question is among the sentences of a passage."""
        count = len(passage.sentences)
        held = {w: sum(w in s.words for s in passage.sentences) for w in self.asked.words}
        return {w: math.log(1 + (count + 1) / n) for w, n in held.items() if n}

    def _likenesses(self, evidence: Sequence[_RowEvidence]) -> dict[str, float]:
        """Return the embedded similarity of the question to each sentence of the rows' passages."""
        passages = {id(c.passage): c.passage for e in evidence for c in e.row.passages if c.passage}
        texts = list(dict.fromkeys(s.text for p in passages.values() for s in p.sentences))
        if self._embed is None or not texts:
            return {}
        vectors = self._embed([self.asked.text, *texts])
        return dict(zip(texts, map(float, vectors[1:] @ vectors[0]), strict=True))

    def _near(self, sentence: Sentence, first: int, last: int, local: dict[str, float]) -> tuple[float, float]:
        """Return the weight of the question's words near a span, and the nearness of the focus."""
        around = (sentence.words[max(0, first - NEAR) : first][::-1], sentence.words[last : last + NEAR])
        inside = sentence.words[first:last]
        worth: dict[str, float] = {}
        focus = 0.0
        for words in around:
            for distance, w in enumerate(words, start=1):
                if w in local and w not in inside:
                    worth[w] = max(worth.get(w, 0.0), local[w] / distance**0.5)
                if w in self.asked.focus:
                    focus = max(focus, 1 / distance**0.5)
        return sum(worth.values()), focus


def _same(header: str, word: str) -> bool:
    """Tell whether a header's word is a word of the question or its abbreviation: "Pos" of "position"."""
    return header == word or (len(header) >= 3 and word.startswith(header))


def candidates_over(asked: Asked, tables: Sequence[TableText], embed: Embed | None = None) -> list[Candidate]:
    """Return the candidates of all tables, the best table's first."""
    return [c for place, table in enumerate(tables) for c in _Finder(asked, table, place, embed).candidates()]
