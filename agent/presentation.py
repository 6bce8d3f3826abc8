"""A result as people read it: one value, a short list, or a table, with units by the columns' lineage."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tablerag.agent.presenting.rows import ROWS, noun_of, row_words
from tablerag.agent.presenting.series import Chart, chart_of
from tablerag.agent.presenting.table import AnswerTable, label_of, written_columns
from tablerag.agent.presenting.values import is_name, is_number, scale_word, value_text, with_unit
from tablerag.tools.records import Cell, Record, SqlResult, SupportingRows, TableSchema
from tablerag.tools.sql.columns.column import ResultColumn
from tablerag.tools.stated_scale import UNSCALED

__all__ = ["Presented", "presented"]

KEPT_ROWS = 50
"""Rows that an answer keeps: more would swell every checkpoint."""
LISTED = 5
"""Values of one column that fit on one line."""
LISTED_CHARS = 40
PLAIN_ROWS = 20


class Presented(Record):
    """A result as it is shown."""

    text: str = ""
    """On one line: "EUR 1,774,500", "12.5 %", "Noordkade, Westhaven", "4 rows"; "" if there is nothing to show."""
    plain: str = ""
    """The values on one line as they are stored: "1774500", "East: 449, North: 2150"."""
    value: Cell = None
    """The only value, as it is stored; None if there are more."""
    unit: str = ""
    scale: str = ""
    """What the value is counted in: "thousand"."""
    table: AnswerTable | None = None
    chart: Chart | None = None
    listed: bool = True
    """Whether ``text`` has all values; otherwise the table shows them."""

    @property
    def markdown(self) -> str:
        """What an answer says: the text, or the table if the text does not have all values."""
        return self.text if self.listed or self.table is None else self.table.markdown


TEXTS = re.compile(r"'((?:[^']|'')*)'")
"""The texts of a statement."""
FIRST_NAME = re.compile(r"^(?:first|given|vorname|prénom)", re.IGNORECASE)
LAST_NAME = re.compile(r"^(?:last|sur|family|nachname|nom\b)", re.IGNORECASE)
"""Headers of the two parts of a person's name."""


def presented(
    result: SqlResult | None, schemas: Sequence[TableSchema], supporting: Sequence[SupportingRows] = ()
) -> Presented:
    """Return a result as it is shown.

    ``schemas`` are those of the tables that its statement reads, ``supporting`` the rows behind it: they show how many
    digits the stored numbers have.
    """
    rows = [row for row in result.rows if any(c is not None for c in row)] if result else []
    if result is None or not rows:
        return Presented()
    from tablerag.tools.knowledge.rewriting import metrics_shown
    from tablerag.tools.sql.columns.queries import result_columns  # loads the SQL parser

    columns = result_columns(result.sql, result.columns, [_with_rows(s, supporting) for s in schemas])
    columns = list(_unscaled(_with_noun(columns, result.sql, schemas), result.sql))
    for place, metric in metrics_shown(result.sql, schemas).items():
        columns[place] = replace(columns[place], header=metric.name, unit=metric.unit, scale="", kind="")
    table = _table(columns, rows, truncated=result.truncated)
    text = _text(columns, rows)
    single = rows[0][0] if table.is_single else None
    return Presented(
        text=text or _summary(table),
        plain=_plain(columns, rows),
        value=single,
        unit=columns[0].unit if table.is_single else "",
        scale=scale_word(columns[0].scale) if table.is_single else "",
        table=table,
        chart=chart_of(columns, table.columns, rows, truncated=result.truncated),
        listed=bool(text),
    )


def _unscaled(columns: Sequence[ResultColumn], sql: str) -> tuple[ResultColumn, ...]:
    """Return columns without a scale where the statement picks rows such as "Net income per share"."""
    if not any(UNSCALED.search(text) for text in TEXTS.findall(sql)):
        return tuple(columns)
    return tuple(replace(c, scale="") for c in columns)


def _with_noun(columns: Sequence[ResultColumn], sql: str, schemas: Sequence[TableSchema]) -> tuple[ResultColumn, ...]:
    """Return columns in which counts of a single table's rows say what is counted: "Number of orders"."""
    read = [s for s in schemas if re.search(rf"\bFROM `?{re.escape(s.name)}\b", sql, re.IGNORECASE)]
    alone = len(read) == 1 and len(re.findall(r"\b(?:FROM|JOIN)\b", sql, re.IGNORECASE)) == 1
    rows = row_words(read[0], noun_of(read[0])) if alone else ROWS
    if rows.partition(" ")[0] == ROWS:
        return tuple(columns)
    counting = f"Number of {ROWS}"
    return tuple(replace(c, header=f"Number of {rows}") if c.header == counting else c for c in columns)


