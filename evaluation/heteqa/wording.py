"""The parts of template questions, each with its SQL, its pandas and its words."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tablerag.evaluation.heteqa.roles import Measure, Roles, TextColumn, spoken
from tablerag.evaluation.heteqa.tables import PAGE, SECTION
from tablerag.evaluation.heteqa.words import NOUNS, PATTERNS, PLURALS

__all__ = ["Condition", "above", "equals", "frame", "in_time", "measured", "name_of", "plural", "quoted", "rows_phrase",
           "scoped", "where"]  # fmt: skip

SCOPES = (
    'In the table "{title}", {question}?',
    'According to the table "{title}", {question}?',
    '{Question}, according to the table "{title}"?',
    'Going by the table "{title}", {question}?',
)
COUNT = "number of "


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on rows: in SQL, in pandas, and in words."""

    sql: str
    pandas: str
    words: str
    """Follows the name of the rows: "whose team is Ferrari"."""
    predicate: str
    """A predicate of the rows: "have Ferrari as their team"."""
    is_place: bool = False
    """Whether it is about the page or section of the rows."""


def quoted(value: str) -> str:
    """Return a text as a SQL literal; roles.py excludes values with backslashes."""
    return "'" + value.replace("'", "''") + "'"


def equals(column: TextColumn, value: str) -> Condition:
    """Return the condition that a column has a value."""
    sql, pandas = f"`{column.name}` = {quoted(value)}", f"(df[{column.name!r}] == {value!r})"
    if column.header in (PAGE, SECTION):
        place = f'on the page "{value}"' if column.header == PAGE else f'in the section "{value}"'
        return Condition(sql, pandas, place, f"are {place}", is_place=True)
    header = spoken(column.header)
    return Condition(sql, pandas, f"whose {header} is {value}", f"have {value} as their {header}")


def in_time(measure: Measure, rng: random.Random) -> Condition:
    """Return a condition that compares with a year or date near the median."""
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
    if PATTERNS["participle"].fullmatch(header):
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
    """Return the condition that a number is above a round number near the median."""
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
    """Return a measure's header as words that can follow an adjective, without its unit; see measured()."""
    words = spoken(measure.header).replace("*", "").replace("%", "percentage")
    if _unit_in_header(measure):
        words = re.sub(r"\s*\([^)]*\)", "", words)
    words = words.strip().removeprefix("total ")
    if words in NOUNS and measure.kind in ("year", "date"):
        return f"{NOUNS[words]} {measure.kind}"
    counted = plural(words)
    if PATTERNS["countable"].search(counted) and not measure.unit:
        return f"{COUNT}{counted}"
    return words or spoken(measure.header)


def measured(measure: Measure) -> str:
    """Return a measure's unit as words to append, such as " (in m)"; "" if it has none."""
    unit = _unit_in_header(measure) or {"s": "seconds", "%": "percent"}.get(measure.unit, measure.unit)
    return f" (in {unit})" if unit and not unit.isdigit() else ""


def _unit_in_header(measure: Measure) -> str:
    """Return the unit in a header's brackets; "" for other words, such as the year of a census."""
    written = re.search(r"\(([^)]+)\)", measure.header)
    if written is None:
        return ""
    inside = written[1].removeprefix("in ").strip()
    own = measure.unit and measure.unit.casefold() in inside.casefold()
    return inside if own or PATTERNS["unit"].fullmatch(inside) else ""


def plural(noun: str) -> str:
    """Return the plural of a noun of one or two words."""
    head, _, last = noun.rpartition(" ")
    if last in PLURALS:
        last = PLURALS[last]
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
    """Return a WHERE clause with a leading space, or "" without conditions."""
    parts = [c.sql for c in conditions] + list(more)
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def frame(conditions: Sequence[Condition]) -> str:
    """Return the pandas expression for the rows that meet all conditions."""
    return f"df[{' & '.join(c.pandas for c in conditions)}]" if conditions else "df"


def scoped(question: str, title: str, rng: random.Random) -> str:
    """Complete a question with its table's title, capital letter and question mark."""
    capital = question[:1].upper() + question[1:]
    return rng.choice(SCOPES).format(title=title, question=question, Question=capital)
