"""The statements that find a reading's rows, built from the guarded syntax tree; the guard takes them again."""

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.optimizer.scope import build_scope

from tablerag.tools.sql.lineage.blocks import Path, aliases, branches, returns_stored_rows
from tablerag.tools.sql.lineage.readings import Reading

__all__ = ["counted", "joined", "rows_of"]


def rows_of(reading: Reading, keys: Sequence[str], wanted: Sequence[str]) -> exp.Select:
    """Select the keys and the wanted columns of the rows that a reading contributes, ordered.

    Where LIMIT chooses them, what the block selects follows, to be compared, and a row may come several times;
    else each comes once, beside one of NULLs that an outer join may leave.
    """
    block = _block_of(reading)
    columns = _carried(block, reading.path, [*keys, *wanted])
    if reading.limited:
        shown = [exp.alias_(p.unalias(), f"selected_{i}", quoted=True) for i, p in enumerate(block.expressions)]
        return _in_order(_same_rows(exp.select(*columns, *shown), block, reading), block, cut=True)
    rows = _same_rows(exp.select(*columns), block, reading)
    if not reading.alone:
        rows = rows.distinct()
    elif returns_stored_rows(block) and block.args.get("order") and len(reading.path) == 1:
        return _in_order(rows, block, cut=False)
    # The last key is the member, which the rows of a uniting table are ordered by first.
    return rows.order_by(*(c.copy() for c in reversed(columns[: len(keys)])))


def joined(reading: Reading, most: int) -> exp.Select:
    """Count a block's joined rows, up to ``most``; all where each row of the table is in one of them."""
    block = _block_of(reading)
    _carried(block, reading.path, ())
    if reading.alone:
        return _same_rows(exp.select(exp.Count(this=exp.Star())), block, reading)
    one = exp.alias_(exp.Literal.number(1), "one", quoted=True)
    return _count_of(_same_rows(exp.select(one), block, reading).limit(most))


def counted(reading: Reading, keys: Sequence[str]) -> exp.Select:
    """Count the distinct rows that a reading contributes."""
    block = _block_of(reading)
    columns = _carried(block, reading.path, keys)
    named = [exp.alias_(c, f"key_{i}", quoted=True) for i, c in enumerate(columns)]
    rows = _same_rows(exp.select(*named), block, reading)
    rows = rows.where(exp.Not(this=exp.Is(this=columns[0].copy(), expression=exp.Null())))
    return _count_of(rows.distinct())


def _block_of(reading: Reading) -> exp.Select:
    if reading.block is None:
        raise ValueError(f"the rows of {reading.table} cannot be told: {reading.untold}")
    return reading.block.copy()


def _count_of(rows: exp.Select) -> exp.Select:
    return exp.select(exp.Count(this=exp.Star())).from_(rows.subquery(exp.to_identifier("counted", quoted=True)))


def _carried(block: exp.Select, path: Path, names: Sequence[str]) -> list[exp.Column]:
    """Return columns of the table at a path as the block may name them; derived tables on the way carry them out.

    Of a UNION on the way only the operand that holds the table is left.
    """
    (alias, operand), *rest = path
    if not rest:
        return [exp.column(name, table=alias, quoted=True) for name in names]
    scope = build_scope(block)
    if scope is None:
        return []
    derived = scope.sources[alias].expression
    shown = derived.named_selects
    inner = branches(derived)[operand].copy()
    columns = _carried(inner, tuple(rest), names)
    own = [exp.alias_(p.unalias(), name, quoted=True) for p, name in zip(inner.expressions, shown, strict=True)]
    carried = [exp.alias_(c, f"carried_{i}", quoted=True) for i, c in enumerate(columns)]
    inner.set("expressions", [*own, *carried])
    # Which of equal rows DISTINCT leaves does not matter here: all of them count. Nor does an order without LIMIT.
    inner.set("distinct", None)
    inner.set("order", None)
    derived.replace(inner)
    return [exp.column(c.alias, table=alias, quoted=True) for c in carried]


def _same_rows(to: exp.Select, block: exp.Select, reading: Reading) -> exp.Select:
    """Have a SELECT read what the block reads: its FROM, joins and WHERE, for some row of the blocks around it."""
    to.set("from_", block.args["from_"].copy())
    to.set("joins", [j.copy() for j in block.args.get("joins") or []])
    conditions = _conditions(block)
    if not reading.place.around:
        return to.where(*conditions) if conditions else to
    around = {alias for outer in reading.place.around for alias in aliases(outer)}
    tied = [c for c in conditions if any(col.table in around for col in c.find_all(exp.Column))]
    fits: list[exp.Expr] = tied
    for outer in reversed(reading.place.around):
        some = exp.select(exp.alias_(exp.Literal.number(1), "one", quoted=True))
        if outer.args.get("from_"):
            some.set("from_", outer.args["from_"].copy())
            some.set("joins", [j.copy() for j in outer.args.get("joins") or []])
        fits = [exp.Exists(this=some.where(*_conditions(outer), *fits))]
    return to.where(*(c for c in conditions if c not in tied), *fits)


def _conditions(block: exp.Select) -> list[exp.Expr]:
    where = block.args.get("where")
    if where is None:
        return []
    return [c.copy() for c in (where.this.flatten() if isinstance(where.this, exp.And) else [where.this])]


def _in_order(rows: exp.Select, block: exp.Select, *, cut: bool) -> exp.Select:
    """Give rows the block's order, and its LIMIT where it cuts; aliases there stand for what was selected."""
    meant = {p.alias.casefold(): p.this for p in block.expressions if isinstance(p, exp.Alias)}
    for part in ("order", "limit", "offset") if cut else ("order",):
        if block.args.get(part):
            rows.set(part, block.args[part].copy())
    order = rows.args.get("order")
    for column in list(order.find_all(exp.Column)) if order else ():
        if not column.table and column.name.casefold() in meant:
            column.replace(meant[column.name.casefold()].copy())
    return rows
