"""The rows that a result was computed from, derived from the guarded statement itself.

For a SELECT over one stored table: the rows that pass its WHERE, in its order; with a LIMIT and no
aggregation, the rows returned. An aggregated or DISTINCT statement rests on all rows that pass WHERE,
whatever HAVING and LIMIT leave of the groups. For joins, unions and derived tables nothing is derived,
nor where ties let LIMIT choose other rows a second time: rather no rows than wrong ones.
"""

import sys
from collections.abc import Sequence

from sqlglot import exp

from tools.database import Database
from tools.errors import SqlProblem
from tools.records import MEMBER, PAGE, ROW_ID, SOURCE_ROW, Cell, SupportingRows, TableSchema
from tools.sql_guard import GuardedSql, guard

__all__ = ["contributing", "rows_of_table", "supporting_rows"]


def supporting_rows(
    guarded: GuardedSql, schemas: Sequence[TableSchema], database: Database, limit: int = 20
) -> tuple[SupportingRows, ...]:
    """Return up to ``limit`` rows behind a result with their total, or () when they cannot be derived."""
    select = guarded.expression
    schema = _only_table(select, schemas)
    if schema is None:
        return ()
    own = _returns_rows_of_its_own(select)
    wanted = [*_keys(schema), *(c.name for c in schema.columns)]
    if not own and select.args.get("having") and not _aggregates(select):
        return ()  # MySQL filters stored rows with such a HAVING
    statement = _rows_statement(select, wanted, own=own)
    count = _same_rows(exp.select(exp.Count(this=exp.Star())), select)
    try:
        found = database.run(guard(statement.sql(dialect="mysql"), schemas, row_limit=limit)).rows[:limit]
        total = int(database.run(guard(count.sql(dialect="mysql"), schemas, row_limit=1)).rows[0][0] or 0)
        bound = _bound(select, database.row_limit) if own else None
        if bound and tuple(row[len(wanted) :] for row in found) != database.run(guarded).rows[:limit]:
            return ()
    except SqlProblem:
        # The result stands without them: a slow or odd statement is answered, only not illustrated.
        return ()
    if bound:
        most, skipped = bound
        total = min(most, max(0, total - skipped))
    return (_record(schema, select, found, total),)


def contributing(guarded: GuardedSql, schemas: Sequence[TableSchema]) -> str | None:
    """Return the statement for all rows that contribute to a result: their ids, and the columns that are read."""
    select = guarded.expression
    schema = _only_table(select, schemas)
    if schema is None:
        return None
    read = {c.name.casefold() for c in select.find_all(exp.Column)}
    used = [c.name for c in schema.columns if c.name.casefold() in read]
    keys = [name for name in (ROW_ID, MEMBER) if name in schema.hidden_columns]
    return _rows_statement(select, [*keys, *used], own=_returns_rows_of_its_own(select)).sql(dialect="mysql")


def rows_of_table(
    schema: TableSchema, database: Database, *, first: int = 0, count: int = 50, row_ids: Sequence[int] = ()
) -> SupportingRows:
    """Return ``count`` rows of a table behind the ``first`` ones in its own order, or those of the given ids.

    Raises SqlFailed when it takes too long.
    """
    keys = _keys(schema)
    columns = [exp.column(name, quoted=True) for name in (*keys, *(c.name for c in schema.columns))]
    select = exp.select(*columns).from_(exp.Table(this=exp.to_identifier(schema.name, quoted=True)))
    if row_ids:
        select = select.where(exp.column(ROW_ID, quoted=True).isin(*row_ids))
    order = [exp.column(name, quoted=True) for name in (MEMBER, ROW_ID) if name in keys]
    statement = select.order_by(*order).limit(count).offset(first).sql(dialect="mysql")
    found = database.run(guard(statement, [schema], row_limit=count)).rows
    return _record(schema, select, found, schema.row_count)


def _keys(schema: TableSchema) -> list[str]:
    """Return the hidden columns that say which rows they are."""
    return [name for name in (ROW_ID, SOURCE_ROW, PAGE, MEMBER) if name in schema.hidden_columns]


