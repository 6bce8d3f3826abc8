"""Guarded statements over the stored names of tables; unions are expanded to their members.

WITH queries get names of their own: one that had the stored name of a table would be read in its place.
"""

import itertools
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from tablerag.tools.records import MEMBER, OCR, OCR_WORD, PAGE, ROW_ID, SOURCE_ROW, UNION_SOURCE, Member, TableSchema
from tablerag.tools.sql.common import common_of
from tablerag.tools.sql.copying import copied

__all__ = ["PLACE", "Stored", "as_stored", "member_rows"]

PLACE = f"union__{secrets.token_hex(16)}_"
"""How the names begin that stand for unions and for tables of a connected database.

No statement can hold one: the number is secret.
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """A statement that reads stored tables."""

    query: exp.Query
    """Result columns keep their names; a union is a table of its own, to be replaced when the statement is written."""
    tables: tuple[str, ...]
    """The stored names of the tables, with the members of unions."""
    unions: tuple[tuple[str, TableSchema], ...] = ()
    """The names that stand for unions."""
    connected: tuple[tuple[str, TableSchema], ...] = ()
    """The names that stand for tables of a connected database."""


def as_stored(
    query: exp.Query, schemas: Sequence[TableSchema], filtered: Callable[[TableSchema], exp.Select]
) -> Stored:
    """Return a copy that reads the stored tables; of one with a row filter, the query that ``filtered`` returns."""
    by_name = {s.name.casefold(): s for s in schemas}
    copy = copied(query)
    read: dict[str, None] = {}
    unions: dict[str, str] = {}
    connected: dict[str, tuple[str, TableSchema]] = {}
    _rename_common(copy, {m.stored_as or m.name for s in schemas for m in (s, *s.members)})
    for table in list(copy.find_all(exp.Table)):
        schema = by_name.get(table.name.casefold())
        if schema is None:
            continue
        alias = table.alias_or_name
        if schema.row_filter:
            inner = filtered(schema)
            table.replace(exp.Subquery(this=inner, alias=exp.TableAlias(this=_name(alias))))
            table, alias, schema = next(inner.find_all(exp.Table)), schema.name, schema.row_filter.whole
        if schema.members:
            place = unions.setdefault(schema.name, f"{PLACE}{len(unions)}")
            table.replace(exp.Table(this=_name(place), alias=exp.TableAlias(this=_name(alias))))
            read |= dict.fromkeys(m.stored_as for m in schema.members)
        else:
            stored = schema.stored_as or schema.name
            if schema.origin:
                place, _ = connected.setdefault(stored, (f"{PLACE}c{len(connected)}", schema))
                table.set("this", _name(place))
                table.set("alias", exp.TableAlias(this=_name(alias)))
                read[stored] = None
                continue
            table.set("this", _name(stored))
            table.set("alias", exp.TableAlias(this=_name(alias)))
            read[stored] = None
    united = tuple((place, by_name[name.casefold()]) for name, place in unions.items())
    return Stored(copy, tuple(read), united, tuple(connected.values()))


def _rename_common(query: exp.Query, stored: set[str]) -> None:
    """Give each WITH query a name that no stored table and no other WITH query has."""
    if query.find(exp.CTE) is None:
        return
    taken = {name.casefold() for name in stored}
    free = (name for name in (f"with__{i}" for i in itertools.count(1)) if name not in taken)
    names = {id(cte): next(free) for cte in query.find_all(exp.CTE)}
    read = [(table, common_of(table)) for table in query.find_all(exp.Table)]
    for table, cte in read:
        if cte is not None:
            alias = table.args.get("alias") or exp.TableAlias(this=_name(table.name))
            table.set("this", _name(names[id(cte)]))
            table.set("alias", alias)
    for cte in query.find_all(exp.CTE):
        cte.args["alias"].set("this", _name(names[id(cte)]))


def _name(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


def member_rows(schema: TableSchema, member: Member) -> exp.Select:
    """Return the rows of a member under the column names of its union, each with its source."""
    sources: dict[str, str] = dict(zip(UNION_SOURCE, (member.source, member.within), strict=True))
    projections = []
    for name in (n for c in schema.columns for n in c.all_names()):
        if name in member.columns:
            value: exp.Expr = exp.column(_name(member.columns[name]))
            if name in member.as_text:
                value = exp.Cast(this=value, to=exp.DataType.build("CHAR", dialect="mysql"))
        else:
            value = exp.Literal.string(sources[name])
        projections.append(exp.alias_(value, name, quoted=True))
    for hidden in schema.hidden_columns:
        if hidden == MEMBER:
            value = exp.Literal.string(member.name)
        elif hidden in member.hidden_columns:
            value = exp.column(_name(hidden))
        else:
            value = exp.Null() if hidden in (ROW_ID, SOURCE_ROW, PAGE, OCR, OCR_WORD) else exp.false()
        projections.append(exp.alias_(value, hidden, quoted=True))
    return exp.select(*projections).from_(exp.Table(this=_name(member.stored_as)))
