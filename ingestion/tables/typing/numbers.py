"""Numbers as people write them: separators of several locales, currencies, percent, scales, units, brackets."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from tablerag.tools.number_words import (
    CURRENCY,
    MONEY,
    SCALE_LETTERS,
    SHARES,
    WORD_SCALE,
    any_of,
    power_of,
    share_of,
)

__all__ = ["NumberReading", "is_currency", "read_number", "same_unit"]

SPACES = "\u00a0\u202f\u2009 "
_LETTERS = any_of(SCALE_LETTERS)
NUMBER = re.compile(
    rf"(?P<sign>[-+−–±~≈]?)\s*(?P<before>{CURRENCY})?\s*(?P<inner>[-−–]?)\s?(?P<body>\d(?:[\d.,'’{SPACES}]*\d)?|[.,]\d+)"
    rf"(?P<trailing>[-−](?=$))?"
    rf"(?:\s*(?P<word>{WORD_SCALE})|(?(before)\s?|(?:\s(?=(?i:{_LETTERS})\s?{MONEY}))?)(?P<letters>(?i:{_LETTERS}))\b)?"
    rf"\s*(?:(?P<after>{MONEY}|[%％‰]|(?i:{any_of(SHARES)}))|"
    rf"(?P<unit>[^\W\d_][^\W\d_²³.]{{0,11}}(?:[/ .·][^\W\d_²³]{{1,8}}[²³]?)?[²³]?|°[CFNSEW]?|[″′\"'º]))?"
    r"(?P<other>\s*\([~≈]?\s?\d[\d.,]*\s*[^\W\d_][^\d()]{0,12}\))?",
)
POINT = re.compile(
    rf"\d+(?:\.\d+)?|\.\d+|\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?:\.\d+)?"
    rf"|\d{{1,3}}(?:['’{SPACES}]\d{{3}})+(?:\.\d+)?"
)
COMMA = re.compile(rf"\d+(?:,\d+)?|,\d+|\d{{1,3}}(?:\.\d{{3}})+(?:,\d+)?|\d{{1,3}}(?:['’{SPACES}]\d{{3}})+(?:,\d+)?")
GROUPING_POINT = str.maketrans("", "", f",'’{SPACES}")
GROUPING_COMMA = str.maketrans(",", ".", f".'’{SPACES}")
BRACKETED_PERCENT = re.compile(r"\(\s*(\d[\d.,]*)\s*\)\s?(?:%|％)")
EXPONENT = re.compile(r"[-+−]?\d(?:\.\d{1,15})?[eE][-+](?:0?\d|1\d)")
"""Only with a sign before the exponent: 12E5 may be an id."""
NO_CENTS = re.compile(r"(?<=\d)[.,][-–—]{1,2}(?=$|\s)")
"""€ 2,– has no cents."""
JAPANESE_MINUS = re.compile(r"△\s?(?=[\d¥])")
PLAIN = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,15})?")
NAMED = re.compile(r"(?P<number>\d{1,4})(?:st|nd|rd|th|\.)|(?:#|No\. ?|№ ?)(?P<other>\d{1,6})")
"""A place in an order: 1st, 1., #1."""
ABOUT = re.compile(
    r"(?:(?:c\.|ca\.|circa|approx\.|approximately|about|around|est\.)\s?)?(?P<number>.*?\d.*?)(?P<more>\s?\+)?"
)
REMARK = re.compile(r"(?P<number>[^()]*\d[^()]*?)\s*\([^()]{1,40}\)")
"""A number followed by a remark in brackets."""
MEMO = 4096
"""Texts whose reading is kept: steps that look for headers, totals and types read the same cells."""
ORDINALS = frozenset({"st", "nd", "rd", "th", "e", "er", "ème", "o", "a", "ª", "º"})


@dataclass(frozen=True, slots=True)
class NumberReading:
    """A number under both conventions of the decimal mark, and the text around it."""

    point: Decimal | None
    """With "." as the decimal mark; None if not possible."""
    comma: Decimal | None
    unit: str = ""
    is_currency: bool = False
    changed: bool = False
    """Whether the text says more than the number and its unit."""
    is_id: bool = False
    """Whether it has a leading zero, as identifiers do."""
    factor: int = 1
    """The factor of its scale: 1000000 for "1.5 million"."""

    @property
    def shows_comma(self) -> bool:
        """Whether only a decimal comma is possible."""
        return self.point is None

    @property
    def shows_point(self) -> bool:
        """Whether only a decimal point is possible."""
        return self.comma is None


