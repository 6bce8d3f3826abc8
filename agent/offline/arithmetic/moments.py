"""Years and quarters, as questions and headers write them: "2019", "FY19", "Q1 2022", "the first half of 2020"."""

import re

from tablerag.tools.number_words import YEAR

__all__ = ["fits", "is_backwards", "moments_of", "range_of", "without_parts", "years_of"]

FISCAL = r"(?:FY|F|CY)"
DATED = re.compile(
    rf"(?<![\d.,$]){FISCAL}?\s?'?({YEAR})(?!\d|[.,]\d)|\b{FISCAL}\s?'?(\d\d)\b",
    re.IGNORECASE,
)
RANGE = re.compile(
    rf"(?:from|between)\s+(?:\w+\s+){{0,3}}?{FISCAL}?({YEAR})\s*(?:to|-|–|and|through)\s*(?:\w+\s+){{0,3}}?({YEAR})",
    re.IGNORECASE,
)
FROM_TO = re.compile(rf"\bfrom\b[^.?]*?({YEAR})[^.?]*?\bto\b[^.?]*?({YEAR})", re.IGNORECASE)
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
PART = re.compile(
    rf"\b(?:(?P<letter>[QH])(?P<number>[1-4])|(?P<ordinal>{'|'.join(ORDINALS)})[\s-]+(?P<kind>quarter|half))(?!\w)",
    re.IGNORECASE,
)
BESIDE = re.compile(r"\W*(?:of\W+)?")
"""What may stand between a part and its year."""
LONGEST_RANGE = 20


def years_of(text: str) -> tuple[str, ...]:
    """Return the years that a text names, with four digits, each once."""
    return tuple(dict.fromkeys(m[1] or f"20{m[2]}" for m in DATED.finditer(text)))


def moments_of(text: str) -> tuple[str, ...] | None:
    """Return what years, or quarters and halves of years, a text names: "2019", "Q1 2022"; None when in doubt.

    A part named once is that of every year, a year named once that of every part; else each part has a year beside it.
    """
    years, parts = years_of(text), tuple(dict.fromkeys(_part(m) for m in PART.finditer(text)))
    if not parts:
        return years
    if not years:
        return None
    if len(parts) == 1 or len(years) == 1:
        return tuple(f"{p} {y}" for y in years for p in parts)
    beside = [(_part(m), _year_beside(text, m.end())) for m in PART.finditer(text)]
    if any(y is None for _, y in beside):
        return None
    return tuple(dict.fromkeys(f"{p} {y[1] or f'20{y[2]}'}" for p, y in beside if y))


def without_parts(text: str) -> str:
    """Return a text without its quarters and halves."""
    return PART.sub(" ", text)


def _year_beside(text: str, end: int) -> re.Match[str] | None:
    between = BESIDE.match(text, end)
    return DATED.match(text, between.end()) if between else None


def range_of(text: str, years: tuple[str, ...]) -> tuple[str, ...]:
    """Return all years of a range that a text gives by its two ends; ``years`` where it gives none."""
    span = RANGE.search(text)
    if not span or len(years) != 2:
        return years
    low, high = sorted((int(span[1]), int(span[2])))
    return tuple(str(y) for y in range(low, high + 1)) if high - low < LONGEST_RANGE else years


def is_backwards(text: str) -> bool:
    """Tell whether a text goes from a later year to an earlier one."""
    span = FROM_TO.search(text)
    return span is not None and span[1] > span[2]


def fits(moment: str, header: str) -> bool:
    """Tell whether a column's header is of a moment: of its year alone, and of its part where it has one."""
    *part, year = moment.split()
    return years_of(header) == (year,) and (not part or part == [_part(m) for m in PART.finditer(header)])


def _part(match: re.Match[str]) -> str:
    if match["letter"]:
        return f"{match['letter'].upper()}{match['number']}"
    return f"{match['kind'][0].upper()}{ORDINALS[match['ordinal'].lower()]}"
