"""What an answer says of cells that were read by OCR: the least sure word of the rows that it rests on."""

from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp

from tablerag.tools.counting import OCR_NOTE, doubt
from tablerag.tools.records import OCR, SqlResult, SupportingRows, TableSchema

__all__ = ["ocr_words"]


def ocr_words(result: SqlResult | None, supporting: Sequence[SupportingRows], schemas: Sequence[TableSchema]) -> str:
    """Return how sure the reading of a result's tables is, as sentences; "" if they are text in their files."""
    read = [s for s in schemas if OCR in s.hidden_columns]
    if result is None or not result.rows or not read:
        return ""
    query = sqlglot.parse_one(result.sql, read="mysql")
    tables = {t.name.lower() for t in query.find_all(exp.Table)}
    return " ".join(_said([s for s in read if s.name.lower() in tables], {s.table: s for s in supporting}))


def _said(schemas: Sequence[TableSchema], supporting: dict[str, SupportingRows]) -> Iterator[str]:
    for schema in schemas:
        title, rows = schema.title or schema.name, supporting.get(schema.name)
        if rows and rows.ocr and rows.total == len(rows.rows):
            found = [(*sure, row) for sure, row in zip(rows.ocr, rows.row_ids, strict=True) if sure is not None]
            if found:
                percent, word, row = min(found)
                yield f"{title} was {OCR_NOTE}: {doubt(word, percent)} in data row {row}."
        elif note := next((w for w in schema.warnings if w.startswith(OCR_NOTE)), ""):
            yield f"{title} was {note}, of the whole table."
