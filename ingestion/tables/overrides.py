"""What a person wants of a table otherwise than it was found: header rows, names, types, units, left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablerag.ingestion.tables.naming import sql_name
from tablerag.ingestion.tables.typing import TypedColumn
from tablerag.tools.records import ColumnType

__all__ = ["ColumnWishes", "TableWishes"]


@dataclass(frozen=True, slots=True)
class ColumnWishes:
    """What is wanted of one column; "" and None leave it as found."""

    type: ColumnType | None = None
    name: str = ""
    unit: str | None = None
    scale: str | None = None
    decimal: str = ""
    """The decimal mark of its numbers."""
    skip: bool = False


@dataclass(frozen=True, slots=True)
class TableWishes:
    """What is wanted of one table; columns by header or SQL name, in any case."""

    header_rows: int | None = None
    name: str = ""
    decimal: str = ""
    """The decimal mark of all numbers."""
    sections: bool = True
    """Whether rows may name the section of those below them."""
    totals: bool = True
    """Whether rows may sum up others."""
    skip: bool = False
    columns: Mapping[str, ColumnWishes] = field(default_factory=dict)

    def of(self, header: str) -> ColumnWishes:
        """Return what is wanted of the column with that header."""
        wanted = {k.casefold(): v for k, v in self.columns.items()}
        return wanted.get(header.casefold()) or wanted.get(sql_name(header, (), "column")) or ColumnWishes()

    def decimal_comma(self, header: str) -> bool | None:
        """Tell whether a column's numbers have a decimal comma; None when nothing is said of it."""
        mark = self.of(header).decimal or self.decimal
        return mark == "," if mark else None

    def skips(self, header: str) -> bool:
        """Tell whether a column is to be left out."""
        return self.of(header).skip

    def applied(self, column: TypedColumn) -> TypedColumn:
        """Return a column with the type, unit and scale that are wanted of it."""
        wishes = self.of(column.header)
        if wishes.type and wishes.type != column.type:
            column = column.as_type(wishes.type)
        unit = column.unit if wishes.unit is None else wishes.unit
        scale = column.scale if wishes.scale is None else wishes.scale
        return replace(column, unit=unit, scale=scale)

    def named(self, columns: Sequence[TypedColumn], names: Sequence[str]) -> list[str]:
        """Return the columns' SQL names with those that are wanted otherwise."""
        chosen: list[str] = []
        for column, name in zip(columns, names, strict=True):
            wanted = self.of(column.header).name
            chosen.append(sql_name(wanted or name, chosen, name))
        return chosen
