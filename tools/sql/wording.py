"""Words about a statement: refusals that name what is nearest, and the statement as people read it."""

import difflib
import re
from collections.abc import Iterable, Sequence

from sqlglot import exp
from sqlglot.errors import ParseError

from tablerag.tools.records import TableSchema

__all__ = ["column_message", "listed", "parse_message", "readable", "similar"]

COLUMN_NAMED = (re.compile(r"Column '(.+?)' could not be resolved"), re.compile(r"Unknown column: (\S+)"))
TABLE_NAMED = re.compile(r"for table: '(.+?)'")


MAX_NAME = 80
MAX_SAID = 160
INNER_NAMES = re.compile(r"<class '.*?'>|<Token .*?text: (.*?), line.*")


def parse_message(error: ParseError) -> str:
    """Say where a statement is no MySQL, without the parser's own inner names."""
    detail = error.errors[0] if error.errors else {}
    near = str(detail.get("highlight") or "")[:MAX_NAME]
    said = INNER_NAMES.sub(lambda m: repr(m[1][:MAX_NAME]) if m[1] else "an expression", str(detail.get("description")))
    said = " ".join(said.split())[:MAX_SAID] if detail else "it cannot be parsed"
    return f"not valid MySQL{f' near {near!r}' if near else ''}: {said}"


def column_message(message: str, query: exp.Query, schemas: Sequence[TableSchema]) -> str:
    """Say which column or alias is not there, from the parser's message about it."""
    text = message.splitlines()[0].split(" Line:")[0].rstrip(".")
    found = next((m for m in (p.search(text) for p in COLUMN_NAMED) if m), None)
    if not found:
        return (text[0].lower() + text[1:])[:MAX_SAID] if text else "the statement cannot be resolved"
    name = found[1].strip("`\"'")[:MAX_NAME]
    aliases = _aliases(query)
    prefix = TABLE_NAMED.search(text)
    if prefix and prefix[1].casefold() not in {a.casefold() for a in aliases}:
        return f"there is no table or alias {prefix[1][:MAX_NAME]!r} in FROM: {similar(prefix[1], aliases)}"
    read = {t.name.casefold() for t in query.find_all(exp.Table)}
    used = [s for s in schemas if s.name.casefold() in read]
    holding = [s.name for s in used if name.casefold() in map(str.casefold, s.stored_columns())]
    if len(holding) > 1:
        return f"{name!r} is a column of {listed(holding)}: write which one, such as {holding[0]}.{name}"
    return f"there is no column {name!r}: {similar(name, [c for s in used for c in s.stored_columns()])}"


def _aliases(query: exp.Query) -> list[str]:
    named = query.find_all(exp.Table, exp.Subquery, exp.CTE)
    return [n.alias_or_name for n in named if n.alias_or_name]


def similar(name: str, known: Iterable[str]) -> str:
    """Name the nearest of what is known, or all of it."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name.casefold()[:MAX_NAME], [n.casefold() for n in names], n=3, cutoff=0.5)
    chosen = [n for n in names if n.casefold() in close]
    return f"the nearest are {listed(chosen)}" if chosen else f"there are {listed(names)}"


def listed(names: Iterable[str], most: int = 12) -> str:
    """Write names in a row, the first few of many."""
    names = list(names)
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "") if names else "none"


def readable(query: exp.Query) -> exp.Query:
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
        added = alias.alias.startswith("_col_") or (isinstance(inner, exp.Column) and inner.name == alias.alias)
        if added and isinstance(alias.parent, exp.Select):
            alias.replace(inner)
    return copy
