"""Grounding: whether a model's numbers and words are in the result, steps or passages it was shown.

A model that answers from memory, or adds up in its head, is asked again and then not believed: every number of an
answer is one that SQL computed or a text states, up to rounding, scale and percent.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from itertools import permutations

from tablerag.agent.stated_numbers import StatedNumber, signed_numbers, stated_numbers
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import Cell, Chunk, Citation, SqlResult, SupportingRows
from tablerag.tools.text import SENTENCE_END

__all__ = ["FORMULA_CONSTANTS", "cells_of", "numbers_in", "sentence_with", "strays", "unknown_figures"]

RUN = re.compile(r"\d+(?:[.,]\d+)*")
ONE_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+")
"""12,632 holds no 632."""
MOST_PAIRED = 60
"""Numbers that are tried in pairs."""
MAX_QUOTE = 240
FORMULA_CONSTANTS = frozenset(
    Decimal(n) for n in ("0.25", "0.5", *range(1, 13), 100, 360, 365, 1000, 1_000_000, 1_000_000_000)
)
"""Numbers that formulas hold beside figures: how many are averaged, percent, months and days of a year, scales."""


def numbers_in(texts: Iterable[str]) -> set[Decimal]:
    """Return every number in the texts in all readings: with its scale, and without."""
    found: set[Decimal] = set()
    for text in texts:
        found |= {abs(n.value) for n in stated_numbers(text)}
        for run in RUN.findall(text):
            parts = () if ONE_NUMBER.fullmatch(run) else re.split(r"[.,]", run)
            for plain in {run.replace(",", ""), *parts}:
                try:
                    found.add(Decimal(plain))
                except InvalidOperation:
                    continue  # 1.2.3
    return found


def cells_of(result: SqlResult | None, supporting: Sequence[SupportingRows] = ()) -> list[str]:
    """Return the texts of a result's cells and of the rows behind it, and how many rows there are."""
    if result is None:
        return []
    rows: list[Sequence[Cell]] = [*result.rows, *(row for s in supporting for row in s.rows)]
    counts = [str(len(result.rows)), *(str(s.total) for s in supporting)]
    return [*(str(c) for row in rows for c in row if c is not None), *counts]


def strays(answer: str, known: set[Decimal], *, combined: bool = False) -> list[str]:
    """Return the numbers of an answer that are not known; ``combined`` also admits results of two known ones."""
    pool = known | (_pairs(known) if combined else set())
    return list(dict.fromkeys(n.text for n in dict.fromkeys(signed_numbers(answer)) if not n.is_in(pool)))


def unknown_figures(formula: Iterable[Decimal], known: set[Decimal]) -> list[str]:
    """Return the numbers of a formula (tools.calculator.figures) that are neither known ones nor constants.

    A percentage may be written as a share: 0.12 for 12 %.
    """
    pool = known | FORMULA_CONSTANTS
    stated = [StatedNumber(str(n), n, Decimal(0), "%" if abs(n) < 1 else "") for n in formula]
    return list(dict.fromkeys(n.text for n in stated if n.value and not n.is_in(pool)))


def _pairs(known: set[Decimal]) -> set[Decimal]:
    """Return sums, differences, ratios and changes in percent of two known numbers."""
    few = sorted(known)[:MOST_PAIRED]
    made = {a + b for a, b in permutations(few, 2)} | {abs(a - b) for a, b in permutations(few, 2)}
    for a, b in permutations(few, 2):
        if b:
            made |= {a / b, 100 * a / b, abs(100 * (a - b) / b)}
    return made


def sentence_with(answer: str, chunks: Sequence[Chunk]) -> Citation | None:
    """Return a citation of the first sentence or table row that holds an answer word for word; None without one."""
    sought = key_of(answer)
    for chunk in chunks if sought else ():
        for sentence in SENTENCE_END.split(chunk.text):
            if f" {sought} " in f" {key_of(sentence)} ":
                quote = " ".join(sentence.split())
                return Citation(source=chunk.source, locator=chunk.locator, quote=quote[:MAX_QUOTE], chunk_id=chunk.id)
    return None
