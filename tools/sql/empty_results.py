"""Why a statement found no row: a value that is stored nowhere, or conditions that no row meets together.

A filter value that is in no row is the commonest reason for an empty result, and mostly a spelling: it is told
from a truly empty answer by trying each condition alone.
"""

from collections.abc import Callable, Mapping, Sequence

from sqlglot import exp

from tablerag.tools.cells import json_cell
from tablerag.tools.errors import SqlProblem
from tablerag.tools.linking.keys import edits, key_of
from tablerag.tools.linking.matching import ColumnValues, best_matches
from tablerag.tools.records import EmptyReason, SqlResult, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard
from tablerag.tools.sql.limits import sources_of

__all__ = ["Held", "is_empty", "why_empty"]

Held = Callable[[str, Sequence[str], int], Mapping[str, ColumnValues]]
"""The distinct values of a stored table's columns, as the value linker holds them."""
MOST_CONDITIONS = 8
MOST_NEAREST = 3
FAR = 0.34
"""Letters that may differ, as a share of the longer spelling, between a value and one like it."""
MOST_COMPARED = 5_000


def is_empty(result: SqlResult, contributing: int | None) -> bool:
    """Tell whether a result says nothing: no rows, only empty cells, or aggregates over no row."""
    if contributing is not None:
        return contributing == 0
    return all(cell is None for row in result.rows for cell in row)


def why_empty(guarded: GuardedSql, schemas: Sequence[TableSchema], database: Database, held: Held) -> EmptyReason:
    """Return why a statement found nothing: the conditions that no row of their table meets, else only that it did."""
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
                told = [_unmet(c, schema, source, schemas, database, held) for c in unmet]
                return EmptyReason(says="; ".join(t.says for t in told), missing=any(t.missing for t in told))
            if len(conditions) == len(parts) > 1:
                return EmptyReason(says=f"each condition fits rows of `{schema.name}`, but no row fits all of them")
        if len(sources) > 1:
            joined = ", ".join(f"`{s.name}`" for s in sources)
            return EmptyReason(says=f"each condition fits rows of its own table, but no rows of {joined} fit together")
    return EmptyReason(says="no row fits")


def _parts(where: exp.Expr) -> list[exp.Expr]:
    """Return what is joined by AND."""
    return [p.unnest() for p in (where.flatten() if isinstance(where, exp.And) else [where])]


def _is_about(condition: exp.Expr, source: exp.Table) -> bool:
    """Tell whether a condition speaks of one table's columns only; those with subqueries are judged on their own."""
    columns = list(condition.find_all(exp.Column))
    return bool(columns) and not condition.find(exp.Query) and {c.table for c in columns} == {source.alias_or_name}


def _is_met(condition: exp.Expr, source: exp.Table, schemas: Sequence[TableSchema], database: Database) -> bool:
    """Tell whether any row meets a condition alone; True when that cannot be told."""
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
    """Say which condition no row meets, with what is stored instead."""
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
        return EmptyReason(says=says if low is None else f"{says}; it goes from {low} to {high}")
    literals = [n.this.strip("%_ ") for n in condition.find_all(exp.Literal) if n.is_string]
    near = [v for text in literals for v in _nearest(text, schema, column.name, held)]
    return EmptyReason(says=says + _offered(near), missing=True)


def _offered(values: Sequence[str]) -> str:
    quoted = ", ".join("'" + v.replace("'", "''") + "'" for v in dict.fromkeys(values))
    return f"; the nearest stored values are {quoted}" if quoted else "; no stored value is like it"


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
    """Return stored values like a text: those that share its words, else those spelled most like it."""
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
    """Return the values that are, or have words that are, spelled most like a text."""
    words = key_of(text).split()
    sought, most = "".join(words), max(1, int(FAR * len("".join(words))))
    ranked = sorted(
        (min(edits(sought, part, most) for part in _spellings(value, len(words))), value)
        for value in values.some(MOST_COMPARED)
    )
    return [v for distance, v in ranked if sought and distance <= most][:MOST_NEAREST]


def _spellings(value: str, count: int) -> set[str]:
    """Return a value's runs of about as many words as are sought, without spaces, and all of it."""
    words = key_of(value).split()
    runs = {"".join(words[i : i + n]) for n in (count, count + 1) for i in range(len(words) - n + 1)}
    return {"".join(words), *runs}
