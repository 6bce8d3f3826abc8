"""Resolves entries of a knowledge file against tables: which table and columns are meant, and whether SQL is valid."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.errors import SqlRejected
from tablerag.tools.knowledge.entries import Knowledge, MetricEntry, TableEntry
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import MetricRule, TableRules, TableSchema
from tablerag.tools.sql.guard import guard

__all__ = ["Problem", "problems_of", "with_rules"]

NOT_IN_NAMES = re.compile(r"\W+")
LONGEST_NAME = 50
PERCENT = "100"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an entry, and where it is."""

    where: str
    says: str
    unchecked: bool = False
    """Whether it only could not be checked, as its database does not answer."""


Report = Callable[[int, str], None]
"""Takes the line of an entry and what is wrong with it."""


def with_rules(schemas: Sequence[TableSchema], knowledge: Knowledge) -> list[TableSchema]:
    """Return the schemas, each with what the knowledge says of it; entries that do not resolve are left out."""
    if not (knowledge.metrics or knowledge.tables):
        return list(schemas)
    return [_with_rules(schema, schemas, knowledge, _ignored) for schema in schemas]


def problems_of(schemas: Sequence[TableSchema], knowledge: Knowledge) -> list[Problem]:
    """Return what is wrong with the entries for tables: unknown tables and columns, invalid SQL."""
    found: list[Problem] = []

    def report(line: int, says: str) -> None:
        found.append(Problem(knowledge.place(line), says))

    for entry in (*knowledge.tables, *knowledge.metrics):
        named = [s.name for s in schemas if _is_named(s, entry.table, schemas)]
        if len(named) == 1:
            continue
        some = f"expected one such as {', '.join(s.name for s in schemas[:8])}" if schemas else "the corpus has none"
        what = f"several tables are called {entry.table!r}: {', '.join(named)}" if named else None
        report(entry.line, what or f"no table is called {entry.table!r}: {some}")
    for schema in schemas:
        _with_rules(schema, schemas, knowledge, report)
    return found


def _ignored(line: int, says: str) -> None:
    """Take a problem that `tablerag knowledge check` reports."""


def _with_rules(
    schema: TableSchema, schemas: Sequence[TableSchema], knowledge: Knowledge, report: Report
) -> TableSchema:
    fields: dict[str, str] = {}
    about: dict[str, tuple[str, str]] = {}
    for entry in knowledge.tables:
        if _is_named(schema, entry.table, schemas):
            fields |= dict(_fields(schema, entry, knowledge, report))
            about |= dict(_columns(schema, entry, knowledge, report))
    metrics = [
        rule
        for entry in knowledge.metrics
        if _is_named(schema, entry.table, schemas)
        for rule in _metric(schema, entry, knowledge, report)
    ]
    if not fields and not metrics and not about:
        return schema
    columns = tuple(c.model_copy(update={"about": about.get(c.name, (c.about,))[0]}) for c in schema.columns)
    places = {name: where for name, (_, where) in about.items()}
    rules = TableRules(**fields, metrics=tuple(metrics), columns_where=places, code_columns=())
    return schema.model_copy(update={"rules": rules, "columns": columns})


def _is_named(schema: TableSchema, name: str, schemas: Sequence[TableSchema]) -> bool:
    """Tell whether an entry's name is that of a table: its SQL name or, if none has it, its title or its file's."""
    if any(s.name.casefold() == name.casefold() for s in schemas):
        return schema.name.casefold() == name.casefold()
    stem = PurePosixPath(schema.source).stem
    return key_of(name.replace("_", " ")) in {key_of(t.replace("_", " ")) for t in (schema.title, stem, schema.source)}


