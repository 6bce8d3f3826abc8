"""The value index: the distinct values of columns that have too many for memory, written at ingest.

A tantivy document is a block of values of one column: the values, and their words with positions, so that a value costs
a fraction of a document. A lookup finds the blocks with its words and reads the values in them.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any

import tantivy

from tablerag.tools.linking.keys import (
    COMMON,
    MAX_VALUE_CHARS,
    TYPO_WORD_LENGTH,
    keys_of,
    most_edits,
    nearest,
    singular_forms,
    singular_key,
    sorted_key,
)
from tablerag.tools.linking.matching import MAX_SHARING, Way
from tablerag.tools.stores.tantivy_folder import TantivyFolder

__all__ = ["LargeColumn", "LargeValues"]

LAYOUT = "2"
SEPARATOR = "\x1f"
END = "."
"""Between the words of two values."""
BLOCK_VALUES = 64
MOST_COLUMNS = 65_000
MOST_SAME = 50
"""Most values with the same spelling, ignoring case and accents, and most blocks with a similar word."""
MOST_PART_WORDS = 3
LEAST_PART_CHARS = 3
MOST_ORDERED = 4
"""Most words of which every order is looked up; more words are looked up together, in at most MOST_MIXED blocks."""
MOST_MIXED = 200
MOST_SPELLINGS = 64
"""Most combinations of singular and plural words of one run."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_bytes_field("values", stored=True, indexed=False, fast=False)
    builder.add_unsigned_field("count", fast=True)
    builder.add_text_field("place", stored=True, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("document_id", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("word", tokenizer_name="whitespace", index_option="position")
    return builder.build()


class LargeValues:
    """The columns with many values of a deployment; opened at first use, one writer at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder = TantivyFolder(path, _schema(), LAYOUT, "the value index", "run `tablerag migrate` once")

    @property
    def exists(self) -> bool:
        """Whether anything was ever written; reading does not create the folder."""
        return self.path.exists()

    def delete_outdated(self) -> bool:
        """Delete an index that another version has written; return whether there was one."""
        if not (self.exists and self._folder.outdated):
            return False
        shutil.rmtree(self.path)
        return True

    def check(self) -> None:
        """Raise StoreDamaged if the files are not as they were written."""
        self._folder.check()

    def discard(self) -> None:
        """Delete the index, to be built again from the tables."""
        self._folder.discard()

    def add(self, document_id: str, columns: Iterable[tuple[str, str, Iterable[str]]]) -> None:
        """Add columns of the tables of a document: stored table, column and distinct values."""
        with self._folder.writer() as writer:
            for table, column, values in columns:
                place = _place(table, column)
                left = iter(values)
                while some := list(islice(left, BLOCK_VALUES)):
                    if block := _block(document_id, place, some):
                        writer.add_document(block)

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
            count = {"count": {"sum": {"field": "count"}}}
            terms = {"terms": {"field": "place", "size": MOST_COLUMNS}, "aggs": count}
            found = searcher.aggregate(tantivy.Query.all_query(), {"places": terms})
            buckets = found["places"]["buckets"]
        return {tuple(str(b["key"]).split(SEPARATOR, 1)): int(b["count"]["value"]) for b in buckets}

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
        self._prefix = _prefix(place)

    def find(self, way: Way, run: str) -> Sequence[str]:
        """Return the values that match a run of words in that way."""
        words = run.split()
        match way:
            case "exact":
                return self._whole([words], lambda key: key == run)
            case "singular":
                wanted = singular_key(run)
                forms = [[f for f in singular_forms(w) if self._count(f)] for w in words]
                spellings = list(islice(product(*forms), MOST_SPELLINGS))
                return self._whole(spellings, lambda key: singular_key(key) == wanted)
            case "reordered":
                wanted = sorted_key(run)
                return self._reordered(words, lambda key: " " in key and sorted_key(key) == wanted)
        return self._sharing(words)

    def some(self, most: int) -> Sequence[str]:
        """Return nothing: there are too many values."""
        return ()

    def spelled(self, word: str) -> str:
        """Return the column's spelling of a mistyped word; the word itself if no spelling is similar."""
        most = most_edits(word)
        if not most or self._count(word):
            return word
        similar = tantivy.Query.fuzzy_term_query(
            self._folder.schema, "word", self._prefix + word, distance=most, transposition_cost_one=True
        )
        words = {w for _, key in self._found(similar, MOST_SAME) for w in key.split()}
        return nearest(word, {w for w in words if len(w) >= TYPO_WORD_LENGTH and w[0] == word[0]}, most)

    def _count(self, word: str) -> int:
        """Return in how many blocks a word is."""
        return self._searcher.doc_freq("word", self._prefix + word)

    def _whole(self, spellings: Sequence[Sequence[str]], is_wanted: Callable[[str], bool]) -> list[str]:
        """Return the values that are one of some runs of words."""
        known = [words for words in spellings if all(map(self._count, words))]
        query = self._any_of([(END, *words, END) for words in known])
        return self._values(query, MOST_SAME, is_wanted) if known else []

    def _reordered(self, words: Sequence[str], is_wanted: Callable[[str], bool]) -> list[str]:
        if len(words) < 2 or not all(map(self._count, words)):
            return []
        if len(words) <= MOST_ORDERED:
            return self._whole(sorted(set(permutations(words))), is_wanted)
        together = [(tantivy.Occur.Must, self._folder.term("word", self._prefix + w)) for w in words]
        return self._values(tantivy.Query.boolean_query(together), MOST_MIXED, is_wanted)

    def _sharing(self, words: Sequence[str]) -> Sequence[str]:
        """Return the longer values that contain a run of words; nothing if more than MAX_SHARING do."""
        run = " ".join(words)
        is_told = len(words) <= MOST_PART_WORDS and len(run) >= LEAST_PART_CHARS and run not in COMMON
        if not is_told or not all(map(self._count, words)):
            return ()
        if len(words) == 1 and self._count(run) > MOST_SAME:
            return ()
        found = self._found(self._any_of([words]), MOST_SAME)
        longer = [v for v, key in islice(_holding(found, run), MAX_SHARING + 1)]
        return longer if len(longer) <= MAX_SHARING else ()

    def _any_of(self, runs: Sequence[Sequence[str]]) -> Any:
        """Return the query for one of some runs of words, which may begin and end with END."""
        queries = [self._run(words) for words in runs]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, q) for q in queries]) if runs else None

    def _run(self, words: Sequence[str]) -> Any:
        terms: list[Any] = [self._prefix + w for w in words]
        if len(terms) == 1:
            return self._folder.term("word", terms[0])
        return tantivy.Query.phrase_query(self._folder.schema, "word", terms)

    def _values(self, query: Any, most_blocks: int, is_wanted: Callable[[str], bool]) -> list[str]:
        found = (v for v, key in self._found(query, most_blocks) if is_wanted(key))
        return list(islice(found, MOST_SAME))

    def _found(self, query: Any, most_blocks: int) -> Iterator[tuple[str, str]]:
        """Yield the values and keys of blocks, in the order of writing."""
        with self._folder.wrapped("searched"):
            hits = self._searcher.search(query, most_blocks, count=False).hits
            for address in sorted((a for _, a in hits), key=lambda a: (a.segment_ord, a.doc)):
                values = bytes(self._searcher.doc(address)["values"][0]).decode().split(SEPARATOR)
                yield from zip(values, keys_of(values), strict=True)


