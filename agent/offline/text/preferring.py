"""Whether a sentence answers a question better than a result of tables that leaves most of its words unexplained."""

import re
from collections.abc import Sequence

from tablerag.agent.offline.text.accepting import accepted
from tablerag.agent.offline.text.answering import TextAnswer
from tablerag.agent.offline.text.asked import read_text_question
from tablerag.agent.offline.text.likely import likely_answers
from tablerag.agent.offline.text.matching import loosely_found, word_set
from tablerag.agent.reasoning import ValidateTask

__all__ = ["better_text"]

SURE = 0.6
"""The chance of being right that a sentence needs against a result."""
UNEXPLAINED = 2
"""Words of the question that a result must leave unexplained."""
EXPLAINED = 0.8
"""How well a word must be found to count as explained."""
SHOWN = 3
"""Rows of a result whose values count as said."""
MORE = 0.3
"""How much more of the question the sentence must explain."""


def better_text(task: ValidateTask) -> TextAnswer | None:
    """Return the sentence's answer that explains more of the question than the SQL result; None if there is none."""
    asked = read_text_question(task.subquery)
    words = [w for w in asked.words if w not in asked.light]
    of_tables = _explained(words, _said_of(task))
    if len(words) - len(of_tables) < UNEXPLAINED:
        return None
    for answer in likely_answers(task.subquery, task.chunks):
        statement = answer.statement
        said = " ".join((statement.text, statement.heading, statement.document, statement.before))
        explains = len(_explained(words, said)) - len(of_tables) >= MORE * len(words)
        if answer.score >= SURE and explains and (whole := accepted(asked, answer)):
            return whole
    return None


def _explained(words: Sequence[str], said: str) -> list[str]:
    known = word_set(said)
    return [w for w in words if loosely_found(w, known) >= EXPLAINED]


def _said_of(task: ValidateTask) -> str:
    """Return what a result computes, in words: its meaning, tables, columns and values, also those compared."""
    sql, rows = (task.result.sql, task.result.rows) if task.result else ("", ())
    parts = [task.meaning, *re.findall(r"'([^']*)'", sql)]
    for schema in task.schemas:
        if f"`{schema.name}`" in sql:
            parts += [schema.title, re.sub(r"[_-]+|\.\w+$", " ", schema.source)]
            parts += [c.header for c in schema.columns if f"`{c.name}`" in sql]
    return " ".join([*parts, *(str(cell) for row in rows[:SHOWN] for cell in row)])
