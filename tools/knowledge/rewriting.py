"""Rewrites statements by what knowledge.yaml says of their tables: excluded rows, and metrics written out."""

from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.errors import SqlRejected
from tablerag.tools.linking.codes import codes_told
from tablerag.tools.records import MetricRule, TableSchema
from tablerag.tools.sql.text_limits import check_text

__all__ = ["applied", "condition_of", "expanded", "metrics_shown", "without_excluded"]


def without_excluded(sql: str, schemas: Sequence[TableSchema]) -> str:
    """Return a statement that does not count the rows which its tables exclude.

    A statement that reads a column of the condition keeps all rows: its question is about just that.
    """
    rules = {s.name.casefold(): s for s in schemas if s.rules and s.rules.exclude}
    tree = _parsed(sql) if rules else None
    if tree is None:
        return sql
    read, changed = {c.name.casefold() for c in tree.find_all(exp.Column)}, False
    for select in list(tree.find_all(exp.Select)):
        for table, outer in _sources(select):
            schema = rules.get(table.name.casefold())
            if schema is None or not schema.rules:
                continue
            condition = condition_of(schema.rules.exclude)
            if read & {c.name.casefold() for c in condition.find_all(exp.Column)}:
                continue
            for column in condition.find_all(exp.Column):
                column.set("table", exp.to_identifier(table.alias_or_name, quoted=True))
            kept = _kept(condition)
            if outer is not None:
                outer.set("on", exp.and_(outer.args["on"], kept) if outer.args.get("on") else kept)
            else:
                select.where(kept, copy=False)
            changed = True
    return tree.sql(dialect="mysql") if changed else sql


def expanded(sql: str, schemas: Sequence[TableSchema]) -> str:
    """Return a statement in which sums and averages of columns that stand for metrics are written out.

    Raises SqlRejected for another use of such a column: the metric of one row is rarely what is asked for.
    """
    rules = {m.column: m for s in schemas if s.rules for m in s.rules.metrics}
    tree = _parsed(sql) if any(name in sql for name in rules) else None
    if tree is None:
        return sql
    for column in list(tree.find_all(exp.Column)):
        rule = rules.get(column.name)
        if rule is None:
            continue
        call = column.parent
        if not isinstance(call, exp.Sum | exp.Avg):
            raise SqlRejected(f"metric {rule.name!r} is computed over groups of rows")
        written: exp.Expr = condition_of(rule.expression)
        for used in written.find_all(exp.Column):
            used.set("table", column.args.get("table"))
        if isinstance(call.parent, exp.Select) and call.arg_key == "expressions":
            written = exp.alias_(written, rule.column, quoted=True)
        elif not isinstance(call.parent, exp.Alias):
            written = exp.Paren(this=written)
        call.replace(written)
    return tree.sql(dialect="mysql")


def applied(sql: str, schemas: Sequence[TableSchema]) -> Iterator[str]:
    """Yield what a statement that was run takes from knowledge.yaml, each with its place."""
    told = any(s.rules or any(c.about for c in s.columns) for s in schemas)
    tree = _parsed(sql) if told else None
    if tree is None:
        return
    read = {t.name.casefold() for t in tree.find_all(exp.Table)}
    plain = _bare(tree)
    for schema in schemas:
        if schema.name.casefold() not in read:
            continue
        yield from _codes(tree, schema)
        if not schema.rules:
            continue
        for rule in schema.rules.metrics:
            if _bare(condition_of(rule.expression)) in plain:
                yield f"{rule.name[0].upper()}{rule.name[1:]} as defined in {rule.where}."
        if schema.rules.exclude and _bare(_kept(condition_of(schema.rules.exclude))) in plain:
            yield f"Without rows where {_in_headers(schema)}, as defined in {schema.rules.exclude_where}."


