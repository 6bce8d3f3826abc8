"""The guard: nothing that a model writes reaches a database but one bounded SELECT over known tables.

The checks, in order: size, characters and nesting; parse; one statement; a query; no forbidden part;
allow-listed functions; known tables; every column resolved; LIMIT clamped; the text rendered anew, so
that comments and whatever hides in them are gone. Each refusal is worded for a model to act on.
"""

import difflib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp
from sqlglot.errors import OptimizeError, ParseError, SqlglotError
from sqlglot.optimizer.qualify import qualify

from tools.errors import SqlRejected
from tools.records import ROW_ID, TableSchema
from tools.sql_allowed import ALLOWED_FUNCTIONS, ALLOWED_NAMES, NODES_THAT_ARE_NO_CALLS

__all__ = ["GuardedSql", "guard"]

DIALECT = "mysql,normalization_strategy=case_insensitive"
MAX_CHARS = 20_000
MAX_DEPTH = 50
MAX_OPERATORS = 2_000
FUNCTIONS_ALLOWED = "use MySQL's aggregate, window, text, number and date functions"
_SEAL = object()

SQL_TYPES = {
    "integer": "BIGINT",
    "decimal": "DECIMAL(38,10)",
    "date": "DATE",
    "datetime": "DATETIME",
    "boolean": "BOOLEAN",
    "text": "TEXT",
}
FORBIDDEN: dict[type[exp.Expression], str] = {
    exp.Into: "INTO writes outside the result",
    exp.Lock: "row locks (FOR UPDATE, FOR SHARE) are not allowed",
    exp.Hint: "optimizer hints are not allowed",
    exp.WithTableHint: "table hints are not allowed",
    exp.IndexTableHint: "index hints are not allowed",
    exp.SessionParameter: "system variables (@@name) are not allowed",
    exp.Parameter: "user variables (@name) are not allowed",
    exp.Placeholder: "placeholders are not allowed: write the value itself",
    exp.DML: "only SELECT is allowed",
    exp.DDL: "only SELECT is allowed",
    exp.Command: "only SELECT is allowed",
    exp.PropertyEQ: "assignments (:=) are not allowed",
    exp.Introducer: "character set introducers are not allowed",
    exp.Values: "VALUES is not allowed: use SELECT",
    exp.Lateral: "LATERAL is not allowed",
    exp.Collate: "COLLATE is not allowed: text compares without regard to case already",
}


