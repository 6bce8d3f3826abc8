"""The rows that a result was computed from, derived from the guarded statement itself.

For a SELECT over one stored table: the rows that pass its WHERE, in its order; with ORDER BY and LIMIT
and no aggregation, the rows returned. A grouped statement rests on all rows that pass WHERE, whatever
HAVING and LIMIT leave of the groups. For joins, unions and derived tables nothing is derived: rather
no rows than wrong ones.
"""

from collections.abc import Sequence

from sqlglot import exp

from tools.database import Database
from tools.errors import SqlProblem
from tools.records import ROW_ID, SupportingRows, TableSchema
from tools.sql_guard import GuardedSql, guard

__all__ = ["supporting_rows"]


def supporting_rows(
    guarded: GuardedSql, schemas: Sequence[TableSchema], database: Database, limit: int = 20
) -> tuple[SupportingRows, ...]:
    """Return up to ``limit`` rows behind a result with their total, or () when they cannot be derived."""
    select = guarded.expression
    schema = _only_table(select, schemas)
    if schema is None:
        return ()
    bounded = _returns_rows_of_its_own(select)
    rows_sql = _rows_statement(select, schema, bounded=bounded)
    try:
        rows = database.run(guard(rows_sql.sql(dialect="mysql"), schemas, row_limit=limit)).rows[:limit]
        if bounded and select.args.get("limit"):
            count = exp.select(exp.Count(this=exp.Star())).from_(rows_sql.subquery("counted"))
        else:
            count = _same_rows(exp.select(exp.Count(this=exp.Star())), select)
        total = database.run(guard(count.sql(dialect="mysql"), schemas, row_limit=1)).rows[0][0]
    except SqlProblem:
        # The result stands without them: a slow or odd statement is answered, only not illustrated.
        return ()
    return (
        SupportingRows(
            table=schema.name,
            columns=tuple(c.name for c in schema.columns),
            rows=tuple(row[1:] for row in rows),
            row_ids=tuple(int(row[0]) for row in rows),
            total=int(total),
        ),
    )


def _only_table(select: exp.Query, schemas: Sequence[TableSchema]) -> TableSchema | None:
    if not isinstance(select, exp.Select) or select.args.get("joins") or select.args.get("with_"):
        return None
    from_ = select.args.get("from_")
    if from_ is None or not isinstance(from_.this, exp.Table):
        return None
    return next((s for s in schemas if s.name.casefold() == from_.this.name.casefold()), None)


def _returns_rows_of_its_own(select: exp.Select) -> bool:
    """Say whether each result row is one stored row: no grouping, aggregate, window or DISTINCT."""
    if any(select.args.get(part) for part in ("group", "having", "distinct", "windows")):
        return False
    calls = (n for p in select.expressions for n in p.find_all(exp.AggFunc, exp.Window))
    return not any(n.parent_select is select for n in calls)


def _rows_statement(select: exp.Select, schema: TableSchema, *, bounded: bool) -> exp.Select:
    alias = select.args["from_"].this.alias_or_name
    columns = [exp.column(name, table=alias, quoted=True) for name in (ROW_ID, *(c.name for c in schema.columns))]
    rows = _same_rows(exp.select(*columns), select)
    if not bounded:
        return rows.order_by(exp.column(ROW_ID, table=alias, quoted=True))
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
