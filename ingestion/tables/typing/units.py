"""Units and scales that a header or a caption states for the numbers below it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tablerag.tools.number_words import (
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    MEASURES,
    MONEY,
    SCALE_NAMES,
    SHARES,
    answer_scale,
    currency_sign,
    share_of,
)
from tablerag.tools.stated_scale import STATED, scale_in

__all__ = ["Unit", "are_lettered", "caption_unit", "unit_in", "without_letter"]

KNOWN = frozenset(
    "% km m cm mm nm µm mi mile miles ft feet in inch inches yd yard yards kg g mg µg t tonne tonnes ton tons lb "
    "lbs oz km² m² cm² mm² ha hectare hectares acre acres sqmi mi² ft² sqft km2 m2 mi2 ft2 km³ m³ cm³ ft³ m3 km3 "
    "l litre litres liter liters ml cl dl hl gal gallon gallons bbl s sec secs second seconds min mins minute "
    "minutes h hr hrs hour hours day days week weeks month months year years ms °c °f c k w kw mw gw kwh mwh gwh "
    "twh j kj mj gj v kv a ma hz khz mhz ghz pa kpa mpa bar psi n kn hp bhp ps mph kmh km/h kph m/s knots kcal "
    "cal cal/100g kb mb gb tb bit bits byte bytes kbit/s mbit/s px pixels dpi pt pts points /km² /km2 /mi² /sqmi "
    "persons people employees units pcs pieces ppm ppb mol °".split()
) | {"sq mi", "sq km", "sq ft", "per km²", "per sq mi", *MEASURES, *SHARES}
MONEY_SIGN = re.compile(rf"(?<![^\W\d_]){MONEY}", re.IGNORECASE)
THOUSANDS_OF = re.compile(r"\bT(EUR|€)")
AMOUNT = re.compile(r"\s*(?!000(?!\d))\d")
"""Digits that make a currency's sign part of an amount; "$000" means thousands."""
PERCENT = re.compile(r"[%％]|\bper ?cent(?:age)?\b|\bpct\b|百分比", re.IGNORECASE)
RATE = re.compile(r"(?<![\w.,])\d{1,3}(?:[.,]\d+)?\s?[%％]")
"""A rate or level in a header, not the unit below it: "Price with VAT (18 %)", "Lower 95%"."""
EMISSIONS = re.compile(r"\b(?:(?:metric )?ton(?:ne)?s?|[mkg]?t|kg)(?: of)?\s?CO2(?:[- ]?eq?)?\b", re.IGNORECASE)
BRACKETS = re.compile(r"[(\[（【]\s*([^()\[\]（）【】]{1,24}?)\s*[)\]）】]")
PLURAL = re.compile(r"(?<=[^\W\d_])\((?:s|es|n|en|ies)\)", re.IGNORECASE)
"""Episode(s) has no unit of seconds."""
CONVERTED = re.compile(r"(?<!\S)((?:sq )?\S+)\s?[(\[]\s*([^()\[\]]{1,12}?)\s*[)\]]\s*$", re.IGNORECASE)
"""km² (sq mi): the numbers are in the first unit, conversions in brackets."""
LETTER = re.compile(r"\s*\(([A-Za-z])\)")
"""A note's mark or the number of a column, as in "Sales (a)", if other headers have others."""
IN_CAPITALS = frozenset("acfjkvw")
"""Units that are written with a capital letter: "(a)" is a note's mark."""
NOT_ALONE = frozenset({"in", "min", "pt", "pts", "hz", "bar"})
OTHER_WORDS = frozenset({"MA", "MS", "PA", "PS"})
"""Names of columns that only look like units: MS is a mean square."""
NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")
"""A header that is an identifier: weight_kg."""
NAMED_UNITS = frozenset(
    "km kg cm mm mi miles ft lb lbs oz ha kwh mwh gwh kw kb mb gb tb ms sec secs seconds mins minutes hrs hours days "
    "weeks months m2 km2 sqm sqft sqmi ml dl litres liters khz mhz ghz psi kpa ppm mph kmh kcal celsius".split()
)
"""Units at the end of an identifier, without those that mean something else there (price_min, vitamin_c)."""
BEHIND = re.compile(r"(?:,|\bin)\s+([^\s,]{1,10}(?: mi| km| ft)?)$", re.I)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit and a scale; "" if not stated."""

    unit: str = ""
    scale: str = ""
    """"thousands", "millions", "billions": what the printed numbers are counted in."""


def unit_in(text: str) -> Unit:
    """Return the unit and scale that a header, a unit row or a caption states."""
    if NAME.fullmatch(text.strip()):
        return _in_name(text.strip().casefold().split("_"))
    scale = scale_in(text)
    if thousands := THOUSANDS_OF.search(text):
        return Unit(thousands[1], scale)
    currency = MONEY_SIGN.search(text)
    if currency and not AMOUNT.match(text, currency.end()) and (scale or _is_stated(text, currency)):
        code = CURRENCY_WORDS.get(currency[0].casefold())
        return Unit(currency_sign(code) if code else currency[0], scale)
    if PERCENT.search(RATE.sub("", text)):
        return Unit("%", "")
    emitted = EMISSIONS.search(text)
    return Unit(emitted[0] if emitted else _bracketed(text), scale)


def are_lettered(headers: Iterable[str]) -> bool:
    """Return whether letters in brackets number the notes or columns of a table: (a), (b), (c)."""
    letters = {m[1] for h in headers for m in LETTER.finditer(h)}
    return len(letters) > 1 and (len(letters) > 2 or not all(_is_unit(m) for m in letters))


def without_letter(header: str) -> str:
    """Return a header without letters in brackets, which are no units in a table that `are_lettered`."""
    return LETTER.sub("", header)


def _in_name(parts: list[str]) -> Unit:
    """Return the unit in the last parts of an identifier: budget_usd, revenue_eur_thousands, share_pct."""
    scale = parts.pop() if parts[-1] in SCALE_NAMES else ""
    if "per" in parts[-2:-1]:  # price_gbp_per_kg is money
        return _in_name(parts[:-2]) if len(parts) > 2 else Unit("", scale)
    last = parts[-1] if len(parts) > 1 or scale else ""
    if last.upper() in CURRENCY_SIGNS and last != "try":
        return Unit(last.upper(), scale)
    if answer_scale(last) == "percent":
        return Unit("%", "")
    return Unit(last if last in NAMED_UNITS else "", scale)


def caption_unit(text: str) -> Unit:
    """Return the unit and scale that a caption or title states for a whole table."""
    found = STATED.search(text)
    return unit_in(found[0]) if found else Unit()


def _is_stated(text: str, currency: re.Match[str]) -> bool:
    """Return whether a currency is written as a unit: in brackets, at the end, or as a sign."""
    word = currency[0]
    if not word[0].isalpha() or word in ("元", "円"):
        return True
    outside = text[: currency.start()].strip(), text[currency.end() :].strip()
    return not outside[0] or outside[1][:1] in (")", "]", "）") or (not outside[1] and word.isupper())


def _bracketed(text: str) -> str:
    whole = text.strip()
    # A header "Points" or "Min" is a name; "km" is a unit.
    alone = [whole] if 1 < len(whole) < 4 and whole.casefold() not in NOT_ALONE and whole not in OTHER_WORDS else []
    text = PLURAL.sub("", text)
    both = CONVERTED.search(text)
    if both and all(_is_unit(u) for u in both.groups()) and both[1].casefold() != "in":
        return both[1]
    for found in [*BRACKETS.findall(text), *BEHIND.findall(text), *alone]:
        plain = found.strip().removeprefix("in ").strip()
        if _is_unit(plain) and (len(plain) > 1 or _is_letter_unit(plain, text)):
            return share_of(plain) or plain
    return ""


def _is_letter_unit(letter: str, text: str) -> bool:
    """Return whether one letter in a header is a unit: "Acquired (A) or disposed of (D)" has none."""
    low = letter.casefold()
    return low not in IN_CAPITALS or (letter != low and text.rstrip(" )]）】").endswith(letter))


def _is_unit(text: str) -> bool:
    return text.casefold().rstrip(".") in KNOWN
