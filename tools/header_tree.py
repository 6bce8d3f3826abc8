"""Header trees: H_t of the columns and H_l of the rows (HD-RAG, arXiv 2504.09554, section 3.1).

Column paths are in the schema, row paths in the path columns and the first column of the table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import column, select

from tablerag.tools.records import ROW_ID, TableSchema
from tablerag.tools.sql.database import Database

__all__ = ["HeaderNode", "column_tree", "row_tree", "tree_of"]

MOST_ROWS = 5000


@dataclass(slots=True)
class HeaderNode:
    """A header with those below it, in the order of the document."""

    text: str
    leaves: list[str] = field(default_factory=list)
    """SQL names of columns or ``_row_id`` of rows with exactly this path."""
    children: list["HeaderNode"] = field(default_factory=list)

    def child(self, text: str) -> "HeaderNode":
        """Return the last child if it has this text, otherwise a new one: a header can occur again later."""
        if not self.children or self.children[-1].text != text:
            self.children.append(HeaderNode(text))
        return self.children[-1]

    def all_leaves(self) -> list[str]:
        """Return the leaves of this node and those below it."""
        return [*self.leaves, *(leaf for c in self.children for leaf in c.all_leaves())]


def tree_of(paths: Iterable[tuple[Sequence[str], str]]) -> HeaderNode:
    """Return the tree of (path, leaf) pairs; paths have the outermost header first."""
    root = HeaderNode("")
    for path, leaf in paths:
        node = root
        for text in path:
            node = node.child(text)
        node.leaves.append(leaf)
    return root


def column_tree(schema: TableSchema) -> HeaderNode:
    """Return H_t: the headers over the columns; leaves are SQL names."""
    return tree_of((c.path or (c.header,), c.name) for c in schema.columns if c.name not in schema.row_path)


def row_tree(schema: TableSchema, database: Database) -> HeaderNode:
    """Return H_l: the sections of rows, then their own label; leaves are row ids, at most MOST_ROWS.

    Raises SqlFailed if the table was deleted.
    """
    label = next((c.name for c in schema.columns if c.name not in schema.row_path), None)
    names = [*schema.row_path, *([label] if label else [])]
    if ROW_ID not in schema.hidden_columns:  # of a connected database: no rows have sections
        return tree_of(())
    wanted = select(column(ROW_ID), *(column(n) for n in names)).select_from(
        database.tables.source(schema.stored_as or schema.name)
    )
    rows = database.select_stored(wanted.order_by(column(ROW_ID)).limit(MOST_ROWS))
    return tree_of(([str(v) for v in row[1:] if v is not None], str(row[0])) for row in rows)
