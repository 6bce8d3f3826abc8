"""A question before its programs are run."""

from dataclasses import dataclass
from typing import Literal, get_args

from tablerag.evaluation.heteqa.roles import TextColumn

__all__ = ["OPERATIONS", "Draft", "Operation"]

Operation = Literal["filter", "group", "aggregate", "calculate", "sort"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
"""The operations of HeteQA's questions (TableRAG, arXiv 2506.10380)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One question with SQL and pandas programs that should find the same single value."""

    kind: str
    """The kind of question, as in kinds/, or "model"."""
    question: str
    """Complete if a model wrote it; otherwise without capital letter, table title and question mark."""
    operations: tuple[Operation, ...]
    sql: str
    pandas: str
    finds: TextColumn | None = None
    """The text column that the answer is from, if any; a passage may be linked to the answer."""
    described: str = ""
    """Describes the answer for a question about its passage: "the driver with the most points"."""
    over: tuple[str, ...] = ()
    """pandas expressions that must have at least two rows for the question to be worth asking."""
