"""MySQL's dialect re-emitted for the engine that runs it.

MySQL and MariaDB get the guarded text itself but for names that MariaDB lacks. SQLite gets the tree
rewritten one rule at a time; what it has no function for is answered by tools/sql_functions.py.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL

from tools.errors import SqlRejected
from tools.sql_guard import GuardedSql

__all__ = ["Dialect", "emit"]

Dialect = Literal["sqlite", "mysql", "mariadb"]

DATE_PARTS = {
    "YEAR": "%Y",
    "MONTH": "%m",
    "DAY": "%d",
    "HOUR": "%H",
    "MINUTE": "%M",
    "SECOND": "%S",
    "DAYOFYEAR": "%j",
}
UNITS = frozenset({"SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"})
"""What dates are shifted and told apart by."""


def emit(guarded: GuardedSql, dialect: Dialect) -> str:
    """Return the statement in the engine's own dialect; raise SqlRejected for what it cannot do."""
    if dialect == "mysql":
        return guarded.stored.sql(dialect="mysql", comments=False)
    tree = guarded.stored.copy()
    rules = MARIADB_RULES if dialect == "mariadb" else SQLITE_RULES
    for rule in rules:
        tree = _rewritten(tree, rule)
    return tree.sql(dialect=_MariaDb if dialect == "mariadb" else "sqlite", comments=False)


def _rewritten(tree: exp.Expression, rule: Callable[[exp.Expression], exp.Expression]) -> exp.Expression:
    """Apply a rule to every part, inner ones first: transform() would not look into what it has replaced."""
    for node in reversed(list(tree.walk())):
        parent, key, index = node.parent, node.arg_key, node.index
        new = rule(node)
        if new is node:
            continue
        if parent is None:
            tree = new
        else:
            parent.set(key, new, index)
    return tree


class _MariaDb(MySQL):
    """MySQL's dialect with REGEXP as an operator: MariaDB has no REGEXP_LIKE()."""

    class Generator(MySQL.Generator):
        TRANSFORMS = MySQL.Generator.TRANSFORMS | {exp.RegexpLike: lambda self, node: self.binary(node, "REGEXP")}


def _call(name: str, *args: exp.Expression | None) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=[a for a in args if a is not None])


def _date_part(part: str, value: exp.Expression) -> exp.Expression:
    return exp.cast(_call("STRFTIME", exp.Literal.string(DATE_PARTS[part]), value), "INTEGER")


def _plain_date(node: exp.Expression) -> exp.Expression:
    """Take off the conversions that the parser puts around date arguments."""
    wrappers = (exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.TsOrDsToDatetime)
    return node.this if isinstance(node, wrappers) else node


def date_parts(node: exp.Expression) -> exp.Expression:
    """YEAR(x), EXTRACT(YEAR FROM x) ... as strftime, which SQLite runs without leaving C."""
    if isinstance(node, exp.Extract):
        part, value = node.name.upper(), node.expression
    elif isinstance(node, (exp.Year, exp.Month, exp.Day, exp.DayOfMonth, exp.Hour, exp.Minute, exp.Second)):
        part, value = ("DAY" if isinstance(node, exp.DayOfMonth) else node.key.upper()), node.this
    elif isinstance(node, exp.DayOfYear):
        part, value = "DAYOFYEAR", node.this
    elif isinstance(node, exp.Quarter):
        part, value = "QUARTER", node.this
    elif isinstance(node, exp.DayOfWeek):
        return exp.paren(exp.cast(_call("STRFTIME", exp.Literal.string("%w"), _plain_date(node.this)), "INTEGER") + 1)
    else:
        return node
    value = _plain_date(value)
    if part == "QUARTER":
        return exp.paren(exp.IntDiv(this=exp.paren(_date_part("MONTH", value) + 2), expression=exp.Literal.number(3)))
    if part not in DATE_PARTS:
        raise SqlRejected(f"EXTRACT({part}) is not available on the embedded database: use YEAR, MONTH, DAY or QUARTER")
    return _date_part(part, value)


