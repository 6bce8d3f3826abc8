"""What the texts and tables of a corpus say that the codes of its columns stand for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from tablerag.tools.knowledge.code_tables import CodeTable, code_table
from tablerag.tools.linking.codes import (
    LEAST_CODES,
    LONGEST_CODE,
    MOST_CODES,
    NUMBER,
    are_number_codes,
    codes_in,
    may_be_number_codes,
)
from tablerag.tools.linking.keys import key_of, singular_key
from tablerag.tools.linking.values import linked_columns
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.services import Services

__all__ = ["Codes", "Explained", "Explanations", "codes_of", "texts_of"]

WORD = re.compile(r"\w+")
SENTENCES = re.compile(r"(?<=[.!?])\s+|\n\s*(?=[-*•|])|\n\s*\n")
LISTS = re.compile(r"(?:^[ \t]*[-*•][ \t][^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
BULLET = re.compile(r"^[ \t]*[-*•][ \t]+", re.MULTILINE)
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
IDLE = frozenset("code codes id no nr number key the of a an der die das le la les".split())
"""Words of headers that tell no column from another."""
STATE, STATES = "status", frozenset("state statuse zustand zustande etat statut".split())
"""Words that are taken for the same, in the singular."""
COMPOUND = 4
"""Characters of a word that can end a compound: "Status" in "Ticketstatus"."""
LONGEST_ENDING = 2
MOST_WORDS = 5
"""Words of what a number stands for."""
PHRASE = re.compile(r"\b(?:the|an?|this|your|der|die|das|den|einen?|les?|la|une?)\b", re.IGNORECASE)
"""Articles: a list of steps has them, "(1) open the lid", but the name of a state does not."""
MOST_DOCUMENTS = 500
LONGEST = 20_000
"""Characters of one chunk that are read."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of a corpus."""

    source: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Codes:
    """A column of codes with its distinct values."""

    schema: TableSchema
    column: Column
    values: tuple[str, ...]
    is_lone: bool = True
    """Whether no other column of its table has numbers that may be codes."""

    @property
    def are_numbers(self) -> bool:
        """Whether they are numbers, which texts also use for other things."""
        return all(map(NUMBER.fullmatch, self.values))

    @property
    def table(self) -> str:
        """What its table is called."""
        return self.schema.title or self.schema.name


@dataclass(frozen=True, slots=True)
class Explained:
    """What codes stand for, and the document that says so."""

    meanings: Mapping[str, str]
    source: str
    table: CodeTable | None = None
    """The table that lists them; None for a text."""

    @property
    def says(self) -> str:
        """All of them on one line: "O: open; C: cancelled"."""
        return "; ".join(f"{code}: {meaning}" for code, meaning in self.meanings.items())

    @property
    def where(self) -> str:
        """The place that explains them: "handbook.docx", or "handbook.docx, table “States”"."""
        title = self.table.schema.title if self.table else ""
        return f"{self.source}, table “{title}”" if title and title != PurePosixPath(self.source).stem else self.source


@dataclass(frozen=True, slots=True)
class _Sentence:
    source: str
    text: str
    words: frozenset[str]
    before: str
    """The headings above it and the sentence before."""


class Explanations:
    """The texts and tables of a corpus that may explain codes, prepared to be looked through for many columns."""

    def __init__(self, services: Services, corpus: str, schemas: Sequence[TableSchema]) -> None:
        """Read the texts of a corpus and the tables of codes among its ``schemas``."""
        self.tables = [t for s in schemas if (t := code_table(services, s)) is not None]
        keys = {(t.schema.table_id, t.key.name) for t in self.tables}
        every = (c for s in schemas for c in codes_of(services, s))
        self.columns = [c for c in every if (c.schema.table_id, c.column.name) not in keys]
        self._sentences = [s for p in texts_of(services, corpus) for s in _sentences(p)] if self.columns else []

    def of(self, codes: Codes, least: float) -> Explained | None:
        """Return what explains most of a column's codes: two of them at least, and this share."""
        wanted = max(LEAST_CODES, least * len(codes.values))
        best = max(
            (*self._in_texts(codes, wanted), *self._in_tables(codes)), key=lambda e: len(e.meanings), default=None
        )
        return best if best and len(best.meanings) >= wanted else None

    def _in_texts(self, codes: Codes, wanted: float) -> Iterator[Explained]:
        for sentence in self._sentences:
            if len(sentence.words.intersection(codes.values)) < wanted:
                continue
            found = codes_in(sentence.text, codes.values, listed=not codes.are_numbers)
            if not codes.are_numbers or (found and self._explains_numbers(sentence, codes, found)):
                yield Explained(found, sentence.source)

    def _in_tables(self, codes: Codes) -> Iterator[Explained]:
        for table in self.tables:
            found = {v: table.meanings[v] for v in codes.values if v in table.meanings}
            if len(found) >= LEAST_CODES and self._is_about(table, codes):
                yield Explained(found, table.schema.source, table)

    def _is_about(self, table: CodeTable, codes: Codes) -> bool:
        """Tell whether a table of codes can be about a column: if it names columns, only about those."""
        own = f"{table.key.header} {table.schema.title}"
        words = _words(f"{own} {PurePosixPath(table.schema.source).stem}")
        fitting = [c for c in self.columns if len(set(c.values) & table.meanings.keys()) >= LEAST_CODES]
        named = _named(fitting, words)
        if any(c is codes for c in named):
            return True
        return not named and (not codes.are_numbers or _is_about_table(codes, own))

    def _explains_numbers(self, sentence: _Sentence, codes: Codes, found: Mapping[str, str]) -> bool:
        """Tell whether a sentence names the column before its numbers, and says short names of states after them."""
        if any(PHRASE.search(m) or len(m.split()) > MOST_WORDS for m in found.values()):
            return False
        first = min(m.start() for code in found if (m := re.search(rf"(?<!\w){code}(?!\w)", sentence.text)))
        begins = sentence.text[:first]
        named = _named(self.columns, _words(f"{sentence.before} {begins}"))
        if any(c is codes for c in named):
            return True
        return not named and _is_about_table(codes, begins.rpartition("\n")[2])


