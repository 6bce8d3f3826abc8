"""Superscripts as text: exponents, endings of ordinals and footnote marks."""

import re

__all__ = ["raised"]

SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
NUMBER = re.compile(r"[+−-]?\d{1,3}")
SEVERAL = re.compile(r"\d{1,3}(?:\s*[,;]\s*\d{1,3})+")
LETTER = re.compile(r"[abcfg]")
"""The mark of a footnote; d, h, m and s are raised as units, e and o end ordinals."""


def raised(text: str, before: str) -> str:
    """Return raised text, separated from the text before it: 2,800¹, 10⁶, 700[a], 4th."""
    mark = text.strip()
    if NUMBER.fullmatch(mark):
        return mark.translate(SUPERSCRIPTS)
    if SEVERAL.fullmatch(mark):
        return "".join(f"[{n}]" for n in re.findall(r"\d+", mark))
    if LETTER.fullmatch(mark) and before.rstrip()[-1:].isdigit():
        return f"[{mark}]"
    return text
