"""Why SQL and text disagree, where that can be determined: one of CONFLICT_CAUSES.

Causes that arithmetic proves come first (the same digits in another unit, or rounded), then those in the wording
(another year, a part left out, a provisional figure, an older file). Otherwise the cause is unknown.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple

from typing_extensions import TypedDict

from tablerag.agent.stated_numbers import StatedNumber, stated_numbers, years_in
from tablerag.tools.number_words import SCALE_NAMES, YEAR
from tablerag.tools.records import SqlResult, SupportingRows, TableSchema

__all__ = [
    "CONFLICT_CAUSES",
    "NO_CAUSE",
    "PROVED",
    "CauseWords",
    "ConflictCause",
    "Disagreement",
    "Passage",
    "number_of",
    "rounds_to",
    "why_they_differ",
]

ConflictCause = Literal["unit", "rounding", "scope", "older_version", ""]
"""Why SQL and text differ; "" if unknown."""


class CauseWords(NamedTuple):
    """A cause in words."""

    differ_in: str
    """Completes "They differ in ...\"."""
    hint: str
    """What the model is told beside the name; "" where the name is enough."""
    meaning: str


CONFLICT_CAUSES: dict[ConflictCause, CauseWords] = {
    "unit": CauseWords("unit", "another unit or scale", "the figures are in different units or scales"),
    "rounding": CauseWords("rounding", "", "one figure is a rounded form of the other"),
    "scope": CauseWords(
        "scope",
        "other time, part or definition",
        "the figures cover different rows, such as another period or group",
    ),
    "older_version": CauseWords("version", "one is out of date", "one comes from an older version of the document"),
}
"""The only list of causes: prompt, explanations, page and documentation follow it."""

POWERS = (3, 6, 9)
CONVERSIONS = {
    ("km", "mi"): "1.609344", ("metres", "ft"): "0.3048", ("lb", "kg"): "2.204623", ("acres", "ha"): "2.471054",
    ("km²", "mi²"): "2.589988", ("tons", "t"): "1.102311",
}  # fmt: skip
"""How many of the first unit are one of the second."""
CONVERTED_WITHIN = Decimal("0.02")
"""Relative tolerance between converted figures: both are usually rounded."""
SIGNIFICANT = 3
"""Digits that must match before equal digits in another unit count as a conversion."""
PROVISIONAL = re.compile(
    r"\b(as (?:of|at)|provisional(?:ly)?|preliminary|draft|previously reported|before restatement|estimated|forecast|"
    r"projected|expected|budgeted|planned)\b",
    re.IGNORECASE,
)
PARTIAL = re.compile(
    r"\b(excluding|exclusive of|except(?: for)?|other than|not counting|including|(?:first|second) half|half-year|"
    r"year to date|(?:first|second|third|fourth|last) quarter|pro forma|organic|adjusted)\b",
    re.IGNORECASE,
)
OLD_NAME = re.compile(
    r"(?<![a-z])(draft|old|prelim\w*|provisional|archive\w*|superseded|previous|v\d+)(?![a-z])", re.IGNORECASE
)
VERSION = re.compile(r"(?<![a-z0-9])v(?:ersion)?[ _.-]?(\d+(?:\.\d+)*)", re.IGNORECASE)
DAY = re.compile(r"\d{4}-\d\d-\d\d(?: 00:00:00)?")
LITERAL = re.compile(r"'((?:[^']|'')*)'")


class Disagreement(TypedDict):
    """A cause by name ("" if unknown) and a sentence that explains it."""

    cause: ConflictCause
    says: str


NO_CAUSE = Disagreement(cause="", says="")
PROVED: tuple[ConflictCause, ...] = ("unit", "rounding")
"""Causes that follow from the numbers alone."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage and the document it is from."""

    text: str
    source: str


