"""Superscripts as text: what a page raises above the line is an exponent, an ordinal's ending or a footnote mark."""

import re

__all__ = ["raised"]

SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
NUMBER = re.compile(r"[+−-]?\d{1,3}")
SEVERAL = re.compile(r"\d{1,3}(?:\s*[,;]\s*\d{1,3})+")
LETTER = re.compile(r"[abcfg]")
"""The mark of a footnote; d, h, m and s are raised as units, e and o end ordinals."""


def raised(text: str, before: str) -> str:
    """Return raised text so that it does not run into what stands before it: 2,800¹, 10⁶, 700[a], 4th."""
    plain = text.strip()
    if NUMBER.fullmatch(plain):
        return plain.translate(SUPERSCRIPTS)
    if SEVERAL.fullmatch(plain):
        return "".join(f"[{n}]" for n in re.findall(r"\d+", plain))
    if LETTER.fullmatch(plain) and before.rstrip()[-1:].isdigit():
        return f"[{plain}]"
    return text
