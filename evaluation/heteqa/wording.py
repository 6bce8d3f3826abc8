"""The parts that a grammar's questions are made of, each with its SQL, its pandas and its words."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tablerag.evaluation.heteqa.roles import Measure, Roles, TextColumn, spoken
from tablerag.evaluation.heteqa.tables import PAGE, SECTION

__all__ = [
    "Condition",
    "above",
    "equals",
    "frame",
    "in_time",
    "measured",
    "name_of",
    "plural",
    "quoted",
    "rows_phrase",
    "scoped",
    "where",
]

SCOPES = (
    'In the table "{title}", {question}?',
    'According to the table "{title}", {question}?',
    '{Question}, according to the table "{title}"?',
    'Going by the table "{title}", {question}?',
)
IRREGULAR = {"person": "people", "man": "men", "woman": "women", "entry": "entries", "series": "series"}
PAST = re.compile(r"(first )?(opened|founded|established|released|built|completed|created)")
UNIT = re.compile(
    r"m|cm|km|ft|mi|miles|kg|lbs?|tonnes?|t|s|sec(onds)?|min(utes)?|(US ?)?[$£€¥]|USD|EUR|GBP|RM|%|mph|km/h|MW|kW|ha"
    r"|acres?|sq ?mi|km2|km²|m2|m²|(thousand|million|billion)s?|years?|ISK|HP"
)
"""What brackets in a header say when it is a unit."""
DEEDS = {
    "opened": "opening",
    "founded": "founding",
    "established": "founding",
    "released": "release",
    "built": "construction",
    "completed": "completion",
    "created": "creation",
}
"""Participles that are headers of years and dates, as nouns."""
COUNT = "number of "
COUNTABLE = re.compile(
    r"\b(points|goals|votes|passengers|movements|fatalities|deaths|seats|medals|games|matches|appearances|apps|wins|wickets"
    r"|runs|caps|episodes|copies|tracks|sports|members|students|employees|stores|titles|winners|runners-up|campuses"
    r"|tries|assists|rebounds|kills|weeks)$"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on rows: in SQL, in pandas, and in words."""

    sql: str
    pandas: str
    words: str
    """What follows the rows' name: "whose team is Ferrari"."""
    predicate: str
    """What is said of the rows: "have Ferrari as their team"."""
    is_place: bool = False
    """Whether it says where rows stand: a page or section, as the source has them."""


def quoted(value: str) -> str:
    """Return a text as a SQL literal; roles.py lets no backslash through."""
    return "'" + value.replace("'", "''") + "'"


def equals(column: TextColumn, value: str) -> Condition:
    """Return the condition that a column holds a value."""
    sql, pandas = f"`{column.name}` = {quoted(value)}", f"(df[{column.name!r}] == {value!r})"
    if column.header in (PAGE, SECTION):
        place = f'on the page "{value}"' if column.header == PAGE else f'in the section "{value}"'
        return Condition(sql, pandas, place, f"are {place}", is_place=True)
    header = spoken(column.header)
    return Condition(sql, pandas, f"whose {header} is {value}", f"have {value} as their {header}")


def in_time(measure: Measure, rng: random.Random) -> Condition:
    """Return a condition on a year or date near the middle of those there are."""
    filled = sorted(v for v in measure.values if v is not None)
    value = filled[int(len(filled) * rng.uniform(0.25, 0.75))]
    later = rng.random() < 0.5
    sign = ">=" if later else "<"
    is_date = measure.kind == "date"
    shown = _spelled(str(value)) if is_date else str(value)
    sql = f"`{measure.name}` {sign} {quoted(str(value)) if is_date else value}"
    compared = f"pd.Timestamp({str(value)!r})" if is_date else value
    pandas = f"(df[{measure.name!r}] {sign} {compared})"
    header = spoken(measure.header)
    if PAST.fullmatch(header):
        on = "on" if is_date else "in"
        words = f"{header} {on} {shown} or later" if later else f"{header} before {shown}"
        return Condition(sql, pandas, words, f"were {words}")
    if header in ("year", "date"):
        words = f"dated {shown} or later" if later else f"dated before {shown}"
        return Condition(sql, pandas, words, f"are {words}")
    bound = f"{shown} or later" if later else f"before {shown}"
    return Condition(
        sql, pandas, f"whose {header} is {bound}", f"have {_article(header)} {header} {'of ' if later else ''}{bound}"
    )


