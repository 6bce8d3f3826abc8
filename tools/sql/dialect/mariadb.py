"""Differences between MariaDB and MySQL."""

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL

from tablerag.tools.sql.dialect.regular_expressions import server_patterns

__all__ = ["MARIADB_RULES", "MariaDb"]


class MariaDb(MySQL):
    """MySQL's dialect with REGEXP as an operator; MariaDB has no REGEXP_LIKE()."""

    class Generator(MySQL.Generator):
        TRANSFORMS = MySQL.Generator.TRANSFORMS | {exp.RegexpLike: lambda self, node: self.binary(node, "REGEXP")}


def any_value(node: exp.Expr) -> exp.Expr:
    """MariaDB before 11 has no ANY_VALUE; the minimum is one."""
    if isinstance(node, exp.AnyValue):
        return exp.Min(this=node.this)
    return node


def window_defaults(node: exp.Expr) -> exp.Expr:
    """MariaDB's LAG and LEAD have no default: return it with CASE if there is no such row."""
    function = node.this if isinstance(node, exp.Window) else None
    if not isinstance(function, (exp.Lag, exp.Lead)) or function.args.get("default") is None:
        return node
    default = function.args["default"]
    value, there = node.copy(), node.copy()
    value.this.set("default", None)
    there.this.set("default", None)
    there.this.set("this", exp.Literal.number(1))
    missing = exp.Is(this=there, expression=exp.Null())
    return exp.Case(ifs=[exp.If(this=missing, true=default.copy())], default=value)


MARIADB_RULES = (any_value, window_defaults, server_patterns)
