"""The first rows that a result was computed from, table by table, with all columns."""

from collections.abc import Sequence

from sqlglot import exp

from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import (
    MEMBER,
    OCR,
    OCR_WORD,
    PAGE,
    ROW_ID,
    SOURCE_ROW,
    Cell,
    ContributingRows,
    SupportingRows,
    TableSchema,
)
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard

__all__ = ["rows_of_table", "supporting_rows"]

MOST_KEYED = 200
"""Rows that are read for the first keys."""


def supporting_rows(
    contributing: Sequence[ContributingRows], schemas: Sequence[TableSchema], database: Database, limit: int = 20
) -> tuple[SupportingRows, ...]:
    """Return up to ``limit`` rows of each table with their total; tables whose rows are unknown are left out."""
    by_name = {s.name: s for s in schemas}
    known = [
        (by_name[rows.table], rows)
        for rows in contributing
        if rows.row_count is not None and by_name[rows.table].row_key
    ]
    try:
        return tuple(_record(schema, rows, _known_rows(schema, rows, database, limit)) for schema, rows in known)
    except SqlProblem:
        return ()  # the tables were replaced meanwhile


def rows_of_table(
    schema: TableSchema, database: Database, *, first: int = 0, count: int = 50, row_ids: Sequence[int] = ()
) -> SupportingRows:
    """Return ``count`` rows of a table in its own order, after the ``first`` ones, or the rows with these ids.

    Rows of a table without ``_row_id`` are numbered as they come.

    Raises SqlFailed if it takes too long.
    """
    select = _all_columns(schema)
    if row_ids:
        select = select.where(_column(ROW_ID).isin(*row_ids))
    order = [_column(name) for name in reversed(schema.row_key)]  # of a union, by its member first
    ordered = select.order_by(*order) if order else select
    statement = ordered.limit(count).offset(first).sql(dialect="mysql")
    found = database.run(guard(statement, [schema], row_limit=count)).rows
    record = _record(schema, ContributingRows(table=schema.name, row_count=schema.row_count), found)
    return (
        record if record.row_ids else record.model_copy(update={"row_ids": tuple(range(first + 1, first + 1 + count))})
    )


def _known_rows(schema: TableSchema, known: ContributingRows, database: Database, limit: int) -> list[list[Cell]]:
    """Return the first known rows of a table: keys, then the columns of the document."""
    if known.keys:
        return _keyed_rows(schema, known.keys[:limit], database)
    keys = _keys(schema)
    ids: dict[str, list[int]] = {}
    for i, row_id in enumerate(known.row_ids[:limit]):
        ids.setdefault(known.members[i] if known.members else "", []).append(row_id)
    if not ids:
        return []
    select = _all_columns(schema).where(exp.or_(*(_is_one_of(member, of_member) for member, of_member in ids.items())))
    found = database.run(guard(select.sql(dialect="mysql"), schemas=[schema], row_limit=limit)).rows
    keyed = zip(known.row_ids, known.members or ("",) * limit, strict=False)
    places: dict[tuple[Cell, Cell], int] = {key: i for i, key in enumerate(keyed)}
    member = keys.index(MEMBER) if MEMBER in keys else None
    return sorted(map(list, found), key=lambda row: places[row[0], "" if member is None else row[member]])


def _keyed_rows(schema: TableSchema, wanted: Sequence[Sequence[Cell]], database: Database) -> list[list[Cell]]:
    """Return the rows of a connected table with these keys."""
    names = schema.row_key
    is_one = (exp.and_(*(_column(n).eq(exp.convert(v)) for n, v in zip(names, key, strict=True))) for key in wanted)
    select = _all_columns(schema).where(exp.or_(*is_one))
    found = database.run(guard(select.sql(dialect="mysql"), [schema], row_limit=MOST_KEYED)).rows
    first = len(_keys(schema))
    at = [first + [c.name for c in schema.columns].index(n) for n in names]
    # The database may take a key for another one that differs in case.
    by_key = {tuple(row[i] for i in at): row for row in found}
    return [list(by_key[k]) for key in wanted if (k := tuple(key)) in by_key]


def _all_columns(schema: TableSchema) -> exp.Select:
    """Select the keys of a table, then the columns of the document."""
    wanted = [_column(name) for name in (*_keys(schema), *(c.name for c in schema.columns))]
    return exp.select(*wanted).from_(exp.Table(this=exp.to_identifier(schema.name, quoted=True)))


def _is_one_of(member: str, ids: Sequence[int]) -> exp.Expr:
    among = _column(ROW_ID).isin(*ids)
    return exp.and_(_column(MEMBER).eq(exp.Literal.string(member)), among) if member else among


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


def _keys(schema: TableSchema) -> list[str]:
    """Return the hidden columns that identify rows, and tell how surely they were read."""
    return [name for name in (ROW_ID, SOURCE_ROW, PAGE, MEMBER, OCR, OCR_WORD) if name in schema.hidden_columns]


def _record(schema: TableSchema, known: ContributingRows, found: Sequence[Sequence[Cell]]) -> SupportingRows:
    keys = _keys(schema)
    cells = {key: tuple(row[i] for row in found) for i, key in enumerate(keys)}
    numbers = {key: tuple(int(v) for v in cells.get(key, ()) if v is not None) for key in (SOURCE_ROW, PAGE)}
    names = [*keys, *(c.name for c in schema.columns)]
    own = [names.index(n) for n in schema.row_key] if ROW_ID not in keys else []
    return SupportingRows(
        table=schema.name,
        keys=tuple(tuple(row[i] for i in own) for row in found) if own else (),
        columns=tuple(c.name for c in schema.columns),
        headers=tuple(" ".join(c.header.split()) or c.name for c in schema.columns),
        rows=tuple(tuple(row[len(keys) :]) for row in found),
        units=tuple(" ".join(p for p in (c.scale, c.unit) if p) for c in schema.columns),
        row_ids=tuple(int(i or 0) for i in cells.get(ROW_ID, ())),
        used=known.columns,
        members=tuple(map(str, cells.get(MEMBER, ()))),
        # If only some members of a union number their rows, no numbers are returned.
        source_rows=numbers[SOURCE_ROW] if len(numbers[SOURCE_ROW]) == len(found) else (),
        ocr=tuple(
            None if sure is None else (int(sure), str(word or ""))
            for sure, word in zip(cells.get(OCR, ()), cells.get(OCR_WORD, ()), strict=True)
        ),
        pages=numbers[PAGE] if len(numbers[PAGE]) == len(found) else (),
        total=known.row_count or 0,
    )