@dataclass(frozen=True)
class GuardedSql:
    """A statement that passed the guard; only ``guard()`` makes one."""

    sql: str
    """MySQL dialect, identifiers quoted, no comments, LIMIT at most the row limit and one."""
    shown: str
    """The same statement as people read it: names qualified only where it takes that, no added LIMIT."""
    tables: tuple[str, ...]
    """SQL names of the tables it reads."""
    expression: exp.Query = field(repr=False, compare=False)
    """The qualified syntax tree behind ``sql``."""
    seal: object = field(repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise SqlRejected("a GuardedSql is made by guard() only")


def guard(sql: str, schemas: Sequence[TableSchema], *, row_limit: int) -> GuardedSql:
    """Return the statement rendered anew, bounded to ``row_limit`` + 1 rows; raise SqlRejected.

    The row beyond the limit lets a result tell that more rows existed.
    """
    _check_text(sql)
    query = _parse(sql)
    _check_nodes(query)
    _check_functions(query)
    names = _check_tables(query, schemas)
    qualified = _qualify(query, schemas)
    shown = _readable(qualified).sql(dialect="mysql", comments=False)
    _clamp(qualified, row_limit + 1)
    return GuardedSql(qualified.sql(dialect="mysql", comments=False), shown, names, qualified, _SEAL)


def _check_text(sql: str) -> None:
    if len(sql) > MAX_CHARS:
        raise SqlRejected(f"the statement has {len(sql)} characters, {MAX_CHARS} are allowed: write a shorter one")
    for char in sql:
        if char not in "\n\t\r " and unicodedata.category(char) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Cs"):
            raise SqlRejected(f"character U+{ord(char):04X} is not allowed: use plain spaces and printable text")
    depth = deepest = 0
    for char in sql:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    # Operators nest in the tree as brackets do, and a deep tree would exhaust the interpreter's stack.
    words = sql.upper().split()
    chained = sum(words.count(w) for w in ("AND", "OR", "NOT", "UNION", "CASE")) + sum(map(sql.count, "+-*/~!"))
    if deepest > MAX_DEPTH or chained > MAX_OPERATORS:
        raise SqlRejected(
            f"brackets or operators nest too deep (at most {MAX_DEPTH} brackets): write a simpler statement"
        )


def _parse(sql: str) -> exp.Query:
    try:
        statements = [s for s in sqlglot.parse(sql, read="mysql") if s is not None]
    except ParseError as error:
        detail = error.errors[0] if error.errors else {}
        near = f" near {detail.get('highlight')!r}" if detail.get("highlight") else ""
        raise SqlRejected(f"not valid MySQL{near}: {detail.get('description', 'cannot be parsed')}") from error
    except (SqlglotError, RecursionError) as error:
        raise SqlRejected("not valid MySQL: the statement cannot be parsed") from error
    if len(statements) != 1:
        raise SqlRejected(f"exactly one statement is allowed, got {len(statements)}")
    statement = statements[0]
    if not isinstance(statement, exp.Query) or isinstance(statement, exp.Subquery):
        raise SqlRejected(f"only SELECT is allowed, got {statement.key.upper()}")
    return statement


def _check_nodes(query: exp.Query) -> None:
    for node in query.walk():
        for kind, reason in FORBIDDEN.items():
            if isinstance(node, kind):
                raise SqlRejected(reason)
        if isinstance(node, exp.Join) and node.method.upper() == "NATURAL":
            raise SqlRejected("NATURAL JOIN is not allowed: name the columns with ON")
        if isinstance(node, exp.With) and node.args.get("recursive"):
            raise SqlRejected("WITH RECURSIVE is not allowed")
        if isinstance(node, exp.Query) and node.args.get("operation_modifiers"):
            raise SqlRejected("SELECT modifiers such as SQL_NO_CACHE are not allowed")


def _check_functions(query: exp.Query) -> None:
    for node in query.find_all(exp.Func):
        if isinstance(node, exp.Anonymous):
            if node.name.upper() not in ALLOWED_NAMES:
                raise SqlRejected(f"function {node.name.upper()} is not allowed: {FUNCTIONS_ALLOWED}")
        elif not isinstance(node, NODES_THAT_ARE_NO_CALLS) and type(node) not in ALLOWED_FUNCTIONS:
            raise SqlRejected(f"function {node.sql_name()} is not allowed: {FUNCTIONS_ALLOWED}")


def _check_tables(query: exp.Query, schemas: Sequence[TableSchema]) -> tuple[str, ...]:
    known = {s.name.casefold(): s.name for s in schemas}
    common = {cte.alias.casefold() for cte in query.find_all(exp.CTE)}
    used: dict[str, None] = {}
    for table in query.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            raise SqlRejected(f"{table.sql(dialect='mysql')[:80]} is not a table: read from {_listed(known.values())}")
        if table.db or table.catalog:
            raise SqlRejected(f"table {table.sql(dialect='mysql')[:80]} must be named without a database")
        if table.args.get("partition") or table.args.get("version") or table.args.get("when"):
            raise SqlRejected("PARTITION and time travel are not allowed")
        name = table.name.casefold()
        if name in known:
            if name in common:
                raise SqlRejected(f"{table.name} is a table's name already: give the WITH query another name")
            used[known[name]] = None
        elif name not in common:
            raise SqlRejected(f"there is no table {table.name!r}: {_similar(table.name, known.values())}")
    return tuple(used)


def _qualify(query: exp.Query, schemas: Sequence[TableSchema]) -> exp.Query:
    """Resolve every column, expand ``*`` to the document's own columns, quote all names."""
    types = {s.name: {c.name: SQL_TYPES[c.type] for c in s.columns} | {ROW_ID: "INT"} for s in schemas}
    try:
        return qualify(
            _without_row_id_in_stars(query, schemas),
            dialect=DIALECT,
            schema=types,
            quote_identifiers=True,
            validate_qualify_columns=True,
        )
    except OptimizeError as error:
        raise SqlRejected(_column_message(str(error), schemas)) from error
    except (SqlglotError, RecursionError) as error:
        raise SqlRejected(f"the statement cannot be resolved: {str(error).splitlines()[0]}") from error


def _without_row_id_in_stars(query: exp.Query, schemas: Sequence[TableSchema]) -> exp.Query:
    """Have ``*`` leave out the hidden row number where it stands for a stored table's columns."""
    tables = {s.name.casefold() for s in schemas}
    for select in query.find_all(exp.Select):
        sources = [t for t in _sources(select) if t.name.casefold() in tables]
        if not sources:
            continue
        for projection in select.expressions:
            star = projection.this if isinstance(projection, exp.Column) else projection
            if isinstance(star, exp.Star) and not star.args.get("except_"):
                star.set("except_", [exp.to_identifier(ROW_ID)])
    return query


def _sources(select: exp.Select) -> list[exp.Table]:
    from_ = select.args.get("from_") or select.args.get("from")
    joins = select.args.get("joins") or []
    return [s.this for s in ([from_] if from_ else []) + joins if isinstance(s.this, exp.Table)]


def _column_message(message: str, schemas: Sequence[TableSchema]) -> str:
    text = message.splitlines()[0].split(" Line:")[0].rstrip(".")
    quoted = text.split("'")
    if "could not be resolved" in text and len(quoted) >= 3:
        columns = [c.name for s in schemas for c in s.columns]
        return f"there is no column {quoted[1]!r}: {_similar(quoted[1], columns)}"
    return text


def _similar(name: str, known: Iterable[str]) -> str:
    names = sorted(set(known))
    close = difflib.get_close_matches(name.casefold(), [n.casefold() for n in names], n=3, cutoff=0.5)
    chosen = [n for n in names if n.casefold() in close]
    return f"the nearest are {_listed(chosen)}" if chosen else f"there are {_listed(names)}"


def _listed(names: Iterable[str], most: int = 12) -> str:
    names = list(names)
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "") if names else "none"


