"""Every query that a tagging of a question may mean: single results first, then the further forms."""

from collections.abc import Iterator, Sequence
from itertools import islice

from tablerag.agent.offline.reading.bounded import bounded_of
from tablerag.agent.offline.reading.changes import changes_of
from tablerag.agent.offline.reading.compose import Composer, Draft
from tablerag.agent.offline.reading.contrasts import contrasts_of
from tablerag.agent.offline.reading.durations import durations_of
from tablerag.agent.offline.reading.facts import Facts
from tablerag.agent.offline.reading.filters import Bound, filters_of
from tablerag.agent.offline.reading.forms import Forms
from tablerag.agent.offline.reading.margins import margins_of
from tablerag.agent.offline.reading.naming import Named, Weights
from tablerag.agent.offline.reading.periods import Period
from tablerag.agent.offline.reading.spread import spread_of
from tablerag.agent.offline.reading.units import asked_units
from tablerag.agent.offline.reading.versions import versions_of
from tablerag.agent.offline.reading.words import Asked

__all__ = ["drafts_of"]

FORMS = (changes_of, contrasts_of, versions_of, spread_of, durations_of, bounded_of, margins_of)
MOST_FILTERS = 6


def drafts_of(
    asked: Asked, facts: Facts, named: Named, periods: Sequence[Period], bounds: Sequence[Bound],
    numbers: Sequence[tuple[int, int, float]], weights: Weights,
) -> Iterator[Draft]:  # fmt: skip
    """Yield the drafts of one tagging."""
    units = asked_units(asked)
    for filters in islice(filters_of(asked, facts, named, periods, bounds), MOST_FILTERS):
        yield from Composer(asked, facts, named, filters, numbers, weights, periods, units).all()
    forms = Forms(asked, facts, named, periods, bounds, numbers, weights)
    for form in FORMS:
        yield from form(forms)
