"""The lexical index in tantivy: BM25 over normalised words, one folder for each corpus."""

import math
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import tantivy

from tablerag.tools.embedding.windows import parts
from tablerag.tools.records import Chunk, ChunkKind
from tablerag.tools.stores.lexical_index import LexicalIndex
from tablerag.tools.stores.tantivy_folder import TantivyFolder, folder_name
from tablerag.tools.stores.written_log import WrittenLog
from tablerag.tools.text import content_tokens, tokens

__all__ = ["TantivyIndex"]

LAYOUT = "2"
"""Raised when fields or tokens change; an index of another layout is refused."""
STORED = ("id", "kind", "document_id", "source", "locator", "title_text", "text", "table_id")
FIELD_WEIGHTS = {"title": 3, "header": 2, "body": 1}
"""How often a field's words count (BM25F, Robertson 2004): as one text, so that a word that is rare as a
title and common in cells is common. Scores of fields of their own, added up, find 10 % fewer tables."""
TYPO_CHARS = 5
"""Words of at least this length that the index lacks are searched for with one letter changed."""
MOST_TYPO_CHARS = 64
"""The automaton of a longer word takes memory without end; such a word is data."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("words", stored=False, tokenizer_name="whitespace")
    for name in STORED:
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


class TantivyIndex(LexicalIndex):
    """A LexicalIndex in a folder; one writer at a time."""

    def __init__(self, corpus: str, path: Path, *, is_replica: bool = False) -> None:
        """Take the folder of all indexes; a replica keeps a list of what is written to it on this host."""
        self.corpus = corpus
        self.path = path / folder_name(corpus)
        self._folder = TantivyFolder(self.path, _schema(), LAYOUT, "the lexical index")
        self.written = WrittenLog(self.path) if is_replica else None

    @property
    def exists(self) -> bool:
        return self.path.exists()

    def check(self, most: int | None = None) -> None:
        self._folder.check(most)

    def discard(self) -> None:
        self._folder.discard()

    def add(self, chunks: Sequence[Chunk]) -> None:
        if not chunks:
            return
        if self.written:
            self.written.add(c.document_id for c in chunks)
        with self._folder.writer() as writer:
            for chunk in chunks:
                writer.delete_documents_by_term("id", chunk.id)
                writer.add_document(_document(chunk))

    def delete_documents(self, document_ids: Sequence[str]) -> None:
        self._folder.delete("document_id", list(document_ids))

    def delete(self, ids: Sequence[str]) -> None:
        self._folder.delete("id", list(ids))

    def chunk_ids(self) -> dict[str, str]:
        with self._folder.wrapped("read"):
            searcher = self._folder.searcher()
            if not searcher.num_docs:
                return {}
            hits = searcher.search(tantivy.Query.all_query(), searcher.num_docs).hits
            found = (searcher.doc(address) for _, address in hits)
            return {d["id"][0]: d["document_id"][0] for d in found}

    def search(self, query: str, k: int, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        words = list(dict.fromkeys(content_tokens(query)))
        if not words:
            return []
        return self._run(self._query(words, kinds), k)

    def scores(self, query: str, ids: Sequence[str]) -> dict[str, float]:
        words = list(dict.fromkeys(content_tokens(query)))
        if not words or not ids:
            return dict.fromkeys(ids, 0.0)
        wanted = tantivy.Query.boolean_query([(tantivy.Occur.Should, self._folder.term("id", i)) for i in ids])
        unscored = tantivy.Query.const_score_query(wanted, 0.0)
        both = [(tantivy.Occur.Must, self._query(words, None)), (tantivy.Occur.Must, unscored)]
        found = self._run(tantivy.Query.boolean_query(both), len(ids))
        return dict.fromkeys(ids, 0.0) | {c.id: c.score for c in found}

    def holding(self, text: str, k: int, kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        words = list(dict.fromkeys(tokens(text)))
        if not words:
            return []
        every = tantivy.Query.boolean_query([(tantivy.Occur.Must, self._folder.term("words", w)) for w in words])
        return self._run(self._among(every, kinds), k)

    def _query(self, words: Sequence[str], kinds: Iterable[ChunkKind] | None) -> Any:
        return self._among(tantivy.Query.boolean_query([(tantivy.Occur.Should, self._word(w)) for w in words]), kinds)

    def _among(self, matching: Any, kinds: Iterable[ChunkKind] | None) -> Any:
        """Restrict a query to chunks of these kinds."""
        if not kinds:
            return matching
        allowed = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._folder.term("kind", k)) for k in sorted(kinds)]
        )
        unscored = tantivy.Query.const_score_query(allowed, 0.0)
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, matching), (tantivy.Occur.Must, unscored)])

    def _word(self, word: str) -> Any:
        """Match a word; when the index lacks it, words one letter away, as it may be mistyped."""
        if not TYPO_CHARS <= len(word) <= MOST_TYPO_CHARS or word.isdigit() or self._frequency(word):
            return self._folder.term("words", word)
        return tantivy.Query.fuzzy_term_query(
            self._folder.schema, "words", word, distance=1, transposition_cost_one=True
        )

    def _frequency(self, word: str) -> int:
        with self._folder.wrapped("searched"):
            return self._folder.searcher().doc_freq("words", word)

    def rarity(self, words: Sequence[str]) -> dict[str, float]:
        with self._folder.wrapped("read"):
            searcher = self._folder.searcher()
            count = searcher.num_docs
            found = {w: searcher.doc_freq("words", w) for w in words}
        return {w: math.log(1 + (count - n + 0.5) / (n + 0.5)) for w, n in found.items()}

    def _run(self, query: Any, k: int) -> list[Chunk]:
        with self._folder.wrapped("searched"):
            searcher = self._folder.searcher()
            hits = searcher.search(query, k).hits
            return [_chunk(searcher.doc(address), score) for score, address in hits]

    def version(self) -> int:
        return self._folder.version()

    def count(self) -> int:
        with self._folder.wrapped("read"):
            return self._folder.searcher().num_docs

    def get(self, ids: Sequence[str]) -> list[Chunk]:
        if not ids:
            return []
        wanted = tantivy.Query.boolean_query([(tantivy.Occur.Should, self._folder.term("id", i)) for i in ids])
        by_id = {c.id: c.model_copy(update={"score": 0.0}) for c in self._run(wanted, len(ids))}
        return [by_id[i] for i in ids if i in by_id]

    def of_documents(self, document_ids: Sequence[str], kinds: Iterable[ChunkKind] | None = None) -> list[Chunk]:
        if not document_ids:
            return []
        ids = [(tantivy.Occur.Should, self._folder.term("document_id", i)) for i in document_ids]
        with self._folder.wrapped("read"):
            searcher = self._folder.searcher()
            query = self._among(tantivy.Query.boolean_query(ids), kinds)
            hits = searcher.search(query, max(searcher.num_docs, 1)).hits
            found = [_chunk(searcher.doc(address), 0.0) for _, address in hits]
        places = {document_id: place for place, document_id in enumerate(document_ids)}
        return sorted(found, key=lambda c: (places[c.document_id], c.reading_place))

    @property
    def engine(self) -> str:
        return f"tantivy {version('tantivy')}"


def _document(chunk: Chunk) -> Any:
    document = tantivy.Document()
    header, lines = parts(chunk)
    fields = {"title": chunk.title, "header": header, "body": "\n".join(lines)}
    counted = [word for name, text in fields.items() for word in tokens(text) * FIELD_WEIGHTS[name]]
    document.add_text("words", " ".join(counted))
    stored = chunk.model_dump(include={"id", "kind", "document_id", "source", "locator", "text"})
    for name, value in (stored | {"title_text": chunk.title, "table_id": chunk.table_id or ""}).items():
        document.add_text(name, value)
    return document


def _chunk(document: Any, score: float) -> Chunk:
    fields = {name: document[name][0] for name in STORED}
    return Chunk(title=fields.pop("title_text"), table_id=fields.pop("table_id") or None, score=float(score), **fields)
