"""The condition that a cell has a given text."""

from sqlglot import exp

from tablerag.tools.records import Column

__all__ = ["equals"]


def equals(column: Column, printed: str) -> str:
    """Write the condition that a column's text, as in the document, is ``printed``; "" means an empty cell."""
    name = f"`{column.raw or column.name}`"
    if not printed:
        return f"{name} IS NULL"
    if column.type in ("integer", "decimal") and not column.raw:
        return f"{name} = {printed}"
    return f"{name} = {exp.Literal.string(printed).sql(dialect='mysql')}"