def why_they_differ(
    question: str,
    result: SqlResult,
    supporting: Sequence[SupportingRows],
    schemas: Sequence[TableSchema],
    passages: Sequence[Passage],
) -> Disagreement:
    """Return why a result and the passages differ; NO_CAUSE if unknown."""
    value = number_of(result)
    if value is not None:
        for stated in (n for p in passages for n in stated_numbers(p.text)):
            found = _by_arithmetic(value, stated, supporting)
            if found:
                return found
    sources = [s.source for s in schemas if f"`{s.name}`".casefold() in result.sql.casefold()]
    for passage in passages:
        found = _other_version(passage, sources) or _other_scope(question, result.sql, passage)
        if found:
            return found
    return NO_CAUSE


def number_of(result: SqlResult) -> Decimal | None:
    """Return the last number of a one-row result; None without one."""
    if len(result.rows) != 1:
        return None
    numbers = [c for c in result.rows[0] if isinstance(c, int | float) and not isinstance(c, bool)]
    return Decimal(str(numbers[-1])) if numbers else None


def rounds_to(value: Decimal, stated: StatedNumber, supporting: Sequence[SupportingRows]) -> bool:
    """Return whether a text's number equals the value at the text's precision, scaled or unscaled."""
    return any(abs(v - stated.value) <= stated.tolerance for v in _amounts(value, supporting))


def _amounts(value: Decimal, supporting: Sequence[SupportingRows]) -> list[Decimal]:
    """Return the value, and the unscaled value where its table counts in thousands or millions."""
    power = _scale(supporting)
    return [value, value.scaleb(power)] if power else [value]


def _scale(supporting: Sequence[SupportingRows]) -> int:
    units = {u for rows in supporting for c, u in zip(rows.columns, rows.units, strict=False) if c in rows.used and u}
    powers = {next((p for name, p in SCALE_NAMES.items() if name in (u, u.rpartition(" ")[0])), 0) for u in units}
    return powers.pop() if len(powers) == 1 else 0


def _unit(supporting: Sequence[SupportingRows]) -> str:
    """Return the unit of the columns read, named as in texts; "" unless there is exactly one."""
    units = {u for rows in supporting for c, u in zip(rows.columns, rows.units, strict=False) if c in rows.used and u}
    named = {n.unit for u in units for n in stated_numbers(f"1 {u.rpartition(' ')[2]}") if n.unit}
    return named.pop() if len(named) == 1 else ""


def _by_arithmetic(value: Decimal, stated: StatedNumber, supporting: Sequence[SupportingRows]) -> Disagreement | None:
    shown = f"{value.normalize():f}"
    unit = _unit(supporting)
    if stated.value == 0 or value == 0 or stated.value in _amounts(value, supporting):
        return _other_currency(stated, unit, shown) if stated.value and value else None
    if rounds_to(value, stated, supporting) or _coarsely(value, stated, supporting):
        return Disagreement(cause="rounding", says=f"the text rounds SQL's {shown} to {stated.text!r}")
    for power in POWERS:
        counts = f"{10**power:,}s"
        if _alike(value.scaleb(power), stated):
            return Disagreement(
                cause="unit", says=f"SQL's {shown} appears to be in {counts}; the text says {stated.text!r}"
            )
        if _alike(value.scaleb(-power), stated):
            return Disagreement(
                cause="unit", says=f"the text's {stated.text!r} appears to be in {counts}; SQL has {shown}"
            )
    if stated.unit == "%" and any(_alike(value.scaleb(s), stated) for s in (2, -2)):
        return Disagreement(cause="unit", says=f"the text's {stated.text!r} is a percentage, SQL's {shown} a share")
    return _converted(value, stated, unit, shown)


def _alike(value: Decimal, stated: StatedNumber) -> bool:
    digits = len(stated.value.normalize().as_tuple().digits)
    return digits >= SIGNIFICANT and abs(value - stated.value) <= stated.step / 2


def _coarsely(value: Decimal, stated: StatedNumber, supporting: Sequence[SupportingRows]) -> bool:
    """Return whether the text's number is the value truncated, or rounded to its trailing zeros."""
    return any(
        abs(v - stated.value) <= stated.coarse_step / 2 or stated.value <= v < stated.value + stated.step
        for v in _amounts(value, supporting)
        if stated.coarse_step * 2 <= abs(stated.value)
    )


