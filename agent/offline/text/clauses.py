"""Which clause of a sentence a part is in: one that denies it, or the clause of another thing."""

import re
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from tablerag.agent.offline.text.asked import TextQuestion
from tablerag.agent.offline.text.matching import loosely_found, word_set
from tablerag.agent.offline.text.vocabulary import pattern, related, same_form, words_in

if TYPE_CHECKING:
    from tablerag.agent.offline.text.spans import Span

__all__ = ["is_denied", "of_clause"]

DENIED = re.compile(pattern("patterns", "denied"), re.IGNORECASE)
CLAUSES = re.compile(r"[,;:]\s+| (?:and|but|while|whereas|und|aber|während|et|mais|tandis que) ")
SUBJECT = re.compile(rf"(?:(?:for|für|pour) )?(?:{pattern('patterns', 'determiner')}|[A-ZÀ-Þ])")
EDGES = frozenset(("begin", "end"))
"""Verbs that one subject often has both of: "begins on 3 May and ends on 5 May"."""
FOUND = 0.75
"""How well a word must be found to be that of a clause."""


def is_denied(sentence: str, start: int) -> bool:
    """Tell whether the sentence says that something is not the part that starts there: "not in the plant room"."""
    return bool(DENIED.search(sentence[:start]))


def of_clause(spans: Sequence["Span"], asked: TextQuestion, text: str) -> Sequence["Span"]:
    """Return the parts in the clause of the thing that is asked about: "adults pay £5, children £3"; else all."""
    edges = {w for w in asked.words if not EDGES.isdisjoint({w, *related(w)})}
    cuts = [m.end() for m in CLAUSES.finditer(text)]
    spans = _in_clause(spans, edges, text, cuts) if edges else spans
    nouns = ({group[-1] for group in asked.nouns if group} | (asked.names & set(asked.words))) - {asked.focus}
    return _in_clause(spans, nouns, text, [c for c in cuts if _has_subject(text[c:], nouns)])


def _in_clause(spans: Sequence["Span"], words: Set[str], text: str, cuts: Sequence[int]) -> Sequence["Span"]:
    """Return the parts in the clause with most of these words; all if no single clause has."""
    named: list[tuple[int, list[Span]]] = []
    for low, high in zip([0, *cuts], [*cuts, len(text)], strict=True):
        inside = [s for s in spans if low <= s.start < high]
        if inside:
            said = word_set(text[low:high])
            named.append((sum(loosely_found(w, said) >= FOUND for w in words), inside))
    most = max((count for count, _ in named), default=0)
    best = [inside for count, inside in named if count == most]
    return best[0] if most and len(best) == 1 else spans


def _has_subject(clause: str, nouns: Set[str]) -> bool:
    """Tell whether a clause is about a thing of its own: "and ends on 3 May" is not."""
    first = next((w.text for w in words_in(clause[:40])), "")
    return bool(SUBJECT.match(clause)) or any(same_form(first, n) for n in nouns)
