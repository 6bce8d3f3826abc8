"""What SQLite cannot compute as MySQL does."""

from sqlglot import exp

from tablerag.tools.errors import SqlRejected

__all__ = ["missing"]

MISSING: dict[type[exp.Expr], str] = {
    exp.JSONArrayAgg: "JSON_ARRAYAGG",
    exp.BitwiseAndAgg: "BIT_AND",
    exp.BitwiseOrAgg: "BIT_OR",
    exp.BitwiseXorAgg: "BIT_XOR",
    exp.BitwiseCount: "BIT_COUNT",
    exp.Hex: "HEX",
    exp.TimeToUnix: "UNIX_TIMESTAMP",
    exp.UnixToTime: "FROM_UNIXTIME",
    exp.RegexpLike: "REGEXP",
    exp.RegexpReplace: "REGEXP_REPLACE",
    exp.RegexpSubstr: "REGEXP_SUBSTR",
    exp.RegexpExtract: "REGEXP_SUBSTR",
    exp.RegexpInstr: "REGEXP_INSTR",
}
NAMED = frozenset({"BIT_COUNT", "HEX", "CONV", "UNIX_TIMESTAMP", "FROM_UNIXTIME", "BIN", "OCT", "TIMEDIFF"})


def missing(node: exp.Expr) -> exp.Expr:
    """Refuse functions that SQLite lacks, and a recursion, whose rounds it does not count."""
    name = MISSING.get(type(node), "")
    if isinstance(node, exp.Anonymous) and node.name.upper() in NAMED:
        name = node.name.upper()
    if isinstance(node, exp.With) and node.args.get("recursive"):
        name = "WITH RECURSIVE"
    if name:
        instead = ": use LIKE" if name.startswith("REGEXP") else ""
        raise SqlRejected(f"{name} is not available on SQLite{instead}")
    return node
