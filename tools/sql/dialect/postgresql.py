"""The rules that rewrite MySQL for PostgreSQL: those for DuckDB, whose functions are then written in its own words.

PostgreSQL compares texts by their case. Here they are folded wherever they are compared, sorted or grouped; what has no
expression of PostgreSQL is refused.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.dialects.postgres import Postgres

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.dialect.duck.build import call
from tablerag.tools.sql.dialect.duck.kinds import kind
from tablerag.tools.sql.dialect.duckdb import DUCKDB_RULES
from tablerag.tools.sql.dialect.pg.functions import (
    LITERAL_SIZES,
    MOST_SIZE,
    MYSQL_NAMES,
    PLAIN,
    SHAPES,
    date_format,
    folded,
)
from tablerag.tools.sql.dialect.pg.groups import groups, ordered_operations, set_operations

__all__ = ["POSTGRES_RULES", "PostgreSql"]

COMPARED: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
}


def extremes_of_texts(node: exp.Expr) -> exp.Expr:
    """MIN and MAX of texts, without regard to case."""
    if isinstance(node, (exp.Min, exp.Max)) and kind(node.this) == "text":
        if isinstance(node.parent, exp.Window):
            raise SqlRejected("MIN and MAX of texts OVER a window are not available on PostgreSQL")
        return call(f"m_{node.key}_text", node.this, like="text")
    return node


def refused(node: exp.Expr) -> exp.Expr:
    """Refuse what PostgreSQL lacks and no function tells."""
    if isinstance(node, exp.With) and node.args.get("recursive"):
        raise SqlRejected("WITH RECURSIVE is not available on PostgreSQL")
    if isinstance(node, exp.JSONArrayAgg):
        raise SqlRejected("JSON_ARRAYAGG is not available on PostgreSQL: use GROUP_CONCAT")
    if isinstance(node, exp.Median) and isinstance(node.parent, exp.Window):
        raise SqlRejected("MEDIAN() OVER is not available on PostgreSQL: use MEDIAN with GROUP BY")
    return node


POSTGRES_RULES: Sequence[Callable[[exp.Expr], exp.Expr]] = (
    refused,
    set_operations,
    extremes_of_texts,
    *DUCKDB_RULES,
    groups,
    ordered_operations,
)


def _is_text(node: exp.Expr) -> bool:
    return kind(node) == "text" and not isinstance(node, (exp.Null, exp.Collate))


def _text(writer: Any, node: exp.Expr) -> str:
    """Write a text without case and accents, once."""
    written = writer.sql(node)
    return written if isinstance(node, exp.Anonymous) and node.name == "m_fold" else folded(written)


def _compared(writer: Any, node: exp.Expr) -> str:
    left, right = node.this, node.expression
    sign = COMPARED[type(node)]
    if isinstance(right, (exp.All, exp.Any)):
        if _is_text(left):
            raise SqlRejected("ALL and ANY over texts are not available on PostgreSQL: use MIN or MAX, or IN")
        return writer.binary(node, sign)
    if _is_text(left) and _is_text(right):
        return f"{_text(writer, left)} {sign} {_text(writer, right)}"
    return writer.binary(node, sign)


def _between(writer: Any, node: exp.Between) -> str:
    parts = [node.this, node.args["low"], node.args["high"]]
    write = _text if all(map(_is_text, parts)) else lambda w, n: w.sql(n)
    value, low, high = (write(writer, p) for p in parts)
    return f"{value} BETWEEN {low} AND {high}"


def _in(writer: Any, node: exp.In) -> str:
    query = node.args.get("query")
    if isinstance(node.this, exp.Tuple) and any(map(_is_text, node.this.expressions)):
        raise SqlRejected("rows with texts IN a query are not available on PostgreSQL: use EXISTS")
    if not _is_text(node.this):
        return Postgres.Generator.in_sql(writer, node)
    if query is not None:
        inner = query.this if isinstance(query, exp.Subquery) else query
        return f"{_text(writer, node.this)} IN (SELECT {folded('q__.c')} FROM ({writer.sql(inner)}) AS q__(c))"
    items = ", ".join(writer.sql(i) if isinstance(i, exp.Null) else _text(writer, i) for i in node.expressions)
    return f"{_text(writer, node.this)} IN ({items})"


def _ordered(writer: Any, node: exp.Ordered) -> str:
    """Sort NULL first, and last where the order descends, as MySQL does."""
    if isinstance(node.this, exp.Literal):
        return writer.sql(node.this)
    key = _text(writer, node.this) if _is_text(node.this) else writer.sql(node.this)
    return f"{key} DESC NULLS LAST" if node.args.get("desc") else f"{key} NULLS FIRST"


def _distinct(writer: Any, node: exp.Distinct) -> str:
    if not node.expressions:
        return "DISTINCT"
    values = (_text(writer, e) if _is_text(e) else writer.sql(e) for e in node.expressions)
    return f"DISTINCT {', '.join(values)}"


def _window(writer: Any, node: exp.Window) -> str:
    for key in node.args.get("partition_by") or []:
        if _is_text(key):
            key.replace(call("m_fold", key.copy(), like="text"))
    return Postgres.Generator.window_sql(writer, node)


def _cast(writer: Any, node: exp.Cast) -> str:
    """PostgreSQL only casts truths to INTEGER."""
    of = node.this.unnest() if isinstance(node.this, exp.Paren) else node.this
    if kind(of) == "boolean" and node.to.this in exp.DataType.INTEGER_TYPES:
        return f"CAST(CAST({writer.sql(node.this)} AS INTEGER) AS {writer.sql(node.to)})"
    return Postgres.Generator.cast_sql(writer, node)


def _called(writer: Any, node: exp.Anonymous) -> str:
    name, given = node.name.lower(), node.expressions
    if name == "m_fold":
        return folded(writer.sql(given[0]))
    if name in ("m_min_text", "m_max_text"):
        value, down = writer.sql(given[0]), "DESC" if name == "m_max_text" else "ASC"
        return f"(ARRAY_AGG({value} ORDER BY {folded(value)} {down} NULLS LAST))[1]"
    if name == "strftime" and isinstance(given[1], exp.Literal):
        return f"TO_CHAR({writer.sql(given[0])}, {date_format(given[1].this)})"
    if name == "list_extract":
        return _each(writer, node)
    if name in ("m_greatest", "m_least"):
        items = [writer.sql(i) for i in given[0].expressions]
        empty = " OR ".join(f"{i} IS NULL" for i in items)
        return f"CASE WHEN NOT ({empty}) THEN {name[2:].upper()}({', '.join(items)}) END"
    if name == "nullif" and all(map(_is_text, given)):
        value = writer.sql(given[0])
        return f"CASE WHEN {folded(value)} = {_text(writer, given[1])} THEN NULL ELSE {value} END"
    if name == "round" and len(given) == 1:
        return f"ROUND(CAST({writer.sql(given[0])} AS NUMERIC))"
    if name == "m_any_number":
        return SHAPES["m_number"].replace("{0}", f"CAST({writer.sql(given[0])} AS TEXT)")
    if name == "m_joined":
        return " || ".join(f"({writer.sql(g)})" for g in given)
    if name in LITERAL_SIZES:
        size = given[LITERAL_SIZES[name]]
        if not (isinstance(size, exp.Literal) and size.is_int and int(size.this) <= MOST_SIZE):
            raise SqlRejected(
                f"{name[2:].upper()} is not available on PostgreSQL without a written length up to {MOST_SIZE:,}"
            )
        if not (isinstance(given[2], exp.Literal) and given[2].this):
            raise SqlRejected(f"{name[2:].upper()} is not available on PostgreSQL without a written text to fill with")
    if name in SHAPES:
        written = SHAPES[name]
        for place in range(len(given)):  # an argument may contain what looks like another one's place
            written = written.replace(f"{{{place}}}", f"\0{place}\0")
        for place, argument in enumerate(given):
            written = written.replace(f"\0{place}\0", f"({writer.sql(argument)})")
        if name == "substring" and len(given) == 2:
            return f"SUBSTRING({writer.sql(given[0])} FROM {writer.sql(given[1])})"
        return written
    if name in PLAIN:
        return f"{name.upper()}({', '.join(writer.sql(g) for g in given)})"
    told = MYSQL_NAMES.get(name) or name.removeprefix("m_").upper()
    raise SqlRejected(f"{told} is not available on PostgreSQL")


def _each(writer: Any, node: exp.Anonymous) -> str:
    """Write what is made of a value that the rules bind as ``v``."""
    listed = node.expressions[0]
    if not (isinstance(listed, exp.Anonymous) and listed.name == "list_transform"):
        raise SqlRejected("ELT is not available on PostgreSQL: use CASE")
    value, made = listed.expressions[0].expressions[0], listed.expressions[1].this.copy()
    for column in list(made.find_all(exp.Column)):
        if column.name == "v" and not column.table:
            bound = exp.paren(value.copy(), copy=False)
            bound.meta["kind"] = kind(value)
            if column is made:
                return writer.sql(bound)
            column.replace(bound)
    return f"({writer.sql(made)})"


class PostgreSql(Postgres):
    """PostgreSQL's dialect for statements that the rules have rewritten."""

    class Generator(Postgres.Generator):
        TYPE_MAPPING = Postgres.Generator.TYPE_MAPPING | {
            exp.DataType.Type.INT128: "NUMERIC",
            exp.DataType.Type.UBIGINT: "NUMERIC",
        }
        TRANSFORMS = Postgres.Generator.TRANSFORMS | {
            **dict.fromkeys(COMPARED, _compared),
            exp.Between: _between,
            exp.In: _in,
            exp.Ordered: _ordered,
            exp.Distinct: _distinct,
            exp.Window: _window,
            exp.Cast: _cast,
            exp.Anonymous: _called,
        }
