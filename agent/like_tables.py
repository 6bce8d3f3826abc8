"""Tables that could answer a statement as well as the one that it reads: those with all the columns that it uses."""

from collections.abc import Sequence

from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import Column, SqlResult, TableSchema

__all__ = ["like_tables"]


def like_tables(
    question: str, result: SqlResult, schemas: Sequence[TableSchema]
) -> tuple[TableSchema, list[TableSchema]] | None:
    """Return the only table of a statement, and the others with every column that it uses, without parts and unions.

    A table that the question names, by a word or year of its title or file, has no others. None if the statement reads
    several tables.
    """
    receipt = result.receipt
    if receipt is None or len(receipt.tables) != 1 or not receipt.rows:
        return None
    own = next((s for s in schemas if s.name.casefold() == receipt.tables[0].casefold()), None)
    if own is None:
        return None
    used = {_sign(c) for c in own.columns if set(c.all_names()) & set(receipt.rows[0].columns)}
    kin = {own.name, *(m.name for m in own.members)}
    others = [s for s in schemas if s.name not in kin and own.name not in {m.name for m in s.members}]
    asked, named = set(key_of(question).split()), _words(own)
    return own, [
        s for s in others if used and used <= {_sign(c) for c in s.columns} and not asked & (named - _words(s))
    ]


def _sign(column: Column) -> tuple[str, str, str]:
    """Return what the same columns of two tables share: header, unit and scale."""
    return key_of(column.header), column.unit, column.scale


def _words(schema: TableSchema) -> set[str]:
    """Return the words of a table's title and file."""
    return set(key_of(f"{schema.title} {schema.source} {schema.within}".replace("_", " ")).split())
