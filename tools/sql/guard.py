"""The guard: only one bounded SELECT over known tables reaches a database.

The checks, in order: size, characters and nesting; parse; one statement; a query; allow-listed parts and
functions only; known tables; every column resolved; aggregates; LIMIT clamped. The statement is then written out from
its syntax tree, which removes comments and anything hidden in them. A model can act on every error message.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import NoneType

import sqlglot
from sqlglot import Dialect, exp
from sqlglot.errors import OptimizeError, ParseError, SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

from tablerag.tools.errors import SqlRejected, UnknownName
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.common import common_of
from tablerag.tools.sql.compared_types import check_compared
from tablerag.tools.sql.copying import copied
from tablerag.tools.sql.grouping import check_grouping
from tablerag.tools.sql.limits import check_width, sources_of
from tablerag.tools.sql.medians import check_medians
from tablerag.tools.sql.parts import check_parts
from tablerag.tools.sql.recursion import check_recursion
from tablerag.tools.sql.stored import Stored, as_stored
from tablerag.tools.sql.text_limits import check_text
from tablerag.tools.sql.wording import listed, parse_message, readable, refused_column, similar

__all__ = ["GuardedSql", "guard", "shows_stored"]

DIALECT = Dialect.get_or_raise("mysql,normalization_strategy=case_insensitive")
TOO_DEEP = "the statement is nested too deeply: simplify it"
SHOWN_NAME = 80
MOST_ROWS = 2**40
"""More than any table has."""
SLIPS = (AttributeError, TypeError, ValueError, LookupError)
"""Errors of the parser's own code on some invalid texts, such as an unclosed parenthesis after DATE_ADD."""
AGGREGATES: dict[str, type[exp.AggFunc]] = {"JSON_ARRAYAGG": exp.JSONArrayAgg}
_SEAL = object()

SQL_TYPES = {
    "integer": exp.DataType.build("BIGINT", dialect=DIALECT),
    "decimal": exp.DataType.build("DECIMAL(38,10)", dialect=DIALECT),
    "date": exp.DataType.build("DATE", dialect=DIALECT),
    "datetime": exp.DataType.build("DATETIME", dialect=DIALECT),
    "boolean": exp.DataType.build("BOOLEAN", dialect=DIALECT),
    "text": exp.DataType.build("TEXT", dialect=DIALECT),
}


@dataclass(frozen=True)
class GuardedSql:
    """A statement that passed the guard; only ``guard()`` creates one."""

    shown: str
    """The statement for readers, in MySQL's dialect: names qualified only if necessary, no added LIMIT."""
    tables: tuple[str, ...]
    """SQL names of the tables that it reads."""
    expression: exp.Query = field(repr=False, compare=False)
    """The qualified syntax tree, with the types of columns; LIMIT at most the row limit plus one."""
    stored: Stored = field(repr=False, compare=False)
    """The same over stored tables."""
    schemas: tuple[TableSchema, ...] = field(repr=False, compare=False, default=())
    """Of the tables that it reads."""
    seal: object = field(repr=False, compare=False, default=None)

    @cached_property
    def sql(self) -> str:
        """The whole statement in MySQL's dialect: identifiers quoted, no comments."""
        return self.expression.sql(dialect="mysql", comments=False)

    @property
    def stored_tables(self) -> tuple[str, ...]:
        """The stored names of the tables that it reads."""
        return self.stored.tables

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise SqlRejected("use guard() to create a GuardedSql")


def guard(sql: str, schemas: Sequence[TableSchema], *, row_limit: int) -> GuardedSql:
    """Return the checked statement, limited to ``row_limit`` + 1 rows; raise SqlRejected.

    The additional row shows whether more rows exist.
    """
    check_text(sql)
    try:
        query = _parse(sql)
        check_parts(query)
        check_recursion(query)
        names = _check_tables(query, schemas)
        check_width(query, schemas)
        # The names of other tables need not be prepared: they are many, and the statement reads few.
        read = tuple(s for s in schemas if s.name in names)
        qualified = _qualify(query, read)
        _check_sides(qualified)
        check_grouping(qualified)
        check_medians(qualified)
        check_compared(qualified, read)
        shown = readable(qualified).sql(dialect="mysql", comments=False, copy=False)
        _clamp(qualified, row_limit + 1)
        return GuardedSql(shown, names, qualified, as_stored(qualified, schemas, _seen), read, _SEAL)
    except RecursionError as error:
        raise SqlRejected(TOO_DEEP) from error


def shows_stored(guarded: GuardedSql) -> bool:
    """Return whether a statement selects values of its tables, not only constants."""
    stored = (exp.Column, exp.AggFunc, exp.Star, exp.Subquery, exp.Exists, exp.Window)
    return bool(guarded.tables) and any(shown.find(*stored) for shown in guarded.expression.selects)


