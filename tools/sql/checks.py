"""Checks of a statement against its question: what it leaves out of it, and rows that it counts twice.

Each doubt is one sentence that may go back to the model. A statement that is right in spite of it is sent again.
"""

import re
from collections.abc import Callable, Iterator, Sequence

import sqlglot
from sqlglot import exp

from tablerag.tools.linking.keys import key_of, singular_key
from tablerag.tools.number_words import YEAR
from tablerag.tools.records import ROW_ID, TOTAL, Column, SqlResult, TableSchema, ValueHint

__all__ = ["doubts", "over_other_table"]

Run = Callable[[str], SqlResult]
"""Run a statement that was derived from a guarded one; raises SqlProblem."""

YEARS = re.compile(rf"(?<![\w.,])(?:{YEAR})(?![\w%]|[.,]\d)")
EXCLUDES = re.compile(
    r"\b(?:without|excluding|except(?: for)?|other than|not counting|not including|leaving out|apart from|ohne|außer"
    r"|ausgenommen|sauf|hors|excepté)\b",
    re.IGNORECASE,
)
INCLUDES = re.compile(r"\b(?:including|incl\.?|einschließlich|inklusive|y compris)\s+(?:\w+\s+)?$", re.IGNORECASE)
RANKED = re.compile(
    r"\b(?:second|third|fourth|fifth|2nd|3rd|4th|5th)[ -](?:most|least|best|worst|top|last|\w+est)\b"
    r"|\b(?:zweit|dritt|viert)(?:höchst|größt|meist|best|kleinst|niedrigst|läng|ältest|jüngst|teuerst)\w*",
    re.IGNORECASE,
)
HOW_MANY = re.compile(r"\b(?:how many|number of|wie ?viele|anzahl|combien de|nombre de)\b", re.IGNORECASE)
NEGATIONS = (exp.Not, exp.NEQ, exp.Except, exp.Is)
ORDERS = (exp.Offset, exp.Window, exp.Limit, exp.Subquery)
MULTIPLIED = (exp.Sum, exp.Avg, exp.Count)
CERTAIN = 1.0
"""Score of a value that the question spells as it is stored."""
LEAST_NAME = 4


def doubts(
    question: str,
    result: SqlResult,
    schemas: Sequence[TableSchema],
    hints: Sequence[ValueHint],
    run: Run,
    told: str = "",
) -> list[str]:
    """Return what the statement of a result seems to have left out of its question, one sentence each.

    What the passages tell (``told``) may have led to the statement: "the country that joined in 1863" is known by name.
    """
    query = sqlglot.parse_one(result.sql, read="mysql")
    read = {t.name.casefold() for t in query.find_all(exp.Table)}
    tables = [s for s in schemas if s.name.casefold() in read]
    return [
        *_years(question, result.sql, tables, told),
        *_names(question, result.sql, hints, read),
        *_words(question, query, result, told),
        *_totals(query, tables, run),
        *_multiplied(query, tables, run),
    ]


