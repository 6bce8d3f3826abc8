"""The columns that a question's words name."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tablerag.agent.offline import lexicon
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.text import content_tokens

__all__ = ["ColumnLink", "header_tokens", "link_columns", "same_word"]

STEM = 5
"""Words that share this many first letters count as forms of one word."""


@dataclass(frozen=True, slots=True)
class ColumnLink:
    """A column with the question's words that name it, and how much of its header they cover."""

    column: Column
    words: frozenset[str]
    score: float
    position: int
    """Index of the first such word among the question's tokens."""


def header_tokens(header: str) -> list[str]:
    """Return a header's words, without a unit in brackets."""
    bare = re.sub(r"[(\[].*?[)\]]", " ", header)
    return content_tokens(bare) or content_tokens(header)


def same_word(a: str, b: str) -> bool:
    """Tell whether two tokens are forms of one word."""
    a, b = lexicon.FORMS.get(a, a), lexicon.FORMS.get(b, b)
    if a == b or (a[:3] == b[:3] and {a, b} <= lexicon.MONTHS):
        return True
    shorter = min(len(a), len(b))
    return shorter >= STEM and a[:STEM] == b[:STEM] and abs(len(a) - len(b)) <= 4 and not a.isdigit()


def link_columns(words: Sequence[str], schema: TableSchema, taken: Collection[str] = ()) -> list[ColumnLink]:
    """Return the columns whose headers share words with the question, best first.

    Words in ``taken`` belong to stored values and name no column.
    """
    free = [w for w in words if w not in taken]
    links = []
    for column in schema.columns:
        names = header_tokens(column.header)
        hits = {(n, w) for n in names for w in free if same_word(n, w)}
        if not hits:
            continue
        covered = {n for n, _ in hits}
        exact = sum(1 for n, w in hits if n == w)
        score = len(covered) / len(set(names)) + 0.01 * exact
        used = frozenset(w for _, w in hits)
        if score < 0.5 and len(covered) < 2 and covered <= lexicon.OPERATION_WORDS:
            continue
        links.append(ColumnLink(column, used, score, min(words.index(w) for w in used)))
    return sorted(links, key=lambda k: (-k.score, k.position))
