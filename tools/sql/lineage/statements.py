"""The statements that find the rows of a reading, built from the guarded syntax tree; the guard checks them again."""

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.optimizer.scope import build_scope

from tablerag.tools.records import ROW_ID
from tablerag.tools.sql.lineage.blocks import Path, aliases, branches, returns_stored_rows
from tablerag.tools.sql.lineage.readings import Reading

__all__ = ["counted", "joined", "rows_of"]


def rows_of(reading: Reading, keys: Sequence[str], wanted: Sequence[str]) -> exp.Select:
    """Select the keys and the wanted columns of the contributing rows of a reading, ordered.

    If LIMIT selects the rows, the columns of the block follow for comparison, and rows can repeat. Otherwise each row
    with a ``_row_id`` occurs once; an outer join may add one of NULLs.
    """
    block = _block_of(reading)
    columns = _carried(block, reading.path, [*keys, *wanted])
    if reading.limited:
        shown = [exp.alias_(p.unalias(), f"selected_{i}", quoted=True) for i, p in enumerate(block.expressions)]
        return _in_order(_same_rows(exp.select(*columns, *shown), block, reading), block, cut=True)
    rows = _same_rows(exp.select(*columns), block, reading)
    if not reading.alone:
        # Texts that differ in case are one to DISTINCT: keys of texts are told apart later.
        rows = rows.distinct() if ROW_ID in keys else rows
    elif returns_stored_rows(block) and block.args.get("order") and len(reading.path) == 1:
        return _in_order(rows, block, cut=False)
    # The last key is the member; the rows of a union are ordered by it first.
    return rows.order_by(*(c.copy() for c in reversed(columns[: len(keys)])))


def joined(reading: Reading, most: int) -> exp.Select:
    """Count the joined rows of a block, up to ``most``; without limit if the reading is ``alone``."""
    block = _block_of(reading)
    _carried(block, reading.path, ())
    if reading.alone:
        return _same_rows(exp.select(exp.Count(this=exp.Star())), block, reading)
    one = exp.alias_(exp.Literal.number(1), "one", quoted=True)
    return _count_of(_same_rows(exp.select(one), block, reading).limit(most))


def counted(reading: Reading, keys: Sequence[str]) -> exp.Select:
    """Count the distinct contributing rows of a reading."""
    block = _block_of(reading)
    columns = _carried(block, reading.path, keys)
    named = [exp.alias_(c, f"key_{i}", quoted=True) for i, c in enumerate(columns)]
    rows = _same_rows(exp.select(*named), block, reading)
    rows = rows.where(exp.Not(this=exp.Is(this=columns[0].copy(), expression=exp.Null())))
    return _count_of(rows.distinct())


def _block_of(reading: Reading) -> exp.Select:
    if reading.block is None:
        raise ValueError(f"the rows of {reading.table} are unknown: {reading.untold}")
    return reading.block.copy()


def _count_of(rows: exp.Select) -> exp.Select:
    return exp.select(exp.Count(this=exp.Star())).from_(rows.subquery(exp.to_identifier("counted", quoted=True)))


def _carried(block: exp.Select, path: Path, names: Sequence[str]) -> list[exp.Column]:
    """Return columns of the table at a path, as the block can name them; derived tables on the way pass them on.

    Of a UNION on the way, only the operand with the table is kept.
    """
    (alias, operand), *rest = path
    if not rest:
        return [exp.column(name, table=alias, quoted=True) for name in names]
    scope = build_scope(block)
    if scope is None:
        return []
    derived = scope.sources[alias].expression
    if not isinstance(derived, exp.Query):
        return []
    shown = derived.named_selects
    inner = branches(derived)[operand].copy()
    columns = _carried(inner, tuple(rest), names)
    own = [exp.alias_(p.unalias(), name, quoted=True) for p, name in zip(inner.expressions, shown, strict=True)]
    carried = [exp.alias_(c, f"carried_{i}", quoted=True) for i, c in enumerate(columns)]
    inner.set("expressions", [*own, *carried])
    # All rows that DISTINCT merges contribute. An order without LIMIT has no effect.
    inner.set("distinct", None)
    inner.set("order", None)
    derived.replace(inner)
    return [exp.column(c.alias, table=alias, quoted=True) for c in carried]


def _same_rows(to: exp.Select, block: exp.Select, reading: Reading) -> exp.Select:
    """Give a SELECT the FROM, joins and WHERE of the block, for any row of the outer blocks."""
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
    """Add the order of the block and, with ``cut``, its LIMIT; aliases are replaced by the selected expressions."""
    meant = {p.alias.casefold(): p.this for p in block.expressions if isinstance(p, exp.Alias)}
    for part in ("order", "limit", "offset") if cut else ("order",):
        if block.args.get(part):
            rows.set(part, block.args[part].copy())
    order = rows.args.get("order")
    for column in list(order.find_all(exp.Column)) if order else ():
        if not column.table and column.name.casefold() in meant:
            column.replace(meant[column.name.casefold()].copy())
    return rows
