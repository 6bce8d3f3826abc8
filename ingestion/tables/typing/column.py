"""One type for a column, chosen from its profile.

A type needs all filled cells to fit, or 19 of 20 in a column of at least 20. Nothing is lost: values that were changed
or do not fit are counted and keep their raw text beside the typed column.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.typing.notes import ENOUGH, enough, named_units, why_text, with_notes, with_own_scales
from tablerag.ingestion.tables.typing.numbers import is_currency, same_unit
from tablerag.ingestion.tables.typing.profile import ColumnProfile
from tablerag.ingestion.tables.typing.typed_column import TypedColumn
from tablerag.ingestion.tables.typing.units import KNOWN, Unit, unit_in, without_letter
from tablerag.tools.records import ColumnType

__all__ = ["decide", "type_column"]

BOOLEAN_PAIRS = (
    ("true", "false"), ("yes", "no"), ("y", "n"), ("✓", "✗"), ("✔", "✘"), ("✓", "✕"), ("✔", "✖"), ("√", "×"),
    ("ja", "nein"), ("oui", "non"), ("sí", "no"), ("si", "no"), ("是", "否"), ("有", "无"),
)  # fmt: skip
ALONE_BOOLEAN = frozenset({"✓", "✔", "√"})
LEAST_NUMBERS = 3
"""Numbers that show letters among them to be in place of others."""
LARGEST_DIGITS = 18
"""Digits of a whole number that fit 64 bits in any case."""
LONGEST_SHARE = 3
"""Digits before the point of a percentage."""
ID_HEADER = re.compile(
    r"\b(?:id|zip|zip ?code|post(?:al)? ?code|plz|isbn|issn|phone|tel|fax|serial(?: no\.?)?)\b", re.I
)
VERSION_HEADER = re.compile(r"\bversions?\b|\breleases?\b|\bsections?\b|\bchapters?\b|\bclauses?\b|§", re.IGNORECASE)
"""Versions 1.10 and 1.1 are different."""
YEAR_HEADER = re.compile(r"\byears?\b|\bseasons?\b|\bjahr|\bann[ée]e?\b|\baño\b|\banno\b|年", re.IGNORECASE)
MEASURE_HEADER = re.compile(
    r"\b(?:temp(?:erature)?s?|temperatur|température|deg(?:rees?)?|kg|qty|quantity|menge|quantité|weight|gewicht|poids"
    r"|prices?|costs?|amounts?|capacity|pressure|rpm|volume|visitors)\b|°",
    re.IGNORECASE,
)
"""Headers of numbers that only look like years: 1105 °C."""
SPAN_HEADER = re.compile(r"duration|length|run(?:ning)? ?time|\blaps?\b|dauer|durée|minutes|时长", re.IGNORECASE)
TIME_HEADER = re.compile(r"\btimes?\b|\bzeit\b|\btemps\b|\btiempo\b|\bgap\b|\bbest\b|\bresult\b", re.IGNORECASE)
TIME_UNITS = frozenset("s sec second min minute m h hr hour d day week month year".split()) - {"m", "d"}
RANGE_HEADER = re.compile(
    r"range|\bages?\b|\bspan|period|years|\bfrom\b|\bterm\b|tenure|\bsizes?\b|price|salary|temp|band|bracket|interval"
    r"|reign|in office|active|career",
    re.IGNORECASE,
)


def type_column(header: str, cells: Sequence[RawCell], context: Unit | None = None) -> TypedColumn:
    """Type one column from all of its cells; ``context`` is the unit in the table's caption."""
    profile = ColumnProfile()
    profile.add_all(cells)
    return decide(header, profile, context)


def decide(header: str, profile: ColumnProfile, context: Unit | None = None) -> TypedColumn:
    """Return the column with the first type that its profile allows."""
    profile.settle()
    column = None
    if profile.filled:
        attempts = (_boolean, _number, _date, _partial_date, _clock, _duration, _range)
        column = next((c for c in (attempt(header, profile) for attempt in attempts) if c is not None), None)
    column = column or _text(header, profile)
    column.filled, column.distinct = profile.filled, profile.distinct
    column.missing = profile.missing.total()
    column.longest = max(profile.longest, max(map(len, profile.missing), default=0))
    column.examples = tuple(profile.examples)
    column.has_comma = profile.decimal_comma
    numbers = profile.fits.comma if column.has_comma else profile.fits.point
    column.fitting = {"integer": numbers, "decimal": numbers, "date": profile.fits.date}
    if column.type == "integer" and not column.kind and ID_HEADER.search(_spaced(header)):
        column.kind = "id"
    elif column.type in ("integer", "decimal") and column.kind not in ("year", "percent", "duration"):
        stated = _stated(header, profile)
        # Shares from 0 to 1 under "Win %" are not percentages.
        is_share = stated.unit == "%" and column.type == "decimal" and not profile.signs.above_one
        column = _with_stated_unit(column, Unit() if is_share else stated, context or Unit())
        column = with_own_scales(column, profile)
    return with_notes(column, profile)


