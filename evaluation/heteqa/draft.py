"""A question before it is tried: its words, its two programs, and what it asks for."""

from dataclasses import dataclass
from typing import Literal, get_args

from tablerag.evaluation.heteqa.roles import TextColumn

__all__ = ["OPERATIONS", "Draft", "Operation"]

Operation = Literal["filter", "group", "aggregate", "calculate", "sort"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
"""The operations of HeteQA's questions (TableRAG, arXiv 2506.10380)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One question with SQL and pandas that are to find the same single value."""

    kind: str
    """Which of the grammar's questions it is, or "model"."""
    question: str
    """In full when a model wrote it; the grammar's begins in lower case and lacks table and mark."""
    operations: tuple[Operation, ...]
    sql: str
    pandas: str
    finds: TextColumn | None = None
    """The column whose value is found, where it is one: a passage may be linked to it."""
    described: str = ""
    """What is found as words that a question about its passage can use: "the driver with the most points"."""
    over: tuple[str, ...] = ()
    """pandas expressions of rows of which there must be two at least, so that the question is worth asking."""
