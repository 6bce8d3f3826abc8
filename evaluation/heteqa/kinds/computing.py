"""Questions that compute over the rows that meet conditions."""

import random
from collections.abc import Sequence

from tablerag.evaluation.heteqa.draft import Draft
from tablerag.evaluation.heteqa.kinds.drawing import AGGREGATES, draw_category, draw_conditions, draw_number, statistics
from tablerag.evaluation.heteqa.roles import Measure, Roles
from tablerag.evaluation.heteqa.wording import Condition, equals, frame, measured, name_of, plural, rows_phrase, where

__all__ = ["above_average", "aggregate", "aggregated", "count_rows", "difference", "share", "spread"]


def count_rows(roles: Roles, rng: random.Random) -> Draft | None:
    """How many rows meet two conditions?"""
    given = draw_conditions(roles, rng, 2)
    if len(given) < 2:
        return None
    question = rng.choice(("how many {rows} are there", "what is the number of {rows}")).format(
        rows=rows_phrase(roles, given)
    )
    sql = f"SELECT COUNT(*) FROM `{roles.table}`{where(given)}"
    return Draft("count_rows", question, ("filter", "aggregate"), sql, f"len({frame(given)})", over=(frame(given),))


def aggregate(roles: Roles, rng: random.Random) -> Draft | None:
    """What is the average, total, highest or lowest of a number among rows?"""
    measure = draw_number(roles, rng)
    if measure is None:
        return None
    given = draw_conditions(roles, rng, rng.randint(1, 2), without=[measure.name])
    return aggregated("aggregate", roles, given, measure, rng)


def aggregated(kind: str, roles: Roles, given: Sequence[Condition], measure: Measure, rng: random.Random) -> Draft:
    """Ask for a random aggregate of a number among the rows that meet conditions."""
    word = rng.choice(statistics(measure))
    sql_name, pandas_name = AGGREGATES[word]
    question = f"what is the {word} {name_of(measure)}{measured(measure)} of the {rows_phrase(roles, given)}"
    sql = f"SELECT {sql_name}(`{measure.name}`) FROM `{roles.table}`{where(given)}"
    pandas = f"{frame(given)}[{measure.name!r}].{pandas_name}()"
    return Draft(kind, question, ("filter", "aggregate"), sql, pandas, over=(frame(given),))


def difference(roles: Roles, rng: random.Random) -> Draft | None:
    """How far apart are the averages or totals of two values of a category?"""
    category, measure = draw_category(roles, rng), draw_number(roles, rng)
    if category is None or measure is None or len(category.counts) < 2:
        return None
    one, two = (equals(category.column, v) for v, _ in rng.sample(category.counts[:6], 2))
    word = rng.choice(statistics(measure))
    sql_name, pandas_name = AGGREGATES[word]
    rows = plural(roles.noun)
    question = (
        f"what is the difference between the {word} {name_of(measure)}{measured(measure)} of the {rows} {one.words} "
        f"and that of the {rows} {two.words}"
    )
    part = "{0}(CASE WHEN {1} THEN `{2}` END)"
    sql = (
        f"SELECT ABS({part.format(sql_name, one.sql, measure.name)} - {part.format(sql_name, two.sql, measure.name)}) "
        f"FROM `{roles.table}`"
    )
    pandas = " - ".join(f"{frame([c])}[{measure.name!r}].{pandas_name}()" for c in (one, two))
    over = (frame([one]), frame([two]))
    return Draft("difference", question, ("filter", "aggregate", "calculate"), sql, f"abs({pandas})", over=over)


def share(roles: Roles, rng: random.Random) -> Draft | None:
    """What percentage of the rows meets a condition?"""
    given = draw_conditions(roles, rng, 2)
    if not given:
        return None
    wanted, within = given[0], given[1:]
    rows = rows_phrase(roles, within)
    question = rng.choice(
        (f"what percentage of the {rows} {wanted.predicate}", f"of all {rows}, what percentage {wanted.predicate}")
    )
    sql = f"SELECT 100.0 * SUM(CASE WHEN {wanted.sql} THEN 1 ELSE 0 END) / COUNT(*) FROM `{roles.table}`{where(within)}"
    pandas = f"100 * len({frame([*within, wanted])}) / len({frame(within)})"
    others = f"{frame(within)}.drop({frame([*within, wanted])}.index)"
    return Draft("share", question, ("filter", "aggregate", "calculate"), sql, pandas, over=(frame(within), others))


def spread(roles: Roles, rng: random.Random) -> Draft | None:
    """How far apart are the highest and lowest, or the earliest and latest?"""
    able = [m for m in (*roles.numbers, *roles.times) if m.kind != "date"]
    if not able:
        return None
    measure = rng.choice(able)
    given = draw_conditions(roles, rng, rng.randint(1, 2), without=[measure.name])
    rows = rows_phrase(roles, given)
    question = (
        f"what is the difference between the highest and the lowest {name_of(measure)}{measured(measure)} of the {rows}"
    )
    if measure.kind == "year":
        question = f"how many years lie between the earliest and the latest {name_of(measure)} of the {rows}"
    sql = f"SELECT MAX(`{measure.name}`) - MIN(`{measure.name}`) FROM `{roles.table}`{where(given)}"
    values = f"{frame(given)}[{measure.name!r}]"
    pandas = f"{values}.max() - {values}.min()"
    return Draft("spread", question, ("filter", "aggregate", "calculate"), sql, pandas, over=(frame(given),))


def above_average(roles: Roles, rng: random.Random) -> Draft | None:
    """How many rows are above the average of a number?"""
    measure = draw_number(roles, rng)
    if measure is None:
        return None
    given = draw_conditions(roles, rng, 1, without=[measure.name])
    rows, name = rows_phrase(roles, given), measure.name
    question = f"how many {rows} have more than the average {name_of(measure)} of all {plural(roles.noun)}"
    sql = (
        f"SELECT COUNT(*) FROM `{roles.table}`{where(given, f'`{name}` > (SELECT AVG(`{name}`) FROM `{roles.table}`)')}"
    )
    pandas = f"int(({frame(given)}[{name!r}] > df[{name!r}].mean()).sum())"
    return Draft("above_average", question, ("aggregate", "filter"), sql, pandas)