def _stated(header: str, profile: ColumnProfile) -> Unit:
    """Return the unit and scale of a header."""
    return unit_in(without_letter(header) if profile.is_lettered else header)


def _boolean(header: str, profile: ColumnProfile) -> TypedColumn | None:
    if profile.fits.boolean == profile.filled:
        return TypedColumn(header, "boolean", "boolean", true_word="true")
    words = profile.words
    for true, false in BOOLEAN_PAIRS:
        # A column of "yes" alone may be plain words; "true", "false" and a tick are not.
        if words == {true, false} or (true == "true" and words <= {true, false}) or words == {true} & ALONE_BOOLEAN:
            changed = 0 if true == "true" else profile.filled
            return TypedColumn(header, "boolean", "boolean", true_word=true, coerced=changed)
    return None


def _number(header: str, profile: ColumnProfile) -> TypedColumn | None:
    has_comma = profile.decimal_comma
    fitting = profile.fits.comma if has_comma else profile.fits.point
    whole, after = profile.comma_digits if has_comma else profile.point_digits
    suppressed = profile.suppressed if fitting >= max(LEAST_NUMBERS, profile.filled / 2) else 0
    if not fitting or not enough(fitting + suppressed, profile) or profile.signs.id or profile.signs.phone:
        return None
    if profile.is_graded or (after and VERSION_HEADER.search(_spaced(header))):
        return None
    key, fitting = _unit_of(header, profile, fitting)
    if key is None or not enough(fitting + suppressed, profile):
        return None
    if not after and whole > LARGEST_DIGITS:
        return None
    unit = profile.unit_names.get(key, "")
    column = TypedColumn(header, "decimal" if after else "integer", unit=unit, unit_key=key, has_comma=has_comma)
    column.digits, column.unfit = (whole, after), profile.filled - fitting
    column.takes_bare = key != "%" or _are_percentages(header, profile)
    column.coerced = min(profile.changed_numbers, fitting)
    if profile.is_undecided and (after == 3 or has_comma):
        read, other = ("thousands", "decimals") if has_comma else ("decimals", "thousands")
        mark = "." if has_comma else ","
        column.warnings = (
            f"column {header!r}: numbers such as 1.234 were read as {read}; if they are {other}, "
            f'set `decimal: "{mark}"` in tablerag.yaml',
        )
    if has_comma and profile.signs.grouped > profile.signs.comma and profile.told_comma is None:
        column.warnings = (
            f"column {header!r}: numbers such as 6,120 were read with a decimal comma, like others in the column: "
            'if not, set `decimal: "."` in tablerag.yaml',
        )
    if unit == "%":
        column.kind = "percent"
    elif unit:
        column.kind = "money" if profile.signs.money else "duration" if key in TIME_UNITS else "quantity"
    elif _are_years(header, profile) and not after:
        column.kind = "year"
    return column


def _spaced(header: str) -> str:
    """Return a header with underscores replaced by blanks."""
    return header.replace("_", " ")


def _are_years(header: str, profile: ColumnProfile) -> bool:
    if ID_HEADER.search(_spaced(header)) or MEASURE_HEADER.search(_spaced(header)):
        return False
    return enough(profile.fits.year, profile) and (profile.filled > 2 or bool(YEAR_HEADER.search(header)))


def _unit_of(header: str, profile: ColumnProfile, fitting: int) -> tuple[str | None, int]:
    """Return the key of the numbers' common unit ("" for none, None if they differ) and how many fit."""
    named = named_units(profile)
    if not named:
        return "", fitting
    if enough(profile.units[""], profile):
        return "", profile.units[""]
    key, count = max(named.items(), key=lambda item: item[1])
    bare = profile.units[""]
    stated = _stated(header, profile)
    if key == "%" and not _are_percentages(header, profile):
        bare = 0  # a number without the sign may be a share or a count
    elif key != "%" and not profile.signs.money and count < profile.filled / 2 and same_unit(stated.unit) != key:
        bare = 0
    rare = count < 3 and not profile.signs.money and key not in KNOWN
    return (None if rare else key), min(fitting, count + bare)


def _are_percentages(header: str, profile: ColumnProfile) -> bool:
    """Return whether numbers without a % sign are percentages: the header or the first and a later one have it."""
    first = next(iter(profile.examples), "")
    told = first.endswith("%") and profile.units["%"] > 1 and not profile.signs.native and not profile.signs.money
    return _stated(header, profile).unit == "%" or (
        told and profile.filled > 3 and profile.point_digits[0] <= LONGEST_SHARE
    )


