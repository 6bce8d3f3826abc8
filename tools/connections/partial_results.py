"""The parts of a statement over several databases: each is a statement of its own for one of them.

What only reads one database is computed there: subqueries, WITH queries and operands of a union as a whole. Of other
tables the columns that the statement names are read, and the rows that its own conditions on them keep.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, build_scope

from tablerag.tools.connections.registry import connection_of
from tablerag.tools.records import ROW_ID, TableSchema
from tablerag.tools.sql.common import common_of
from tablerag.tools.sql.copying import copied

__all__ = ["Part", "Plan", "planned"]

NAMED = "partial_result_{number}"
NOT_OF_A_ROW = (exp.Query, exp.AggFunc, exp.Window)
"""What a condition must not have to be computed beside its row's table alone."""


@dataclass(frozen=True, slots=True)
class Part:
    """A statement over tables of one database, whose rows stand for a table in the rest of the statement."""

    sql: str
    """In MySQL's dialect, over the tables' SQL names."""
    name: str
    """The SQL name of what it stands for in the rest of the statement."""
    says: str
    """What it reads, for messages."""
    of: TableSchema | None = None
    """The table that it reads rows of; None for the result of a subquery."""
    unfiltered: str = ""
    """The same without conditions, for an engine that cannot compute them."""


class Plan(NamedTuple):
    """What a statement becomes."""

    parts: tuple[Part, ...]
    rest: exp.Query
    """The statement over the parts, and over the tables that are read where they are."""


def planned(query: exp.Query, schemas: Sequence[TableSchema], is_here: Callable[[TableSchema], bool]) -> Plan:
    """Return the parts of a qualified statement, and its rest; tables that are ``is_here`` need no part.

    Every column of the statement has a table. Each table is read once, however often the statement names it.
    """
    rest = copied(query)
    by_name = {s.name.casefold(): s for s in schemas}
    taken, parts = {*by_name, *(c.alias.casefold() for c in rest.find_all(exp.CTE))}, list[Part]()
    for inner in list(_whole(rest, by_name)):
        schema = next(_schemas(inner, by_name))
        if is_here(schema):
            continue
        number = len(parts) + 1
        while (name := NAMED.format(number=number)) in taken:
            number += 1
        taken.add(name)
        parts.append(Part(inner.sql(dialect="mysql", comments=False), name, _listed(inner, by_name)))
        shown = [exp.column(exp.to_identifier(n, quoted=True), table=name) for n in inner.named_selects]
        inner.replace(exp.select(*shown).from_(exp.Table(this=exp.to_identifier(name, quoted=True))))
    for schema in {s.name: s for s in _schemas(rest, by_name) if not is_here(s)}.values():
        parts.append(_rows_of(schema, rest))
    return Plan(tuple(parts), rest)


def _whole(query: exp.Expr, by_name: dict[str, TableSchema]) -> Iterator[exp.Query]:
    """Yield the outermost queries within a query that stand alone and read one database."""
    for node in [*query.args.values()]:
        for child in node if isinstance(node, list) else [node]:
            if not isinstance(child, exp.Expr):
                continue
            if isinstance(child, exp.Query) and not isinstance(child, exp.Subquery) and _stands_alone(child, by_name):
                yield child
            else:
                yield from _whole(child, by_name)


def _stands_alone(query: exp.Query, by_name: dict[str, TableSchema]) -> bool:
    """Tell whether a query reads tables of one database and needs nothing of the queries around it."""
    databases = {connection_of(s.stored_as) for s in _schemas(query, by_name)}
    names = [n.casefold() for n in query.named_selects]
    if len(databases) != 1 or len(set(names)) != len(names) or "" in names:
        return False
    own = {id(c) for c in query.find_all(exp.CTE)}
    if any((cte := common_of(t)) is not None and id(cte) not in own for t in query.find_all(exp.Table)):
        return False
    scope = build_scope(query)
    return scope is not None and not any(_outer(s) for s in scope.traverse())


def _outer(scope: Scope) -> bool:
    """Tell whether a scope names a table that neither it nor a scope around it within the query has."""
    known, around = set(scope.sources), scope.parent
    while around is not None:
        known |= set(around.sources)
        around = around.parent
    return any(c.table and c.table not in known for c in scope.columns)


def _schemas(query: exp.Expr, by_name: dict[str, TableSchema]) -> Iterator[TableSchema]:
    for table in query.find_all(exp.Table):
        schema = by_name.get(table.name.casefold())
        if schema is not None and common_of(table) is None:
            yield schema


def _listed(query: exp.Query, by_name: dict[str, TableSchema]) -> str:
    return ", ".join(dict.fromkeys(s.name for s in _schemas(query, by_name)))


def _rows_of(schema: TableSchema, query: exp.Query) -> Part:
    """Return the part that reads a table's rows, with the columns of that name in the statement."""
    said = {c.name.casefold() for c in query.find_all(exp.Column)}
    names = [n for n in schema.stored_columns() if n.casefold() in said or n == ROW_ID] or [schema.columns[0].name]
    table = exp.Table(this=exp.to_identifier(schema.name, quoted=True))
    every = exp.select(*(exp.column(n, quoted=True) for n in names)).from_(table)
    plain = every.sql(dialect="mysql")
    places = [t for t in query.find_all(exp.Table) if t.name.casefold() == schema.name.casefold()]
    kept = [_conditions(place) for place in places]
    if not all(kept):
        return Part(plain, schema.name, schema.name, schema)
    filtered = every.where(exp.or_(*(exp.and_(*conditions) for conditions in kept)))
    return Part(filtered.sql(dialect="mysql", comments=False), schema.name, schema.name, schema, plain)


def _conditions(table: exp.Table) -> list[exp.Expr]:
    """Return the conditions that every row of a table must meet to count, in a statement that names it."""
    select = table.find_ancestor(exp.Select)
    join = table.find_ancestor(exp.Join, exp.Select)
    if select is None or any(j.side.upper() in ("RIGHT", "FULL") for j in select.args.get("joins") or ()):
        return []
    if isinstance(join, exp.Join) and (join.side or join.parent is not select):
        return []  # the rows that an outer join finds need not meet the conditions after it
    found: list[exp.Expr] = []
    sources = [select.args.get("where"), *(j for j in select.args.get("joins") or () if not j.side)]
    for source in sources:
        tree = None if source is None else source.args.get("on") if isinstance(source, exp.Join) else source.this
        if tree is None:
            continue
        terms = tree.flatten() if isinstance(tree, exp.And) else [tree]
        found += [_unqualified(t) for t in terms if _is_about(t.unnest(), table.alias_or_name)]
    return found


def _is_about(term: exp.Expr, alias: str) -> bool:
    columns = list(term.find_all(exp.Column))
    return bool(columns) and all(c.table == alias for c in columns) and not term.find(*NOT_OF_A_ROW)


def _unqualified(term: exp.Expr) -> exp.Expr:
    copy = term.copy()
    for column in copy.find_all(exp.Column):
        column.set("table", None)
    return exp.Paren(this=copy)
