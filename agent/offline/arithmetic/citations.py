"""Citations of the rows with a formula's numbers."""

from tablerag.agent.offline.arithmetic.formula import Formula
from tablerag.agent.row_citations import cited_rows
from tablerag.tools.records import Citation, SupportingRows

__all__ = ["cited_by"]


def cited_by(formula: Formula) -> tuple[Citation, ...]:
    """Cite each row of a formula once, with its place in the file and the columns that were read."""
    rows = dict.fromkeys(t.row.row for t in formula.terms)
    return tuple(citation for row in rows for citation in _cited(formula, row))


def _cited(formula: Formula, row: int) -> list[Citation]:
    table = formula.row.table
    schema = table.table_schema
    names = tuple(c.name for c in schema.columns)
    read = tuple(names[t.column] for t in formula.terms if t.row.row == row)
    label = tuple(n for n in names if n not in schema.row_path)[:1]
    supporting = SupportingRows(
        table=schema.name,
        columns=names,
        rows=(tuple(cell or None for cell in table.printed[row]),),
        row_ids=table.row_ids[row : row + 1],
        used=(*label, *read),
        source_rows=table.source_rows[row : row + 1],
        pages=table.pages[row : row + 1],
        total=1,
    )
    return cited_rows(schema, supporting)
