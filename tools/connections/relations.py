"""Tables of a connected database as subqueries: the names of the document side outside, the real ones inside."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from sqlglot import Dialect, exp

from tablerag.tools.connections.engine import SOURCE
from tablerag.tools.records import ROW_ID, TableSchema
from tablerag.tools.sql.transpiler import Rule, emit

if TYPE_CHECKING:
    from tablerag.tools.sql.guard import GuardedSql

__all__ = ["SOURCE", "emitted", "first_rows", "joined_rows", "quoter", "read_columns", "relation"]


def emitted(
    guarded: "GuardedSql",
    dialect: str | type[Dialect],
    rules: Sequence[Rule],
    written: Callable[[TableSchema, Sequence[str]], str],
) -> str:
    """Return a guarded statement in the dialect of its engine; raise SqlRejected if it cannot be translated.

    ``written`` returns the text of a table with some columns. The names that stand for tables are secret, so no text
    of a statement can be taken for one.
    """
    sql = emit(guarded, dialect, rules)
    read = read_columns(guarded)
    for place, schema in guarded.stored.connected:
        # The rules may order by the number of a row, which the statement itself does not name.
        own = [name for name in schema.stored_columns() if name == ROW_ID or name.casefold() in read]
        quoted = exp.to_identifier(place, quoted=True).sql(dialect=dialect)
        sql = sql.replace(quoted, written(schema, own))
    return sql


def joined_rows(guarded: "GuardedSql") -> int:
    """Return the number of rows that a statement examines at most, if no condition helps: the product of its tables."""
    sizes = {place: schema.row_count + 1 for place, schema in guarded.stored.connected}
    return prod(sizes[table.name] for table in guarded.stored.query.find_all(exp.Table) if table.name in sizes)


def read_columns(guarded: "GuardedSql") -> set[str]:
    """Return the names of the columns that a statement may read, without regard to case."""
    return {c.name.casefold() for c in guarded.expression.find_all(exp.Column)} | {
        c.name.casefold() for c in guarded.stored.query.find_all(exp.Column)
    }


def first_rows(inner: str, names: Sequence[str], quote: Callable[[str], str], most: int) -> str:
    """Return the statement that reads the first rows of a relation, by their numbers where it has them."""
    order = f" ORDER BY {quote(ROW_ID)}" if ROW_ID in names else ""
    return f"SELECT {', '.join(map(quote, names))} FROM {inner} AS t{order} LIMIT {int(most)}"


def quoter(mark: str) -> Callable[[str], str]:
    """Return what quotes a name with a mark, which is doubled in it."""
    return lambda name: f"{mark}{name.replace(mark, mark * 2)}{mark}"


def relation(
    schema: TableSchema,
    names: Sequence[str],
    source: str,
    quote: Callable[[str], str],
    reads: Mapping[str, str],
    *,
    key: str = "",
    most: int = 0,
    alias: str = SOURCE,
) -> str:
    """Return a subquery with some columns of a table under their SQL names, of its first ``most`` rows unless 0.

    ``reads`` are templates by the engine's words, with {} for a column; ``key`` is written for ``_row_id``, and
    ``alias`` for the table. Columns are named with it: engines take a lone name that is none of a column for a text, or
    for a name given before.
    """
    assert schema.origin
    own = []
    for name in names:
        if name == ROW_ID:
            own.append(f"{key or f'{alias}.{quote(schema.origin.key)}'} AS {quote(name)}")
            continue
        real = f"{alias}.{quote(schema.origin.names[name])}"
        template = reads.get(schema.origin.reads.get(name, ""), "{}")
        own.append(f"{template.replace('{}', real)} AS {quote(name)}")
    rows = f"{source} AS {alias}" + (f" LIMIT {int(most)}" if most else "")
    return f"(SELECT {', '.join(own) or f'1 AS {quote(SOURCE)}'} FROM {rows})"
