"""ResultColumn: a column of a result in the document's words, with unit and scale."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from tablerag.tools.number_words import currency_code
from tablerag.tools.records import Column

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Period", "ResultColumn", "Scope", "Way", "named", "of_column"]

Way = Literal["value", "total", "average", "lowest", "highest", "count", "share", "computed"]
Period = Literal["", "year", "quarter", "month", "week", "day"]


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """One column of a result."""

    header: str
    """In the document's words: "Cost (EUR)", "Total of Cost (EUR)", "Number of rows"; "" if it has no name."""
    unit: str = ""
    scale: str = ""
    """What its numbers are counted in: "thousands"."""
    way: Way = "value"
    kind: str = ""
    """The kind or type of the stored column, while its numbers are of that kind."""
    period: Period = ""
    """What its values name, for columns of dates and parts of dates."""
    column: Column | None = None
    """The stored column that it shows or sums up."""

    @property
    def is_money(self) -> bool:
        """Whether its unit is a currency."""
        return bool(currency_code(self.unit))

    def without_unit(self) -> "ResultColumn":
        """Return the same column with its unit unknown."""
        return replace(self, unit="", scale="")


class Scope(Protocol):
    """The columns that the expressions of one SELECT can name."""

    def column(self, name: str, table: str) -> ResultColumn: ...

    def query(self, query: "exp.Expr") -> ResultColumn:
        """Return the only column of a scalar sub-select."""
        ...

    def of(self, expression: "exp.Expr") -> ResultColumn:
        """Return what an expression is."""
        ...


def of_column(column: Column) -> ResultColumn:
    """Return a stored column."""
    header = " ".join(column.header.split()) or _spoken(column.name)
    period: Period = "year" if column.kind == "year" else "day" if column.type in ("date", "datetime") else ""
    return ResultColumn(header, column.unit, column.scale, "value", column.kind or column.type, period, column)


def named(name: str) -> ResultColumn:
    """Return a column of which nothing but its name is known."""
    return ResultColumn(_spoken(name), way="computed")


def _spoken(name: str) -> str:
    """Return an SQL name as words: total_cost -> Total cost."""
    words = name.strip("`").replace("_", " ").strip()
    return words[:1].upper() + words[1:]
