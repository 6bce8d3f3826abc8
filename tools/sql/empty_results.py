"""Why a statement found nothing: a value that is not stored, or conditions that no row meets together.

The most common reason is a filter value that is not stored, usually because of its spelling. Running each condition
alone distinguishes it from an answer that really is empty.
"""

from collections.abc import Sequence

from sqlglot import exp

from tablerag.tools.cells import json_cell
from tablerag.tools.errors import SqlProblem
from tablerag.tools.linking.keys import edits, key_of
from tablerag.tools.linking.matching import ColumnValues, Held, best_matches
from tablerag.tools.records import EmptyReason, SqlResult, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard
from tablerag.tools.sql.limits import sources_of

__all__ = ["is_empty", "why_empty"]

MOST_CONDITIONS = 8
MOST_NEAREST = 3
FAR = 0.34
"""Share of the letters that may differ between a value and a similar one."""
MOST_COMPARED = 5_000


def is_empty(result: SqlResult, contributing: int | None) -> bool:
    """Return whether a result is empty: no rows, only empty cells, or aggregates over no rows."""
    if contributing is not None:
        return contributing == 0
    return all(cell is None for row in result.rows for cell in row)


def why_empty(guarded: GuardedSql, schemas: Sequence[TableSchema], database: Database, held: Held) -> EmptyReason:
    """Return why a statement found nothing: the conditions that no row meets, if there are any."""
    by_name = {s.name.casefold(): s for s in schemas}
    for select in guarded.expression.find_all(exp.Select):
        if select.args.get("where") is None:
            continue
        parts = _parts(select.args["where"].this)
        sources = [s for s in sources_of(select) if isinstance(s, exp.Table) and s.name.casefold() in by_name]
        for source in sources:
            schema = by_name[source.name.casefold()]
            conditions = [p for p in parts if _is_about(p, source)][:MOST_CONDITIONS]
            unmet = [c for c in conditions if not _is_met(c, source, schemas, database)]
            if unmet:
                reasons = [_unmet(c, schema, source, schemas, database, held) for c in unmet]
                return EmptyReason(says="; ".join(r.says for r in reasons), missing=any(r.missing for r in reasons))
            if len(conditions) == len(parts) > 1:
                return EmptyReason(says=f"each condition matches rows of `{schema.name}`, but no row matches all")
        if len(sources) > 1:
            joined = ", ".join(f"`{s.name}`" for s in sources)
            return EmptyReason(says=f"each condition matches rows of its table, but the join of {joined} is empty")
    return EmptyReason(says="no row matches")


def _parts(where: exp.Expr) -> list[exp.Expr]:
    """Return the conditions of an AND."""
    return [p.unnest() for p in (where.flatten() if isinstance(where, exp.And) else [where])]


def _is_about(condition: exp.Expr, source: exp.Table) -> bool:
    """Return whether a condition only uses columns of one table, and no subqueries."""
    columns = list(condition.find_all(exp.Column))
    return bool(columns) and not condition.find(exp.Query) and {c.table for c in columns} == {source.alias_or_name}


def _is_met(condition: exp.Expr, source: exp.Table, schemas: Sequence[TableSchema], database: Database) -> bool:
    """Return whether any row meets a condition alone; True if unknown."""
    statement = exp.select(exp.Literal.number(1)).from_(source.copy()).where(condition.copy()).limit(1)
    try:
        return bool(database.run(guard(statement.sql(dialect="mysql"), schemas, row_limit=1)).rows)
    except SqlProblem:
        return True


def _unmet(
    condition: exp.Expr,
    schema: TableSchema,
    source: exp.Table,
    schemas: Sequence[TableSchema],
    database: Database,
    held: Held,
) -> EmptyReason:
    """Describe a condition that no row meets, with similar stored values or the range of values."""
    shown = condition.copy()
    for column in shown.find_all(exp.Column):
        column.set("table", None)
    says = f"no row of `{schema.name}` has {shown.sql(dialect='mysql', comments=False)[:200]}"
    column = condition.find(exp.Column)
    known = next((c for c in schema.columns if column is not None and column.name in c.all_names()), None)
    if known is None or column is None:
        return EmptyReason(says=says)
    if known.type != "text" and column.name != known.raw:
        low, high = _ends(column, source, schemas, database)
        return EmptyReason(says=says if low is None else f"{says}; its values range from {low} to {high}")
    literals = [n.this.strip("%_ ") for n in condition.find_all(exp.Literal) if n.is_string]
    near = [v for text in literals for v in _nearest(text, schema, column.name, held)]
    return EmptyReason(says=says + _offered(near), missing=True)


def _offered(values: Sequence[str]) -> str:
    quoted = ", ".join("'" + v.replace("'", "''") + "'" for v in dict.fromkeys(values))
    return f"; the nearest stored values are {quoted}" if quoted else "; no stored value is similar"


def _ends(
    column: exp.Column, source: exp.Table, schemas: Sequence[TableSchema], database: Database
) -> tuple[object, object]:
    statement = exp.select(exp.Min(this=column.copy()), exp.Max(this=column.copy())).from_(source.copy())
    try:
        ((low, high),) = database.run(guard(statement.sql(dialect="mysql"), schemas, row_limit=1)).rows
    except SqlProblem:
        return None, None
    return json_cell(low), json_cell(high)


def _nearest(text: str, schema: TableSchema, column: str, held: Held) -> list[str]:
    """Return the stored values most similar to a text: by their words, otherwise by their spelling."""
    if schema.members:
        places = [(m.stored_as, m.columns[column], m.row_count) for m in schema.members if column in m.columns]
    else:
        places = [(schema.stored_as or schema.name, column, schema.row_count)]
    found: list[str] = []
    for stored_as, own, rows in places:
        values = held(stored_as, [own], rows).get(own)
        if values is not None:
            found += [value for value, _, _ in best_matches(text, values)] or _spelled_alike(text, values)
    return list(dict.fromkeys(found))[:MOST_NEAREST]


def _spelled_alike(text: str, values: ColumnValues) -> list[str]:
    """Return the values with the most similar spelling, as a whole or of some of their words."""
    words = key_of(text).split()
    sought, most = "".join(words), max(1, int(FAR * len("".join(words))))
    ranked = sorted(
        (min(edits(sought, part, most) for part in _spellings(value, len(words))), value)
        for value in values.some(MOST_COMPARED)
    )
    return [v for distance, v in ranked if sought and distance <= most][:MOST_NEAREST]


def _spellings(value: str, count: int) -> set[str]:
    """Return a value, and its runs of ``count`` words or one more, without spaces."""
    words = key_of(value).split()
    runs = {"".join(words[i : i + n]) for n in (count, count + 1) for i in range(len(words) - n + 1)}
    return {"".join(words), *runs}
