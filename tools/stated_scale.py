"""The scale that a header, a caption or a text states for the numbers below it: "in thousands", "(€ m)", "$000"."""

import re
from functools import cache
from typing import Literal

from tablerag.tools.number_words import MONEY, SCALE_LETTERS, SCALE_NAMES, SCALE_WORDS, ScaleName, any_of

__all__ = ["ALONE", "STATED", "UNSCALED", "scale_in", "scales_stated"]

_NOT_ALONE = frozenset("hundred thousand million billion trillion mn bn tn".split())
ALONE = any_of(w for w in SCALE_WORDS if w[0].isascii() and w not in _NOT_ALONE)
"""Words that state a scale anywhere in a header; the others do so in brackets, after "in" or beside money."""
_MONEY = rf"(?:(?<![^\W\d_])|(?=[^A-Za-z])){MONEY}"
"""No letters in the middle of a word, such as the "rs" of "owners"."""
_THOUSANDS = r"[’‘']000\b|\b000[’‘']?s\b|\(000\)|\bTEUR\b|\bT€"
_ANY = any_of((*SCALE_WORDS, *SCALE_LETTERS))
_CJK = any_of(w for w in SCALE_WORDS if not w[0].isascii())
_AT_END = re.compile(rf"[(（]?({_CJK})元?[)）]?$|单位[：:]?\s*({_CJK})|(百万|十亿|十億|千元)")


def _pattern(power: int) -> str:
    """Return the ways in which a header states a scale in Latin letters."""
    words = [w for w, p in SCALE_WORDS.items() if p == power and w[0].isascii()]
    if not words:
        return rf"\b{_NAME_OF[power]}\b"
    letters = [w for w, p in SCALE_LETTERS.items() if p == power]
    alone, beside = [w for w in words if w not in _NOT_ALONE], [w for w in words if w in _NOT_ALONE]
    ways = [rf"\b(?:in)?(?:{any_of(alone)})\b"]
    if beside:
        ways += [rf"[(](?:in )?(?:{any_of(beside)})[)]", rf"\bin (?:{any_of(beside)})\b"]
    before = [*words, *(w for w in letters if w != "t")]  # T€ is thousands
    ways += [rf"{_MONEY}\s?[’‘']?(?:{any_of(words + letters)})\b", rf"\b(?:{any_of(before)})\s?{MONEY}"]
    return "|".join(ways + ([_THOUSANDS, rf"{MONEY}\s?000\b"] if power == 3 else []))


_NAME_OF: dict[int, ScaleName] = {power: name for name, power in SCALE_NAMES.items()}
STATED = re.compile(
    r"\b(?:expressed |stated |amounts |figures |values |dollars )?in\s+(?:[^\s,;()]+\s+){0,4}?"
    rf"(?:(?:{ALONE})\b|{MONEY}|%|per ?cent|(?<=in )(?:{any_of(_NOT_ALONE)})\b)[^;)]{{0,40}}"
    rf"|{_MONEY}\s?[’‘']?(?:000s?|{_ANY})\b(?![,.]\d)|{_THOUSANDS}"
    r"|单位\s*[：:]\s*\S+"
    rf"|\((?:in )?{MONEY}\s?(?:{_ANY})?\)",
    re.IGNORECASE,
)
"""A phrase by which a caption or a text states a unit or scale."""

UNSCALED = re.compile(
    r"\bper (?:\w+ ){0,2}(?:share|unit|ads|option|award|warrant)s?\b|"
    r"\b(?:exercise|strike|share|unit|conversion) prices?\b|"
    r"\baverage\b.*\b(?:prices?|fair value|life|lives|term|rates?)\b",
    re.IGNORECASE,
)
"""Labels of amounts to which the scale of a table does not apply."""


@cache
def _scales() -> list[tuple[ScaleName, re.Pattern[str]]]:
    """Return the patterns by scale, compiled at first use, as that takes long; "ten thousands" before "thousands"."""
    names = sorted(SCALE_NAMES, key=lambda n: " " not in n)
    return [(name, re.compile(_pattern(SCALE_NAMES[name]), re.IGNORECASE)) for name in names]


def scale_in(text: str) -> ScaleName | Literal[""]:
    """Return the scale that a header or a unit states; "" for none."""
    for name, pattern in _scales():
        if pattern.search(text):
            return name
    cjk = _AT_END.search(text)
    return _NAME_OF[SCALE_WORDS[(cjk[1] or cjk[2] or cjk[3]).removesuffix("元")]] if cjk else ""


def scales_stated(text: str) -> set[str]:
    """Return the scales that a text states in phrases of their own."""
    return {scale_in(m[0]) for m in STATED.finditer(text)} - {""}
