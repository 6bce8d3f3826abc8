"""The columns of a wide table that a prompt shows in full: those of the question, a hint or a join."""

from collections.abc import Sequence

from tablerag.tools.linking.keys import TYPO_WORD_LENGTH, edits, most_edits
from tablerag.tools.records import JoinHint, TableSchema, ValueHint
from tablerag.tools.text import content_tokens, tokens

__all__ = ["relevant_columns"]


def relevant_columns(
    question: str, schemas: Sequence[TableSchema], hints: Sequence[ValueHint] = (), joins: Sequence[JoinHint] = ()
) -> dict[str, dict[str, str]]:
    """Return, by table, the columns to show first, each with the reason."""
    words = content_tokens(question)
    return {s.name: _named(words, s) | _linked(s, hints, joins) for s in schemas}


def _named(words: Sequence[str], schema: TableSchema) -> dict[str, str]:
    found = {}
    for column in schema.columns:
        heads = tokens(column.header)
        if shared := [w for w in words if w in heads]:
            found[column.name] = f"in the question: {shared[0]!r}"
        elif near := next((w for w in words for h in heads if _is_typo(w, h)), ""):
            found[column.name] = f"possibly misspelled in the question: {near!r}"
    return found


def _linked(schema: TableSchema, hints: Sequence[ValueHint], joins: Sequence[JoinHint]) -> dict[str, str]:
    """Return the columns that have a value of the question or join tables; typed columns instead of raw ones."""
    own = {n: c.name for c in schema.columns for n in c.all_names()}
    valued = {own[h.column]: f"it contains {h.value!r}" for h in hints if h.table == schema.name and h.column in own}
    sides = [(j.left, j.left_column) for j in joins] + [(j.right, j.right_column) for j in joins]
    joined = {own[c]: "it joins tables" for table, c in sides if table == schema.name and c in own}
    return joined | valued


def _is_typo(word: str, head: str) -> bool:
    most = most_edits(word)
    return len(word) >= TYPO_WORD_LENGTH and abs(len(word) - len(head)) <= most and edits(word, head, most) <= most
