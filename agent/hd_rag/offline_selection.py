"""The document that the embedded reasoner selects: the one that answers, or none if several do."""

from collections.abc import Callable

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


def selected(task: SelectTask, read: Callable[[int], Formula | None]) -> Selection:
    """Select the best candidate that answers, by ``read``; none if another one answers about as well.

    If none answers, select the one with the best evidence.
    """
    documents = task.documents
    if len(documents) == 1:
        return Selection(0, BEST)
    read_all = ((place, read(place)) for place in range(len(documents)))
    formulas = {place: f.text for place, f in read_all if f is not None and f.held >= HELD}
    if not formulas:
        return Selection(0, BEST)
    place = next(iter(formulas))
    best, first = documents[place], documents[0]
    other = next((documents[p] for p, text in formulas.items() if text != formulas[place]), None)
    if other is not None and best.score - other.score < LEAD:
        return Selection(None, f"{best.source} and {other.source} give different answers; name the document.")
    if best.score < first.score - BELOW:
        reason = f"{best.source} answers the question, but {first.source} has more evidence; name the document."
        return Selection(None, reason)
    return Selection(place, "It answers the question; better-ranked candidates do not." if place else BEST)
