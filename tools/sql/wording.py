"""Error messages that suggest similar names, and statements as people read them."""

import difflib
import re
from collections.abc import Iterable, Sequence

from sqlglot import exp
from sqlglot.errors import ParseError

from tablerag.tools.errors import SqlRejected, UnknownName
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.copying import copied

__all__ = ["listed", "parse_message", "readable", "refused_column", "similar"]

COLUMN_NAMED = (re.compile(r"Column '(.+?)' could not be resolved"), re.compile(r"Unknown column: (\S+)"))
TABLE_NAMED = re.compile(r"for table: '(.+?)'")
MAX_NAME = 80
MAX_DETAIL = 160
INNER_NAMES = re.compile(r"<class '.*?'>|<Token .*?text: (.*?), line.*")


def parse_message(error: ParseError) -> str:
    """Return why a statement is not valid MySQL, without the internal names of the parser."""
    detail = error.errors[0] if error.errors else {}
    near = str(detail.get("highlight") or "")[:MAX_NAME]
    why = INNER_NAMES.sub(lambda m: repr(m[1][:MAX_NAME]) if m[1] else "an expression", str(detail.get("description")))
    why = " ".join(why.split())[:MAX_DETAIL] if detail else "could not parse it"
    return f"invalid MySQL{f' near {near!r}' if near else ''}: {why}"


def refused_column(message: str, query: exp.Query, schemas: Sequence[TableSchema]) -> SqlRejected:
    """Return the error for an unknown or ambiguous column or alias, from the message of the parser."""
    text = message.splitlines()[0].split(" Line:")[0].rstrip(".")
    found = next((m for m in (p.search(text) for p in COLUMN_NAMED) if m), None)
    if not found:
        said = text[0].lower() + text[1:] if text else "could not resolve the names in the statement"
        return SqlRejected(said[:MAX_DETAIL])
    name = found[1].strip("`\"'")[:MAX_NAME]
    aliases = _aliases(query)
    prefix = TABLE_NAMED.search(text)
    if prefix and prefix[1].casefold() not in {a.casefold() for a in aliases}:
        return SqlRejected(f"unknown table or alias {prefix[1][:MAX_NAME]!r} in FROM: {similar(prefix[1], aliases)}")
    read = {t.name.casefold() for t in query.find_all(exp.Table)}
    used = [s for s in schemas if s.name.casefold() in read]
    holding = [s.name for s in used if name.casefold() in map(str.casefold, s.stored_columns())]
    if len(holding) > 1:
        return SqlRejected(f"ambiguous column {name!r}, it is in {listed(holding)}: write {holding[0]}.{name}")
    of = next((c.table for c in query.find_all(exp.Column) if c.table and c.name.casefold() == name.casefold()), "")
    if of and holding:
        alias = next(t.alias_or_name for t in query.find_all(exp.Table) if t.name.casefold() == holding[0].casefold())
        return UnknownName(f"unknown column {name!r} of {of[:MAX_NAME]!r}: did you mean {alias}.{name}?", name)
    offered = [c for s in used for c in s.stored_columns() if c not in s.hidden_columns]
    return UnknownName(f"unknown column {name!r}: {similar(name, offered)}", name)


def _aliases(query: exp.Query) -> list[str]:
    named = query.find_all(exp.Table, exp.Subquery, exp.CTE)
    return [n.alias_or_name for n in named if n.alias_or_name]


def similar(name: str, known: Iterable[str]) -> str:
    """Return the known names that are most similar, or all of them."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name.casefold()[:MAX_NAME], [n.casefold() for n in names], n=3, cutoff=0.5)
    chosen = [n for n in names if n.casefold() in close]
    return f"did you mean {listed(chosen)}?" if chosen else f"expected one of {listed(names)}"


def listed(names: Iterable[str], most: int = 12) -> str:
    """Return the first names as a list in a sentence."""
    names = list(names)
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "") if names else "none"


def readable(query: exp.Query) -> exp.Query:
    """Return a copy without the aliases and qualifiers that qualify() added."""
    copy = copied(query)
    tables = list(copy.find_all(exp.Table))
    for table in tables:
        if table.alias.casefold() == table.name.casefold():
            table.set("alias", None)
    if len(tables) == 1 and not copy.find(exp.CTE, exp.Subquery):
        for column in copy.find_all(exp.Column):
            column.set("table", None)
    named = {c.name for c in copy.find_all(exp.Column) if not c.table or c.name.startswith("_col_")}
    for select in copy.find_all(exp.Select):
        # Set all at once: to replace them one by one takes time in proportion to the square of their number.
        select.set("expressions", [_as_written(p, named) for p in select.expressions])
    return copy


def _as_written(projection: exp.Expr, named: set[str]) -> exp.Expr:
    """Return a selected value without its alias if qualify() added it, and nothing refers to it."""
    if not isinstance(projection, exp.Alias) or (projection.alias.startswith("_col_") and projection.alias in named):
        return projection
    inner = projection.this
    added = projection.alias.startswith("_col_") or (isinstance(inner, exp.Column) and inner.name == projection.alias)
    return inner if added else projection