def _parse(sql: str) -> exp.Query:
    try:
        statements = [s for s in sqlglot.parse(sql, read="mysql") if not isinstance(s, (exp.Semicolon, NoneType))]
    except ParseError as error:
        raise SqlRejected(parse_message(error)) from error
    except (SqlglotError, *SLIPS) as error:
        raise SqlRejected("invalid MySQL: could not parse the statement") from error
    if len(statements) != 1:
        raise SqlRejected(f"expected one statement, got {len(statements)}")
    statement = statements[0]
    for call in list(statement.find_all(exp.Anonymous)):
        if call.name.upper() in AGGREGATES and len(call.expressions) == 1:
            # The parser knows it by name only in this dialect.
            call.replace(AGGREGATES[call.name.upper()](this=call.expressions[0]))
    while isinstance(statement, exp.Subquery) and statement.is_wrapper:
        statement = statement.this
    if isinstance(statement, exp.Subquery):
        raise SqlRejected("WITH, ORDER BY and LIMIT cannot follow a query in parentheses: remove the parentheses")
    if not isinstance(statement, exp.Query):
        raise SqlRejected(f"only SELECT is allowed, got {statement.key.upper()}")
    return statement


def _check_tables(query: exp.Query, schemas: Sequence[TableSchema]) -> tuple[str, ...]:
    known = {s.name.casefold(): s.name for s in schemas}
    used: dict[str, None] = {}
    for table in query.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            raise SqlRejected(f"{_shown(table)} is not a table: expected one of {listed(known.values())}")
        if table.db or table.catalog:
            raise SqlRejected(f"invalid table {_shown(table)}: remove the name of the database")
        if table.name.casefold() in known:
            used[known[table.name.casefold()]] = None
        elif common_of(table) is None:
            near = similar(table.name, known.values())
            raise UnknownName(f"unknown table {table.name[:SHOWN_NAME]!r}: {near}", table.name)
    for cte in query.find_all(exp.CTE):
        if cte.alias.casefold() in known:
            raise SqlRejected(f"{cte.alias[:SHOWN_NAME]!r} is already the name of a table: rename the WITH query")
    return tuple(used)


def _shown(table: exp.Table) -> str:
    return " ".join(table.sql(dialect="mysql", comments=False)[:SHOWN_NAME].split())


def _qualify(query: exp.Query, schemas: Sequence[TableSchema]) -> exp.Query:
    """Resolve every column, expand ``*`` to the columns of the document, quote all names."""
    # Copies, as a tree notes in its types where they stand; parsing their names anew takes longer.
    types = {name: copied(sql_type) for name, sql_type in SQL_TYPES.items()}
    known: dict[str, object] = {s.name: {name: types[t] for name, t in s.stored_columns().items()} for s in schemas}
    schema = MappingSchema(known, dialect=DIALECT)
    _leave_unseen_out_of_stars(query, schemas)
    try:
        qualified = qualify(
            copied(query), dialect=DIALECT, schema=schema, quote_identifiers=True, validate_qualify_columns=True
        )
        _check_bare_columns(qualified)
        return annotate_types(qualified, schema=schema, dialect=DIALECT)
    except OptimizeError as error:
        raise refused_column(str(error), query, schemas) from error
    except (SqlglotError, *SLIPS) as error:
        raise SqlRejected("could not resolve the names in the statement: simplify it") from error


def _check_bare_columns(query: exp.Query) -> None:
    """Raise OptimizeError for a column that no table has, as qualify() lets them pass in HAVING and ORDER BY."""
    for column in query.find_all(exp.Column):
        owner = column.find_ancestor(exp.Query)
        while isinstance(owner, exp.Subquery):
            owner = owner.find_ancestor(exp.Query)
        if (
            not column.table
            and owner is not None
            and column.name.casefold() not in map(str.casefold, owner.named_selects)
        ):
            raise OptimizeError(f"Column '{column.name}' could not be resolved")


def _seen(schema: TableSchema) -> exp.Select:
    """Return the query of the rows and columns that a row filter leaves of a table."""
    kept = schema.row_filter
    assert kept
    table = exp.Table(this=exp.to_identifier(schema.name, quoted=True))
    seen = exp.select(*(exp.column(name, quoted=True) for name in schema.stored_columns())).from_(table)
    query = _qualify(seen.where(sqlglot.parse_one(kept.condition, read="mysql", into=exp.Condition)), [kept.whole])
    assert isinstance(query, exp.Select)
    # Else an engine may compute the conditions of the statement first, and tell of hidden rows by failing.
    return query.limit(MOST_ROWS)


def _check_sides(query: exp.Query) -> None:
    for union in query.find_all(exp.SetOperation):
        one, other = (
            len(side.selects) if isinstance(side, exp.Query) else 0 for side in (union.this, union.expression)
        )
        if one != other:
            name = union.key.upper()
            raise SqlRejected(f"{name} needs as many columns before as after it: it has {one} and {other}")


def _leave_unseen_out_of_stars(query: exp.Query, schemas: Sequence[TableSchema]) -> None:
    """Exclude the columns that were added to those of the document from ``*``."""
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
    if int(count.this) > most:
        count.replace(exp.Literal.number(most))
