"""Whether an answer is what a statement computed, and whether a quote states the same.

A document may tell a model to call a figure confirmed that is another row's, a hundred times as large, a loss or in
another currency. So each value of an answer is held against the cells of results, with their sign, unit and scale.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite

from tablerag.agent.denials import affirming, denies
from tablerag.agent.stated_numbers import SIGN, StatedNumber, measure_of, signed_numbers
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import SqlResult, TableSchema
from tablerag.tools.sql.columns.queries import result_columns
from tablerag.tools.text import singular

__all__ = ["BOUNDS", "Figure", "figures_of", "is_computed", "is_stated"]

ROUNDED_WITHIN = Decimal("0.05")
"""How far a rounded number may be from the figure: 1.8 million for 1,774,500, and not 2 million."""
LITTLE = frozenset("a an the in of".split())
BOUNDS = frozenset("over more than under less up to at least most".split())
"""Words before a number that make another claim of it."""
BESIDE = re.compile(r"[-−+*/^×=\w]")
"""Characters that change a number when they touch it."""
SCALED = (3, 6, 9)
FROM_TO = re.compile(r"(?<![\w.,–/-])\d[\d.,]*\s?[-–]\s?\d[\d.,]*(?![\d–/-])")
"""Two numbers with a dash between them: the figure is neither."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a result, with what its column says of it."""

    value: Decimal
    unit: str = ""
    power: int = 0
    """The power of ten that the column counts in: 3 for thousands."""
    words: frozenset[str] = frozenset()
    """Words that may stand beside it: those of its header and, of a text, of the cell."""

    @property
    def is_measured(self) -> bool:
        """Whether the column says its unit or scale, so that no document does."""
        return bool(self.unit or self.power)

    def fits(self, stated: StatedNumber) -> bool:
        """Return whether a number in words is this figure, rounded at most; a loss may be told without its sign."""
        if stated.value < 0 <= self.value or not _same_unit(stated.unit, self.unit):
            return False
        powers = {0, self.power} | ({2} if stated.unit == "%" and self.unit != "%" else set())
        powers |= set() if self.is_measured else {stated.scale}
        return any(_near(abs(self.value.scaleb(p)), abs(stated.value), stated) for p in powers)


def figures_of(results: Sequence[SqlResult], schemas: Sequence[TableSchema]) -> list[Figure]:
    """Return the numbers of the results' cells, and how many rows each has."""
    found = []
    for result in results:
        for index, column in enumerate(result_columns(result.sql, result.columns, schemas)):
            unit, power = measure_of(column.unit, column.scale)
            about = f"{column.header} {column.unit} {result.columns[index]}"
            for cell in {row[index] for row in result.rows}:
                if isinstance(cell, str):
                    found += [Figure(n.value, words=_words(f"{about} {cell}")) for n in signed_numbers(cell)]
                elif cell is not None and not isinstance(cell, bool) and isfinite(cell):
                    found.append(Figure(Decimal(str(cell)), unit, power, _words(about)))
        rows = 0 if result.empty else len(result.rows)
        found += [Figure(Decimal(rows))] if rows != 1 else []
    return found


def is_computed(
    answer: str, figures: Sequence[Figure], cells: Sequence[str], question: str, *, signed: bool = False
) -> bool:
    """Return whether each value of an answer, between ";", is a figure or stands in a cell word for word.

    ``signed`` wants a figure's own sign.
    """
    asked, keys = _words(question), [f" {key_of(c)} " for c in affirming(cells, answer)]
    return _each(
        answer, lambda value: _is_figure(value, figures, asked, signed) if _number(value) else _in(value, keys)
    )


def is_stated(answer: str, figures: Sequence[Figure], quotes: Sequence[str]) -> bool:
    """Return whether quotes state each value of an answer, in the unit and scale of its figure."""
    told = [q for q in quotes if not denies(q)]
    keys, numbers = [f" {key_of(q)} " for q in told], [n for q in told for n in signed_numbers(FROM_TO.sub(" ", q))]
    return _each(
        answer, lambda value: _is_stated_number(value, figures, numbers) if _number(value) else _in(value, keys)
    )


def _each(answer: str, holds: Callable[[str], bool]) -> bool:
    values = [v.strip() for v in answer.split(";") if v.strip()]
    return bool(values) and all(map(holds, values))


def _in(value: str, keys: Sequence[str]) -> bool:
    return bool(key_of(value)) and any(f" {key_of(value)} " in key for key in keys)


def _number(value: str) -> StatedNumber | None:
    """Return the number that a value is, "EUR 1,200" as "Team 7"; None for a text without, with several, or a date."""
    stated = signed_numbers(value)
    alone = len(stated) == 1 and not any(c.isdigit() for c in " ".join(value.split()).replace(stated[0].text, "", 1))
    return stated[0] if alone else None


def _is_figure(value: str, figures: Sequence[Figure], asked: frozenset[str], signed: bool) -> bool:
    stated = _number(value)
    if stated is None:
        return False
    before, _, after = " ".join(value.split()).partition(stated.text)
    before = SIGN.sub("", before)
    if BESIDE.search(before[-1:] + after[:1]):
        return False  # 1774500e, 1774500 × many
    if before.strip() in ("-", "−"):
        return False  # "- 5" may be meant as a loss
    beside = _words(f"{before} {after}") - LITTLE | BOUNDS & _words(stated.text)
    fitting = [f for f in figures if f.fits(stated) and beside <= asked | f.words]
    return any(not signed or (f.value < 0) == (stated.value < 0) for f in fitting)


def _is_stated_number(value: str, figures: Sequence[Figure], told: Iterable[StatedNumber]) -> bool:
    stated = _number(value)
    assert stated is not None
    known = [f for f in figures if f.fits(stated)] or [Figure(stated.value)]
    return any(_says(n, stated, f) for n in told for f in known)


def _says(told: StatedNumber, stated: StatedNumber, figure: Figure) -> bool:
    """Return whether a text's number is that of an answer, which is a figure."""
    if (told.value < 0) != (stated.value < 0):
        return False
    if not _same_unit(told.unit, stated.unit) or not _same_unit(told.unit, figure.unit):
        return False
    powers = {0} if stated.scale else {0, figure.power}
    if not figure.is_measured and told.scale and not stated.scale:
        powers |= {*SCALED}
    value = abs(stated.value)
    coarser = told if told.step > stated.step else stated
    return any(
        (_near(value.scaleb(p), abs(told.value), coarser) or _near(abs(told.value), value.scaleb(p), told))
        and (not told.beyond or (abs(figure.value).scaleb(p) - abs(told.value)) * told.beyond > 0)
        for p in powers
    )


def _near(value: Decimal, other: Decimal, written: StatedNumber) -> bool:
    return value == other or abs(value - other) <= min(written.tolerance, ROUNDED_WITHIN * value)


def _same_unit(one: str, other: str) -> bool:
    return not one or not other or one in (other, *other.split())


def _words(text: str) -> frozenset[str]:
    return frozenset(w for w in map(singular, key_of(text).split()) if not w.isdigit())