def date_arithmetic(node: exp.Expression) -> exp.Expression:
    """DATE_ADD, DATE_SUB, x + INTERVAL, TIMESTAMPADD, TIMESTAMPDIFF, DATEDIFF, LAST_DAY."""
    if isinstance(node, (exp.DateAdd, exp.TimestampAdd, exp.DatetimeAdd, exp.TsOrDsAdd)):
        return _shift(node.this, node.expression, node.args.get("unit"), negative=False)
    if isinstance(node, (exp.DateSub, exp.TimestampSub, exp.DatetimeSub)):
        return _shift(node.this, node.expression, node.args.get("unit"), negative=True)
    if isinstance(node, (exp.Add, exp.Sub)) and isinstance(node.expression, exp.Interval):
        interval = node.expression
        return _shift(node.this, interval.this, interval.args.get("unit"), negative=isinstance(node, exp.Sub))
    if isinstance(node, exp.Add) and isinstance(node.this, exp.Interval):
        return _shift(node.expression, node.this.this, node.this.args.get("unit"), negative=False)
    if isinstance(node, (exp.TimestampDiff, exp.DateDiff, exp.DatetimeDiff)):
        unit = "DATE" if isinstance(node, exp.DateDiff) else _unit(node.args.get("unit"))
        return _call("m_diff", exp.Literal.string(unit), _plain_date(node.expression), _plain_date(node.this))
    if isinstance(node, exp.LastDay):
        steps = [exp.Literal.string(s) for s in ("start of month", "+1 month", "-1 day")]
        return _call("DATE", _plain_date(node.this), *steps)
    return node


def _unit(unit: exp.Expression | None) -> str:
    name = unit.name.upper() if unit is not None else "DAY"
    if name not in UNITS:
        raise SqlRejected(f"{name} is not available on the embedded database: use YEAR, MONTH, DAY, HOUR and the like")
    return name


def _shift(
    value: exp.Expression, amount: exp.Expression, unit: exp.Expression | None, *, negative: bool
) -> exp.Expression:
    amount = exp.Neg(this=exp.paren(amount)) if negative else amount
    return _call("m_date_add", _plain_date(value), amount, exp.Literal.string(_unit(unit)))


def date_texts(node: exp.Expression) -> exp.Expression:
    """DATE_FORMAT and STR_TO_DATE, whose formats the parser has turned into strftime's; DAYNAME, WEEK."""
    if isinstance(node, exp.TimeToStr):
        return _call("m_date_format", _plain_date(node.this), node.args["format"])
    if isinstance(node, (exp.StrToDate, exp.StrToTime)):
        return _call("m_str_to_date", node.this, node.args["format"])
    if isinstance(node, exp.Dayname):
        return _call("m_date_format", _plain_date(node.this), exp.Literal.string("%A"))
    if isinstance(node, exp.Monthname):
        return _call("m_date_format", _plain_date(node.this), exp.Literal.string("%B"))
    if isinstance(node, (exp.Week, exp.WeekOfYear)):
        mode = exp.Literal.number(3) if isinstance(node, exp.WeekOfYear) else node.args.get("mode")
        return _call("m_week", _plain_date(node.this), mode)
    return node


def numbers(node: exp.Expression) -> exp.Expression:
    """Division by zero is NULL and never an integer's; MOD keeps fractions; ROUND takes negative places."""
    if isinstance(node, exp.Mod):
        return _call("m_mod", _operand(node.this), _operand(node.expression))
    if isinstance(node, exp.Round) and node.args.get("decimals") is not None:
        return _call("m_round", node.this, node.args["decimals"])
    if isinstance(node, exp.Trunc):
        return _call("m_truncate", node.this, node.args.get("decimals") or exp.Literal.number(0))
    if isinstance(node, exp.NumberToStr):
        return _call("m_format", node.this, node.args["format"])
    if isinstance(node, exp.Xor):
        return exp.NEQ(
            this=exp.paren(exp.NEQ(this=exp.paren(node.this), expression=exp.Literal.number(0))),
            expression=exp.paren(exp.NEQ(this=exp.paren(node.expression), expression=exp.Literal.number(0))),
        )
    return node