def _fields(schema: TableSchema, entry: TableEntry, knowledge: Knowledge, report: Report) -> Iterator[tuple[str, str]]:
    if entry.description:
        yield "description", entry.description
    if entry.default_date:
        column = _column(schema, entry.default_date)
        line = entry.lines["default_date"]
        found = schema.column(column) if column else None
        if found is not None and found.type in ("date", "datetime"):
            yield from (("default_date", found.name), ("date_where", knowledge.place(line)))
        else:
            wrong = f"is {found.type}, expected a column of dates" if found else _unknown(schema)
            report(line, f"default_date {entry.default_date!r} of table {schema.name} {wrong}")
    if entry.exclude:
        line = entry.lines["exclude"]
        try:
            tree = _parsed(entry.exclude, schema)
            condition = tree.sql(dialect="mysql")
            _check(f"SELECT 1 FROM `{schema.name}` WHERE {condition}", schema)
            if tree.find(exp.Query, exp.AggFunc) is not None or tree.find(exp.Column) is None:
                raise SqlRejected("expected a condition on columns of the table")
        except SqlRejected as error:
            report(line, f"exclude of table {schema.name}: {error}")
        else:
            yield from (("exclude", condition), ("exclude_where", knowledge.place(line)))


def _columns(
    schema: TableSchema, entry: TableEntry, knowledge: Knowledge, report: Report
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the columns that an entry describes, by SQL name, each with what it says and where."""
    for named, says in entry.columns.items():
        line = entry.lines[f"columns {named}"]
        if name := _column(schema, named):
            yield name, (says, knowledge.place(line))
        else:
            report(line, f"column {named[:60]!r} of table {schema.name} {_unknown(schema)}")


def _metric(schema: TableSchema, entry: MetricEntry, knowledge: Knowledge, report: Report) -> Iterator[MetricRule]:
    column = NOT_IN_NAMES.sub("_", key_of(entry.name)).strip("_")[:LONGEST_NAME]
    try:
        tree = _parsed(entry.expression, schema)
        if tree.find(exp.AggFunc) is None or tree.find(exp.Query) is not None:
            raise SqlRejected("expected an expression over aggregates, such as SUM(amount) / COUNT(*)")
        if not column or schema.column(column) is not None:
            raise SqlRejected(f"its name is already that of a column: {column or entry.name}")
        if entry.unit == "%" and not any(n.name == PERCENT for n in tree.find_all(exp.Literal)):
            tree = exp.Mul(this=exp.Literal.number(PERCENT), expression=exp.Paren(this=tree))
        expression = tree.sql(dialect="mysql")
        _check(f"SELECT {expression} FROM `{schema.name}`", schema)
    except SqlRejected as error:
        report(entry.line, f"metric {entry.name!r}: {error}")
        return
    where = knowledge.place(entry.line)
    yield MetricRule(name=entry.name, column=column, expression=expression, unit=entry.unit, where=where)


def _parsed(text: str, schema: TableSchema) -> exp.Expr:
    """Return an expression of an entry, with the SQL names of its columns; raise SqlRejected."""
    try:
        tree = sqlglot.parse_one(text, read="mysql", into=exp.Condition)
    except SqlglotError as error:
        raise SqlRejected(f"{text[:80]!r} is not valid SQL") from error
    for found in list(tree.find_all(exp.Column)):
        name = _column(schema, found.name)
        if not name:
            raise SqlRejected(f"column {found.name[:60]!r} {_unknown(schema)}")
        found.replace(exp.column(exp.to_identifier(name, quoted=True)))
    return tree


def _check(statement: str, schema: TableSchema) -> None:
    guard(statement, [schema], row_limit=1)


def _column(schema: TableSchema, named: str) -> str:
    """Return the SQL name of the column that an entry names, by its SQL name or its header; "" if there is none."""
    if own := schema.column(named):
        return own.name
    return next((c.name for c in schema.columns if key_of(c.header) == key_of(named)), "")


def _unknown(schema: TableSchema) -> str:
    names = ", ".join(c.name for c in schema.columns[:12])
    return f"is not one of its columns: {names}{', ...' if len(schema.columns) > 12 else ''}"