def _date(header: str, profile: ColumnProfile) -> TypedColumn | None:
    fitting = profile.fits.date
    if not fitting or not enough(fitting, profile) or profile.signs.zone:
        return None
    day_first = _day_first(profile)
    if profile.signs.slashed and day_first is None:
        return None
    timed, clock = profile.fits.timed, profile.signs.time
    if clock and timed < fitting:
        return None
    if clock or (timed and profile.changed_dates):
        kind: ColumnType = "datetime"
    else:
        kind = "date"
    column = TypedColumn(header, kind, "date" if kind == "date" else "datetime", day_first=day_first)
    column.unfit, column.coerced = profile.filled - fitting, profile.changed_dates
    column.has_microseconds = bool(profile.signs.microsecond)
    if profile.signs.short_year:
        column.warnings = (f"column {header!r}: two-digit years were read as 1969 to 2068",)
    return column


def _day_first(profile: ColumnProfile) -> bool | None:
    """Return whether slashed dates have the day first; None if undecided."""
    first, second = bool(profile.signs.day_first), bool(profile.signs.month_first)
    return None if first == second else first


def _partial_date(header: str, profile: ColumnProfile) -> TypedColumn | None:
    if profile.signs.zone or profile.signs.time or (profile.signs.slashed and _day_first(profile) is None):
        return None
    if enough(profile.fits.yearless, profile):
        return TypedColumn(header, "text", "yearless date", unfit=profile.filled - profile.fits.yearless)
    fitting = profile.fits.partial + profile.fits.year
    if profile.fits.season == profile.fits.partial:
        return None  # 2008/09, 2009/10: seasons
    if not profile.fits.partial or not enough(fitting, profile):
        return None
    column = TypedColumn(header, "text", "partial date", day_first=_day_first(profile))
    column.coerced, column.unfit = profile.changed_dates, profile.filled - fitting
    return column


def _clock(header: str, profile: ColumnProfile) -> TypedColumn | None:
    if not profile.signs.told_clock or not enough(profile.fits.clock, profile):
        return None
    unfit = profile.filled - profile.fits.clock
    return TypedColumn(header, "text", "clock", coerced=profile.signs.told_clock, unfit=unfit)


def _duration(header: str, profile: ColumnProfile) -> TypedColumn | None:
    fitting = profile.fits.duration
    if profile.signs.told_duration and fitting >= profile.filled / 10:
        fitting += profile.fits.seconds  # times under a minute have no colon
    if not profile.fits.duration or not enough(fitting, profile):
        return None
    told = profile.signs.told_duration or SPAN_HEADER.search(header)
    if not told and not (TIME_HEADER.search(header) and profile.signs.past_a_day):
        return TypedColumn(header, "text", "clock")
    column = TypedColumn(header, "decimal", "duration", unit="s", coerced=fitting, unfit=profile.filled - fitting)
    whole, after = profile.point_digits  # numbers of seconds without a unit
    column.digits = (max(9, whole), max(3, after))
    return column


def _range(header: str, profile: ColumnProfile) -> TypedColumn | None:
    ranges, scores = profile.fits.range, profile.fits.score
    singles = profile.fits.point if ranges >= profile.filled / 2 else 0
    if profile.signs.year_range >= ENOUGH * ranges:
        singles = max(singles, profile.fits.year)
    if ranges and enough(ranges + singles, profile):
        years = profile.signs.year_range >= ENOUGH * ranges
        if years or RANGE_HEADER.search(header) or scores < ranges / 2:
            bounds: ColumnType = "integer" if not profile.signs.fraction_range else "decimal"
            column = TypedColumn(header, "text", "range", bounds=bounds, unfit=profile.filled - ranges - singles)
            column.digits = (0, max(profile.end_decimals, profile.point_digits[1]))
            return column
    return TypedColumn(header, "text", "score") if scores and enough(scores, profile) else None


def _text(header: str, profile: ColumnProfile) -> TypedColumn:
    if (profile.signs.id or profile.signs.phone) and enough(profile.fits.point, profile):
        return TypedColumn(header, "text", "id")
    undecided = bool(profile.signs.slashed) and _day_first(profile) is None
    unfit, reason = why_text(profile, are_dates_undecided=undecided)
    warnings = (f"column {header!r} stays text: {reason}",) if reason else ()
    return TypedColumn(header, "text", unfit=unfit, warnings=warnings)


def _with_stated_unit(column: TypedColumn, stated: Unit, context: Unit) -> TypedColumn:
    """Return the column with the unit and scale of its header, else those of the table's caption."""
    if not column.unit and not stated.unit and not stated.scale and column.kind:
        return column
    unit = column.unit or stated.unit or context.unit
    # The scale of a caption applies to amounts, not to columns with another unit.
    own = column.unit or stated.unit
    scale = stated.scale or (context.scale if not own or own == context.unit or column.kind == "money" else "")
    if unit == "%" and not column.unit:
        return replace(column, unit="%", kind=column.kind or "percent")
    kind = "money" if not column.kind and is_currency(unit) else column.kind
    return replace(column, unit=unit, scale=scale, kind=kind)
