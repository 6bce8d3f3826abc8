"""Numbers in a text, with their scale, unit and precision, and whether they are approximate."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from decimal import Decimal

from tablerag.tools.number_words import (
    CURRENCY,
    MEASURES,
    MONEY,
    SHARES,
    TEXT_SCALE,
    YEAR,
    any_of,
    currency_code,
    power_of,
    share_of,
)

__all__ = ["SIGN", "StatedNumber", "measure_of", "signed_numbers", "stated_numbers", "years_in"]

ABOUT = (
    "about", "approximately", "approx", "around", "roughly", "nearly", "almost", "some", "circa", "ca", "over",
    "more than", "just over", "just under", "less than", "under", "up to", "at least", "rund", "etwa", "environ",
)  # fmt: skip


NUMBER = re.compile(
    rf"(?P<about>\b(?:{any_of(ABOUT)})\.?\s+|[~≈]\s?)?(?:(?<!\w)(?P<before>{CURRENCY}))?\s?"
    r"(?<![\w.,])(?<!\d[-–/])(?P<sign>[-−](?=\d))?"
    r"(?P<digits>\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    rf"{TEXT_SCALE}?(?:[ \u00a0]?(?P<unit>[%％‰]|{MONEY}|(?:{any_of((*SHARES, *MEASURES))})(?!\w)))?",
    re.IGNORECASE,
)
ALONE = re.compile(rf"(?<![\w.,]){YEAR}(?![\w%‰]|[.,]\d)")

SIGN = re.compile(r"(?<![\w.,])[-−]$")
"""A sign that touches the currency of a number; a dash with a space behind it is none."""


BEYOND = re.compile(r"\b(?:(?P<over>over|more than)|under|less than)\b", re.IGNORECASE)
SIGNIFICANT = 3
"""Digits that must match before another scale counts as the same number."""
POWERS = (2, 3, 6, 9)


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """One number of a text."""

    text: str
    value: Decimal
    """With its scale: 1.8 million is 1800000."""
    step: Decimal
    """The value of 1 in its last digit: 100000 for 1.8 million."""
    unit: str = ""
    about: bool = False
    scale: int = 0
    """The power of ten of the scale that is written out."""

    @property
    def beyond(self) -> int:
        """1 if the text means a larger number ("more than 5"), -1 for a smaller one, 0 for the number itself."""
        found = BEYOND.search(self.text)
        return 0 if found is None else 1 if found["over"] else -1

    @property
    def coarse_step(self) -> Decimal:
        """The step if trailing zeros are due to rounding: 100 for 1,200."""
        digits = str(abs(int(self.value / self.step))) if self.step else "0"
        zeros = len(digits) - len(digits.rstrip("0")) if digits != "0" else 0
        return self.step * 10**zeros

    @property
    def tolerance(self) -> Decimal:
        """How far what it rounds may be from it."""
        return (self.coarse_step if self.about else self.step) / 2

    def is_in(self, known: Collection[Decimal]) -> bool:
        """Return whether it rounds one of the known numbers, signs aside, in its own or in another scale."""
        value, within = abs(self.value), self.tolerance
        digits = len(value.normalize().as_tuple().digits)
        # A scale that is written out, as in "7.1 million", says which other scale the same number may stand in.
        enough = SIGNIFICANT - bool(self.scale)
        scales = [p for p in POWERS if digits >= enough or (p == 2 and self.unit == "%")]
        powers = {0, self.scale, *scales, *(-p for p in scales)}
        least, most = value - within, value + within
        return any(least <= abs(k).scaleb(p) <= most for p in powers for k in known)


def stated_numbers(text: str) -> list[StatedNumber]:
    """Return the numbers of a text in order; years without a unit are left out."""
    return [_read(m) for m in NUMBER.finditer(text) if not _is_year(m)]


def years_in(text: str) -> set[str]:
    """Return the years that a text names."""
    return set(ALONE.findall(text))


def signed_numbers(text: str) -> list[StatedNumber]:
    """Return the numbers of a text and its years; a sign may also stand before a currency, as in "-$4.9 million"."""
    plain, end, found = " ".join(text.split()), 0, []
    for number in stated_numbers(plain):
        start = plain.find(number.text, end)
        end = start + len(number.text)
        is_negative = number.value > 0 and SIGN.search(plain[max(0, start - 2) : start])
        found.append(replace(number, value=-number.value) if is_negative else number)
    said = " ".join(n.text for n in found)
    years = (y for y in sorted(years_in(plain)) if y not in said)
    return [*found, *(StatedNumber(y, Decimal(y), Decimal(1)) for y in years)]


def measure_of(unit: str, scale: str) -> tuple[str, int]:
    """Return a column's unit as numbers in texts have it, and the power of ten of its scale."""
    return _unit_of(unit), power_of(scale)


def _unit_of(text: str) -> str:
    return share_of(text) or currency_code(text) or MEASURES.get(text.casefold(), text)


def _is_year(match: re.Match[str]) -> bool:
    return not any(match[g] for g in ("before", "scale", "unit")) and bool(ALONE.fullmatch(match["digits"]))


def _read(match: re.Match[str]) -> StatedNumber:
    digits = _normalized(match["digits"])
    power = power_of(match["scale"])
    decimals = len(digits.partition(".")[2])
    return StatedNumber(
        text=" ".join(match.group().split()),
        value=Decimal(digits).scaleb(power) * (-1 if match["sign"] else 1),
        step=Decimal(1).scaleb(power - decimals),
        unit=_unit_of(match["unit"] or match["before"] or ""),
        about=bool(match["about"]),
        scale=power,
    )


def _normalized(digits: str) -> str:
    """Return digits with a decimal point and without thousands separators."""
    marks = [c for c in digits if not c.isdigit()]
    if not marks:
        return digits
    tail = digits.rpartition(marks[-1])[2]
    # A single comma before three digits separates thousands, a single point decimals.
    is_decimal = len(set(marks)) > 1 or (marks.count(marks[-1]) == 1 and (marks[-1] == "." or len(tail) != 3))
    whole = "".join(c for c in digits[: -len(tail) - 1] if c.isdigit())
    return f"{whole}.{tail}" if is_decimal and marks[-1] in ".," else whole + tail
