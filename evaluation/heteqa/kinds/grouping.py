"""Questions that group rows by the values of a category."""

import random
from collections.abc import Sequence

from tablerag.evaluation.heteqa.draft import Draft
from tablerag.evaluation.heteqa.kinds.drawing import AGGREGATES, draw_category, draw_number, some_conditions, statistics
from tablerag.evaluation.heteqa.roles import Roles, spoken
from tablerag.evaluation.heteqa.wording import Condition, frame, measured, name_of, plural, rows_phrase, where

__all__ = ["best_group", "count_groups", "group_gap", "most_frequent", "top_share", "within_best_group"]

LEAST_GROUP = 3
"""Rows that a group needs for a meaningful average; two if groups are small."""


def most_frequent(roles: Roles, rng: random.Random) -> Draft | None:
    """Which value of a category has the most rows?"""
    category = draw_category(roles, rng)
    if category is None:
        return None
    column = category.column
    given = some_conditions(roles, rng, column.name)
    word, rows = spoken(column.header), rows_phrase(roles, given)
    question = rng.choice(
        (
            f"which {word} is the most common among the {rows}",
            f"which {word} appears most often among the {rows}",
            f"what is the most frequent {word} of the {rows}",
        )
    )
    sql = f"{_by_count(roles, column.name, f'`{column.name}`', given)} LIMIT 1"
    pandas = f"{frame(given)}[{column.name!r}].value_counts().idxmax()"
    operations = ("filter", "group", "aggregate", "sort") if given else ("group", "aggregate", "sort")
    described = f"the most common {word} among the {rows}"
    return Draft("most_frequent", question, operations, sql, pandas, column, described, (frame(given),))


def best_group(roles: Roles, rng: random.Random) -> Draft | None:
    """Which value of a category with enough rows has the highest or lowest average or total?"""
    category, measure = draw_category(roles, rng), draw_number(roles, rng)
    if category is None or measure is None:
        return None
    column, word = category.column, spoken(category.column.header)
    statistic = rng.choice([s for s in statistics(measure) if s in ("average", "total")] or ["average"])
    sql_name, pandas_name = AGGREGATES[statistic]
    least = LEAST_GROUP if sum(n >= LEAST_GROUP for _, n in category.counts) >= 3 else 2
    highest = rng.random() < 0.7
    superlative, order, picked = ("highest", "DESC", "idxmax") if highest else ("lowest", "ASC", "idxmin")
    enough = f"{plural(word)} that appear at least {least} times"
    best = f"the {superlative} {statistic} {name_of(measure)}{measured(measure)}"
    question = rng.choice((f"among the {enough}, which one has {best}", f"of all {enough}, which has {best}"))
    sql = (
        f"SELECT `{column.name}` FROM `{roles.table}` WHERE `{column.name}` IS NOT NULL GROUP BY `{column.name}` "
        f"HAVING COUNT(*) >= {least} ORDER BY {sql_name}(`{measure.name}`) {order} LIMIT 1"
    )
    grouped = f"df.groupby({column.name!r})"
    pandas = (
        f"{grouped}.filter(lambda g: len(g) >= {least}).groupby({column.name!r})[{measure.name!r}]"
        f".{pandas_name}().{picked}()"
    )
    described = f"the {word} with {best}, counting only {enough},"
    return Draft("best_group", question, ("group", "filter", "aggregate", "sort"), sql, pandas, column, described)


def count_groups(roles: Roles, rng: random.Random) -> Draft | None:
    """How many values of a category have at least so many rows?"""
    category = draw_category(roles, rng)
    if category is None:
        return None
    name = category.column.name
    given = some_conditions(roles, rng, name, most=1)
    least = rng.choice((2, 3, 4, 5))
    word, rows = spoken(category.column.header), rows_phrase(roles, given)
    often = {2: "twice or more", 3: "three or more times"}.get(least, f"at least {least} times")
    question = f"how many different {plural(word)} appear {often} among the {rows}"
    grouped = f"SELECT `{name}` FROM `{roles.table}`{where(given, f'`{name}` IS NOT NULL')} GROUP BY `{name}`"
    sql = f"SELECT COUNT(*) FROM ({grouped} HAVING COUNT(*) >= {least}) AS g"
    pandas = f"int(({frame(given)}.groupby({name!r}).size() >= {least}).sum())"
    return Draft("count_groups", question, ("group", "filter", "aggregate"), sql, pandas)


def within_best_group(roles: Roles, rng: random.Random) -> Draft | None:
    """What is the average of a number within the most frequent value of a category?"""
    category, measure = draw_category(roles, rng), draw_number(roles, rng)
    if category is None or measure is None:
        return None
    name, rows = category.column.name, plural(roles.noun)
    word = rng.choice(statistics(measure))
    sql_name, pandas_name = AGGREGATES[word]
    question = (
        f"what is the {word} {name_of(measure)}{measured(measure)} of the {rows} that have the most common "
        f"{spoken(category.column.header)}"
    )
    inner = f"{_by_count(roles, name, f'`{name}`')} LIMIT 1"
    sql = f"SELECT {sql_name}(`{measure.name}`) FROM `{roles.table}` WHERE `{name}` = ({inner})"
    pandas = f"df[df[{name!r}] == df[{name!r}].value_counts().idxmax()][{measure.name!r}].{pandas_name}()"
    return Draft("within_best_group", question, ("group", "sort", "filter", "aggregate"), sql, pandas)


def top_share(roles: Roles, rng: random.Random) -> Draft | None:
    """What percentage of all rows has the most frequent value of a category?"""
    category = draw_category(roles, rng)
    if category is None:
        return None
    name = category.column.name
    given = some_conditions(roles, rng, name, most=1)
    word, rows = spoken(category.column.header), rows_phrase(roles, given)
    question = f"what percentage of the {rows} have the most common {word}"
    inner = f"{_by_count(roles, name, 'COUNT(*)', given)} LIMIT 1"
    sql = f"SELECT 100.0 * ({inner}) / COUNT(*) FROM `{roles.table}`{where(given)}"
    pandas = f"100 * {frame(given)}[{name!r}].value_counts().max() / len({frame(given)})"
    operations = ("filter", "group", "sort", "aggregate", "calculate")
    column = f"{frame(given)}[{name!r}]"
    others = f"{column}[{column} != {column}.value_counts().idxmax()]"
    return Draft("top_share", question, operations if given else operations[1:], sql, pandas, over=(others,))


def group_gap(roles: Roles, rng: random.Random) -> Draft | None:
    """How many more rows does the most frequent value have than the second?"""
    category = draw_category(roles, rng)
    if category is None:
        return None
    name = category.column.name
    word, rows = spoken(category.column.header), plural(roles.noun)
    question = f"how many more {rows} have the most common {word} than the second most common one"
    counted = _by_count(roles, name, "COUNT(*) AS n")
    sql = f"SELECT a.n - b.n FROM ({counted} LIMIT 1) AS a CROSS JOIN ({counted} LIMIT 1 OFFSET 1) AS b"
    pandas = f"int(df[{name!r}].value_counts().iloc[0] - df[{name!r}].value_counts().iloc[1])"
    return Draft("group_gap", question, ("group", "aggregate", "sort", "calculate"), sql, pandas)


def _by_count(roles: Roles, name: str, shown: str, given: Sequence[Condition] = ()) -> str:
    """Return the SELECT over the groups of a column, those with the most rows first."""
    kept = where(given, f"`{name}` IS NOT NULL")
    return f"SELECT {shown} FROM `{roles.table}`{kept} GROUP BY `{name}` ORDER BY COUNT(*) DESC"
