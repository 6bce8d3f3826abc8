"""How well the columns of a table match the words of a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tablerag.agent.offline import lexicon
from tablerag.agent.offline.mention import Mention, QuestionWords
from tablerag.agent.offline.table_view import ColumnView, TableView
from tablerag.tools.embedding.products import products
from tablerag.tools.linking.keys import COMMON
from tablerag.tools.text import singular

__all__ = ["ALIGNED", "Alignment", "Embed", "mask_of"]

Embed = Callable[[Sequence[str]], np.ndarray]
"""Returns unit vectors (texts, dimensions)."""
ASKING = ("who", "whom", "whose", "when", "where", "which", "what", "how", "name", "tell", "list")
RANKING = ("most", "least", "best", "worst", "top", "more", "less")
STEM = 5
SURE = 0.9
ALIGNED = (
    "cover", "words", "phrase", "embedded", "asked", "ranked", "best", "early", "first", "asked near", "ranked near",
    "nearest",
)  # fmt: skip
"""Names of the numbers of a column's alignment."""


def mask_of(start: int, end: int) -> int:
    """Return a run of words as a bit mask."""
    return (1 << end) - (1 << start)


@dataclass
class Alignment:
    """A question's words compared with a table's columns; sets of words are bit masks, lowest bit first."""

    question: QuestionWords
    view: TableView
    mentions: Sequence[Mention]
    embed: Embed | None = None

    def __post_init__(self) -> None:
        words = self.question.words
        self._stems = [singular(w) for w in words]
        self._forms = [lexicon.FORMS.get(w, singular(w)) for w in words]
        self.content = sum(1 << i for i, w in enumerate(words) if w not in COMMON and w not in ASKING)
        self.sure = [mask_of(m.start, m.end) for m in self.mentions if m.score >= SURE and m.way == "value"]
        self._in_sure = 0
        for mask in self.sure:
            self._in_sure |= mask
        self._known: dict[str, tuple[tuple[float, ...], int]] = {}

    def of(self, name: str) -> tuple[tuple[float, ...], int]:
        """Return the alignment of a stored column, named by ALIGNED, and the mask of words that name it."""
        if name not in self._known:
            column = self.view.column(name)
            self._known[name] = self._alignment(column) if column else ((0.0,) * len(ALIGNED), 0)
        return self._known[name]

    @cached_property
    def named(self) -> frozenset[int]:
        """Indexes of the columns whose whole header is in the question."""
        return frozenset(i for i, (named, _) in enumerate(self._matches) if named and self._covers[i] >= 0.99)

    @cached_property
    def _matches(self) -> list[tuple[set[int], set[int]]]:
        """For each column: indexes of the question's words in its header, and of its header's words in the question."""
        found = []
        for column in self.view.columns:
            named, own = set(), set()
            for j, head in enumerate(column.words):
                for i, word in enumerate(self._forms):
                    if _same(word, lexicon.FORMS.get(head, head)) and not self._in_sure >> i & 1:
                        named.add(i)
                        own.add(j)
            found.append((named, own))
        return found

    @cached_property
    def _covers(self) -> list[float]:
        pairs = zip(self._matches, self.view.columns, strict=True)
        return [len(own) / max(1, len(set(c.words))) for (_, own), c in pairs]

    @cached_property
    def _nearness(self) -> list[tuple[float, float, float]]:
        """Each header's similarity to the question's words and pairs, to what is asked, and to what is ranked."""
        none = [(0.0, 0.0, 0.0)] * len(self.view.columns)
        if self.embed is None:
            return none
        words = [w for i, w in enumerate(self.question.words) if self.content >> i & 1]
        runs = words + [f"{a} {b}" for a, b in zip(words, words[1:], strict=False)]
        asked, ranked = self._text_of(self._asked), self._text_of(self._ranking)
        headers = [c.column.header for c in self.view.columns]
        vectors = self.embed([*runs, asked, ranked, *headers])
        near = products(vectors[len(runs) + 2 :], vectors[: len(runs) + 2])
        whole = near[:, :-2].max(axis=1) if runs else np.zeros(len(headers))
        return list(zip(whole.tolist(), near[:, -2].tolist(), near[:, -1].tolist(), strict=True))

    def _text_of(self, mask: int) -> str:
        return " ".join(w for i, w in enumerate(self.question.words) if mask >> i & 1 and w not in COMMON)

    @cached_property
    def _asked(self) -> int:
        """Mask of the words after the question word."""
        place = next((i for i, w in enumerate(self.question.words) if w in ASKING), -1)
        return mask_of(place + 1, place + 5)

    @cached_property
    def _ranking(self) -> int:
        """Mask of the words after a superlative."""
        mask = 0
        for i, word in enumerate(self.question.words):
            if (word.endswith("est") and len(word) > 4) or word in RANKING:
                mask |= mask_of(i, i + 4)
        return mask

    def _alignment(self, column: ColumnView) -> tuple[tuple[float, ...], int]:
        named, _ = self._matches[column.index]
        cover = self._covers[column.index]
        mask = sum(1 << i for i in named)
        head = " ".join(column.words)
        phrase = float(bool(head) and f" {head} " in f" {' '.join(self._stems)} ")
        first = min(named, default=len(self._stems))
        near, asked, ranked = self._nearness[column.index]
        vector = (
            cover, min(3, len(named)) / 3, phrase, near, float(bool(mask & self._asked)),
            float(bool(mask & self._ranking)), float(cover > 0 and cover >= max(self._covers)),
            1 - first / max(1, len(self._stems)), float(column.index == 0), asked, ranked,
            float(near >= max(n for n, _, _ in self._nearness)),
        )  # fmt: skip
        return vector, mask


def _same(word: str, head: str) -> bool:
    return word == head or (len(head) >= STEM and len(word) >= STEM and head[:STEM] == word[:STEM])