def _holding(found: Iterable[tuple[str, str]], run: str) -> Iterator[tuple[str, str]]:
    return ((v, key) for v, key in found if key != run and f" {run} " in f" {key} ")


def _place(table: str, column: str) -> str:
    return f"{table}{SEPARATOR}{column}"


def _prefix(place: str) -> str:
    """Return what begins the words of a column in the index."""
    return hashlib.blake2b(place.encode(), digest_size=6).hexdigest()


def _block(document_id: str, place: str, values: Sequence[str]) -> tantivy.Document | None:
    """Return a document of values, without those without words and long ones; None if none is left."""
    keys = keys_of(values)
    if not all(keys) or max(map(len, values)) > MAX_VALUE_CHARS:
        kept = [(v, key) for v, key in zip(values, keys, strict=True) if key and len(v) <= MAX_VALUE_CHARS]
        values, keys = [v for v, _ in kept], [key for _, key in kept]
    if not values:
        return None
    document = tantivy.Document()
    document.add_bytes("values", "\0".join(values).replace(SEPARATOR, " ").replace("\0", SEPARATOR).encode())
    document.add_unsigned("count", len(values))
    document.add_text("place", place)
    document.add_text("document_id", document_id)
    words = " ".join([END, f" {END} ".join(keys), END])
    prefix = _prefix(place)
    document.add_text("word", prefix + words.replace(" ", f" {prefix}"))
    return document