def _record(schema: TableSchema, select: exp.Select, found: Sequence[tuple[Cell, ...]], total: int) -> SupportingRows:
    keys = _keys(schema)
    known = {key: tuple(row[i] for row in found) for i, key in enumerate(keys)}
    read = {c.name.casefold() for c in select.find_all(exp.Column)}
    numbers = {key: tuple(int(v) for v in known.get(key, ()) if v is not None) for key in (SOURCE_ROW, PAGE)}
    return SupportingRows(
        table=schema.name,
        columns=tuple(c.name for c in schema.columns),
        rows=tuple(row[len(keys) : len(keys) + len(schema.columns)] for row in found),
        units=tuple(" ".join(p for p in (c.scale, c.unit) if p) for c in schema.columns),
        row_ids=tuple(int(i or 0) for i in known[ROW_ID]),
        used=tuple(c.name for c in schema.columns if not read.isdisjoint(n.casefold() for n in c.all_names())),
        members=tuple(map(str, known.get(MEMBER, ()))),
        # Of a united table some members may have numbers and others none: then nothing is told.
        source_rows=numbers[SOURCE_ROW] if len(numbers[SOURCE_ROW]) == len(found) else (),
        pages=numbers[PAGE] if len(numbers[PAGE]) == len(found) else (),
        total=total,
    )


def _only_table(select: exp.Query, schemas: Sequence[TableSchema]) -> TableSchema | None:
    if not isinstance(select, exp.Select) or select.args.get("joins") or select.args.get("with_"):
        return None
    from_ = select.args.get("from_")
    if from_ is None or not isinstance(from_.this, exp.Table):
        return None
    return next((s for s in schemas if s.name.casefold() == from_.this.name.casefold()), None)


def _returns_rows_of_its_own(select: exp.Select) -> bool:
    """Say whether each result row is one stored row: no grouping, aggregate or DISTINCT."""
    return not any(select.args.get(part) for part in ("group", "having", "distinct", "windows")) and not _aggregates(
        select
    )


def _aggregates(select: exp.Select) -> bool:
    """Say whether the statement groups or aggregates; a window function counts as well."""
    order = [select.args["order"]] if select.args.get("order") else []
    calls = (n for part in (*select.expressions, *order) for n in part.find_all(exp.AggFunc, exp.Window))
    return bool(select.args.get("group")) or any(n.parent_select is select for n in calls)


def _bound(select: exp.Select, row_limit: int) -> tuple[int, int] | None:
    """Return the statement's own LIMIT and OFFSET, None where the row limit alone bounds it."""
    limit, offset = (select.args.get(part) for part in ("limit", "offset"))
    most = int(limit.expression.name) if limit else row_limit + 1
    skipped = int(offset.expression.name) if offset else 0
    if most > row_limit and not skipped:
        return None
    return most if most <= row_limit else sys.maxsize, skipped


def _rows_statement(select: exp.Select, wanted: Sequence[str], *, own: bool) -> exp.Select:
    """Select the wanted columns; of rows returned as they are, also what was selected, to compare."""
    alias = select.args["from_"].this.alias_or_name
    columns = [exp.column(name, table=alias, quoted=True) for name in wanted]
    if not own:
        order = [c.copy() for c in columns if c.name in (MEMBER, ROW_ID)]
        return _same_rows(exp.select(*columns), select).order_by(*reversed(order))
    selected = [exp.alias_(p.unalias().copy(), f"selected_{i}", quoted=True) for i, p in enumerate(select.expressions)]
    rows = _same_rows(exp.select(*columns, *selected), select)
    for part in ("order", "limit", "offset"):
        if select.args.get(part):
            rows.set(part, select.args[part].copy())
    return _without_aliases(rows, select)


def _without_aliases(rows: exp.Select, select: exp.Select) -> exp.Select:
    """Put what the original's aliases stand for in their place: its projections are gone."""
    meant = {p.alias.casefold(): p.this for p in select.expressions if isinstance(p, exp.Alias)}
    for column in list(rows.args["order"].find_all(exp.Column)) if rows.args.get("order") else ():
        if not column.table and column.name.casefold() in meant:
            column.replace(meant[column.name.casefold()].copy())
    return rows


def _same_rows(to: exp.Select, select: exp.Select) -> exp.Select:
    to = to.from_(select.args["from_"].this.copy())
    if select.args.get("where"):
        to.set("where", select.args["where"].copy())
    return to
