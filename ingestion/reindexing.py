"""Embeds a corpus again, after the setting of the embedding has changed; no document is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tablerag.ingestion.runs import Run
from tablerag.tools.embedding.windows import windows
from tablerag.tools.errors import EmbeddingMismatch
from tablerag.tools.services import Services
from tablerag.tools.stores.lexical_index import LexicalIndex
from tablerag.tools.stores.opening import open_vector_store
from tablerag.tools.stores.vector_store import VectorStore
from tablerag.tools.stores.window_store import batches
from tablerag.tools.summary_corpora import summary_corpora
from tablerag.tools.token_count import count_tokens

__all__ = ["Reindexing", "reindex", "to_reindex"]

CHUNKS_AT_ONCE = 100
NEW = "~new"
"""End of the name of the collection that is filled: what is in it when a run is interrupted is not embedded again."""


@dataclass(frozen=True, slots=True)
class Reindexing:
    """What a corpus has to be embedded: chunks, the texts that they are embedded as, and about how many tokens."""

    chunks: int
    texts: int
    tokens: int


def to_reindex(services: Services, corpus: str) -> Reindexing:
    """Return what reindex() has to embed; nothing if all chunks have vectors of the embedding of the settings."""
    chunks = texts = tokens = 0
    for name in _names(services, corpus):
        if _is_current(services, name):
            continue
        index = services.lexical_index(name)
        for some in batches(_lacking(index, _beside(services, name)), CHUNKS_AT_ONCE):
            found = [text for chunk in index.get(some) for text in windows(chunk)]
            chunks, texts, tokens = chunks + len(some), texts + len(found), tokens + sum(map(count_tokens, found))
    return Reindexing(chunks, texts, tokens)


def reindex(services: Services, corpus: str, on_progress: Callable[[int], object] = lambda done: None) -> int:
    """Embed a corpus and its summaries with the embedding of the settings; return the number of chunks embedded.

    Questions are answered from the old vectors until the new ones take their place. A repeated run goes on where an
    earlier one was stopped. ``on_progress`` is called with the number of chunks so far. Raises StoreUnavailable, and
    ModelUnavailable if the embedding does not answer.
    """
    done = 0
    with Run.started(services) as run:
        for name in _names(services, corpus):
            if _is_current(services, name):
                continue
            index, store = services.lexical_index(name), services.vector_store(name)
            new = _beside(services, name)
            for into in (new, store):  # the second time, what others have added meanwhile
                for some in batches(_lacking(index, into), CHUNKS_AT_ONCE):
                    run.check()
                    into.add(index.get(some))
                    done += len(some)
                    on_progress(done)
                if into is new:
                    store.take(new)
    return done


def _names(services: Services, corpus: str) -> list[str]:
    return [corpus, *summary_corpora(services, corpus)]


def _is_current(services: Services, name: str) -> bool:
    """Return whether an index has vectors of the embedding of the settings."""
    try:
        services.vector_store(name).count()
    except EmbeddingMismatch:
        return False
    return True


def _beside(services: Services, name: str) -> VectorStore:
    """Return the store that is filled beside an index's own; one of yet another embedding is emptied."""
    named = services.settings.vector_store_of(name)
    store = open_vector_store(named, f"{name}{NEW}", services.chunk_embedding, services.home, services.catalog)
    try:
        store.count()
    except EmbeddingMismatch:
        store.drop()
    return store


def _lacking(index: LexicalIndex, store: VectorStore) -> Sequence[str]:
    """Delete what is not in the lexical index any more from a store; return the ids of the chunks that it lacks."""
    wanted, there = index.chunk_ids(), store.chunk_ids()
    store.delete([i for i in there if i not in wanted])
    return [i for i in wanted if i not in there]