def _other_currency(stated: StatedNumber, unit: str, shown: str) -> Disagreement | None:
    if not (unit and stated.unit) or unit == stated.unit:
        return None
    return Disagreement(cause="unit", says=f"the text's {stated.text!r} is in {stated.unit}, SQL's {shown} in {unit}")


def _converted(value: Decimal, stated: StatedNumber, unit: str, shown: str) -> Disagreement | None:
    for (one, other), factor in CONVERSIONS.items():
        for mine, theirs, by in ((one, other, 1 / Decimal(factor)), (other, one, Decimal(factor))):
            near = abs(value * by - stated.value) <= CONVERTED_WITHIN * abs(stated.value)
            if stated.unit == theirs and unit in (mine, "") and near:
                says = f"the text's {stated.text!r} is in {theirs}, SQL's {shown} in {mine}"
                return Disagreement(cause="unit", says=says)
    return None


def _other_version(passage: Passage, sources: Sequence[str]) -> Disagreement | None:
    tables = ", ".join(dict.fromkeys(sources))
    if passage.source not in sources:
        for source in sources:
            if _is_older(passage.source, source):
                says = f"the text is from {passage.source}, the table from the later {source}"
                return Disagreement(cause="older_version", says=says)
            if _is_older(source, passage.source):
                says = f"the table is from {source}, the text from the later {passage.source}"
                return Disagreement(cause="older_version", says=says)
    marked = PROVISIONAL.search(passage.text)
    if marked:
        says = f"the text calls its figure {marked[0].lower()!r}; the table is from {tables or passage.source}"
        return Disagreement(cause="older_version", says=says)
    return None


def _is_older(one: str, other: str) -> bool:
    """Return whether the first file's name marks it as older than the second's."""
    years, later = (sorted(re.findall(rf"(?<!\d){YEAR}(?!\d)", name)) for name in (one, other))
    if years and later and years[-1] != later[-1]:
        return years[-1] < later[-1]
    versions = [VERSION.findall(name) for name in (one, other)]
    if all(versions):
        return _parts(versions[0][-1]) < _parts(versions[1][-1])
    return bool(OLD_NAME.search(one)) and not OLD_NAME.search(other)


def _parts(version: str) -> list[int]:
    return [int(p) for p in version.split(".")]


def _other_scope(question: str, sql: str, passage: Passage) -> Disagreement | None:
    literals = [v.replace("''", "'") for v in LITERAL.findall(sql)]
    asked = years_in(f"{question} {' '.join(literals)} {' '.join(re.findall(r'[0-9]+', sql))}")
    years = years_in(passage.text)
    if asked and years and not asked & years:
        says = f"the text is about {_list(years)}, the SQL about {_list(asked)}"
        return Disagreement(cause="scope", says=says)
    partial = PARTIAL.search(passage.text)
    if partial and partial[0].casefold() not in question.casefold():
        says = f"the text's figure covers a different part: {partial[0]!r}"
        return Disagreement(cause="scope", says=says)
    told = [v.strip("%_ ") for v in literals if not _ends_a_year(v, years)]
    unmentioned = [v for v in told if v and not v.isdigit() and v.casefold() not in passage.text.casefold()]
    if unmentioned:
        says = f"the SQL counts only {_list(unmentioned)}, which the text does not mention"
        return Disagreement(cause="scope", says=says)
    return None


def _ends_a_year(literal: str, years: set[str]) -> bool:
    """Tell whether a date is the first or last day of one of these years, or the day after it."""
    if not DAY.fullmatch(literal):
        return False
    year, day = int(literal[:4]), literal[5:10]
    return day in ("01-01", "12-31") and str(year) in years or day == "01-01" and str(year - 1) in years


def _list(words: set[str] | list[str]) -> str:
    return ", ".join(sorted(words) if isinstance(words, set) else [repr(w) for w in words])
