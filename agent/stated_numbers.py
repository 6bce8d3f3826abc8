"""Numbers as a text states them: with their multiplier, unit, precision, and whether they are approximate."""

import re
from dataclasses import dataclass
from decimal import Decimal

__all__ = ["MULTIPLIERS", "StatedNumber", "UNITS", "stated_numbers", "years_in"]

MULTIPLIERS = {
    "hundred": 2, "thousand": 3, "thousands": 3, "k": 3, "tsd": 3, "万": 4, "million": 6, "millions": 6, "mn": 6,
    "mio": 6, "m": 6, "mm": 6, "亿": 8, "billion": 9, "billions": 9, "bn": 9, "mrd": 9, "trillion": 12, "tn": 12,
}  # fmt: skip
"""Words behind a number and the power of ten that they stand for."""
UNITS = {
    "%": "%", "percent": "%", "per cent": "%",
    "$": "USD", "us$": "USD", "usd": "USD", "dollars": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "£": "GBP", "gbp": "GBP", "¥": "JPY", "jpy": "JPY", "yen": "JPY", "chf": "CHF", "cny": "CNY", "yuan": "CNY",
    "km": "km", "kilometres": "km", "kilometers": "km", "mi": "mi", "miles": "mi", "mile": "mi",
    "metres": "metres", "meters": "metres", "ft": "ft", "feet": "ft", "kg": "kg", "kilograms": "kg", "lb": "lb",
    "lbs": "lb", "pounds": "lb", "ha": "ha", "hectares": "ha", "acres": "acres", "acre": "acres",
    "km²": "km²", "km2": "km²", "square kilometres": "km²", "square kilometers": "km²", "sq mi": "mi²",
    "square miles": "mi²", "tonnes": "t", "tons": "tons",
}  # fmt: skip
"""Spellings of units that texts use, and one name for each."""
ABOUT = (
    "about", "approximately", "approx", "around", "roughly", "nearly", "almost", "some", "circa", "ca", "over",
    "more than", "just over", "just under", "less than", "under", "up to", "at least", "rund", "etwa", "environ",
)  # fmt: skip


def _any(words: list[str] | tuple[str, ...]) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))


NUMBER = re.compile(
    rf"(?P<about>\b(?:{_any(ABOUT)})\.?\s+|[~≈]\s?)?"
    r"(?P<before>(?:US)?[$€£¥]|\b(?:USD|EUR|GBP|CHF|JPY|CNY)\b)?\s?"
    r"(?<![\w.,])(?<!\d[-–/])(?P<sign>[-−](?=\d))?"
    r"(?P<digits>\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    rf"(?:[ \u00a0-]?(?P<multiplier>{_any(list(MULTIPLIERS))})\b\.?|(?P<cjk>[万亿]))?"
    rf"(?:[ \u00a0]?(?P<unit>%|{_any([u for u in UNITS if u[0].isalpha()])})(?!\w)|[ \u00a0]?(?P<symbol>[$€£¥%]))?",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<![\w.,])(?:1[5-9]|20|21)\d\d(?![\w%]|[.,]\d)")


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """One number of a text."""

    text: str
    value: Decimal
    """With its multiplier: 1.8 million is 1800000."""
    step: Decimal
    """What one more in its last digit adds: 100000 for 1.8 million."""
    unit: str = ""
    about: bool = False

    @property
    def coarse_step(self) -> Decimal:
        """The step when zeros at the end stand for rounding: 100 for 1,200."""
        plain = int(self.value / self.step) if self.step else 0
        zeros = len(str(abs(plain))) - len(str(abs(plain)).rstrip("0")) if plain else 0
        return self.step * 10**zeros


def stated_numbers(text: str) -> list[StatedNumber]:
    """Return the numbers of a text in order; years that stand alone are left out."""
    return [_read(m) for m in NUMBER.finditer(text) if not _is_year(m)]


def years_in(text: str) -> set[str]:
    """Return the years that a text names."""
    return set(YEAR.findall(text))


def _is_year(match: re.Match[str]) -> bool:
    bare = not any(match[g] for g in ("before", "multiplier", "cjk", "unit", "symbol"))
    return bare and bool(YEAR.fullmatch(match["digits"]))


def _read(match: re.Match[str]) -> StatedNumber:
    plain = _plain(match["digits"])
    power = Decimal(10) ** MULTIPLIERS.get((match["multiplier"] or match["cjk"] or "").casefold(), 0)
    decimals = len(plain.partition(".")[2])
    unit = match["unit"] or match["symbol"] or match["before"] or ""
    return StatedNumber(
        text=" ".join(match.group().split()),
        value=Decimal(plain) * power * (-1 if match["sign"] else 1),
        step=Decimal(1).scaleb(-decimals) * power,
        unit=UNITS.get(unit.casefold(), unit),
        about=bool(match["about"]),
    )


def _plain(digits: str) -> str:
    """Return digits with a point for decimals and nothing between thousands."""
    marks = [c for c in digits if not c.isdigit()]
    if not marks:
        return digits
    tail = digits.rpartition(marks[-1])[2]
    # A comma before three digits divides thousands, a point decimals, unless there is more than one of its kind.
    is_decimal = len(set(marks)) > 1 or (marks.count(marks[-1]) == 1 and (marks[-1] == "." or len(tail) != 3))
    whole = "".join(c for c in digits[: -len(tail) - 1] if c.isdigit())
    return f"{whole}.{tail}" if is_decimal and marks[-1] in ".," else whole + tail
