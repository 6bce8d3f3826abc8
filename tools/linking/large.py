"""The value index: the distinct values of columns that have too many for memory, written at ingest.

Each value is a tantivy document. A lookup takes milliseconds, however many values there are.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import tantivy

from tablerag.tools.linking.keys import (
    MAX_VALUE_CHARS,
    TYPO_WORD_LENGTH,
    key_of,
    most_edits,
    nearest,
    parts_of,
    singular_key,
    sorted_key,
)
from tablerag.tools.linking.matching import LOOKED_UP, MAX_SHARING, Way
from tablerag.tools.stores.tantivy_folder import TantivyFolder

__all__ = ["LargeColumn", "LargeValues"]

LAYOUT = "1"
SEPARATOR = "\x1f"
MOST_COLUMNS = 65_000
LOOKED_UP_BY = ("document_id", "exact", "singular", "reordered", "part", "word")
MOST_SAME = 50
"""Most values with the same spelling, ignoring case and accents, or with a word similar to a mistyped one."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("value", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("place", stored=True, fast=True, tokenizer_name="raw", index_option="basic")
    for name in LOOKED_UP_BY:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    return builder.build()


class LargeValues:
    """The columns with many values of a deployment; opened at first use, one writer at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder = TantivyFolder(path, _schema(), LAYOUT, "the value index")

    @property
    def exists(self) -> bool:
        """Whether anything was ever written; reading does not create the folder."""
        return self.path.exists()

    def add(self, document_id: str, columns: Iterable[tuple[str, str, Iterable[str]]]) -> None:
        """Add columns of the tables of a document: stored table, column and distinct values."""
        with self._folder.writer() as writer:
            for table, column, values in columns:
                place = _place(table, column)
                for value in values:
                    key = key_of(value)
                    if key and len(value) <= MAX_VALUE_CHARS:
                        writer.add_document(_document(document_id, place, value, key))

    def delete_documents(self, document_ids: Sequence[str]) -> None:
        """Delete all values of documents."""
        if self.exists:
            self._folder.delete("document_id", list(document_ids))

    def delete_columns(self, columns: Iterable[tuple[str, ...]]) -> None:
        """Delete the values of columns, each with its stored table."""
        if self.exists:
            self._folder.delete("place", [_place(*column) for column in columns])

    def columns(self) -> dict[tuple[str, ...], int]:
        """Return the number of values by stored table and column."""
        if not self.exists:
            return {}
        with self._folder.wrapped("read"):
            searcher = self._folder.searcher()
            if not searcher.num_docs:
                return {}
            found = searcher.aggregate(
                tantivy.Query.all_query(), {"places": {"terms": {"field": "place", "size": MOST_COLUMNS}}}
            )
            buckets = found["places"]["buckets"]
        return {tuple(str(b["key"]).split(SEPARATOR, 1)): int(b["doc_count"]) for b in buckets}

    def column(self, table: str, column: str) -> "LargeColumn | None":
        """Return the values of a stored column; None if it is not in this index."""
        if not self.exists:
            return None
        place = _place(table, column)
        with self._folder.wrapped("read"):
            searcher = self._folder.searcher()
            return LargeColumn(self._folder, searcher, place) if searcher.doc_freq("place", place) else None


class LargeColumn:
    """The distinct values of one column, looked up in the index."""

    def __init__(self, folder: TantivyFolder, searcher: tantivy.Searcher, place: str) -> None:
        self._folder = folder
        self._searcher = searcher
        self._place = place

    def find(self, way: Way, run: str) -> Sequence[str]:
        """Return the values that match a run of words in that way."""
        term = _term(self._place, LOOKED_UP[way][1](run))
        if way == "part" and not 0 < self._searcher.doc_freq(way, term) <= MAX_SHARING:
            return ()
        return self._values(self._folder.term(way, term))

    def some(self, most: int) -> Sequence[str]:
        """Return nothing: there are too many values."""
        return ()

    def spelled(self, word: str) -> str:
        """Return the column's spelling of a mistyped word; the word itself if no spelling is similar."""
        most = most_edits(word)
        if not most or self._searcher.doc_freq("word", _term(self._place, word)):
            return word
        similar = tantivy.Query.fuzzy_term_query(
            self._folder.schema, "word", _term(self._place, word), distance=most, transposition_cost_one=True
        )
        known = {w for value in self._values(similar) for w in key_of(value).split() if w[0] == word[0]}
        return nearest(word, known, most)

    def _values(self, query: tantivy.Query) -> list[str]:
        with self._folder.wrapped("searched"):
            hits = self._searcher.search(query, MOST_SAME, count=False).hits
            return [self._searcher.doc(address)["value"][0] for _, address in hits]


def _place(table: str, column: str) -> str:
    return f"{table}{SEPARATOR}{column}"


def _term(place: str, key: str) -> str:
    return f"{place}{SEPARATOR}{key}"


def _document(document_id: str, place: str, value: str, key: str) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("value", value)
    document.add_text("place", place)
    document.add_text("document_id", document_id)
    document.add_text("exact", _term(place, key))
    document.add_text("singular", _term(place, singular_key(key)))
    words = key.split()
    for word in {w for w in words if len(w) >= TYPO_WORD_LENGTH}:
        document.add_text("word", _term(place, word))
    if len(words) > 1:
        document.add_text("reordered", _term(place, sorted_key(key)))
        for part in parts_of(key):
            document.add_text("part", _term(place, part))
    return document