def _codes(tree: exp.Expr, schema: TableSchema) -> Iterator[str]:
    """Yield what the codes that a statement compares a column with stand for, and who says so."""
    compared: dict[str, list[str]] = {}
    for comparison in tree.find_all(exp.EQ, exp.NEQ, exp.In):
        one = comparison.this.this if isinstance(comparison.this, exp.Coalesce) else comparison.this
        column = schema.column(one.name) if isinstance(one, exp.Column) else None
        if column is not None and column.about:
            compared.setdefault(column.name, []).extend(s.name for s in comparison.find_all(exp.Literal))
    where = schema.rules.columns_where if schema.rules else {}
    for column in (c for c in schema.columns if c.name in compared):
        says = f"as defined in {where[column.name]}" if column.name in where else ""
        if not says and schema.origin:
            says = f"as the comment of column {schema.origin.names[column.name]} says"
        known = codes_told(column.about, [*compared[column.name], *column.examples])
        told = {code.casefold(): (code, meaning) for code, meaning in known.items()}
        for code in dict.fromkeys(map(str.casefold, compared[column.name])):
            if says and code in told:
                yield f"{column.header} “{told[code][0]}” means “{told[code][1]}”, {says}."


def metrics_shown(sql: str, schemas: Sequence[TableSchema]) -> dict[int, MetricRule]:
    """Return the metrics among the columns of a result, by their place."""
    rules = [m for s in schemas if s.rules for m in s.rules.metrics]
    tree = _parsed(sql) if rules else None
    if not isinstance(tree, exp.Query):
        return {}
    forms = {_bare(condition_of(m.expression)): m for m in rules}
    places = ((i, forms.get(_bare(e.unalias().unnest()))) for i, e in enumerate(tree.selects))
    return {place: rule for place, rule in places if rule is not None}


def _sources(select: exp.Select) -> Iterator[tuple[exp.Table, exp.Join | None]]:
    """Yield the tables that a SELECT itself reads, each with the outer join that may find no row of it."""
    first = select.args.get("from_") or select.args.get("from")
    joins = select.args.get("joins") or []
    sources = [(first.this, -1)] if first is not None else []
    for source, place in [*sources, *((join.this, n) for n, join in enumerate(joins))]:
        own = joins[place] if place >= 0 and joins[place].side.upper() == "LEFT" else None
        later = next((join for join in joins[place + 1 :] if join.side.upper() == "RIGHT"), None)
        if isinstance(source, exp.Table):
            yield source, own or later


def _kept(condition: exp.Expr) -> exp.Expr:
    """Return the condition for the rows that count: a condition on an empty cell does not exclude its row."""
    return exp.Not(this=exp.Coalesce(this=exp.Paren(this=condition), expressions=[exp.false()]))


def condition_of(text: str) -> exp.Expr:
    """Return the tree of an entry; raise SqlRejected if it has none, as a thread's owner can rewrite its state."""
    try:
        check_text(f"SELECT {text}")
        return sqlglot.parse_one(text, read="mysql", into=exp.Condition)
    except SqlglotError as error:
        raise SqlRejected(f"invalid SQL in an entry: {text[:80]!r}") from error


def _bare(tree: exp.Expr) -> str:
    """Return SQL without the names of tables and without quotes, to be looked for in other SQL."""
    copy = tree.copy()
    for column in copy.find_all(exp.Column):
        column.set("table", None)
    for name in copy.find_all(exp.Identifier):
        name.set("quoted", False)
    return copy.sql(dialect="mysql", comments=False).casefold()


def _in_headers(schema: TableSchema) -> str:
    assert schema.rules
    tree = condition_of(schema.rules.exclude)
    for column in tree.find_all(exp.Column):
        found = schema.column(column.name)
        if found is not None:
            column.replace(exp.column(exp.to_identifier(found.header, quoted=False)))
    return tree.sql(dialect="mysql")


def _parsed(sql: str) -> exp.Expr | None:
    """Return the syntax tree; None if there is none: the guard says what is wrong."""
    try:
        check_text(sql)
        return sqlglot.parse_one(sql, read="mysql")
    except (SqlRejected, SqlglotError, AttributeError, TypeError, ValueError, LookupError, RecursionError):
        return None
