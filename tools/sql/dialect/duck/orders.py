"""An order for rows that a statement leaves unordered: DuckDB returns groups and joined rows in any, new each time."""

from collections.abc import Callable, Collection, Sequence

from sqlglot import exp

from tablerag.tools.records import ROW_ID
from tablerag.tools.sql.dialect.duck.kinds import kind

__all__ = ["in_order", "mark_single_rows"]

ONE_ROW = "one row"


def in_order(keyed: Collection[str]) -> Callable[[exp.Expr], exp.Expr]:
    """Return a rule that orders a result, and what a LIMIT cuts, as the documents do where the statement does not.

    Groups come in the order of their keys, distinct rows as first met, other rows as in the tables of FROM. ``keyed``
    are the names that stand for unions whose rows have a number; stored tables are files by now, which all have it.
    """

    def rule(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Select) and (node.parent is None or node.args.get("limit")):
            _order(node, keyed)
        return node

    return rule


def _order(select: exp.Select, keyed: Collection[str]) -> None:
    group, rows = select.args.get("group"), _row_numbers(select, keyed)
    if group is not None:
        if not (group.args.get("rollup") or select.args.get("distinct")):
            _show_first_spelling(select, group, rows)
            _add(select, group.expressions)
    elif select.args.get("distinct"):
        if not select.args.get("order"):
            _as_first_met(select, rows)
    elif not _is_one_row(select) and (select.args.get("order") or select.args.get("joins") or select.find(exp.Window)):
        _add(select, rows)


def _row_numbers(select: exp.Select, keyed: Collection[str]) -> list[exp.Expr]:
    """Return the columns that number the rows of the tables of FROM; none if one of these is no table."""
    from_ = select.args.get("from_") or select.args.get("from")
    sources = [from_.this, *(j.this for j in select.args.get("joins") or ())] if from_ else []
    found: list[exp.Expr] = []
    for source in sources:
        is_file = isinstance(source, exp.Table) and isinstance(source.this, exp.Anonymous)
        if not is_file and source.name not in keyed:
            return []
        key, table = exp.to_identifier(ROW_ID, quoted=True), exp.to_identifier(source.alias_or_name, quoted=True)
        found.append(exp.column(key, table=table))
    return found


def mark_single_rows(query: exp.Expr) -> None:
    """Mark the queries that aggregate all their rows, before the rules replace what tells it."""
    for select in query.find_all(exp.Select):
        found = (f for s in select.selects for f in s.find_all(exp.AggFunc))
        select.meta[ONE_ROW] = any(not isinstance(f.parent, exp.Window) for f in found)


def _show_first_spelling(select: exp.Select, group: exp.Expr, rows: Sequence[exp.Expr]) -> None:
    """Show a group of texts that only differ in case or accents by its first one, not by any."""
    keys = {key.sql() for key in group.expressions if isinstance(key, exp.Column) and kind(key) == "text"}
    for shown in select.selects if len(rows) == 1 else ():
        value = shown.this if isinstance(shown, exp.Alias) else shown
        if value.sql() in keys:
            first = exp.Anonymous(this="arg_min", expressions=[value.copy(), rows[0].copy()])
            value.replace(
                first if isinstance(shown, exp.Alias) else exp.alias_(first, shown.alias_or_name, quoted=True)
            )


def _is_one_row(select: exp.Select) -> bool:
    return bool(select.meta.get(ONE_ROW))


def _as_first_met(select: exp.Select, rows: Sequence[exp.Expr]) -> None:
    """Make groups of distinct rows, each shown and ordered as its first row; without row numbers, order them."""
    values = [s.this if isinstance(s, exp.Alias) else s for s in select.selects]
    if len(rows) != 1 or select.find(exp.Window) or _is_one_row(select):
        _add(select, [exp.Literal.number(i) for i in range(1, len(values) + 1)])
        return
    names = [s.alias_or_name for s in select.selects]
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=[v.copy() for v in values]))
    shown = [exp.Anonymous(this="arg_min", expressions=[v.copy(), rows[0].copy()]) for v in values]
    select.set("expressions", [exp.alias_(s, n, quoted=True) for s, n in zip(shown, names, strict=True)])
    _add(select, [exp.Min(this=rows[0].copy())])


def _add(select: exp.Select, keys: Sequence[exp.Expr]) -> None:
    """Order by keys after those that the statement has."""
    order = select.args.get("order") or exp.Order(expressions=[])
    added = [exp.Ordered(this=key.copy(), nulls_first=True) for key in keys if not isinstance(key, exp.Boolean)]
    if added:
        select.set("order", exp.Order(expressions=[*order.expressions, *added]))