def _operand(node: exp.Expression) -> exp.Expression:
    return node.this if isinstance(node, exp.Paren) else node


def casts(node: exp.Expression) -> exp.Expression:
    """CAST to DECIMAL keeps its places, to SIGNED rounds, as MySQL's do."""
    if not isinstance(node, exp.Cast):
        return node
    kind = node.to.this
    types = exp.DataType.Type
    if kind == types.DECIMAL:
        places = [p.this for p in node.to.expressions]
        return _call("m_round", exp.cast(node.this, "REAL"), places[1] if len(places) > 1 else exp.Literal.number(0))
    if kind in (types.BIGINT, types.UBIGINT, types.INT, types.UINT):
        return _call("m_signed", node.this)
    if kind == types.BINARY:
        return node.this
    if kind in (types.DATETIME, types.TIMESTAMP, types.TIMESTAMPTZ, types.TIMESTAMPLTZ):
        return _call("DATETIME", node.this)
    return node


def texts(node: exp.Expression) -> exp.Expression:
    """Text functions that SQLite lacks or answers with regard to case."""
    if isinstance(node, exp.StrPosition):
        return _call("m_locate", node.args["substr"], node.this, node.args.get("position"))
    if isinstance(node, exp.Pad):
        name = "m_lpad" if node.args.get("is_left") else "m_rpad"
        return _call(name, node.this, node.expression, node.args.get("fill_pattern") or exp.Literal.string(" "))
    if isinstance(node, exp.Trim) and node.expression is not None:
        side = (node.args.get("position") or "BOTH").upper()
        return _call("m_trim", node.this, node.expression, exp.Literal.string(side))
    if isinstance(node, exp.Like) and not isinstance(node.parent, exp.Escape):
        # MySQL's LIKE takes a backslash as escape; SQLite's has none unless told.
        return exp.Escape(this=node, expression=exp.Literal.string("\\"))
    if isinstance(node, exp.Length) and node.args.get("binary"):
        return _call("LENGTH", exp.cast(node.this, "BLOB"))
    if isinstance(node, exp.Space):
        return _call("m_repeat", exp.Literal.string(" "), node.this)
    if isinstance(node, exp.Anonymous) and node.name.upper() in RENAMED:
        return _call(RENAMED[node.name.upper()], *node.expressions)
    return node


RENAMED = {
    "CHARACTER_LENGTH": "LENGTH",
    "CHAR_LENGTH": "LENGTH",
    "IFNULL": "COALESCE",
    "LCASE": "LOWER",
    "UCASE": "UPPER",
    "MID": "SUBSTR",
    "INSTR": "m_instr",
    "LOCATE": "m_locate",
    "FORMAT": "m_format",
    "TRUNCATE": "m_truncate",
    "WEEK": "m_week",
}


def simple_calls(node: exp.Expression) -> exp.Expression:
    """Functions whose arguments stay as they are and whose work a function of ours does."""
    name = SIMPLE.get(type(node))
    return _call(name, *_arguments(node)) if name else node


def _arguments(node: exp.Expression) -> list[exp.Expression]:
    found: list[exp.Expression] = []
    for key in node.arg_types:
        value = node.args.get(key)
        found += value if isinstance(value, list) else [value] if isinstance(value, exp.Expression) else []
    return found


SIMPLE: dict[type[exp.Expression], str] = {
    exp.Floor: "m_floor",
    exp.Left: "m_left",
    exp.Right: "m_right",
    exp.SubstringIndex: "m_substring_index",
    exp.ConcatWs: "m_concat_ws",
    exp.Elt: "m_elt",
    exp.Repeat: "m_repeat",
    exp.Reverse: "m_reverse",
    exp.BitwiseXor: "m_bit_xor",
    exp.Ascii: "m_ascii",
    exp.RegexpLike: "m_regexp",
    exp.RegexpReplace: "m_regexp_replace",
    exp.RegexpSubstr: "m_regexp_substr",
    exp.RegexpExtract: "m_regexp_substr",
    exp.RegexpInstr: "m_regexp_instr",
    exp.StddevPop: "m_stddev_pop",
    exp.Stddev: "m_stddev_pop",
    exp.StddevSamp: "m_stddev_samp",
    exp.VariancePop: "m_var_pop",
    exp.Variance: "m_var_samp",
}


