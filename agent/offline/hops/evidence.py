"""The rows of a table as texts: their cells and the passages that these name."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tablerag.agent.offline.hops.asked import Asked, stem
from tablerag.agent.offline.table_view import shown
from tablerag.tools.records import Chunk, Column, TableSchema
from tablerag.tools.table_rows import TableRows
from tablerag.tools.text import SENTENCE_END, tokens

__all__ = ["CellText", "PassageText", "RowText", "Sentence", "TableText", "telling_sentence"]

WORD = re.compile(r"\w+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with the stems of its words and their offsets."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "Sentence":
        """Split a sentence into words."""
        found = [(stem(t), m.start()) for m in WORD.finditer(text) for t in tokens(m[0])]
        return cls(text, tuple(w for w, _ in found), tuple(start for _, start in found))


@dataclass(frozen=True)
class PassageText:
    """A passage, split into sentences."""

    chunk: Chunk

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences, without the title with which the chunk's text begins."""
        body = self.chunk.text.removeprefix(self.chunk.title).strip()
        return tuple(Sentence.of(s.strip()) for s in SENTENCE_END.split(body) if s.strip())

    @cached_property
    def title(self) -> frozenset[str]:
        """Stems of the title."""
        return frozenset(stem(t) for t in tokens(self.chunk.title))

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of title and sentences."""
        return self.title.union(*(s.words for s in self.sentences))

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Stems that are adjacent or have one word between them."""
        found = set()
        for words in (s.words for s in self.sentences):
            found.update(zip(words, words[1:], strict=False))
            found.update(zip(words, words[2:], strict=False))
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class CellText:
    """A filled cell: its text, stems, and the passage that it names."""

    column: int
    text: str
    words: frozenset[str]
    passage: PassageText | None


@dataclass(frozen=True, slots=True)
class RowText:
    """A row's filled cells."""

    place: int
    cells: tuple[CellText, ...]

    @property
    def passages(self) -> list[CellText]:
        """The cells that name a passage."""
        return [c for c in self.cells if c.passage]


@dataclass(frozen=True)
class TableText:
    """A table's rows as texts."""

    schema: TableSchema
    rows: tuple[RowText, ...]

    @classmethod
    def of(cls, schema: TableSchema, read: TableRows, linked: Mapping[str, Chunk]) -> "TableText":
        """Build texts from rows and the passages that their cells name."""
        places = {name: i for i, name in enumerate(read.names)}
        passages = {c.id: PassageText(c) for c in linked.values()}
        rows = []
        for place, row in enumerate(read.rows):
            cells = []
            for i, column in enumerate(schema.columns):
                text = shown(row, places, column)
                if text:
                    chunk = linked.get(text)
                    words = frozenset(stem(t) for t in tokens(text))
                    cells.append(CellText(i, text, words, passages[chunk.id] if chunk else None))
            rows.append(RowText(place, tuple(cells)))
        return cls(schema, tuple(rows))

    @classmethod
    def of_passage(cls, text: str, chunk: Chunk) -> "TableText":
        """Return a table of one cell and its passage, for a table that was not retrieved."""
        column = Column(name="named", header="", type="text")
        schema = TableSchema(table_id="", name="named", columns=(column,), row_count=1, source=chunk.source)
        words = frozenset(stem(t) for t in tokens(text))
        return cls(schema, (RowText(0, (CellText(0, text, words, PassageText(chunk)),)),))

    @cached_property
    def headers(self) -> tuple[frozenset[str], ...]:
        """Stems of each column's header."""
        return tuple(frozenset(stem(t) for t in tokens(c.header)) for c in self.schema.columns)

    def rarity(self, asked: Asked) -> dict[str, float]:
        """Return how rare each word of a question is among the rows; 0 if it is in none."""
        held: Counter[str] = Counter()
        for row in self.rows:
            words = frozenset[str]().union(
                *(c.words for c in row.cells), *(c.passage.words for c in row.cells if c.passage)
            )
            held.update(w for w in asked.words if w in words)
        count = len(self.rows)
        return {w: math.log((count + 1) / (held[w] + 0.5)) if held[w] else 0.0 for w in asked.words}


def telling_sentence(asked: Asked, passage: PassageText) -> str:
    """Return the passage's first sentence with the most of the question's words."""
    return max(passage.sentences, key=lambda s: len(set(s.words) & set(asked.words)), default=Sentence("", (), ())).text
