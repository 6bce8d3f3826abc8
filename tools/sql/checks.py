"""Checks of a statement against its question: what it leaves out or adds, and rows that it counts twice.

Each doubt is one sentence that may go back to the model. A statement that is right in spite of it is sent again.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import PurePosixPath

import sqlglot
from sqlglot import exp

from tablerag.tools.errors import SqlProblem
from tablerag.tools.linking.keys import key_of, singular_key
from tablerag.tools.number_words import YEAR
from tablerag.tools.records import ROW_ID, TOTAL, Column, SqlResult, TableSchema, ValueHint
from tablerag.tools.sql.literals import CONSTANTS, numbers_in
from tablerag.tools.sql.shapes import plain_sql

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
HIGHEST = re.compile(
    r"\b(?:highest|largest|biggest|greatest|höchst\w*|größt\w*|plus (?:élevé|grand)e?s?)\b", re.IGNORECASE
)
LOWEST = re.compile(r"\b(?:lowest|smallest|niedrigst\w*|kleinst\w*|plus (?:bas|basse|petite?)s?)\b", re.IGNORECASE)
PLACED = re.compile(r"\b(?:rank|plac|position|seed|finish|platz|rang)\w*", re.IGNORECASE)
"""Of places, the highest is the lowest number."""
HOW_MANY = re.compile(r"\b(?:how many|number of|wie ?viele|anzahl|combien de|nombre de)\b", re.IGNORECASE)
ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div)
NEIGHBOURS = frozenset((0, 1))
"""Numbers that statements add: to a year, or to count both ends."""
NEGATIONS = (exp.Not, exp.NEQ, exp.Except, exp.Is)
ORDERS = (exp.Offset, exp.Window, exp.Limit, exp.Subquery)
MULTIPLIED = (exp.Sum, exp.Avg, exp.Count)
CERTAIN = 1.0
"""Score of a value that the question spells as it is stored."""
LEAST_NAME = 4
QUALIFIER = re.compile(r"`?\w+`?\.(?=[`\w])")


def doubts(
    question: str,
    result: SqlResult,
    schemas: Sequence[TableSchema],
    hints: Sequence[ValueHint],
    run: Run,
    told: str = "",
) -> list[str]:
    """Return where the statement of a result does not fit its question, one sentence each.

    What was read (``told``) may have led to the statement: "the country that joined in 1863" is known by name.
    """
    query = sqlglot.parse_one(result.sql, read="mysql")
    read = {t.name.casefold() for t in query.find_all(exp.Table)}
    tables = [s for s in schemas if s.name.casefold() in read]
    return [
        *_years(question, query, result.sql, tables, told, run),
        *_names(_without_titles(question, tables), query, result.sql, hints, run, told),
        *_words(question, query, result, told),
        *_ranks(question, query),
        *_constants(query, f"{question} {told}"),
        *_totals(query, tables, run),
        *_multiplied(query, tables, run),
    ]


def _years(
    question: str, query: exp.Expr, sql: str, tables: Sequence[TableSchema], told: str, run: Run
) -> Iterator[str]:
    """Yield the years that neither the statement, its tables' names nor all its rows hold, if a column could."""
    dated = [(s.name, c.name) for s in tables for c in s.columns if _has_years(c)]
    if not dated:
        return
    # A union is of all its files' years.
    titles = " ".join(f"{s.title} {s.source} {s.locator}" for s in tables if not s.members)
    stated = [int(y) for y in re.findall(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", sql)]
    for year in dict.fromkeys(YEARS.findall(question)):
        between = stated and min(stated) <= int(year) <= max(stated)
        named = year in titles or year in told or year[2:] in re.findall(r"\d+", titles)
        if not between and not named and not any(_all_hold(query, *at, f"%{year}%", run) for at in dated):
            yield f"the question says {year}, and the statement does not"


def _has_years(column: Column) -> bool:
    dated = column.type in ("date", "datetime") or column.kind in ("year", "partial date")
    return dated or any(YEARS.search(e) for e in column.examples)


def _without_titles(question: str, tables: Sequence[TableSchema]) -> str:
    """Return a question without the titles and files of its tables that it quotes: they restrict no row."""
    for schema in tables:
        for title in (*schema.title.split(" > "), PurePosixPath(schema.source).stem):
            words = re.findall(r"\w+", title)
            if len(words) > 1:
                question = re.sub(
                    r"\b" + r"\W+".join(map(re.escape, words)) + r"\b", "…", question, flags=re.IGNORECASE
                )
    return question


def _names(question: str, query: exp.Expr, sql: str, hints: Sequence[ValueHint], run: Run, told: str) -> Iterator[str]:
    """Yield the stored values that the question names with a capital letter, and the statement neither says nor has.

    What was read may say by which condition the value is meant: a confirmed statement has it.
    """
    words = set(singular_key(key_of(sql)).split())
    read = {t.name.casefold() for t in query.find_all(exp.Table)}
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
            and not _is_told_how(query, hint.phrase, told)
            and not _all_hold(query, hint.table, hint.column, hint.value, run)
        ):
            yield f"the question names {hint.value!r} (in `{hint.table}`.`{hint.column}`), and the statement does not"


def _is_told_how(query: exp.Expr, phrase: str, told: str) -> bool:
    """Tell whether what was read has a value's name and one of the statement's conditions in the same spelling."""
    read = key_of(QUALIFIER.sub("", told))
    if f" {key_of(phrase)} " not in f" {read} ":
        return False
    conditions = (c for c in query.find_all(exp.In, exp.EQ, exp.Like) if c.find(exp.Literal) and c.find(exp.Column))
    return any(f" {key_of(plain_sql(c))} " in f" {read} " for c in conditions)


def _all_hold(query: exp.Expr, table: str, column: str, value: str, run: Run) -> bool:
    """Tell whether all rows that a statement reads of a table are LIKE a value anyway: of one town, its country."""
    source = next((t for t in query.find_all(exp.Table) if t.name.casefold() == table.casefold()), None)
    select = source.parent_select if source else None
    if source is None or select is None:
        return False
    cell = exp.column(column, table=source.alias_or_name, quoted=True)
    same = exp.Sum(this=exp.Like(this=cell, expression=exp.Literal.string(value)))
    try:
        found = run(_bare(select, [exp.Count(this=exp.Star()), same])).rows[0]
    except SqlProblem:  # a part of a larger statement may not run by itself
        return False
    rows, holding = (int(n or 0) for n in found)  # type: ignore[call-overload]
    return 0 < rows == holding


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


def _ranks(question: str, query: exp.Expr) -> Iterator[str]:
    """Yield the superlative of which the statement gives the opposite."""
    high, low = HIGHEST.search(question), LOWEST.search(question)
    if bool(high) is bool(low) or PLACED.search(question):
        return
    sought, opposite = (exp.Max, exp.Min) if high else (exp.Min, exp.Max)
    limited = (s for s in query.find_all(exp.Select) if s.args.get("limit") and s.args.get("order"))
    first = [o for select in limited for o in select.args["order"].find_all(exp.Ordered)]
    down = any(bool(o.args.get("desc")) is bool(high) for o in first)
    if not query.find(sought, exp.Window) and not down and (first or query.find(opposite)):
        said = (high or low)[0]  # type: ignore[index]
        yield f"the question asks for the {said}, and the statement gives the {'lowest' if high else 'highest'}"


def _constants(query: exp.Expr, told: str) -> Iterator[str]:
    """Yield the numbers that the statement adds to others or multiplies them by, and nothing that was read holds."""
    known = numbers_in(told)
    for literal in query.find_all(exp.Literal):
        operation = literal.parent.parent if isinstance(literal.parent, exp.Neg) else literal.parent
        if literal.is_string or not isinstance(operation, ARITHMETIC):
            continue
        adds = isinstance(operation, exp.Add | exp.Sub)
        number = Decimal(literal.this)
        if number not in known and number not in (NEIGHBOURS if adds else CONSTANTS):
            yield f"the statement computes with {literal.this}, which neither the question nor a text says"


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
            used = dict.fromkeys(c.table for c in function.find_all(exp.Column) if not _chooses(c, function))
            if not used or function.find(exp.Distinct) or not named.keys() >= used.keys():
                continue
            read = [next((s for s in tables if s.name == named[alias]), None) for alias in used]
            if any(s is None or ROW_ID not in s.hidden_columns or s.members for s in read):
                continue
            # A price that is looked up for each delivery is meant to be repeated: deliveries are added up.
            if read[0] and all(_repeats(select, alias, run) for alias in used):
                name = read[0].name
                yield f"the join repeats rows of `{name}` before `{function.sql(dialect='mysql')}` adds them up"
            return


def _chooses(column: exp.Column, function: exp.Expr) -> bool:
    """Tell whether a column only decides what is added up: that of CASE WHEN, or of a comparison."""
    node: exp.Expr = column
    while node is not function and node.parent is not None:
        if isinstance(node.parent, exp.Predicate) or (isinstance(node.parent, exp.If) and node.arg_key == "this"):
            return True
        node = node.parent
    return False


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
