"""What the composers of further forms of a question have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from tablerag.agent.offline.reading.compose import Composer
from tablerag.agent.offline.reading.facts import Facts
from tablerag.agent.offline.reading.filters import Bound, Filters, filters_of
from tablerag.agent.offline.reading.naming import Named, Weights
from tablerag.agent.offline.reading.periods import Period
from tablerag.agent.offline.reading.units import asked_units
from tablerag.agent.offline.reading.words import Asked

__all__ = ["Forms"]


@dataclass(frozen=True, slots=True)
class Forms:
    """What the forms have in common: a question over one table, and one way to tag it."""

    asked: Asked
    facts: Facts
    named: Named
    periods: Sequence[Period]
    bounds: Sequence[Bound]
    numbers: Sequence[tuple[int, int, float]]
    weights: Weights

    def filters(
        self, named: Named, periods: Sequence[Period], bounds: Sequence[Bound] | None = None, most: int = 2
    ) -> list[Filters]:
        """Return the likeliest ways to filter."""
        found = []
        for one in filters_of(self.asked, self.facts, named, periods, self.bounds if bounds is None else bounds):
            found.append(one)
            if len(found) == most:
                break
        return found

    def composer(self, named: Named, filters: Filters, periods: Sequence[Period] = ()) -> Composer:
        """Return a composer over the filtered rows."""
        units = asked_units(self.asked)
        return Composer(self.asked, self.facts, named, filters, self.numbers, self.weights, periods, units)