def _readable(query: exp.Query) -> exp.Query:
    """Return a copy without the aliases and qualifiers that resolving added."""
    copy = query.copy()
    tables = list(copy.find_all(exp.Table))
    for table in tables:
        if table.alias.casefold() == table.name.casefold():
            table.set("alias", None)
    if len(tables) == 1 and not copy.find(exp.CTE, exp.Subquery):
        for column in copy.find_all(exp.Column):
            column.set("table", None)
    named = {c.name for c in copy.find_all(exp.Column) if not c.table or c.name.startswith("_col_")}
    for alias in list(copy.find_all(exp.Alias)):
        inner = alias.this
        if alias.alias.startswith("_col_") and alias.alias in named:
            continue  # ORDER BY or an outer query speaks of it
        repeats = isinstance(inner, (exp.Column, exp.Literal)) and inner.name.casefold() == alias.alias.casefold()
        added = repeats or alias.alias.startswith("_col_")
        if added and isinstance(alias.parent, exp.Select):
            alias.replace(inner)
    return copy


def _clamp(query: exp.Query, most: int) -> None:
    limit = query.args.get("limit")
    if limit is None:
        query.limit(most, copy=False)
        return
    count = limit.args.get("expression") or limit.args.get("count")
    if not (isinstance(count, exp.Literal) and count.is_int):
        raise SqlRejected("LIMIT must be a plain number")
    if int(count.this) > most:
        count.replace(exp.Literal.number(most))
