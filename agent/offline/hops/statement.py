"""The statement that finds a row by what the question says of it."""

from tablerag.agent.offline.equality import equals
from tablerag.agent.offline.hops.answering import HopReading
from tablerag.agent.offline.hops.evidence import CellText, RowText
from tablerag.tools.records import Column

__all__ = ["row_condition", "row_statement"]

SAID = 0.5
"""Share of a cell's words that the question must say for the cell to be what it names."""


def row_statement(reading: HopReading) -> str:
    """Write the SELECT of the cell that is the answer, or that names the passage to read."""
    schema = reading.best.schema
    column = schema.columns[reading.best.cell.column]
    conditions = " AND ".join(equals(schema.columns[c.column], c.text) for c in row_condition(reading))
    return f"SELECT `{_shown(column)}` FROM `{schema.name}` WHERE {conditions}"


def row_condition(reading: HopReading) -> list[CellText]:
    """Return cells that together tell the row from all others, those that the question or a passage speaks of first."""
    row, best = reading.best.row, reading.best
    said = set(reading.asked.words)
    shares = {c.column: len(c.words & said) / len(c.words) if c.words else 0.0 for c in row.cells}
    others = [c for c in row.cells if c.column != best.cell.column]
    named = sorted((c for c in others if shares[c.column] >= SAID), key=lambda c: -shares[c.column])
    told = [best.by] if best.by is not None and best.by not in named else []
    rest = [c for c in others if c not in named and c not in told]
    ordered = [*named, *told, *rest, best.cell]
    if told and best.told_by_passage > 0:
        ordered = [*told, *named, *rest, best.cell]
    chosen: list[CellText] = []
    for cell in dict.fromkeys(ordered):
        chosen.append(cell)
        if _fitting(reading, chosen) == 1:
            break
    return chosen


def _fitting(reading: HopReading, cells: list[CellText]) -> int:
    """Return how many rows hold the same in all of those columns."""

    def holds(row: RowText) -> bool:
        texts = {c.column: c.text.casefold() for c in row.cells}
        return all(texts.get(c.column) == c.text.casefold() for c in cells)

    return sum(map(holds, reading.table.rows))


def _shown(column: Column) -> str:
    return column.raw or column.name
