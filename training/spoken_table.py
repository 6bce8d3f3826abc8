"""Words for a table in questions: its columns by their role, and conditions."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tablerag.agent.offline.program import ALL, Condition, Rows
from tablerag.agent.offline.table_view import ColumnView, TableView
from tablerag.tools.linking.keys import key_of
from training.wordings import ABOVE, BELOW, NOUNS, YEARS

__all__ = ["Lacking", "Said", "SpokenTable"]

LEAST_ROWS = 5
LONGEST = 32
"""Most characters of a value or header in a question."""
SHARED = 0.7
"""Most distinct values of a grouping column, as a share of the rows."""
Said = dict[str, str]
"""The words for the placeholders of a wording, added as columns and conditions are chosen."""


class Lacking(Exception):
    """The table lacks columns or values for the question."""


@dataclass
class SpokenTable:
    """A table's columns by their role in questions. ``random`` makes every choice."""

    view: TableView
    random: random.Random
    keys: list[ColumnView]
    """Text or year columns that name the rows."""
    groups: list[ColumnView]
    """Text columns with repeated values."""
    amounts: list[ColumnView]
    days: list[ColumnView]
    years: list[ColumnView]

    @classmethod
    def of(cls, view: TableView, random_: random.Random) -> "SpokenTable | None":
        """Find the columns' roles; None if the table is too small, or has no names or amounts."""
        count = len(view.row_ids)
        said = [c for c in view.columns if c.words and len(c.column.header) <= LONGEST]
        said = [c for c in said if not c.column.header[0].isdigit()]
        texts = [c for c in said if c.column.type == "text" and not c.measure]
        groups = [c for c in texts if 1 < c.distinct <= SHARED * count]
        numbers = [c for c in said if c.is_number and c.distinct > 2]
        amounts = [c for c in numbers if c.column.kind not in ("id", "year") and "rank" not in c.words]
        years = [c for c in numbers if c.column.kind == "year"]
        keys = [c for c in texts + years if c.distinct == count]
        if count < LEAST_ROWS or not keys or not amounts:
            return None
        days = [c for c in said if c.column.type == "date" and not c.is_partial]
        return cls(view, random_, keys, groups, amounts, days, years)

    def header(self, column: ColumnView) -> str:
        """Return a header as written in a question."""
        bare = re.sub(r"[(\[].*?[)\]]", " ", column.column.header)
        return " ".join(re.sub(r"[_/]", " ", bare).split()).casefold() or column.column.header

    def nouns(self) -> str:
        """Return the name of the rows."""
        return _plural(self.header(self.keys[0])) if self.random.random() < 0.75 else self.random.choice(NOUNS)

    def key(self, said: Said) -> ColumnView:
        """Return the column that names the rows, as "shown"."""
        key = self.keys[0] if self.random.random() < 0.7 else self.random.choice(self.keys)
        said["shown"] = _plural(self.header(key)) if self.random.random() < 0.4 else self.header(key)
        return key

    def key_value(self, said: Said) -> tuple[ColumnView, Condition]:
        """Choose a row by its name, as "key"."""
        key = self.keys[0]
        text = self._text_of(key)
        said["key"] = text
        return key, Condition(key.shown, "=", (text,))

    def amount(self, said: Said) -> ColumnView:
        """Choose a column of amounts, as "measure"."""
        amount = self.random.choice(self.amounts)
        said["measure"] = self.header(amount)
        return amount

    def group(self, said: Said) -> ColumnView:
        """Choose a column that groups rows, as "column" and "columns"."""
        group = self._one_of(self.groups)
        said |= {"column": self.header(group), "columns": _plural(self.header(group))}
        return group

    def time(self) -> ColumnView:
        """Choose a column of days or years."""
        return self._one_of(self.days + self.years)

    def rows(self, over: str, said: Said) -> Rows:
        """Choose rows by a kind of condition; all rows if it is empty."""
        match over:
            case "a value of names" | "a bound of names":
                self.key(said)
                return self.rows(over.removesuffix(" of names"), said)
            case "a value":
                return Rows((self._value(said, self.groups),))
            case "two values":
                return Rows(self._two_values(said))
            case "a bound":
                return Rows((self._bound(said),))
            case "the only bound" if len(self.amounts) == 1:
                return Rows((self._bound(said),))
            case "the only bound":
                raise Lacking
            case "a range":
                return Rows((self._range(said),))
            case "years":
                return Rows((self._years(said),))
            case "a span of years":
                return Rows((self._span_of_years(said),))
            case "a value and a year":
                return Rows((self._value(said, self.groups), self._years(said, ("=",))))
            case _:
                return ALL

    def _one_of(self, columns: Sequence[ColumnView]) -> ColumnView:
        if not columns:
            raise Lacking
        return self.random.choice(columns)

    def _text_of(self, column: ColumnView) -> str:
        text = str(self.random.choice([t for t in column.texts if t is not None]))
        if not _is_sayable(text):
            raise Lacking
        return text

    def _value(self, said: Said, groups: Sequence[ColumnView]) -> Condition:
        group = self._one_of(groups)
        text = self._text_of(group)
        said |= {"value": text, "column": self.header(group)}
        return Condition(group.shown, "=", (text,))

    def _two_values(self, said: Said) -> tuple[Condition, Condition]:
        other: Said = {}
        one = self._value(said, self.groups)
        two = self._value(other, [g for g in self.groups if g.shown != one.column])
        said |= {"other": other["value"], "other_column": other["column"]}
        return one, two

    def _bound(self, said: Said) -> Condition:
        amount, words = self.amount(said), self.random.choice((ABOVE, ABOVE, BELOW))
        operator, number = self.random.choice(sorted(words)), self._number_in(amount)
        said |= {"bound": self.random.choice(words[operator]), "number": self._digits(number)}
        return Condition(amount.measure, operator, (number,))

    def _number_in(self, amount: ColumnView) -> float:
        """Return a number in a column's range: sometimes a value of the column, otherwise a round one."""
        values = sorted(float(v) for v in amount.cells if v is not None)
        number = self.random.choice(values[len(values) // 5 : 4 * len(values) // 5 + 1])
        if self.random.random() < 0.3 or number < 10:
            return number
        unit = 10 ** (len(str(int(number))) - 1)
        return float(max(unit, round(number / unit) * unit))

    def _range(self, said: Said) -> Condition:
        amount = self.amount(said)
        low, high = sorted((self._number_in(amount), self._number_in(amount)))
        if not 0 <= low < high:
            raise Lacking
        said |= {"number": self._digits(low), "upper": self._digits(high)}
        return Condition(amount.measure, "between", (low, high))

    def _years(self, said: Said, operators: Sequence[str] = tuple(YEARS)) -> Condition:
        column = self.time()
        year, operator = int(self._day_of(column)[:4]), self.random.choice(operators)
        said |= {"when": self.random.choice(YEARS[operator]), "year": str(year)}
        if not column.is_date:
            return Condition(column.name, operator, (float(year),))
        if operator == "=":
            return Condition(column.name, "year", (year,))
        return Condition(column.name, operator, (f"{year}-12-31" if operator == ">" else f"{year}-01-01",))

    def _span_of_years(self, said: Said) -> Condition:
        column = self.time()
        low, high = sorted((int(self._day_of(column)[:4]), int(self._day_of(column)[:4])))
        if low == high:
            raise Lacking
        said |= {"year": str(low), "year2": str(high)}
        ends = (f"{low}-01-01", f"{high}-12-31") if column.is_date else (float(low), float(high))
        return Condition(column.name, "between", ends)

    def _day_of(self, column: ColumnView) -> str:
        return str(self.random.choice([c for c in column.cells if c is not None]))

    def _digits(self, number: float) -> str:
        """Format a number as people type it."""
        if not number.is_integer():
            return f"{number:g}"
        return f"{int(number):,}" if self.random.random() < 0.3 else str(int(number))


def _plural(noun: str) -> str:
    if noun.endswith("s"):
        return noun
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else noun + "s"


def _is_sayable(text: str) -> bool:
    """Return whether a cell's text fits into a question: short, and words."""
    key = key_of(text)
    return len(key) > 1 and len(text) <= LONGEST and not any(c.isdigit() for c in key)