def _named(columns: Sequence[Codes], words: frozenset[str]) -> list[Codes]:
    """Return the columns that words name by their headers; if they name tables of some, too, only those."""
    named = [c for c in columns if _are_said(c.column.header, words)]
    return [c for c in named if _are_said(c.table, words)] or named


def _is_about_table(codes: Codes, text: str) -> bool:
    """Tell whether a text names nothing but the table of a column, and no other column of it can be meant."""
    words = _words(text) - IDLE
    return codes.is_lone and _are_said(codes.table, words) and words <= _words(codes.table)


def _sentences(passage: Passage) -> Iterator[_Sentence]:
    """Yield the sentences of a text, and each of its lists as a whole."""
    before = ""
    for text in SENTENCES.split(passage.text):
        yield _Sentence(passage.source, text, frozenset(WORD.findall(text)), f"{passage.title} {before}")
        before = text
    for found in LISTS.finditer(passage.text):
        text = BULLET.sub("", found[0])
        lead = passage.text[: found.start()].rstrip().rpartition("\n")[2]
        yield _Sentence(passage.source, text, frozenset(WORD.findall(text)), f"{passage.title} {lead}")


def _words(text: str) -> frozenset[str]:
    words = singular_key(key_of(CAMEL.sub(" ", text).replace("_", " "))).split()
    return frozenset(STATE if w in STATES else w for w in words)


def _are_said(name: str, words: frozenset[str]) -> bool:
    """Tell whether all telling words of a header are among words, or end one of them."""
    own = _words(name)
    return bool(own) and all(w in words or any(_is_form_of(w, o) for o in words) for w in own - IDLE or own)


def _is_form_of(word: str, other: str) -> bool:
    """Tell whether a word ends a compound, or only has another ending: "Ticketstatus" and "statuses" of "status"."""
    ending = other.startswith(word) and len(other) - len(word) <= LONGEST_ENDING
    return len(word) >= COMPOUND and (ending or other.endswith(word))


def texts_of(services: Services, corpus: str) -> list[Passage]:
    """Return the passages of a corpus."""
    documents = [d.document_id for d in services.catalog.documents(corpus)[:MOST_DOCUMENTS]]
    chunks = services.vector_store(corpus).of_documents(documents) if documents else ()
    return [Passage(c.source, c.title, c.text[:LONGEST]) for c in chunks if c.kind == "text"]


def codes_of(services: Services, schema: TableSchema) -> list[Codes]:
    """Return the columns of codes of a table: short texts in capitals, and few small numbers."""
    texts = [c for c in schema.columns if c.type == "text" and not c.raw]
    numbers = [c for c in schema.columns if may_be_number_codes(c)]
    stored = schema.stored_as or schema.name
    held = dict(services.value_linker.held(stored, linked_columns(schema), schema.row_count)) if texts else {}
    held |= services.value_linker.held(stored, [c.name for c in numbers], schema.row_count) if numbers else {}
    found = [(c, tuple(sorted(held[c.name].some(MOST_CODES + 1)))) for c in schema.columns if c.name in held]
    coded = [(c, v) for c, v in found if c in texts and _are_codes(c, v) or c in numbers and are_number_codes(c, v)]
    numbered = sum(all(map(NUMBER.fullmatch, v)) for _, v in coded)
    return [Codes(schema, c, v, is_lone=numbered <= 1) for c, v in coded]


def _are_codes(column: Column, values: Sequence[str]) -> bool:
    if values and all(map(NUMBER.fullmatch, values)):
        return are_number_codes(column, values)
    short = all(len(v) <= LONGEST_CODE and v == v.upper() for v in values)
    return short and LEAST_CODES <= len(values) <= MOST_CODES
