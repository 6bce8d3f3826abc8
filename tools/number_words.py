"""The vocabulary of numbers: scale words, currencies, shares and years, for every reader of numbers.

The calculator, the grounding check, the typing of cells, headers and captions, and the embedded reasoners build their
patterns from these tables, so that "1.5 mrd" is one number to all of them. Where the meaning of a word depends on its
context, the decision is made here:

- SCALE_WORDS (million, mio, crore, 万) are scales behind any number. Long and short scale differ: "milliard" and "mrd"
  are 10**9, "billion" is 10**9 as in English, "billionen" and "billones" are 10**12.
- SCALE_LETTERS (k, m, mm, mill, b, t) are scales beside an amount of money ("$5 m", "5m EUR") and in a formula. In
  running text k, m and b are scales right behind the digits too ("20k users"); "5 m" is five metres, "5mm" and "5t"
  are millimetres and tonnes. A cell or header without a currency keeps the letter as its unit: "12m" may be metres.
- "T€" and "TEUR" in a header are thousands (German Tausend); "$5t" is five trillion.
- "$" is the US dollar and "¥" the yen unless letters say otherwise; "kr" is a crown of any country. "pounds" alone is
  the weight; the money is "£", GBP or "pounds sterling".
- A bare number in running text is a year from 1500 to 2100: below that, amounts are more frequent. Where the context
  asks for years (a column of them, a question "when"), they begin with 1000.
- "cr" (crore or credit), "mil" (a thousand or a million), "won" and "try" in small letters are read by none.

Whether "." or "," marks the decimals is decided for each column in ingestion.tables.typing.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal, get_args

__all__ = [
    "AnswerScale",
    "CURRENCY",
    "CURRENCY_SIGNS",
    "CURRENCY_WORDS",
    "MEASURES",
    "MONEY",
    "OLD_YEAR",
    "SCALE_LETTERS",
    "SCALE_NAMES",
    "SCALE_WORDS",
    "SHARES",
    "SIGNS",
    "SPACED_YEAR",
    "ScaleName",
    "TEXT_SCALE",
    "WORD_SCALE",
    "YEAR",
    "YEARS",
    "answer_scale",
    "any_of",
    "currency_code",
    "currency_sign",
    "is_year",
    "power_of",
    "share_of",
]

AnswerScale = Literal["", "percent", "thousand", "million", "billion"]
"""What the number of an answer is counted in, as TAT-QA has it."""
ScaleName = Literal[
    "hundreds", "thousands", "ten thousands", "lakhs", "millions", "crores", "hundred millions", "billions", "trillions"
]
"""What the numbers of a column are counted in."""
SCALE_NAMES: dict[ScaleName, int] = dict(zip(get_args(ScaleName), (2, 3, 4, 5, 6, 7, 8, 9, 12), strict=True))
"""The power of ten of each."""

_WORDS_OF = {
    2: "hundred hundreds",
    3: "thousand thousands thsd tsd tausend milliers 千",
    4: "万 萬",
    5: "lakh lakhs",
    6: "million millions mn mln mio millionen millones milioni milhões miljoen miljoner 百万",
    7: "crore crores 千万",
    8: "亿 億",
    9: "billion billions bn bln mrd milliard milliards milliarden miliardi miljard miljarder 十亿 十億",
    12: "trillion trillions tn trn billionen billones 万亿",
}
SCALE_WORDS = {word: power for power, words in _WORDS_OF.items() for word in words.split()}
"""Words behind a number and their power of ten; in any case, with or without a full stop."""
SCALE_LETTERS = {"k": 3, "m": 6, "mm": 6, "mill": 6, "b": 9, "t": 12}
"""Scales beside money and in formulas, units elsewhere; in any case."""

CURRENCY_SIGNS: dict[str, tuple[str, ...]] = {
    "USD": ("$", "US$", "US $", "U.S.$", "U.S. $"), "EUR": ("€",), "GBP": ("£",), "JPY": ("¥", "円"),
    "CNY": ("CN¥", "RMB", "元"), "CHF": ("Fr.",), "INR": ("₹", "Rs", "Rs."), "CAD": ("C$", "CA$"),
    "AUD": ("A$", "AU$"), "NZD": ("NZ$",), "HKD": ("HK$",), "SGD": ("S$",), "TWD": ("NT$",), "BRL": ("R$",),
    "MYR": ("RM",), "KRW": ("₩",), "RUB": ("₽",), "TRY": ("₺",), "THB": ("฿",), "VND": ("₫",), "NGN": ("₦",),
    "PLN": ("zł",), "CZK": ("Kč",), "kr": ("kr", "kr."), "SEK": (), "NOK": (), "DKK": (), "MXN": (), "ZAR": (),
    "HUF": (),
}  # fmt: skip
"""ISO codes and their signs, the usual one first. "kr" is no ISO code: see above."""
SIGNS = "".join(s for signs in CURRENCY_SIGNS.values() for s in signs if len(s) == 1 and not s.isalpha())
"""Currency signs of one character."""
CURRENCY_WORDS = {
    "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "pound sterling": "GBP", "pounds sterling": "GBP",
    "yen": "JPY", "yuan": "CNY", "rupee": "INR", "rupees": "INR", "kroner": "kr", "kronor": "kr",
}  # fmt: skip
"""Words behind an amount; in any case."""
_CASED = ("SEK", "TRY", "RM", "RMB", "Fr.", "kr", "kr.", "zł", "Kč")
"""Signs and codes that mean something else in other letters: German seconds, to try."""
_CODE_OF = {s.casefold(): code for code, signs in CURRENCY_SIGNS.items() for s in (code, *signs)} | CURRENCY_WORDS

SHARES = {
    word: Decimal(1).scaleb(power)
    for power, words in {
        -2: "%|％|percent|per cent|pct|percentage point|percentage points",
        -3: "‰|permille|per mille",
        -4: "bp|bps|basis point|basis points",
    }.items()
    for word in words.split("|")
}
"""Signs and words of shares, and how much of the whole one is."""
_SHARE_UNITS = {-2: "%", -3: "‰", -4: "bps"}

MEASURES = {
    "km": "km", "kilometres": "km", "kilometers": "km", "mi": "mi", "miles": "mi", "mile": "mi",
    "metres": "metres", "meters": "metres", "ft": "ft", "feet": "ft", "kg": "kg", "kilograms": "kg", "lb": "lb",
    "lbs": "lb", "pounds": "lb", "ha": "ha", "hectares": "ha", "acres": "acres", "acre": "acres",
    "km²": "km²", "km2": "km²", "square kilometres": "km²", "square kilometers": "km²", "sq mi": "mi²",
    "square miles": "mi²", "tonnes": "t", "tons": "tons",
}  # fmt: skip
"""Spellings of the measures that texts use and tables convert, and one name for each."""

YEARS = range(1000, 2101)
"""What may be a year where the context asks for one."""
OLD_YEAR = r"(?:(?:1\d|20)\d\d|2100)"
"""The same as a pattern, which its user bounds."""
YEAR = r"(?:(?:1[5-9]|20)\d\d|2100)"
"""A bare number that is a year in running text."""
SPACED_YEAR = r"(?:(?:1[5-9]|2 ?0) ?\d ?\d|2100)"
"""YEAR in a header whose letters were set apart."""


def any_of(words: Iterable[str]) -> str:
    """Return an alternation of words for a pattern, longest first."""
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))


_SPELLINGS = [s for code, signs in CURRENCY_SIGNS.items() for s in (code, *signs)]
CURRENCY = (
    rf"(?:(?:(?-i:{any_of(_CASED)})|(?i:{any_of(s for s in _SPELLINGS if s not in _CASED)}))"
    # No letters follow but those of a scale, as in EURm; RMB is not RM in billions.
    r"(?!(?<=[^\W\d_])[^\W\d_](?<![mMbBkK]))(?!(?<=RM)B))"
)
"""A sign or code of CURRENCY_SIGNS."""
MONEY = rf"(?:{CURRENCY}|(?i:{any_of(CURRENCY_WORDS)})\b)"
"""A sign, code or word of a currency."""
WORD_SCALE = (
    rf"(?i:(?:{any_of(w for w in SCALE_WORDS if w[0].isascii())})\b\.?"
    rf"|{any_of(w for w in SCALE_WORDS if not w[0].isascii())})"
)
"""A word of SCALE_WORDS."""
_LETTERS = any_of(SCALE_LETTERS)
TEXT_SCALE = (
    rf"(?P<scale>[ \u00a0-]?{WORD_SCALE}|(?i:[kmb])\b"
    rf"|(?(before)[ \u00a0]?(?i:{_LETTERS})\b|(?!))|[ \u00a0]?(?i:{_LETTERS})(?=\s?{MONEY}))"
)
"""The scale behind a number in running text; the pattern needs a group ``before`` for a currency before the number."""


def power_of(word: str | None) -> int:
    """Return the power of ten that a scale word or letter stands for; 0 for none."""
    plain = (word or "").casefold().strip(" \u00a0-.")
    return SCALE_WORDS.get(plain, SCALE_LETTERS.get(plain, 0))


def answer_scale(word: str) -> AnswerScale:
    """Return the scale of an answer that a word names, such as "millions" or "%"; "" for any other."""
    if share_of(word) == "%" or word.strip().casefold() == "percentage":
        return "percent"
    names: dict[int, AnswerScale] = {3: "thousand", 6: "million", 9: "billion"}
    return names.get(power_of(word), "")


def currency_code(text: str) -> str:
    """Return the ISO code of a currency's sign, code or word; "" for anything else."""
    return _CODE_OF.get(" ".join(text.casefold().split()), "")


def currency_sign(code: str) -> str:
    """Return the usual sign of an ISO code; the code itself where it is better known."""
    sign = (CURRENCY_SIGNS.get(code) or (code,))[0]
    return code if sign in ("Fr.", "RM") else sign


def share_of(text: str) -> str:
    """Return "%", "‰" or "bps" for a word of SHARES; "" for anything else."""
    share = SHARES.get(" ".join(text.casefold().split()))
    return _SHARE_UNITS[share.adjusted()] if share else ""


def is_year(number: Decimal | float) -> bool:
    """Tell whether a number may be a year where the context asks for one."""
    return YEARS[0] <= number <= YEARS[-1] and number == int(number)