def aggregates(node: exp.Expression) -> exp.Expression:
    """COUNT(DISTINCT a, b) and GROUP_CONCAT with ORDER BY and SEPARATOR."""
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Distinct) and len(node.this.expressions) > 1:
        return exp.Count(this=exp.Distinct(expressions=[_call("m_tuple", *node.this.expressions)]))
    if isinstance(node, exp.GroupConcat):
        return _group_concat(node)
    if isinstance(node, exp.Group) and (node.args.get("rollup") or node.args.get("cube")):
        raise SqlRejected("WITH ROLLUP is not available on the embedded database: use UNION ALL for the totals")
    return node


def _group_concat(node: exp.GroupConcat) -> exp.Expression:
    inner, keys = node.this, []
    if isinstance(inner, exp.Order):
        keys = [(o.this, bool(o.args.get("desc"))) for o in inner.expressions]
        inner = inner.this
    distinct = isinstance(inner, exp.Distinct)
    values: Sequence[exp.Expression] = inner.expressions if distinct else [inner]
    value = values[0] if len(values) == 1 else exp.Concat(expressions=list(values), safe=True, coalesce=False)
    separator = node.args.get("separator") or exp.Literal.string(",")
    options = "".join("d" if desc else "a" for _, desc in keys)
    marks = exp.Literal.string(("u" if distinct else "-") + options)
    return _call("m_group_concat", marks, separator, value, *[key for key, _ in keys])


def quantifiers(node: exp.Expression) -> exp.Expression:
    """SQLite compares with no ALL or ANY of a subquery."""
    if isinstance(node, (exp.All, exp.Any)):
        raise SqlRejected(
            "ALL and ANY are not available on the embedded database: compare with its MAX or MIN, or use IN"
        )
    return node


def set_operands(node: exp.Expression) -> exp.Expression:
    """SQLite takes no bracketed operand of UNION: each becomes SELECT * FROM (...)."""
    if isinstance(node, exp.SetOperation):
        for side in ("this", "expression"):
            operand = node.args[side]
            if isinstance(operand, exp.Subquery):
                node.set(
                    side, exp.select("*").from_(exp.Subquery(this=operand.this.copy(), alias=exp.to_identifier("u")))
                )
    return node


def any_value(node: exp.Expression) -> exp.Expression:
    """MariaDB has no ANY_VALUE before 11: the least value is as good as any."""
    if isinstance(node, exp.AnyValue):
        return exp.Min(this=node.this)
    return node


def window_defaults(node: exp.Expression) -> exp.Expression:
    """MariaDB's LAG and LEAD take no default: where there is no such row, the default stands in its place."""
    function = node.this if isinstance(node, exp.Window) else None
    if not isinstance(function, (exp.Lag, exp.Lead)) or function.args.get("default") is None:
        return node
    default = function.args["default"]
    plain, there = node.copy(), node.copy()
    plain.this.set("default", None)
    there.this.set("default", None)
    there.this.set("this", exp.Literal.number(1))
    missing = exp.Is(this=there, expression=exp.Null())
    return exp.Case(ifs=[exp.If(this=missing, true=default.copy())], default=plain)


SQLITE_RULES: Sequence[Callable[[exp.Expression], exp.Expression]] = (
    date_parts,
    date_arithmetic,
    date_texts,
    numbers,
    casts,
    texts,
    simple_calls,
    aggregates,
    quantifiers,
    set_operands,
)
MARIADB_RULES: Sequence[Callable[[exp.Expression], exp.Expression]] = (any_value, window_defaults)