def same_unit(unit: str) -> str:
    """Return a unit folded for comparison: without case, plural and full stops."""
    folded = unit.casefold().replace(".", "").strip()
    return folded[:-1] if len(folded) > 3 and folded.endswith("s") else folded


@lru_cache(MEMO)
def read_number(text: str) -> NumberReading | None:
    """Parse a number; None if the text is not one. The text is cleaned and has no footnote marks."""
    if PLAIN.fullmatch(text):
        value = Decimal(text)
        whole, _, digits = text.lstrip("-").partition(".")
        # 1.234 is also 1234 where points group.
        other = Decimal(text.replace(".", "")) if len(digits) == 3 and len(whole) <= 3 and whole != "0" else None
        return NumberReading(value, value if not digits else other)
    if EXPONENT.fullmatch(text):
        value = _times(Decimal(text.replace("−", "-")), 1)
        return NumberReading(value, value)
    if (plain := JAPANESE_MINUS.sub("-", NO_CENTS.sub("", text))) != text:
        reading = read_number(plain)
        return replace(reading, changed=True) if reading else None
    bracketed = text.startswith("(") and text.endswith(")")
    inner = text[1:-1].strip() if bracketed else text
    # A currency may precede the brackets, a percent sign follow them: $(1,234), (12)%.
    if not bracketed and text.endswith(")") and (opened := re.match(rf"({CURRENCY})\s*\((.*)\)$", text)):
        bracketed, inner = True, f"{opened[1]}{opened[2]}"
    elif text.startswith("(") and (closed := BRACKETED_PERCENT.fullmatch(text)):
        bracketed, inner = True, f"{closed[1]}%"
    found = NUMBER.fullmatch(inner)
    return (_reading(text, found, bracketed=bracketed) if found else None) or _remarked(text)


def _remarked(text: str) -> NumberReading | None:
    """Parse a number with a little more text: an ordinal, "about", "+", a remark in brackets."""
    if named := NAMED.fullmatch(text):
        value = Decimal(named["number"] or named["other"])
        return NumberReading(value, value, changed=True)
    remark = REMARK.fullmatch(text)
    about = ABOUT.fullmatch(text)
    inner = remark["number"] if remark else about["number"].strip() if about else text
    reading = read_number(inner) if inner != text else None
    return replace(reading, changed=True) if reading and not reading.is_id else None


def is_currency(unit: str) -> bool:
    """Return whether a unit is a currency's sign, code or word."""
    return bool(re.fullmatch(MONEY, unit))


def _reading(text: str, found: re.Match[str], *, bracketed: bool) -> NumberReading | None:
    share = share_of(found["after"] or "")
    unit = share or found["before"] or found["after"] or found["unit"] or ""
    if found["before"] and found["unit"] and not found["unit"].startswith("/"):
        return None  # $1.2 and a word that is not known: it may be a scale
    if (found["before"] and found["after"] and not share) or same_unit(unit.split(" ")[0]) in ORDINALS:
        return None
    if found["other"] and not found["unit"]:
        return None
    currency = bool(found["before"] or (found["after"] and not share))
    if found["letters"] and not currency:
        if found["unit"] or found["after"]:
            return None
        unit = found["letters"]  # 12m: a unit, or nothing that can be told
    scale = power_of(found["word"] or (found["letters"] if currency else ""))
    negative = bracketed or any(c in "-−–" for c in found["sign"] + found["inner"] + (found["trailing"] or ""))
    changed = bool(found["other"]) or found["sign"] in ("±", "~", "≈")
    return _signed(found["body"], negative, 10**scale, unit, currency, changed=changed)


def _signed(
    body: str, negative: bool, factor: int, unit: str, currency: bool, *, changed: bool
) -> NumberReading | None:
    point = Decimal(body.translate(GROUPING_POINT)) if POINT.fullmatch(body) else None
    comma = Decimal(body.translate(GROUPING_COMMA)) if COMMA.fullmatch(body) else None
    if point is None and comma is None:
        return None
    is_id = len(body) > 1 and body[0] == "0" and body[1].isdigit()
    sign = -factor if negative else factor
    return NumberReading(
        None if point is None else _times(point, sign),
        None if comma is None else _times(comma, sign),
        unit.strip(),
        currency,
        changed or bool(unit) or abs(sign) != 1,
        is_id,
        abs(sign),
    )


def _times(number: Decimal, factor: int) -> Decimal:
    """Return the product without the decimal zeros that a scale or an exponent leaves."""
    product = number * factor
    whole = product.to_integral_value()
    is_scaled = abs(factor) > 1 or int(number.as_tuple().exponent) > 0
    return whole.quantize(Decimal(1)) if is_scaled and whole == product else product
