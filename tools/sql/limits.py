"""Limits on the tables and columns of a parsed statement, checked before its names are resolved."""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.records import TableSchema

__all__ = ["MAX_TABLES", "check_width", "inner_queries", "sources_of"]

MAX_TABLES = 60
"""MySQL joins at most 61."""
MAX_COLUMNS = 4_000
"""Columns of one result, derived table or common table expression; MySQL allows 4096."""
MAX_COLUMNS_IN_ALL = 1_000
"""Columns of all queries of a statement together: each takes about 0.2 ms to resolve. Wide tables may have more."""


def check_width(query: exp.Query, schemas: Sequence[TableSchema]) -> None:
    """Raise SqlRejected for a query with too many tables or, once every ``*`` is expanded, too many columns.

    The columns of ``*`` over queries that join each other double with every step: a few lines could fill the memory.
    """
    tables = sum(1 for _ in query.find_all(exp.Table))
    if tables > MAX_TABLES:
        raise SqlRejected(f"too many tables: {tables}, at most {MAX_TABLES}; use IN or OR instead of UNION")
    known = {s.name.casefold(): len(s.columns) for s in schemas}
    widths: list[int] = []
    _width(query, known, widths)
    most = max(
        MAX_COLUMNS_IN_ALL, 2 * max((known.get(t.name.casefold(), 0) for t in query.find_all(exp.Table)), default=0)
    )
    if sum(widths) > most:
        raise SqlRejected(f"too many columns: {sum(widths)} in all queries, at most {most}; name columns instead of *")


def _width(query: exp.Expr, known: Mapping[str, int], widths: list[int]) -> int:
    """Return the number of columns of a query, given the tables and common table expressions in scope.

    Add those of each SELECT in it to ``widths``.
    """
    if isinstance(query, exp.Subquery):
        return _source_width(query.this, known, widths) + sum(
            _source_width(j.this, known, widths) for j in _joins(query)
        )
    with_ = query.args.get("with_")
    for cte in with_.expressions if with_ else []:
        name = cte.alias.casefold()
        if cte.parent.args.get("recursive") and isinstance(cte.this, exp.Union):
            # The second part may select * of the query itself: as many columns as the first part has.
            known = {**known, name: _width(cte.this.this, known, [])}
        known = {**known, name: _width(cte.this, known, widths)}
    if isinstance(query, exp.SetOperation):
        return max(_width(query.this, known, widths), _width(query.expression, known, widths))
    if not isinstance(query, exp.Select):
        return 1
    sources = {s.alias_or_name.casefold(): _source_width(s, known, widths) for s in sources_of(query)}
    width = 0
    for projection in query.expressions:
        if isinstance(projection, exp.Star):
            width += sum(sources.values())
        elif isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star):
            width += sources.get(projection.table.casefold(), 1)
        else:
            width += 1
    if width > MAX_COLUMNS:
        raise SqlRejected(f"too many columns in a query: {width}, at most {MAX_COLUMNS}; name columns instead of *")
    widths.append(width)
    for inner in inner_queries(query):
        _width(inner, known, widths)
    return width


def _source_width(source: exp.Expr, known: Mapping[str, int], widths: list[int]) -> int:
    if not isinstance(source, exp.Table):
        return _width(source, known, widths)
    return known.get(source.name.casefold(), 1) + sum(_source_width(j.this, known, widths) for j in _joins(source))


def sources_of(select: exp.Select) -> list[exp.Expr]:
    """Return the sources in FROM and JOIN."""
    from_ = select.args.get("from_")
    return ([from_.this] if from_ else []) + [join.this for join in _joins(select)]


def _joins(node: exp.Expr) -> list[exp.Join]:
    return node.args.get("joins") or []


def inner_queries(select: exp.Select) -> list[exp.Expr]:
    """Return the outermost subqueries of a SELECT that are neither sources nor common table expressions."""
    found: list[exp.Expr] = []
    skipped = {id(s) for s in sources_of(select)} | {id(select.args.get("with_"))}

    def stop(node: exp.Expr) -> bool:
        return id(node) in skipped or (node is not select and isinstance(node, exp.Query))

    for node in select.dfs(prune=stop):
        if node is not select and isinstance(node, exp.Query) and id(node) not in skipped:
            found.append(node)
    return found