def _with_rows(schema: TableSchema, supporting: Sequence[SupportingRows]) -> TableSchema:
    """Return a schema whose examples are the values that a result was computed from, where they are known."""
    rows = next((s for s in supporting if s.table.casefold() == schema.name.casefold()), None)
    if rows is None:
        return schema
    known = {n: tuple(str(row[i]) for row in rows.rows if row[i] is not None) for i, n in enumerate(rows.columns)}
    columns = [c.model_copy(update={"examples": known.get(c.name) or c.examples}) for c in schema.columns]
    return schema.model_copy(update={"columns": tuple(columns)})


def _table(columns: Sequence[ResultColumn], rows: Sequence[Sequence[Cell]], *, truncated: bool) -> AnswerTable:
    headers = tuple(label_of(c) for c in columns)
    numeric = tuple(_is_numeric(c, [row[i] for row in rows]) for i, c in enumerate(columns))
    labels, amounts = ([h for h, n in zip(headers, numeric, strict=True) if n is kind] for kind in (False, True))
    return AnswerTable(
        columns=headers,
        rows=tuple(tuple(row) for row in rows[:KEPT_ROWS]),
        texts=tuple(written_columns(columns, rows[:KEPT_ROWS])),
        units=tuple(c.unit for c in columns),
        scales=tuple(scale_word(c.scale) for c in columns),
        numeric=numeric,
        row_count=len(rows),
        truncated=truncated,
        caption=f"{amounts[0]} by {labels[0]}" if len(labels) == len(amounts) == 1 and len(rows) > 1 else "",
    )


def _is_numeric(column: ResultColumn, cells: Sequence[Cell]) -> bool:
    numbers = [c for c in cells if isinstance(c, int | float) and is_number(c) and column.kind != "boolean"]
    return (
        bool(numbers) and len(numbers) == len([c for c in cells if c is not None]) and not is_name(numbers[0], column)
    )


def _summary(table: AnswerTable) -> str:
    return f"{table.caption}: {table.count}" if table.caption else table.count


def _text(columns: Sequence[ResultColumn], rows: Sequence[Sequence[Cell]]) -> str:
    """Return all values on one line; "" if they need a table."""
    if len(rows) == 1 and len(columns) <= 2:
        texts = [_with_unit(cell, column) for cell, column in zip(rows[0], columns, strict=True) if cell is not None]
        labelled = len(texts) == 1 or isinstance(rows[0][0], str) or is_name(rows[0][0], columns[0])
        person = len(columns) == 2 and FIRST_NAME.search(columns[0].header) and LAST_NAME.search(columns[1].header)
        return (" " if person else ": ").join(texts) if labelled else ""
    if len(columns) > 1:
        return ""
    texts = list(dict.fromkeys(_with_unit(row[0], columns[0]) for row in rows))
    short = len(texts) <= LISTED and all(len(t) <= LISTED_CHARS and not set(t) & set(",;|\n") for t in texts)
    return ", ".join(texts) if short else ""


def _with_unit(cell: Cell, column: ResultColumn) -> str:
    text = value_text(cell, column)
    if not isinstance(cell, int | float) or not is_number(cell) or is_name(cell, column) or column.kind == "boolean":
        return text
    return with_unit(text, column, one=cell == 1)


def _plain(columns: Sequence[ResultColumn], rows: Sequence[Sequence[Cell]]) -> str:
    percent = [c.way == "share" for c in columns]
    texts = [
        ": ".join(_stored(c, percent=p) for c, p in zip(row, percent, strict=True) if c is not None)
        for row in rows[:PLAIN_ROWS]
    ]
    more = f" and {len(rows) - PLAIN_ROWS} more" if len(rows) > PLAIN_ROWS else ""
    return ", ".join(dict.fromkeys(texts)) + more


def _stored(cell: Cell, *, percent: bool) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    text = f"{cell:.4f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell)
    return f"{text}%" if percent and not isinstance(cell, str) else text
