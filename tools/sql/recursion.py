"""WITH RECURSIVE: the shape that every engine computes alike, and what its columns hold.

A recursive WITH query is ``first UNION [ALL] next``: only the next part names the query, once, in its FROM. Servers
give each column the type of the first part and fail, or cut values, if the next part's are wider; here a column has the
type that holds both.
"""

from collections.abc import Iterator, Sequence
from typing import cast

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.common import common_of
from tablerag.tools.sql.dialect.duck.kinds import Kind, known_kinds, selected_kind, united
from tablerag.tools.sql.limits import sources_of

__all__ = ["COMMON_TYPE", "check_recursion", "first_selects", "next_of", "recursive_queries", "with_common_types"]

WIDEST = 100_000
"""Characters that make a server keep a text of any length."""
TYPES: dict[Kind, str] = {
    "boolean": "BIGINT",
    "integer": "BIGINT",
    "decimal": "DECIMAL(38, 10)",
    "quotient": "DECIMAL(38, 10)",
    "double": "DOUBLE",
    "date": "DATE",
    "datetime": "DATETIME",
}
SETTLED = 4
"""Passes after which the kinds of columns no longer change: boolean, integer, decimal, double or text."""
COMMON_TYPE = "cast to a common type"
"""Marks a cast that was added."""
COMBINING = ("group", "having", "distinct", "order", "limit", "offset", "windows")


def check_recursion(query: exp.Query) -> None:
    """Raise SqlRejected for a recursion that engines refuse or compute differently."""
    for with_ in query.find_all(exp.With):
        if with_.args.get("recursive") and with_.parent is not query:
            raise SqlRejected("WITH RECURSIVE is only allowed at the beginning of the statement")
    for cte, reads in _recursive(query):
        _check(cte, reads)


def recursive_queries(query: exp.Query) -> list[exp.CTE]:
    """Return the WITH queries that read themselves."""
    return [cte for cte, _ in _recursive(query)]


def _recursive(query: exp.Query) -> Iterator[tuple[exp.CTE, list[exp.Table]]]:
    with_ = query.args.get("with_")
    for cte in with_.expressions if with_ and with_.args.get("recursive") else ():
        reads = [t for t in cte.this.find_all(exp.Table) if common_of(t) is cte]
        if reads:
            yield cte, reads


def _check(cte: exp.CTE, reads: list[exp.Table]) -> None:
    name, union = cte.alias[:80], cte.this
    if not isinstance(union, exp.Union) or any(union.args.get(part) for part in ("order", "limit", "offset", "with_")):
        raise SqlRejected(
            f"recursive query {name!r} must be a SELECT of its first rows, UNION ALL and a SELECT of more"
        )
    step = union.expression.unnest()
    joins = (step.args.get("joins") or []) if isinstance(step, exp.Select) else []
    sources = sources_of(step) if isinstance(step, exp.Select) else []
    optional = {id(j.this) for j in joins if j.side}
    if len(reads) != 1 or not any(s is reads[0] for s in sources) or id(reads[0]) in optional:
        raise SqlRejected(
            f"recursive query {name!r} must be read once, in FROM or JOIN of the SELECT after its UNION, "
            "not in a subquery or LEFT JOIN"
        )
    if any(j.side.upper() == "RIGHT" for j in joins):
        raise SqlRejected(f"RIGHT JOIN is not allowed in recursive query {name!r}: use JOIN or LEFT JOIN")
    combines = any(step.args.get(part) for part in COMBINING) or any(
        isinstance(n, (exp.AggFunc, exp.Window))
        for n in step.dfs(prune=lambda n: n is not step and isinstance(n, exp.Query))
    )
    if combines:
        raise SqlRejected(
            f"the SELECT after UNION in recursive query {name!r} must not have aggregates, windows, DISTINCT, "
            "ORDER BY or LIMIT: use them in the SELECT that reads it"
        )


def next_of(cte: exp.CTE) -> exp.Select:
    """Return the part of a recursive WITH query that reads the rows before."""
    return cast(exp.Select, cte.this.expression.unnest())


def first_selects(query: exp.Expr) -> Iterator[exp.Select]:
    """Yield the SELECTs of a query's set operations."""
    query = query.unnest()
    if isinstance(query, exp.SetOperation):
        yield from first_selects(query.this)
        yield from first_selects(query.expression)
    elif isinstance(query, exp.Select):
        yield query


def with_common_types(query: exp.Query) -> exp.Query:
    """Cast the columns of recursive WITH queries to the types that hold the values of both parts; return the query."""
    for cte in recursive_queries(query):
        first, step = cast(exp.Query, cte.this.this), next_of(cte)
        wanted: list[Kind | None] = []
        for _ in range(SETTLED):
            known_kinds(query)
            places = range(min(len(first.selects), len(step.selects)))
            found: list[Kind | None] = [united(selected_kind(first, i), selected_kind(step, i)) for i in places]
            for select in first_selects(first):
                _cast(select, found)
            _forget(query)
            if found == wanted:
                break
            wanted = found
        _cast(step, [of if of != "text" else None for of in wanted])
    return query


def _cast(select: exp.Select, kinds: Sequence[Kind | None]) -> None:
    for shown, of in zip(select.selects, kinds, strict=False):
        to = f"CHAR({WIDEST})" if of == "text" else TYPES.get(of) if of else None
        value = shown.unalias()
        if to is None or isinstance(shown, exp.Star):
            continue
        made = exp.Cast(this=value.copy(), to=exp.DataType.build(to, dialect="mysql"))
        made.meta[COMMON_TYPE] = True
        if value.meta.get(COMMON_TYPE):
            made.set("this", value.this.copy())
        value.replace(made if isinstance(shown, exp.Alias) else exp.alias_(made, shown.alias_or_name, quoted=True))


def _forget(query: exp.Query) -> None:
    for column in query.find_all(exp.Column):
        column.meta.pop("kind", None)
