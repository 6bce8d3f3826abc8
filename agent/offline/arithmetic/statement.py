"""A formula over cells as one SELECT, so that the database computes it from the stored values."""

from collections.abc import Sequence

from sqlglot import exp

from tablerag.agent.offline.arithmetic.cells import NamedRow
from tablerag.agent.offline.arithmetic.formula import Formula, Term
from tablerag.agent.offline.cell_condition import equals

__all__ = ["statement_of"]

DIGITS = "DECIMAL(30, 6)"


def statement_of(formula: Formula) -> str | None:
    """Write the formula as a SELECT of one value, named after the operation; None if nothing identifies a row."""
    rows = list(dict.fromkeys(t.row.row for t in formula.terms))
    conditions = {row: _condition(next(t.row for t in formula.terms if t.row.row == row)) for row in rows}
    if not all(conditions.values()):
        return None
    single = len(rows) == 1
    cells = [_cell(t) if single else _chosen(_cell(t), conditions[t.row.row]) for t in formula.terms]
    table = formula.row.table.table_schema.name
    where = " OR ".join(f"({c})" for c in conditions.values()) if not single else conditions[rows[0]]
    return f"SELECT {formula.pattern.format(*cells)} AS `{formula.operation}` FROM `{table}` WHERE {where}"


def _chosen(cell: str, condition: str) -> str:
    """Select one row's cell among several rows."""
    return f"MAX(CASE WHEN {condition} THEN {cell} END)"


def _cell(term: Term) -> str:
    """Write a cell's number; in a text column, parse it from the printed digits."""
    table = term.row.table
    column = table.table_schema.columns[term.column]
    if table.values[term.row.row][term.column] is not None and column.type in ("integer", "decimal"):
        return f"`{column.name}`"
    cell = f"`{column.raw or column.name}`"
    for sign in dict.fromkeys(c for c in table.printed[term.row.row][term.column] if not c.isdigit() and c != "."):
        cell = f"REPLACE({cell}, {_text(sign)}, '')"
    number = f"CAST({cell} AS {DIGITS})"
    return f"(-{number})" if term.number < 0 else number


def _condition(row: NamedRow) -> str:
    """Write the condition that identifies a row by its label, and if need be its sections; "" if there is none."""
    schema = row.table.table_schema
    own = next((i for i, c in enumerate(schema.columns) if c.name not in schema.row_path), None)
    sections = [i for i, c in enumerate(schema.columns) if c.name in schema.row_path]
    for places in ([own], [own, *reversed(sections)]):
        read = [i for i in places if i is not None]
        if read and _is_unique(row, read):
            return " AND ".join(equals(schema.columns[i], row.table.printed[row.row][i]) for i in read)
    return ""


def _is_unique(row: NamedRow, places: Sequence[int]) -> bool:
    same = [
        r for r in row.table.printed if all(r[i].casefold() == row.table.printed[row.row][i].casefold() for i in places)
    ]
    return len(same) == 1


def _text(value: str) -> str:
    return exp.Literal.string(value).sql(dialect="mysql")
