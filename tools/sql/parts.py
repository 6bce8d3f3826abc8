"""Check every part of a statement against the allow-lists and refuse everything else."""

import re
from functools import cache

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.allowed import (
    ALLOWED_FUNCTIONS,
    ALLOWED_NAMES,
    ALLOWED_PARTS,
    ALLOWED_TYPES,
    ALLOWED_UNITS,
    CARRIES,
    FORBIDDEN,
    REFUSED_KEYS,
)

__all__ = ["check_parts"]

FUNCTIONS_ALLOWED = "use MySQL's aggregate, window, text, number and date functions"
SIMPLER = "use SELECT with joins, filters, groups, windows and WITH"
JOIN_KINDS = frozenset({"", "INNER", "OUTER", "CROSS"})
JOIN_SIDES = frozenset({"", "LEFT", "RIGHT"})
BITS = (exp.BitwiseAndAgg, exp.BitwiseOrAgg, exp.BitwiseXorAgg)
MAX_OFFSET = 1_000_000_000
SHOWN_NAME = 40


def check_parts(query: exp.Query) -> None:
    """Raise SqlRejected for the first part that is not allowed or has an argument that is not allowed."""
    for node in query.walk():
        _check_kind(node)
        _check_carried(node)
        if isinstance(node, exp.Join):
            _check_join(node)
        elif isinstance(node, exp.Query) and node.args.get("operation_modifiers"):
            raise SqlRejected("SELECT modifiers such as SQL_NO_CACHE are not allowed")
        elif isinstance(node, exp.Select) and not node.expressions:
            raise SqlRejected("SELECT needs at least one column or value")
        elif isinstance(node, exp.Distinct) and not (node.expressions or isinstance(node.parent, exp.Query)):
            raise SqlRejected("DISTINCT in an aggregate needs at least one value")
        elif isinstance(node, exp.Substring) and node.args.get("start") is None:
            raise SqlRejected("SUBSTRING needs a position, as in SUBSTRING(text, 1, 3)")
        elif isinstance(node, exp.JSONArrayAgg) and (node.find(exp.Distinct) or isinstance(node.parent, exp.Window)):
            raise SqlRejected("DISTINCT and OVER are not allowed with JSON_ARRAYAGG: use a derived table")
        elif isinstance(node, BITS) and (node.find(exp.Distinct) or isinstance(node.parent, exp.Window)):
            raise SqlRejected("DISTINCT and OVER are not allowed with BIT_AND, BIT_OR and BIT_XOR: use a derived table")
        elif isinstance(node, exp.DataType):
            _check_type(node)
        elif isinstance(node, exp.Var) and node.name.upper() not in ALLOWED_UNITS:
            raise SqlRejected(f"invalid unit of time {node.name[:SHOWN_NAME]!r}: use YEAR, MONTH, DAY, HOUR or similar")
        elif isinstance(node, exp.WindowSpec) and node.args.get("kind") not in ("ROWS", "RANGE", None):
            raise SqlRejected(f"{node.args['kind']} is not MySQL: use ROWS or RANGE")
        elif isinstance(node, exp.In) and not (node.expressions or node.args.get("query")):
            raise SqlRejected("IN needs at least one value")
        elif isinstance(node, exp.Tuple) and not isinstance(node.parent, (exp.Predicate, exp.Tuple)):
            raise SqlRejected("several values in parentheses are only allowed with IN and =")
        elif isinstance(node, (exp.Limit, exp.Offset, exp.Fetch)):
            _check_count(node)


def _check_kind(node: exp.Expr) -> None:
    reason = _forbidden(type(node))
    if reason is not None:
        raise SqlRejected(reason)
    if type(node) in ALLOWED_PARTS or type(node) in ALLOWED_FUNCTIONS:
        return
    if not isinstance(node, exp.Func):
        raise SqlRejected(f"{type(node).__name__} is not allowed: {SIMPLER}")
    named = node.name if isinstance(node, exp.Anonymous) else _written(node)
    if not (isinstance(node, exp.Anonymous) and named.upper() in ALLOWED_NAMES):
        raise SqlRejected(f"function {named.upper()[:SHOWN_NAME]} is not allowed: {FUNCTIONS_ALLOWED}")


@cache
def _forbidden(kind: type[exp.Expr]) -> str | None:
    return next((reason for base, reason in FORBIDDEN.items() if issubclass(kind, base)), None)


def _written(function: exp.Func) -> str:
    """Return the name of a function; the parser writes JSON_OBJECT as J_S_O_N_OBJECT."""
    return re.sub(r"(?<![A-Z])((?:[A-Z]_)+)(?=[A-Z])", lambda m: m[1].replace("_", "") + "_", function.sql_name())


def _check_carried(node: exp.Expr) -> None:
    """Refuse arguments that are not in a part's list: they would be written unchecked, or dropped silently."""
    carries = CARRIES.get(type(node))
    if carries is None:
        return
    for key, value in node.args.items():
        if value not in (None, False, []) and key not in carries:
            raise SqlRejected(REFUSED_KEYS.get(key) or f"{key.strip('_').upper()} is not allowed here: {SIMPLER}")


def _check_join(join: exp.Join) -> None:
    if join.method:
        raise SqlRejected(f"{join.method.upper()} JOIN is not allowed: name the columns with ON")
    if join.side.upper() == "FULL":
        raise SqlRejected("MySQL has no FULL JOIN: use LEFT JOIN, and UNION for the other side")
    if join.side.upper() not in JOIN_SIDES or join.kind.upper() not in JOIN_KINDS:
        raise SqlRejected(f"{f'{join.side} {join.kind}'.strip()} is not allowed: use JOIN, LEFT JOIN or RIGHT JOIN")


def _check_type(node: exp.DataType) -> None:
    if node.this not in ALLOWED_TYPES:
        raise SqlRejected(
            f"type {node.this.value if hasattr(node.this, 'value') else node.this} is not allowed: cast to CHAR, "
            "SIGNED, UNSIGNED, DECIMAL, DOUBLE, DATE, DATETIME or TIME"
        )
    for size in node.expressions:
        if not (isinstance(size, exp.DataTypeParam) and isinstance(size.this, exp.Literal) and size.this.is_int):
            raise SqlRejected("the size of a type must be a number")


def _check_count(node: exp.Limit | exp.Offset | exp.Fetch) -> None:
    """Refuse counts that are not literal numbers: the limit of the result must be known here."""
    name = "OFFSET" if isinstance(node, exp.Offset) else "LIMIT"
    count = node.args.get("count" if isinstance(node, exp.Fetch) else "expression")
    if not (isinstance(count, exp.Literal) and count.is_int):
        raise SqlRejected(f"{name} must be a number")
    if isinstance(node, exp.Offset) and int(count.this) > MAX_OFFSET:
        raise SqlRejected(f"OFFSET must be at most {MAX_OFFSET}")
