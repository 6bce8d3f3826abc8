"""The document that the embedded reasoner selects: the one that answers, or none if several do."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tablerag.agent.hd_rag.reasoning import Selection, SelectTask
from tablerag.agent.offline.arithmetic.formula import Formula

__all__ = ["BEST", "selected"]

BELOW = 0.05
"""How much less evidence than the best candidate an answering one may have."""
LEAD = 0.3
"""Least lead in evidence over a candidate with another answer."""
HELD = 0.9
"""Share of the question's words that rows and headers must contain, if there are several candidates."""
BEST = "It has the best evidence in both searches."


@dataclass(frozen=True, slots=True)
class _Answering:
    """A candidate that answers the question."""

    place: int
    score: float
    source: str
    text: str


def selected(task: SelectTask, read: Callable[[int], Formula | None]) -> Selection:
    """Select the best candidate that answers, by ``read``; none if another one answers about as well.

    If none answers, select the one with the best evidence.
    """
    if len(task.documents) == 1:
        return Selection(0, BEST)
    answering = list(_answering(task, read))
    if not answering:
        return Selection(0, BEST)
    best = answering[0]
    other = next((a for a in answering[1:] if a.text != best.text), None)
    if other is not None and best.score - other.score < LEAD:
        return Selection(None, f"{best.source} and {other.source} give different answers; name the document.")
    if best.score < task.documents[0].score - BELOW:
        first = task.documents[0].source
        return Selection(None, f"{best.source} answers the question, but {first} has more evidence; name the document.")
    return Selection(best.place, "It answers the question; better-ranked candidates do not." if best.place else BEST)


def _answering(task: SelectTask, read: Callable[[int], Formula | None]) -> Iterator[_Answering]:
    for place, document in enumerate(task.documents):
        formula = read(place)
        if formula is not None and formula.held >= HELD:
            yield _Answering(place, document.score, document.source, formula.text)