def _years(question: str, sql: str, tables: Sequence[TableSchema], told: str) -> Iterator[str]:
    """Yield the years that neither the statement nor the names of its tables hold, if a column could."""
    if not any(_has_years(c) for s in tables for c in s.columns):
        return
    titles = " ".join(f"{s.title} {s.source} {s.locator}" for s in tables)
    stated = [int(y) for y in re.findall(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", sql)]
    for year in dict.fromkeys(YEARS.findall(question)):
        between = stated and min(stated) <= int(year) <= max(stated)
        if not between and year not in titles and year not in told and year[2:] not in re.findall(r"\d+", titles):
            yield f"the question says {year}, and the statement does not"


def _has_years(column: Column) -> bool:
    dated = column.type in ("date", "datetime") or column.kind in ("year", "partial date")
    return dated or any(YEARS.search(e) for e in column.examples)


def _names(question: str, sql: str, hints: Sequence[ValueHint], read: set[str]) -> Iterator[str]:
    """Yield the stored values that the question names with a capital letter, and the statement does not."""
    words = set(singular_key(key_of(sql)).split())
    for hint in hints:
        known = hint.score >= CERTAIN and hint.table.casefold() in read and len(hint.phrase) >= LEAST_NAME
        named = re.search(rf"(?<![.?!] )(?<!^)\b{re.escape(hint.value)}\b", question)
        included = INCLUDES.search(question[: named.start()]) if named else None
        if (
            known
            and named
            and not included
            and hint.value[:1].isupper()
            and not set(singular_key(hint.phrase).split()) & words
        ):
            yield f"the question names {hint.value!r} (in `{hint.table}`.`{hint.column}`), and the statement does not"


def _words(question: str, query: exp.Expr, result: SqlResult, told: str) -> Iterator[str]:
    """Yield an exclusion, a rank or a count that no part of the statement makes."""
    excluded = EXCLUDES.search(question)
    if excluded and query.find(exp.AggFunc) and not query.find(*NEGATIONS):
        yield f"the question says {excluded[0]!r}, and the statement excludes nothing"
    ranked = RANKED.search(question)
    if ranked and not query.find(*ORDERS) and ranked[0].casefold() not in told.casefold():
        yield f"the question asks for the {ranked[0]}, and the statement ranks nothing"
    counted = HOW_MANY.search(question)
    if counted and len(result.rows) > 1 and len(result.columns) == 1 and not query.find(exp.AggFunc):
        yield f"the question asks {counted[0].lower()}, and the statement lists {len(result.rows)} rows"


def _totals(query: exp.Expr, tables: Sequence[TableSchema], run: Run) -> Iterator[str]:
    """Yield the tables whose rows are added up or counted together with the rows that are their totals."""
    if any(c.name == TOTAL for c in query.find_all(exp.Column)):
        return
    with_totals = {s.name: s for s in tables if TOTAL in s.hidden_columns}
    for select in query.find_all(exp.Select):
        sources = [t for t in select.find_all(exp.Table) if t.parent_select is select]
        if len(sources) != 1 or sources[0].name not in with_totals or not select.find(*MULTIPLIED):
            continue
        total = exp.column(TOTAL, table=sources[0].alias_or_name, quoted=True)
        probe = _bare(select, [exp.Count(this=exp.Star()), exp.Sum(this=total)])
        rows, totals = (int(n or 0) for n in run(probe).rows[0])  # type: ignore[call-overload]
        if 0 < totals < rows:
            yield f"rows of `{sources[0].name}` with `{TOTAL}` sum up others, and the statement adds them up too"


def _multiplied(query: exp.Expr, tables: Sequence[TableSchema], run: Run) -> Iterator[str]:
    """Yield the table whose rows a join repeats before they are added up or counted."""
    for select in query.find_all(exp.Select):
        sources = [f.this for f in (select.args.get("from_") or select.args.get("from"),) if f]
        joins = select.args.get("joins") or []
        named = {s.alias_or_name: s.name for s in (*sources, *(j.this for j in joins)) if isinstance(s, exp.Table)}
        if not joins or len(named) != 1 + len(joins):
            continue
        for function in select.find_all(*MULTIPLIED):
            column = function.find(exp.Column)
            if column is None or function.find(exp.Distinct) or column.table not in named:
                continue
            schema = next((s for s in tables if s.name == named[column.table]), None)
            if schema is None or ROW_ID not in schema.hidden_columns or schema.members:
                continue
            if _repeats(select, column.table, run):
                yield f"the join repeats rows of `{schema.name}` before `{function.sql(dialect='mysql')}` adds them up"
            return


def _repeats(select: exp.Select, table: str, run: Run) -> bool:
    key = exp.column(ROW_ID, table=table, quoted=True)
    counts = [exp.Count(this=key.copy()), exp.Count(this=exp.Distinct(expressions=[key.copy()]))]
    rows = run(_bare(select, counts)).rows
    every, distinct = (int(n or 0) for n in rows[0])  # type: ignore[call-overload]
    return every > distinct


def _bare(select: exp.Select, selected: Sequence[exp.Expr]) -> str:
    """Return a statement over the same rows, before they are grouped, that selects something else."""
    probe = select.copy()
    for part in ("group", "having", "order", "limit", "offset", "distinct"):
        probe.set(part, None)
    probe.set("expressions", [exp.alias_(e, f"n{i}") for i, e in enumerate(selected)])
    return probe.sql(dialect="mysql")


def over_other_table(sql: str, own: TableSchema, other: TableSchema) -> str:
    """Return a guarded statement over one table as one over another table with the same headers."""
    query = sqlglot.parse_one(sql, read="mysql")
    by_header = {key_of(c.header): c for c in other.columns}
    names = {}
    for column in own.columns:
        twin = by_header.get(key_of(column.header))
        if twin is not None:
            names |= dict(zip(column.all_names(), twin.all_names(), strict=False))
    for table in query.find_all(exp.Table):
        if table.name == own.name:
            table.set("this", exp.to_identifier(other.name, quoted=True))
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(own.name, quoted=True)))
    for column in query.find_all(exp.Column):
        if column.name in names:
            column.set("this", exp.to_identifier(names[column.name], quoted=True))
    return query.sql(dialect="mysql")
