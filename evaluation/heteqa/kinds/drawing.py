"""Draws the random parts of questions from a table: conditions, a number, a category, an aggregate."""

import random
from collections.abc import Callable, Sequence

from tablerag.evaluation.heteqa.draft import Draft
from tablerag.evaluation.heteqa.roles import Category, Measure, Roles, spoken
from tablerag.evaluation.heteqa.tables import PAGE, SECTION
from tablerag.evaluation.heteqa.wording import Condition, above, equals, in_time

__all__ = ["AGGREGATES", "Kind", "draw_category", "draw_conditions", "draw_number", "some_conditions", "statistics"]

Kind = Callable[[Roles, random.Random], Draft | None]
"""Makes a question with its SQL and pandas; None if the table lacks a column that it needs."""
AGGREGATES = {"average": ("AVG", "mean"), "total": ("SUM", "sum"), "highest": ("MAX", "max"), "lowest": ("MIN", "min")}
"""The SQL and pandas names of aggregates, by the word in the question."""
PLACED = 0.4
"""How often one of the conditions is on the page or section."""


def draw_conditions(roles: Roles, rng: random.Random, count: int, *, without: Sequence[str] = ()) -> list[Condition]:
    """Draw conditions on different columns; at most one is on the page or section, and never the only one."""
    places: list[Condition] = []
    others: list[Callable[[], Condition]] = []
    for category in roles.categories:
        if category.column.name in without:
            continue
        value = rng.choice(category.counts[:8])[0]
        condition = equals(category.column, value)
        if condition.is_place:
            places.append(condition)
        else:
            others.append(lambda c=condition: c)
    others += [lambda m=m: in_time(m, rng) for m in roles.times if m.name not in without]
    others += [lambda m=m: above(m, rng) for m in roles.numbers[:2] if m.name not in without]
    rng.shuffle(others)
    given = [make() for make in others[:count]]
    if places and given and rng.random() < PLACED:
        given[-1:] = [rng.choice(places)] if len(given) > 1 else [*given, rng.choice(places)][:count]
    return given


def some_conditions(roles: Roles, rng: random.Random, *without: str, most: int = 2) -> list[Condition]:
    return draw_conditions(roles, rng, rng.randint(0, most), without=without)


def draw_number(roles: Roles, rng: random.Random) -> Measure | None:
    return rng.choice(roles.numbers) if roles.numbers else None


def draw_category(roles: Roles, rng: random.Random) -> Category | None:
    """Draw a category to group by; pages and sections only show how the source was divided."""
    able = [c for c in roles.categories if c.column.header not in (PAGE, SECTION)]
    return rng.choice(able) if able else None


def statistics(measure: Measure) -> list[str]:
    """Return the aggregates that make sense for a measure and do not repeat a word of its header."""
    able = list(AGGREGATES) if measure.kind == "additive" else [a for a in AGGREGATES if a != "total"]
    return [a for a in able if a not in spoken(measure.header)] or ["highest"]
