"""The statement that finds a row by the question's words about it."""

from tablerag.agent.offline.cell_condition import equals
from tablerag.agent.offline.hops.answering import HopAnswer
from tablerag.agent.offline.hops.evidence import CellText, RowText

__all__ = ["row_condition", "row_statement"]

NAMED = 0.5
"""Share of a cell's words that must occur in the question for the question to name the cell."""


def row_statement(answer: HopAnswer) -> str:
    """Write the SELECT of the cell that is the answer, or that names the passage to read."""
    schema = answer.best.schema
    column = schema.columns[answer.best.cell.column]
    conditions = " AND ".join(equals(schema.columns[c.column], c.text) for c in row_condition(answer))
    return f"SELECT `{column.raw or column.name}` FROM `{schema.name}` WHERE {conditions}"


def row_condition(answer: HopAnswer) -> list[CellText]:
    """Return cells that identify the row, those that the question or a passage mentions first."""
    row, best = answer.best.row, answer.best
    asked = set(answer.asked.words)
    shares = {c.column: len(c.words & asked) / len(c.words) if c.words else 0.0 for c in row.cells}
    others = [c for c in row.cells if c.column != best.cell.column]
    named = sorted((c for c in others if shares[c.column] >= NAMED), key=lambda c: -shares[c.column])
    identifying = [best.identified_by] if best.identified_by is not None and best.identified_by not in named else []
    rest = [c for c in others if c not in named and c not in identifying]
    ordered = [*named, *identifying, *rest, best.cell]
    if identifying and best.passage_share > 0:
        ordered = [*identifying, *named, *rest, best.cell]
    chosen: list[CellText] = []
    for cell in dict.fromkeys(ordered):
        chosen.append(cell)
        if _matching(answer, chosen) == 1:
            break
    return chosen


def _matching(answer: HopAnswer, cells: list[CellText]) -> int:
    """Return how many rows have the same texts in these columns."""

    def holds(row: RowText) -> bool:
        texts = {c.column: c.text.casefold() for c in row.cells}
        return all(texts.get(c.column) == c.text.casefold() for c in cells)

    return sum(map(holds, answer.table.rows))
