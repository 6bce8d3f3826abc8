"""Guarded statements over the stored names of tables; unions are expanded to their members."""

from collections.abc import Sequence

from sqlglot import exp

from tablerag.tools.records import MEMBER, PAGE, ROW_ID, SOURCE_ROW, UNION_SOURCE, Member, TableSchema

__all__ = ["as_stored"]


def as_stored(query: exp.Query, schemas: Sequence[TableSchema]) -> tuple[exp.Query, tuple[str, ...]]:
    """Return a copy that reads the stored tables, and their stored names; result columns keep their names."""
    by_name = {s.name.casefold(): s for s in schemas}
    copy = query.copy()
    read: dict[str, None] = {}
    for table in list(copy.find_all(exp.Table)):
        schema = by_name.get(table.name.casefold())
        if schema is None:
            continue
        alias = table.alias_or_name
        if schema.members:
            table.replace(exp.Subquery(this=_united(schema), alias=exp.TableAlias(this=_name(alias))))
            read |= dict.fromkeys(m.stored_as for m in schema.members)
        else:
            stored = schema.stored_as or schema.name
            table.set("this", _name(stored))
            table.set("alias", exp.TableAlias(this=_name(alias)))
            read[stored] = None
    return copy, tuple(read)


def _name(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


def _united(schema: TableSchema) -> exp.Query:
    """Return the rows of all members under the column names of the union, each with its source."""
    selects = [_member(schema, m) for m in schema.members]
    united: exp.Query = selects[0]
    for select in selects[1:]:
        united = exp.union(united, select, distinct=False, copy=False)
    return united


def _member(schema: TableSchema, member: Member) -> exp.Select:
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
            value = exp.Null() if hidden in (ROW_ID, SOURCE_ROW, PAGE) else exp.false()
        projections.append(exp.alias_(value, hidden, quoted=True))
    return exp.select(*projections).from_(exp.Table(this=_name(member.stored_as)))
