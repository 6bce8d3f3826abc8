"""Which document the embedded reasoner takes: it reads all candidates, and leaves open what several answer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tablerag.agent.hd_rag.reasoning import Selection, SelectTask
from tablerag.agent.offline.arithmetic.formula import Formula

__all__ = ["selected"]

BELOW = 0.05
"""By how much less evidence than the best candidate has the one may have that answers."""
LEAD = 0.3
"""By how much more evidence than the next one that answers otherwise it must have."""
HELD = 0.9
"""Share of the question's words that the rows and headers read must hold, where there are several candidates."""
BEST = "It has the best evidence of both searches."


@dataclass(frozen=True, slots=True)
class _Answering:
    """A candidate that answers."""

    place: int
    score: float
    source: str
    text: str


def selected(task: SelectTask, read: Callable[[int], Formula | None]) -> Selection:
    """Take the best of the candidates that answer, by ``read``; none where another one answers about as well.

    Where none answers, it is the one with the best evidence: reading it says why.
    """
    if len(task.documents) == 1:
        return Selection(0, BEST)
    answering = list(_answering(task, read))
    if not answering:
        return Selection(0, BEST)
    best = answering[0]
    other = next((a for a in answering[1:] if a.text != best.text), None)
    if other is not None and best.score - other.score < LEAD:
        return Selection(None, f"Two documents answer it: {best.source} and {other.source}. Say which one is meant.")
    if best.score < task.documents[0].score - BELOW:
        first = task.documents[0].source
        return Selection(None, f"{best.source} answers it, but {first} has more evidence. Say which one is meant.")
    return Selection(best.place, "Of the candidates it answers the question." if best.place else BEST)


def _answering(task: SelectTask, read: Callable[[int], Formula | None]) -> Iterator[_Answering]:
    for place, document in enumerate(task.documents):
        formula = read(place)
        if formula is not None and formula.held >= HELD:
            yield _Answering(place, document.score, document.source, formula.text)
