"""Overrides of one table: header rows, names, types, units, skipped columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablerag.ingestion.tables.naming import sql_name
from tablerag.ingestion.tables.typing import TypedColumn
from tablerag.tools.records import ColumnType

__all__ = ["ColumnWishes", "TableWishes"]


@dataclass(frozen=True, slots=True)
class ColumnWishes:
    """Overrides of one column; "" and None keep what was detected."""

    type: ColumnType | None = None
    name: str = ""
    unit: str | None = None
    scale: str | None = None
    decimal: str = ""
    """The decimal mark of its numbers."""
    skip: bool = False


@dataclass(frozen=True, slots=True)
class TableWishes:
    """Overrides of one table; columns by header or SQL name, in any case."""

    header_rows: int | None = None
    name: str = ""
    decimal: str = ""
    """The decimal mark of all numbers."""
    sections: bool = True
    """Whether section rows are looked for."""
    totals: bool = True
    """Whether totals are looked for."""
    skip: bool = False
    use: bool | None = None
    """Whether answers use it however sure it is; None lets its confidence decide."""
    columns: Mapping[str, ColumnWishes] = field(default_factory=dict)

    def of(self, header: str) -> ColumnWishes:
        """Return the overrides of the column with that header."""
        wanted = {k.casefold(): v for k, v in self.columns.items()}
        return wanted.get(header.casefold()) or wanted.get(sql_name(header, (), "column")) or ColumnWishes()

    def decimal_comma(self, header: str) -> bool | None:
        """Return whether a column's decimal mark is a comma; None if not set."""
        mark = self.of(header).decimal or self.decimal
        return mark == "," if mark else None

    def skips(self, header: str) -> bool:
        """Return whether a column is skipped."""
        return self.of(header).skip

    def applied(self, column: TypedColumn) -> TypedColumn:
        """Return a column with its overridden type, unit and scale."""
        wishes = self.of(column.header)
        if wishes.type and wishes.type != column.type:
            column = column.as_type(wishes.type)
        unit = column.unit if wishes.unit is None else wishes.unit
        scale = column.scale if wishes.scale is None else wishes.scale
        return replace(column, unit=unit, scale=scale)

    def named(self, columns: Sequence[TypedColumn], names: Sequence[str]) -> list[str]:
        """Return the SQL names of the columns, overridden ones included."""
        chosen: list[str] = []
        for column, name in zip(columns, names, strict=True):
            wanted = self.of(column.header).name
            chosen.append(sql_name(wanted or name, chosen, name))
        return chosen
