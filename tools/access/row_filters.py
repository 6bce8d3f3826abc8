"""Tables as a key with rights sees them, and the conditions on their rows.

What does not fit a table closes it: a condition or a hidden column that the table lacks would otherwise show what it
was to hide.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.tools.access.rights import Rights
from tablerag.tools.connections.registry import connection_of
from tablerag.tools.records import OCR, OCR_WORD, RowFilter, TableSchema

__all__ = ["EVERY_ROW", "condition", "misfits", "restricted"]

PARTS = (
    exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Neg, exp.Paren, exp.And, exp.Or, exp.Not,
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between, exp.Is, exp.Like,
)  # fmt: skip
"""What a row filter may consist of."""
EVERY_ROW = "TRUE"


def condition(text: str) -> exp.Expr:
    """Return the tree of a row filter; raise ValueError for other SQL than comparisons of columns with values."""
    try:
        tree = sqlglot.parse_one(text, read="mysql", into=exp.Condition)
    except (SqlglotError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
        raise ValueError(f"invalid condition {text[:60]!r}") from None
    odd = next((n for n in tree.walk() if not isinstance(n, PARTS)), None)
    if odd is not None or any(c.table for c in tree.find_all(exp.Column)):
        what = "a name with a dot" if odd is None else type(odd).__name__.upper()
        raise ValueError(f"{text[:60]!r} may compare columns with values only, not use {what}")
    if tree.find(exp.Column) is None:
        raise ValueError(f"{text[:60]!r} names no column")
    return exp.Paren(this=tree)


def restricted(schema: TableSchema, rights: Rights) -> TableSchema | None:
    """Return what a key may see of a table; the table itself if that is all of it, None if it is nothing.

    What was computed from rows or columns that it may not see is left out: examples, warnings, numbers of cells. The
    number of rows is still that of the whole table if its ``row_filter`` leaves out some.
    """
    connection = connection_of(schema.stored_as)
    if not _named(schema.name, rights.tables) or (connection and not _named(connection, rights.connections)):
        return None
    if schema.members:  # it has the columns and rows of its members
        parts = [restricted(_member(schema, m.name, m.stored_as), rights) for m in schema.members]
        return schema if all(p is not None and p.row_filter is None for p in parts) else None
    hidden = [(name, columns) for name, columns in rights.hidden if _named(schema.name, (name,))]
    conditions = [text for name, text in rights.rows if _named(schema.name, (name,))]
    unknown = [c for name, columns in hidden if "*" not in name for c in columns if schema.column(c) is None]
    gone = {c.casefold() for _, columns in hidden for c in columns}
    if unknown or gone >= {c.name.casefold() for c in schema.columns}:
        return None
    if not (gone & {c.name.casefold() for c in schema.columns} or conditions):
        return schema
    trees = [condition(c) for c in conditions]
    used = {c.name.casefold() for tree in trees for c in tree.find_all(exp.Column)}
    if used - {c.name.casefold() for c in schema.columns}:
        return None
    kept = exp.and_(*trees).sql(dialect="mysql") if trees else EVERY_ROW
    return _without(schema, gone, RowFilter(condition=kept, whole=schema), is_filtered=bool(trees))


def misfits(schemas: Sequence[TableSchema], rights: Rights) -> Iterator[str]:
    """Yield a line for each rule that fits no table, or closes one."""
    own = [s for s in schemas if not s.members]
    rules = [("tables", t) for t in rights.tables] + [("hidden", t) for t, _ in rights.hidden]
    rules += [("rows", t) for t, _ in rights.rows]
    for field, pattern in rules:
        if pattern != "*" and not any(_named(s.name, (pattern,)) for s in schemas):
            yield f"{field}: no table is called {pattern[:40]!r}: run `tablerag tables`"
    for schema in own:
        wanted = _named(schema.name, rights.tables)
        if wanted and restricted(schema, rights) is None and _ruled(schema, rights):
            yield f"table {schema.name} is closed: a rule for it names a column that it lacks, or hides all of them"


def _ruled(schema: TableSchema, rights: Rights) -> bool:
    """Tell whether a rule hides columns or rows of a table, rather than its connection the table."""
    return restricted(schema, Rights(rights.connections, rights.tables)) is not None


def _without(schema: TableSchema, gone: set[str], kept: RowFilter, *, is_filtered: bool) -> TableSchema:
    """Return a schema without some columns and, if it is filtered, without what was computed from all rows."""
    blank = {"examples": (), "coerced": 0, "unfit": 0, "missing": 0} if is_filtered else {}
    origin = schema.origin
    if origin:
        seen = {
            "names": {n: own for n, own in origin.names.items() if n.casefold() not in gone},
            "reads": {n: how for n, how in origin.reads.items() if n.casefold() not in gone},
            "references": tuple(r for r in origin.references if r[0].casefold() not in gone),
        }
        origin = origin.model_copy(update=seen)
    return schema.model_copy(
        update={
            "columns": tuple(c.model_copy(update=blank) for c in schema.columns if c.name.casefold() not in gone),
            "row_path": tuple(n for n in schema.row_path if n.casefold() not in gone),
            "hidden_columns": tuple(n for n in schema.hidden_columns if n not in (OCR, OCR_WORD)),
            "warnings": (),
            "doubts": (),
            "found": None,
            "locator": schema.within if is_filtered else schema.locator,
            "origin": origin,
            "row_filter": kept,
        }
    )


def _member(union: TableSchema, name: str, stored: str) -> TableSchema:
    return union.model_copy(update={"name": name, "stored_as": stored, "members": ()})


def _named(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name.casefold(), pattern.casefold().replace("[", "[[]")) for pattern in patterns)
