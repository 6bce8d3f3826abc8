"""The shapes of texts that can be one thing only: long columns are made of them, and they are counted all at once."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Literal, cast

from tablerag.ingestion.tables.typing.dates import MONTHS, WEEKDAY
from tablerag.tools.number_words import CURRENCY

__all__ = ["ODD_AS", "Shape", "by_shape", "is_date", "is_nothing"]


Shape = Literal["whole", "point", "number", "day", "moment", "words", "other"]
"""A whole number; a number with a decimal point that cannot group thousands; another number without more than a minus
and a decimal point; a date, and one with a time, in ISO 8601; a text without any reading; a text that must be read."""
LONGEST_WHOLE = 15
ODD_AS: dict[Shape, tuple[str, ...]] = {
    "whole": ("date", "duration"),
    "point": ("date", "duration"),
    "number": ("date", "duration"),
    "day": ("number", "duration"),
    "moment": ("number", "duration"),
    "words": ("number", "date", "duration"),
}
"""As what texts of a shape are odd."""
DIGIT = re.compile("[0-9]")
SHAPES = re.compile(
    r"(?P<whole>0|[1-9][0-9]{0,14})"
    r"|(?P<point>(?!.{16})(?:0|[1-9][0-9]{0,10})\.(?:[0-9]{1,2}|[0-9]{4,6}))"
    r"|(?P<number>-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,15})?)"
    r"|(?P<day>[1-9][0-9]{3}-[01][0-9]-[0-3][0-9])"
    r"|(?P<moment>[1-9][0-9]{3}-[01][0-9]-[0-3][0-9][ T](?:[01][0-9]|2[0-3])(?::[0-5][0-9]){1,2})"
)
STARTS = re.compile(
    rf"(?:{CURRENCY}|c\.|ca\.|circa|approx|about|around|est\.|no\.|[wldt][.,:]?\s?\(?\d"
    rf"|{'|'.join(sorted({name[:3] for name in MONTHS}))}|{WEEKDAY.pattern})",
    re.IGNORECASE,
)
"""Words that begin a number, a score or a date."""


def by_shape(texts: Mapping[str, int]) -> dict[Shape, dict[str, int]]:
    """Return counted texts by their shape."""
    if _are_whole(texts):
        return {"whole": dict(texts)}
    found: dict[Shape, dict[str, int]] = {}
    match = SHAPES.fullmatch
    for text, count in texts.items():
        shaped = match(text)
        shape = cast(Shape, shaped.lastgroup) if shaped else "words" if is_nothing(text) else "other"
        if shape in ("day", "moment") and not is_date(text[:10]):
            shape = "other"
        if shape in found:
            found[shape][text] = count
        else:
            found[shape] = {text: count}
    return found


def _are_whole(texts: Mapping[str, int]) -> bool:
    """Return whether all texts are whole numbers, without a look at each."""
    joined = "".join(texts)
    if not joined.isdecimal() or not joined.isascii() or "" in texts or max(map(len, texts)) > LONGEST_WHOLE:
        return False
    return "0" not in {text[0] for text in texts if text != "0"}


def is_nothing(text: str) -> bool:
    """Return whether a text certainly has no reading (see read_cell): no digit, or a first word that begins none."""
    if not text.isascii():
        return not any(map(str.isdigit, text))
    return not DIGIT.search(text) or (text[0].isalpha() and not STARTS.match(text))


def is_date(text: str) -> bool:
    """Return whether a text is a day that exists, as YYYY-MM-DD."""
    try:
        return text[0] != "0" and bool(date.fromisoformat(text))
    except ValueError:
        return False
