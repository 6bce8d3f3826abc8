"""MEDIAN: where it is allowed, and as functions that every server has.

MariaDB has MEDIAN as a window function only, MySQL has none. A SELECT with medians reads a derived table instead, in
which the values of each group are numbered; the median is the mean of the one or two in the middle, for any number of
rows.
"""

from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL

from tablerag.tools.errors import SqlRejected
from tablerag.tools.records import ROW_ID
from tablerag.tools.sql.common import common_of
from tablerag.tools.sql.limits import sources_of
from tablerag.tools.sql.stored import PLACE

__all__ = ["check_medians", "numbered_medians"]

# The parser's MySQL writes MEDIAN as PERCENTILE_CONT, which no server has as an aggregate.
MySQL.Generator.SUPPORTS_MEDIAN = True  # pyright: ignore
INNER = "median__rows"
MOVED = ("from_", "joins", "where")
"""The parts of a SELECT that its derived table takes over."""


def check_medians(query: exp.Query) -> None:
    """Raise SqlRejected for a median that cannot be rewritten; ``query`` must be qualified."""
    for select in {id(s): s for m in query.find_all(exp.Median) if (s := m.parent_select)}.values():
        medians = list(_medians(select))
        if any(isinstance(m.this, exp.Distinct) for m in medians):
            raise SqlRejected("DISTINCT is not allowed in MEDIAN: use MEDIAN over a derived table with DISTINCT")
        group = select.args.get("group")
        if group is not None and group.args.get("rollup"):
            raise SqlRejected("MEDIAN is not allowed with ROLLUP: write the total as UNION ALL")
        over = [m.parent for m in medians if isinstance(m.parent, exp.Window)]
        if any(w.args.get("order") or w.args.get("spec") or w.args.get("alias") for w in over):
            raise SqlRejected("MEDIAN() OVER only takes PARTITION BY")
        if over and (group is not None or any(_is_aggregate(n) for s in select.selects for n in s.walk())):
            raise SqlRejected("MEDIAN() OVER groups needs a derived table: put the groups in FROM (SELECT ...) AS t")
        names = {s.alias_or_name for s in sources_of(select)}
        moved = [p for key in MOVED for p in _listed(select.args.get(key))]
        read = (c for p in (*moved, *medians, *(group.expressions if group else ())) for c in p.find_all(exp.Column))
        if not names or any(c.table not in names and _is_outer(c, select) for c in read):
            raise SqlRejected("MEDIAN needs a SELECT that reads tables, and no columns of an outer SELECT")


def _is_aggregate(node: exp.Expr) -> bool:
    return isinstance(node, exp.AggFunc) and not isinstance(node.parent, exp.Window)


def _medians(select: exp.Select) -> Iterator[exp.Median]:
    return (m for m in select.find_all(exp.Median) if m.parent_select is select)


def _listed(part: object) -> list[exp.Expr]:
    return part if isinstance(part, list) else [part] if isinstance(part, exp.Expr) else []


def _is_outer(column: exp.Column, select: exp.Select) -> bool:
    """Return whether a column is of a SELECT around this one."""
    inner = column.parent_select
    while inner is not None and inner is not select:
        if column.table in {s.alias_or_name for s in sources_of(inner)}:
            return False
        inner = inner.parent_select
    return bool(column.table)


def numbered_medians(node: exp.Expr) -> exp.Expr:
    """A SELECT with medians: the mean of the values in the middle of each group, over numbered rows."""
    medians = list(_medians(node)) if isinstance(node, exp.Select) else []
    if not isinstance(node, exp.Select) or not medians:
        return node
    names = {s.alias_or_name for s in sources_of(node)}
    group = node.args.get("group")
    window = medians[0].parent if isinstance(medians[0].parent, exp.Window) else exp.Window()
    keys = [key.copy() for key in group.expressions] if group else []
    spelled = [k.copy() for k in window.args.get("partition_by") or ()] if node.args.get("distinct") else keys
    made = {name: number for i, m in enumerate(medians) for name, number in _numbered(m, i, keys).items()}
    rows = exp.Select()
    for key in MOVED:
        part = node.args.get(key)
        node.set(key, None)
        rows.set(key, part)
    first = _in_row_order(rows)
    columns: dict[exp.Column, str] = {}
    for column in [c for c in node.find_all(exp.Column) if c.table in names and _is_of(c, node)]:
        name = columns.setdefault(column.copy(), f"c__{len(columns)}")
        column.set("this", exp.to_identifier(name, quoted=True))
        column.set("table", exp.to_identifier(INNER, quoted=True))
    for column, name in columns.items():
        is_key = first is not None and column in spelled
        made[name] = _over(exp.FirstValue(this=column), spelled, first) if is_key else column
    rows.set("expressions", [exp.alias_(value, name, quoted=True) for name, value in made.items()])
    alias = exp.TableAlias(this=exp.to_identifier(INNER, quoted=True))
    node.set("from_", exp.From(this=exp.Subquery(this=rows, alias=alias)))
    return node


def _numbered(median: exp.Median, i: int, keys: Sequence[exp.Expr]) -> dict[str, exp.Expr]:
    """Replace a median by a mean over numbered rows; return their numbers: the place in the group, and the count."""
    if isinstance(median.parent, exp.Window):
        keys = median.parent.args.get("partition_by") or []
    value = exp.Add(this=exp.paren(median.this.copy()), expression=exp.Literal.number(0))
    empty = exp.Is(this=exp.paren(value.copy()), expression=exp.Null())
    order = exp.Order(expressions=[exp.Ordered(this=empty), exp.Ordered(this=value.copy())])
    numbers = {"place": _over(exp.RowNumber(), keys, order), "count": _over(exp.Count(this=value.copy()), keys)}
    place, count = (exp.column(f"{name}__{i}", table=INNER, quoted=True) for name in numbers)
    # Of 5 values the third alone, of 6 the third and the fourth.
    most = exp.Add(this=count.copy(), expression=exp.Literal.number(2))
    middle = exp.Between(this=exp.Mul(this=place, expression=exp.Literal.number(2)), low=count, high=most)
    median.replace(exp.Avg(this=exp.Case(ifs=[exp.If(this=middle, true=value)])))
    return {f"{name}__{i}": number for name, number in numbers.items()}


def _over(function: exp.Expr, keys: Sequence[exp.Expr], order: exp.Order | None = None) -> exp.Window:
    order = order.copy() if order else None
    return exp.Window(this=function, partition_by=[key.copy() for key in keys], order=order, over="OVER")


def _in_row_order(rows: exp.Select) -> exp.Order | None:
    """Return the order of the rows as they are stored, so that a group is spelled as in its first; None without it."""
    sources = sources_of(rows)
    if not all(isinstance(s, exp.Table) and common_of(s) is None and not s.name.startswith(PLACE) for s in sources):
        return None
    ids = (exp.column(ROW_ID, table=s.alias_or_name, quoted=True) for s in sources)
    return exp.Order(expressions=[exp.Ordered(this=column) for column in ids])


def _is_of(column: exp.Column, select: exp.Select) -> bool:
    """Return whether a column in a SELECT or its subqueries may be of its own sources."""
    return column.parent_select is select or _is_outer(column, select)
