"""Questions that rank rows."""

import random
from collections.abc import Sequence

from tablerag.evaluation.heteqa.draft import Draft
from tablerag.evaluation.heteqa.kinds.drawing import some_conditions
from tablerag.evaluation.heteqa.roles import Roles, spoken
from tablerag.evaluation.heteqa.tables import PAGE, SECTION
from tablerag.evaluation.heteqa.wording import Condition, frame, measured, name_of, rows_phrase, where

__all__ = ["extreme", "look_up_extreme", "total_of_top"]


def extreme(roles: Roles, rng: random.Random) -> Draft | None:
    """Which row has the highest, second highest, lowest, earliest or latest value?"""
    if roles.key is None:
        return None
    ranked = _ranked(roles, rng)
    if ranked is None:
        return None
    given, phrase, sql_tail, pandas_rows, place = ranked
    names = [roles.key.name]
    question = (
        f"which {roles.noun} has {phrase}"
        if not given
        else f"of the {rows_phrase(roles, given)}, which one has {phrase}"
    )
    sql = f"SELECT `{names[0]}` FROM `{roles.table}`{sql_tail}"
    pandas = f"{pandas_rows}[{names[0]!r}].iloc[{place}]"
    described = f"the {roles.noun} with {phrase}" + (f" among the {rows_phrase(roles, given)}" if given else "")
    operations = ("filter", "sort") if given else ("sort",)
    return Draft("extreme", question, operations, sql, pandas, roles.key, described, (frame(given),))


def look_up_extreme(roles: Roles, rng: random.Random) -> Draft | None:
    """What is the value of another column in the row with the highest value?"""
    ranked = _ranked(roles, rng)
    if ranked is None:
        return None
    given, phrase, sql_tail, pandas_rows, place = ranked
    wanted = [t for t in roles.texts if t is not roles.key and t.header not in (PAGE, SECTION) and _is_short(t.values)]
    if not wanted:
        return None
    column = rng.choice(wanted)
    of = f"the {roles.noun} with {phrase}" + (f" among the {rows_phrase(roles, given)}" if given else "")
    question = f"what is the {spoken(column.header)} of {of}"
    sql = f"SELECT `{column.name}` FROM `{roles.table}`{sql_tail}"
    operations = ("filter", "sort") if given else ("sort",)
    described = f"the {spoken(column.header)} of {of}"
    pandas = f"{pandas_rows}[{column.name!r}].iloc[{place}]"
    return Draft("look_up_extreme", question, operations, sql, pandas, column, described, (frame(given),))


def total_of_top(roles: Roles, rng: random.Random) -> Draft | None:
    """What is the total of the three or five highest values?"""
    measures = [m for m in roles.numbers if m.kind == "additive"]
    if not measures:
        return None
    measure, count = rng.choice(measures), rng.choice((3, 5))
    given = some_conditions(roles, rng, measure.name, most=1)
    name = measure.name
    spelled = {3: "three", 5: "five"}[count]
    rows = rows_phrase(roles, given)
    number = name_of(measure)
    question = f"what is the total {number}{measured(measure)} of the {spelled} {rows} with the highest {number}"
    ranked = f"SELECT `{name}` FROM `{roles.table}`{where(given)} ORDER BY `{name}` DESC LIMIT {count}"
    sql = f"SELECT SUM(`{name}`) FROM ({ranked}) AS top"
    pandas = f"{frame(given)}[{name!r}].nlargest({count}).sum()"
    enough = f"{frame(given)}.iloc[{count - 1} :]"
    return Draft("total_of_top", question, ("sort", "aggregate"), sql, pandas, over=(enough,))


def _ranked(roles: Roles, rng: random.Random) -> tuple[list[Condition], str, str, str, int] | None:
    """Return conditions, words for a rank, the SQL after FROM, the ranked pandas rows, and the index in them."""
    if not (roles.numbers or roles.times):
        return None
    measure = rng.choice([*roles.numbers, *roles.times])
    given = some_conditions(roles, rng, measure.name)
    first = rng.random() < 0.65
    place = rng.choice((0, 0, 1, 2))
    words = ("latest", "earliest") if measure.kind in ("year", "date") else ("highest", "lowest")
    ordinal = ("", "second ", "third ")[place]
    phrase = f"the {ordinal}{words[0] if first else words[1]} {name_of(measure)}"
    order = "DESC" if first else "ASC"
    tail = f"{where(given, f'`{measure.name}` IS NOT NULL')} ORDER BY `{measure.name}` {order} LIMIT 1"
    tail += f" OFFSET {place}" if place else ""
    method = "nlargest" if first else "nsmallest"
    return given, phrase, tail, f"{frame(given)}.{method}({place + 1}, {measure.name!r})", place


def _is_short(values: Sequence[str | None]) -> bool:
    filled = [v for v in values if v]
    return bool(filled) and sum(len(v) <= 40 for v in filled) >= 0.9 * len(filled) and len(set(filled)) > 2
