"""Stored tables as the files that hold them."""

from collections.abc import Callable, Mapping

from sqlglot import exp

from tablerag.tools.errors import SqlRejected
from tablerag.tools.sql.common import common_of

__all__ = ["from_files"]


def from_files(files: Mapping[str, str], places: frozenset[str]) -> Callable[[exp.Expr], exp.Expr]:
    """Return a rule that reads stored tables from their files, by name, and refuses any other table.

    ``places`` stand for unions, which are put in afterwards.
    """

    def rule(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
            return node
        if node.name in files:
            path = exp.Literal.string(files[node.name])
            plain = exp.PropertyEQ(this=exp.to_identifier("hive_partitioning"), expression=exp.false())
            node.set("this", exp.Anonymous(this="read_parquet", expressions=[path, plain]))
        elif node.name not in places and common_of(node) is None:
            raise SqlRejected(f"unknown table {node.name[:80]!r}")
        return node

    return rule
