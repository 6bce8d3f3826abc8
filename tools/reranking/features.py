"""The features of the embedded reranker: cheap signs that a candidate answers a query."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tablerag.tools.embedding.static import StaticEmbedding
from tablerag.tools.embedding.windows import parts
from tablerag.tools.records import Chunk
from tablerag.tools.reranking.reranker import Candidate
from tablerag.tools.text import content_tokens, tokens

__all__ = ["FEATURES", "Rarity", "features"]

FEATURES = (
    "lexical",  # BM25, relative to the best candidate
    "dense",  # cosine, relative to the best candidate
    "cosine",
    "query_in_title",  # share of the query's words, weighted by rarity, in the title
    "title_in_query",  # share of the title's words in the query
    "query_in_header",
    "header_in_query",
    "query_in_row",  # in its best row or sentence
    "query_in_all",
    "pairs",  # share of the query's pairs of adjacent words found here
    "soft",  # how near each word of the query is to the nearest word here (MaxSim)
    "title_cosine",
    "numbers",  # share of the query's numbers found here
)
TEXT_CHARS = 6000
"""Characters of a chunk that are read."""
KEPT_CHUNKS = 512
"""Chunks whose words are kept: up to 150 kB each."""
NUMBER = re.compile(r"\d")

Rarity = Callable[[Sequence[str]], Mapping[str, float]]
"""Returns the inverse document frequencies of words."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one chunk."""

    title: frozenset[str]
    header: frozenset[str]
    lines: tuple[frozenset[str], ...]
    every: frozenset[str]
    pairs: frozenset[tuple[str, str]]


@lru_cache(maxsize=KEPT_CHUNKS)
def _words(chunk_id: str, title: str, header: str, lines: tuple[str, ...]) -> _Words:
    runs = [tokens(title), tokens(header), *map(tokens, lines)]
    return _Words(
        title=frozenset(runs[0]),
        header=frozenset(runs[1]),
        lines=tuple(frozenset(r) for r in runs[2:]),
        every=frozenset(w for run in runs for w in run),
        pairs=frozenset(p for run in runs for p in zip(run, run[1:], strict=False)),
    )


def _chunk_words(chunk: Chunk) -> _Words:
    is_long = len(chunk.text) > TEXT_CHARS
    header, lines = parts(chunk.model_copy(update={"text": chunk.text[:TEXT_CHARS]}) if is_long else chunk)
    return _words(chunk.id, chunk.title, header, tuple(lines))


def features(query: str, candidates: Sequence[Candidate], embedding: StaticEmbedding, rarity: Rarity) -> np.ndarray:
    """Return the features (len(candidates), len(FEATURES)) of candidates for a query; all but cosines 0 to 1."""
    asked = content_tokens(query)
    words = [[_chunk_words(c) for c in candidate] for candidate in candidates]
    titles = {w for chunks in words for c in chunks for w in c.title | c.header}
    weights = dict(rarity(sorted({*asked, *titles})))
    lexical = [max(c.lexical for c in candidate) for candidate in candidates]
    cosine = [max(c.dense for c in candidate) for candidate in candidates]
    best_lexical, best_cosine = max([*lexical, 1e-9]), max([*cosine, 1e-9])
    soft = embedding.soft_overlap(query, [_text(c) for c in candidates])
    title_cosine = embedding.embed([c[0].title for c in candidates]) @ embedding.embed([query])[0]
    rows = []
    for i, chunks in enumerate(words):
        rows.append(
            [
                lexical[i] / best_lexical,
                max(cosine[i], 0.0) / best_cosine,
                cosine[i],
                *_overlaps(asked, chunks, weights),
                _share_of_pairs(asked, chunks),
                soft[i],
                title_cosine[i],
                _share_of_numbers(asked, chunks),
            ]
        )
    return np.array(rows, dtype=np.float64).reshape(len(candidates), len(FEATURES))


def _text(candidate: Candidate) -> str:
    return "\n".join([candidate[0].title, *(c.text[:TEXT_CHARS] for c in candidate)])


def _overlaps(asked: Sequence[str], chunks: Sequence[_Words], weights: Mapping[str, float]) -> list[float]:
    query = frozenset(asked)
    title = frozenset(w for c in chunks for w in c.title)
    header = frozenset(w for c in chunks for w in c.header)
    every = frozenset(w for c in chunks for w in c.every)
    return [
        _share(query, title, weights),
        _share(title, query, weights),
        _share(query, header, weights),
        _share(header, query, weights),
        max((_share(query, line, weights) for c in chunks for line in c.lines), default=0.0),
        _share(query, every, weights),
    ]


def _share(of: Iterable[str], within: Collection[str], weights: Mapping[str, float]) -> float:
    """Return the share of the weight of some words that is also in others."""
    whole = found = 0.0
    for word in of:
        weight = weights.get(word, 0.0)
        whole += weight
        if word in within:
            found += weight
    return found / whole if whole else 0.0


def _share_of_pairs(asked: Sequence[str], chunks: Sequence[_Words]) -> float:
    pairs = list(zip(asked, asked[1:], strict=False))
    return sum(any(p in c.pairs for c in chunks) for p in pairs) / len(pairs) if pairs else 0.0


def _share_of_numbers(asked: Sequence[str], chunks: Sequence[_Words]) -> float:
    numbers = {w for w in asked if NUMBER.match(w)}
    return sum(any(n in c.every for c in chunks) for n in numbers) / len(numbers) if numbers else 0.0
