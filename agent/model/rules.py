"""Chooses the rules that a model is told beside those that hold for every question."""

import re
from collections.abc import Iterator, Sequence

from tablerag.agent.model import prompts
from tablerag.tools.records import Chunk, Column, TableExtract, TableSchema

__all__ = ["rules_for"]

NUMBER = re.compile(r"\W{0,3}\d[\d.,]*\s?[^\d\s]{0,12}")
"""A number with what is printed around it: 1,234 km, $60,301, (9.9), 14th."""


def rules_for(
    schemas: Sequence[TableSchema], extracts: Sequence[TableExtract] = (), chunks: Sequence[Chunk] = ()
) -> Iterator[str]:
    """Yield the rules that apply to these tables and texts only."""
    columns = [c for s in schemas for c in s.columns]
    if any(c.raw == f"{c.name}_raw" for c in columns):
        yield prompts.OF_RAW
    rows = {e.table: e for e in extracts}
    if any(_holds_numbers(c, rows.get(s.name)) for s in schemas for c in s.columns if c.type == "text" and not c.kind):
        yield prompts.OF_NUMBERS
    if chunks:
        yield prompts.OF_TEXTS


def _holds_numbers(column: Column, extract: TableExtract | None) -> bool:
    """Tell whether most cells known of a text column are numbers; so may those be of which none is known."""
    place = extract.columns.index(column.name) if extract and column.name in extract.columns else None
    shown = [str(row[place]) for row in extract.rows if row[place]] if extract and place is not None else []
    cells = [*shown, *column.examples]
    return 2 * sum(bool(NUMBER.fullmatch(c)) for c in cells) >= len(cells)
