"""The guard: nothing that a model writes reaches a database but one bounded SELECT over known tables.

The checks, in order: size, characters and nesting; parse; one statement; a query; no forbidden part;
allow-listed functions; known tables; every column resolved; aggregates; LIMIT clamped; the text rendered
anew, so that comments and whatever hides in them are gone. Each refusal is worded for a model to act on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp
from sqlglot.errors import OptimizeError, ParseError, SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify

from tools.errors import SqlRejected
from tools.records import TableSchema
from tools.sql_allowed import ALLOWED_FUNCTIONS, ALLOWED_NAMES, FORBIDDEN, NODES_THAT_ARE_NO_CALLS
from tools.sql_grouping import check_grouping
from tools.sql_limits import check_text, check_width, sources_of
from tools.sql_stored import as_stored
from tools.sql_wording import column_message, listed, readable, similar

__all__ = ["GuardedSql", "guard"]

DIALECT = "mysql,normalization_strategy=case_insensitive"
FUNCTIONS_ALLOWED = "use MySQL's aggregate, window, text, number and date functions"
TOO_DEEP = "the statement nests too deep: write a simpler one"
_SEAL = object()

SQL_TYPES = {
    "integer": "BIGINT",
    "decimal": "DECIMAL(38,10)",
    "date": "DATE",
    "datetime": "DATETIME",
    "boolean": "BOOLEAN",
    "text": "TEXT",
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
    """The qualified syntax tree behind ``sql``, with the columns' types."""
    stored: exp.Query = field(repr=False, compare=False)
    """The same over the tables as the database names them."""
    stored_tables: tuple[str, ...]
    """The database's own names of the tables it reads."""
    seal: object = field(repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise SqlRejected("a GuardedSql is made by guard() only")


def guard(sql: str, schemas: Sequence[TableSchema], *, row_limit: int) -> GuardedSql:
    """Return the statement rendered anew, bounded to ``row_limit`` + 1 rows; raise SqlRejected.

    The row beyond the limit lets a result tell that more rows existed.
    """
    check_text(sql)
    try:
        query = _parse(sql)
        _check_nodes(query)
        _check_functions(query)
        names = _check_tables(query, schemas)
        check_width(query, schemas)
        qualified = _qualify(query, schemas)
        check_grouping(qualified)
        shown = readable(qualified).sql(dialect="mysql", comments=False)
        _clamp(qualified, row_limit + 1)
        stored, stored_tables = as_stored(qualified, schemas)
        sql = qualified.sql(dialect="mysql", comments=False)
        return GuardedSql(sql, shown, names, qualified, stored, stored_tables, _SEAL)
    except RecursionError as error:
        raise SqlRejected(TOO_DEEP) from error


def _parse(sql: str) -> exp.Query:
    try:
        statements = [s for s in sqlglot.parse(sql, read="mysql") if s is not None]
    except ParseError as error:
        detail = error.errors[0] if error.errors else {}
        near = f" near {detail.get('highlight')!r}" if detail.get("highlight") else ""
        raise SqlRejected(f"not valid MySQL{near}: {detail.get('description', 'cannot be parsed')}") from error
    except SqlglotError as error:
        raise SqlRejected("not valid MySQL: the statement cannot be parsed") from error
    if len(statements) != 1:
        raise SqlRejected(f"exactly one statement is allowed, got {len(statements)}")
    statement = statements[0]
    while isinstance(statement, exp.Subquery) and statement.is_wrapper:
        statement = statement.this
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
        if isinstance(node, exp.Join) and node.side.upper() == "FULL":
            raise SqlRejected("MySQL has no FULL JOIN: use LEFT JOIN, and UNION for the other side")
        if isinstance(node, exp.With) and node.args.get("recursive"):
            raise SqlRejected("WITH RECURSIVE is not allowed")
        if isinstance(node, exp.Query) and node.args.get("operation_modifiers"):
            raise SqlRejected("SELECT modifiers such as SQL_NO_CACHE are not allowed")


def _check_functions(query: exp.Query) -> None:
    for node in query.find_all(exp.Func):
        if isinstance(node, exp.Anonymous):
            if node.name.upper() not in ALLOWED_NAMES:
                raise SqlRejected(f"function {node.name.upper()[:40]} is not allowed: {FUNCTIONS_ALLOWED}")
        elif not isinstance(node, NODES_THAT_ARE_NO_CALLS) and type(node) not in ALLOWED_FUNCTIONS:
            raise SqlRejected(f"function {node.sql_name()} is not allowed: {FUNCTIONS_ALLOWED}")


def _check_tables(query: exp.Query, schemas: Sequence[TableSchema]) -> tuple[str, ...]:
    known = {s.name.casefold(): s.name for s in schemas}
    used: dict[str, None] = {}
    for table in query.find_all(exp.Table):
        shown = table.sql(dialect="mysql", comments=False)[:80]
        if not isinstance(table.this, exp.Identifier):
            raise SqlRejected(f"{shown} is not a table: read from {listed(known.values())}")
        if table.db or table.catalog:
            raise SqlRejected(f"table {shown} must be named without a database")
        if table.args.get("partition") or table.args.get("version") or table.args.get("when"):
            raise SqlRejected("PARTITION and time travel are not allowed")
        if table.name.casefold() in known:
            used[known[table.name.casefold()]] = None
        elif not _is_common(table):
            raise SqlRejected(f"there is no table {table.name!r}: {similar(table.name, known.values())}")
    for cte in query.find_all(exp.CTE):
        if cte.alias.casefold() in known:
            raise SqlRejected(f"{cte.alias!r} is a table's name already: give the WITH query another name")
    return tuple(used)


def _is_common(table: exp.Table) -> bool:
    """Tell whether a name means a common table expression here, that is: within its statement and after it.

    Elsewhere the same name would mean a stored table, whichever that is.
    """
    node: exp.Expression | None = table
    within: exp.Expression | None = None
    while node is not None:
        if isinstance(node, exp.CTE):
            within = node
        with_ = node.args.get("with_")
        for cte in with_.expressions if with_ else []:
            if cte is within:
                break
            if cte.alias.casefold() == table.name.casefold():
                return True
        node = node.parent
    return False


def _qualify(query: exp.Query, schemas: Sequence[TableSchema]) -> exp.Query:
    """Resolve every column, expand ``*`` to the document's own columns, quote all names."""
    types = {s.name: {name: SQL_TYPES[t] for name, t in s.stored_columns().items()} for s in schemas}
    _leave_unseen_out_of_stars(query, schemas)
    try:
        qualified = qualify(
            query.copy(), dialect=DIALECT, schema=types, quote_identifiers=True, validate_qualify_columns=True
        )
        return annotate_types(qualified, schema=types, dialect=DIALECT)
    except OptimizeError as error:
        raise SqlRejected(column_message(str(error), query, schemas)) from error
    except SqlglotError as error:
        raise SqlRejected(f"the statement cannot be resolved: {str(error).splitlines()[0]}") from error


def _leave_unseen_out_of_stars(query: exp.Query, schemas: Sequence[TableSchema]) -> None:
    """Have ``*`` leave out what stands beside the document's own columns."""
    unseen = {s.name.casefold(): s.unseen_columns() for s in schemas}
    for select in query.find_all(exp.Select):
        names = [n for s in sources_of(select) if isinstance(s, exp.Table) for n in unseen.get(s.name.casefold(), ())]
        if not names:
            continue
        for projection in select.expressions:
            star = projection.this if isinstance(projection, exp.Column) else projection
            if isinstance(star, exp.Star) and not star.args.get("except_"):
                star.set("except_", [exp.to_identifier(n, quoted=True) for n in dict.fromkeys(names)])


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
