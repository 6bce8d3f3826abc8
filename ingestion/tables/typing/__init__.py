"""Column types: what each cell could be, and one type for the column that loses nothing."""

from tablerag.ingestion.tables.typing.column import decide, type_column
from tablerag.ingestion.tables.typing.profile import ColumnProfile
from tablerag.ingestion.tables.typing.typed_column import SqlValue, TypedColumn
from tablerag.ingestion.tables.typing.units import Unit, caption_unit, unit_in

__all__ = ["ColumnProfile", "SqlValue", "TypedColumn", "Unit", "caption_unit", "decide", "type_column", "unit_in"]
