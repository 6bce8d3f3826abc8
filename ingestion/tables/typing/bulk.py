"""Counts the texts of a column that have a common shape all at once; see ColumnProfile, which counts single ones."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tablerag.ingestion.tables.typing.cells import are_clean, cleaned, is_missing, may_be_missing, text_of_cell
from tablerag.ingestion.tables.typing.numbers import read_number
from tablerag.ingestion.tables.typing.shapes import ODD_AS, Shape, by_shape
from tablerag.tools.number_words import is_year

if TYPE_CHECKING:
    from tablerag.ingestion.tables.typing.profile import ColumnProfile

__all__ = ["MOST_WORDS", "ODD", "read_many", "read_others"]

MOST_WORDS = 4
EXACT = 10**15
ODD = 5
"""Examples and odd cells that are kept."""


def read_many(profile: "ColumnProfile", held: Mapping[str, int]) -> None:
    """Count texts, each with its number.

    Texts of a shape are counted at once if they can add no example and no odd cell; the others one by one, in order.
    """
    if not held:
        return
    is_hopeless = profile.is_hopeless and len(profile.words) >= MOST_WORDS and len(profile.examples) >= ODD
    groups: dict[Shape, dict[str, int]] = {"words": dict(held)} if is_hopeless else by_shape(held)
    single: set[Shape] = {s for s in groups if not is_hopeless and not _is_noted(profile, s)}
    alone = {text for shape in single for text in groups.pop(shape)}
    words = groups.get("words", {})
    if words and (not are_clean(list(words)) or may_be_missing(words)):
        unsure = {t for t in words if cleaned(t) != t or is_missing(t)}
        groups["words"] = {t: n for t, n in words.items() if t not in unsure}
        alone |= unsure
    if alone:
        for text, count in held.items():
            if text in alone:
                profile.read(text, count)
    for shape, texts in groups.items():
        if texts:
            _count(profile, shape, texts)


def read_others(profile: "ColumnProfile", held: Mapping[tuple[type, Any], int]) -> None:
    """Count cells that are no text, each with its number: numbers at once if they can add no example or odd cell."""
    numbers: list[tuple[Any, int]] = []
    is_noted = not profile.is_hopeless and _is_noted(profile, "number")
    for (kind, cell), count in held.items():
        if is_noted and kind in (int, float) and (cell == 0 or 1e-4 <= abs(cell) < EXACT):
            numbers.append((cell, count))
        else:
            profile.read(cell, count)
    if numbers:
        _count_numbers(profile, numbers)


def _count_numbers(profile: "ColumnProfile", numbers: Sequence[tuple[Any, int]]) -> None:
    """Count numbers whose digits are not rounded and that are written without an exponent."""
    total, fits, signs = sum([n for _, n in numbers]), profile.fits, profile.signs
    # Spreadsheets show 15 digits; more would be binary rounding errors.
    exact = [(float(f"{c:.15g}"), n) for c, n in numbers]
    whole = [(int(c), n) for c, n in exact if c.is_integer()]
    parts = [(c, n) for c, n in exact if not c.is_integer()]
    profile.filled += total
    profile.longest = max(profile.longest, *(len(text_of_cell(c)) for c, _ in numbers))
    fits.point += total
    fits.comma += total
    fits.year += sum([n for c, n in whole if is_year(c)])
    fits.seconds += sum([n for c, n in parts if c < 100])
    signs.above_one += sum([abs(c) > 1 for c, _ in exact])
    signs.native += total
    profile.units[""] += total
    profile.unit_names.setdefault("", "")
    shown = [repr(abs(c)) for c, _ in parts]
    before = max((len(str(abs(c))) for c, _ in whole), default=0)
    before = max([before, *(t.index(".") for t in shown if t[0] != "0")])
    after = max((len(t) - t.index(".") - 1 for t in shown), default=0)
    profile.point_digits = _wider(profile.point_digits, before, after)
    profile.comma_digits = _wider(profile.comma_digits, before, after)


def _is_noted(profile: "ColumnProfile", shape: Shape) -> bool:
    """Return whether texts of a shape can add nothing to the lists of words, examples and odd cells."""
    if shape == "other" or len(profile.words) < MOST_WORDS or len(profile.examples) < ODD:
        return False
    odd = {"number": profile.odd.number, "date": profile.odd.date, "duration": profile.odd.duration}
    return all(len(odd[kind]) >= ODD for kind in ODD_AS[shape])


def _count(profile: "ColumnProfile", shape: Shape, texts: Mapping[str, int]) -> None:
    total, fits = sum(texts.values()), profile.fits
    profile.filled += total
    profile.longest = max(profile.longest, max(map(len, texts)))
    if profile.is_hopeless or shape == "words":
        return
    if shape == "number":
        for text, count in texts.items():
            number = read_number(text)
            assert number
            profile.count_number(number, text, count)
        return
    if shape in ("day", "moment"):
        fits.date += total
        fits.partial += total
        if shape == "moment":
            fits.timed += total
            profile.changed_dates += total
            profile.signs.time += sum(n for text, n in texts.items() if text[11:].strip("0:"))
        return
    fits.point += total
    profile.units[""] += total
    profile.unit_names.setdefault("", "")
    if shape == "whole":
        whole, after = max(map(len, texts)), 0
        fits.comma += total
        profile.signs.above_one += len(texts) - ("0" in texts) - ("1" in texts)
        fits.year += sum([n for text, n in texts.items() if len(text) == 4 and is_year(int(text))])
        profile.comma_digits = _wider(profile.comma_digits, whole, after)
    else:
        values = list(map(float, texts))
        profile.signs.point += len(texts)
        profile.signs.above_one += sum(map((1.0).__lt__, values))
        counted = zip(values, texts.values(), strict=True)
        fits.seconds += sum([n for value, n in counted if value < 100 and not value.is_integer()])
        whole = len(str(int(max(values)))) if max(values) >= 1 else 0
        after = max([len(t) - t.index(".") for t in texts]) - 1
    profile.point_digits = _wider(profile.point_digits, whole, after)


def _wider(known: tuple[int, int], whole: int, after: int) -> tuple[int, int]:
    return max(known[0], whole), max(known[1], after)
