"""Joins signs in cells of their own with the numbers that they belong to: "$", ")", "%"."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from tablerag.tools.number_words import MONEY

__all__ = ["join_signs"]

BEFORE = re.compile(rf"(?:{MONEY})\s*\(?|\(", re.IGNORECASE)
AFTER = re.compile(r"\)?\s*(?:%|‰|pts\.?|bps)\)?|\)", re.IGNORECASE)
NUMBER = re.compile(r"[(\-−–+]*\s*\.?\d[\d.,' ]*\)?")
NOTHING = re.compile(r"[-–—−]+")
YEAR = re.compile(r"(?:19|20)\d\d")
LONGEST_SIGN = 10
Cell = TypeVar("Cell")


def join_signs(
    row: Sequence[Cell | None], text_of: Callable[[Cell], str], with_text: Callable[[Cell, str], Cell]
) -> list[Cell | None]:
    """Return a row in which each number takes the places of the signs beside it too.

    A cell that spans several places is the same object in all of them. A sign beside words, or a % beside a year, is
    a header of its own.
    """
    runs: list[tuple[Cell | None, str, int]] = []
    for cell in row:
        text = text_of(cell) if cell is not None else ""
        before, said, width = runs[-1] if runs else (None, "", 0)
        if before is not None and cell is before:
            runs[-1] = cell, text, width + 1
        elif before is not None and cell is not None and (found := _joined(said, text, is_label=len(runs) == 1)):
            number = before if AFTER.fullmatch(text) else cell
            runs[-1] = with_text(number, found), found, width + 1
        else:
            runs.append((cell, text, 1))
    return [cell for cell, _, width in runs for _ in range(width)]


def _joined(left: str, right: str, *, is_label: bool) -> str:
    """Return a number with the sign beside it; "" if they do not belong together."""
    if len(left) <= LONGEST_SIGN and not left[-1:].isdigit() and BEFORE.fullmatch(left):
        return right if NOTHING.fullmatch(right) else left + right if NUMBER.match(right) else ""
    if len(right) > LONGEST_SIGN or not AFTER.fullmatch(right) or is_label or YEAR.fullmatch(left):
        return ""
    if NOTHING.fullmatch(left):
        return left
    sign = BEFORE.match(left)
    number = left[sign.end() :] if sign and not left.startswith("(") else left
    return left + right if NUMBER.fullmatch(number) else ""
