"""Days of the week that a question names: "travelled on a Saturday", "at weekends"."""

from collections.abc import Iterator

from tablerag.agent.offline.reading.facts import Facts, Field
from tablerag.agent.offline.reading.query import Condition
from tablerag.agent.offline.reading.tag import Tag
from tablerag.agent.offline.reading.vocabulary import likeness
from tablerag.agent.offline.reading.words import Asked

__all__ = ["WEEKDAYS", "weekdays_in"]

WEEKDAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday".split(),
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag".split(),
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche".split(),
}
"""As WEEKDAY() counts them, from 0."""
WEEKENDS = frozenset("weekend weekends wochenende wochenenden".split())
SURE, OTHER_DATE, LIKE = 0.97, 0.05, 0.9


def weekdays_in(asked: Asked, facts: Facts) -> Iterator[Tag]:
    """Yield the days of the week as conditions on the dates of a table, the date that is named first."""
    days = WEEKDAYS.get(asked.language.code, WEEKDAYS["en"])
    dates = sorted((f for f in facts.fields if f.is_date), key=lambda f: not _is_named(asked, f))
    for place, key in enumerate(asked.keys):
        day = key.removesuffix("s")
        numbers = [5, 6] if key in WEEKENDS else [days.index(day)] if day in days else []
        for order, f in enumerate(dates if numbers else ()):
            label = "at a weekend" if len(numbers) > 1 else f"on a {WEEKDAYS['en'][numbers[0]].capitalize()}"
            condition = Condition(f.ref, "weekday", tuple(map(float, numbers)), label=label)
            yield Tag(1 << place, "flag", SURE - OTHER_DATE * order, f, condition)


def _is_named(asked: Asked, f: Field) -> bool:
    return any(likeness(w.lexeme, f.words[i]) >= LIKE for w in asked.words for i in f.core)