def _spelled(iso: str) -> str:
    day = date.fromisoformat(iso[:10])
    return f"{day:%B} {day.day}, {day.year}"


def above(measure: Measure, rng: random.Random) -> Condition:
    """Return the condition that a number is above a round one near the middle."""
    filled = sorted(v for v in measure.values if isinstance(v, (int, float)))
    value = filled[int(len(filled) * rng.uniform(0.3, 0.7))]
    digits = 1 - len(str(int(abs(value)))) + (1 if abs(value) >= 100 else 0)
    bound = round(value, digits) if abs(value) >= 10 else int(value)
    bound = int(bound) if float(bound).is_integer() else bound
    name = name_of(measure)
    if name.startswith(COUNT):
        bound = max(bound, 2)
    said = f"{_article(name)} {name} above {bound:,}{measured(measure)}"
    if name.startswith(COUNT):
        said = f"more than {bound:,} {name.removeprefix(COUNT)}"
    return Condition(f"`{measure.name}` > {bound}", f"(df[{measure.name!r}] > {bound})", f"with {said}", f"have {said}")


def _article(words: str) -> str:
    return "an" if words[:1].lower() in "aeiou" else "a"


def name_of(measure: Measure) -> str:
    """Return a measure's header as words that an adjective fits before; its unit is left to measured()."""
    words = spoken(measure.header).replace("*", "").replace("%", "percentage")
    if _unit_in_header(measure):
        words = re.sub(r"\s*\([^)]*\)", "", words)
    words = words.strip().removeprefix("total ")
    if words in DEEDS and measure.kind in ("year", "date"):
        return f"{DEEDS[words]} {measure.kind}"
    counted = plural(words)
    if COUNTABLE.search(counted) and not measure.unit:
        return f"{COUNT}{counted}"
    return words or spoken(measure.header)


def measured(measure: Measure) -> str:
    """Return what a number counts, to be put after it: " (in m)"; "" when nothing says it."""
    unit = _unit_in_header(measure) or {"s": "seconds", "%": "percent"}.get(measure.unit, measure.unit)
    return f" (in {unit})" if unit and not unit.isdigit() else ""


def _unit_in_header(measure: Measure) -> str:
    """Return the unit that a header has in brackets; "" for other words, such as the year of a census."""
    written = re.search(r"\(([^)]+)\)", measure.header)
    if written is None:
        return ""
    inside = written[1].removeprefix("in ").strip()
    own = measure.unit and measure.unit.casefold() in inside.casefold()
    return inside if own or UNIT.fullmatch(inside) else ""


def plural(noun: str) -> str:
    """Return the plural of a noun of one or two words."""
    head, _, last = noun.rpartition(" ")
    if last in IRREGULAR:
        last = IRREGULAR[last]
    elif last.endswith("s"):
        pass
    elif last.endswith(("x", "ch", "sh")):
        last += "es"
    elif re.search(r"[^aeiou]y$", last):
        last = last[:-1] + "ies"
    else:
        last += "s"
    return f"{head} {last}".strip()


def rows_phrase(roles: Roles, conditions: Sequence[Condition]) -> str:
    """Return "drivers on the page "1950 Italian Grand Prix" whose team is Ferrari and with ..."."""
    places = [c.words for c in conditions if c.is_place]
    others = " and ".join(c.words for c in conditions if not c.is_place)
    return " ".join([plural(roles.noun), *places, others]).strip()


def where(conditions: Sequence[Condition], *more: str) -> str:
    """Return a WHERE clause with a space before it, "" without conditions."""
    parts = [c.sql for c in conditions] + list(more)
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def frame(conditions: Sequence[Condition]) -> str:
    """Return the pandas expression of the rows that fulfil all conditions."""
    return f"df[{' & '.join(c.pandas for c in conditions)}]" if conditions else "df"


def scoped(question: str, title: str, rng: random.Random) -> str:
    """Return a question, begun in lower case and without its mark, that says which table it is about."""
    capital = question[:1].upper() + question[1:]
    return rng.choice(SCOPES).format(title=title, question=question, Question=capital)
