"""Ends a question without a call where nothing is left to judge, and tells when a text may say otherwise."""

from collections.abc import Sequence

import sqlglot

from tablerag.agent.model.replies import read_step_reply
from tablerag.agent.offline.text.checking import may_differ, stating
from tablerag.agent.presentation import Presented, presented
from tablerag.agent.presenting.values import is_number
from tablerag.agent.reasoning import Said, ValidateTask, Validation
from tablerag.agent.stated_numbers import measure_of
from tablerag.tools.counting import counted
from tablerag.tools.errors import ReplyInvalid
from tablerag.tools.linking.keys import key_of
from tablerag.tools.number_words import currency_code
from tablerag.tools.records import Citation, SqlResult
from tablerag.tools.sql.brought_figures import brought

__all__ = ["closed", "in_doubt", "insisted", "last_statement"]

SCALES = ("thousand", "million", "billion")
NOTHING = frozenset(("", "n a", "na", "none", "null", "unknown", "tba", "tbd"))
"""Cells that stand for no value."""
MOST_GROUPS = 50
MOST_VALUES = 12
"""A longer list is shown to the model, which sees whether it is what was asked for."""


def closed(task: ValidateTask) -> Validation | None:
    """Return the answer that one statement over the only fitting table gives; None if the model must judge.

    It must judge what is empty or cut, what has several columns and is neither groups nor a ranking, what other tables
    may hold too, and what a passage gives another figure for.
    """
    result = task.result
    if result is None or task.purpose != "answer":
        return None
    if not _is_plain(result) and (task.unit or not _is_grouped(result)):
        return None
    if in_doubt(task) or task.alternatives or _is_brought(task):
        return None
    shown = presented(result, task.schemas, task.supporting)
    value = shown.plain
    if not value:
        return None
    if task.unit and is_number(shown.value) and not shown.scale and shown.unit != "%":
        value = _in_unit(shown, task.unit)
    unit, power = measure_of(shown.unit, shown.scale)
    single = len(result.rows) == 1
    statement = stating(shown.plain, task.question, task.chunks, unit=unit, power=power) if single else None
    if statement is None:
        return Validation(value, "sql_only", _computed_over(task), final=True)
    chunk = statement.chunk
    quote = Citation(source=chunk.source, locator=chunk.locator, quote=statement.quote, chunk_id=chunk.id)
    reason = "Computed by SQL; the text agrees."
    return Validation(value, "agree", reason, (quote,), final=True)


def _is_brought(task: ValidateTask) -> bool:
    """Tell whether no column of the result is read from tables."""
    result = task.result
    return result is not None and len(brought(result.sql, task.asked or task.question)) >= len(result.columns)


def last_statement(dialogue: Sequence[Said]) -> str:
    """Return the statement whose result was to be the answer, of the last reply; "" if it was something else."""
    replies = [s.text for s in dialogue if s.role == "assistant"]
    try:
        return read_step_reply(replies[-1] if replies else "").sql or ""
    except ReplyInvalid:
        return ""


def insisted(task: ValidateTask) -> Validation:
    """Return the result of a statement that the model repeats: it is the answer as it stands, if there is one."""
    if task.result is None or not task.result.rows or _is_brought(task):
        return Validation("", "none", task.error or "", final=True)
    value = presented(task.result, task.schemas, task.supporting).plain
    return Validation(value, "sql_only", _computed_over(task), final=True)


def _is_plain(result: SqlResult) -> bool:
    """Tell whether a result is one column of a few values, none of them empty."""
    cells = [row[0] for row in result.rows if len(row) == 1]
    if result.truncated or result.empty or not 1 <= len(cells) == len(result.rows) <= MOST_VALUES:
        return False
    return all(cell is not None and key_of(str(cell)) not in NOTHING for cell in cells)


def _is_grouped(result: SqlResult) -> bool:
    """Tell whether a result has a row for each of a few groups, or for the first ones of a ranking, with all values."""
    if result.truncated or result.empty or not 2 <= len(result.rows) <= MOST_GROUPS or len(result.columns) < 2:
        return False
    if any(cell is None or key_of(str(cell)) in NOTHING for row in result.rows for cell in row):
        return False
    statement = sqlglot.parse_one(result.sql, read="mysql")
    return any(statement.args.get(clause) for clause in ("group", "limit"))


def in_doubt(task: ValidateTask) -> bool:
    """Tell whether a passage seems to give another figure for what was asked than SQL computed."""
    result = task.result
    if result is None or len(result.rows) != 1 or len(result.rows[0]) != 1:
        return False
    return may_differ(str(result.rows[0][0]), task.question, task.chunks)


def _computed_over(task: ValidateTask) -> str:
    """Say which rows a result was computed from."""
    titles = {s.name: s.title or s.name for s in task.schemas}
    rows = [f'{counted(r.total, "row")} of "{titles.get(r.table, r.table)}"' for r in task.supporting if r.total]
    return f"Computed by SQL over {' and '.join(rows) or 'the whole table'}."


def _in_unit(shown: Presented, unit: str) -> str:
    """Write one value in the unit that a model read in a text: "EUR 1,200 thousand", "12 thousand tonnes", "4.5%"."""
    words = unit.split()
    scale = next((w for w in words if w.casefold().rstrip("s") in SCALES), "").removesuffix("s")
    rest = " ".join(w for w in words if w.casefold().rstrip("s") not in SCALES)
    value = shown.table.texts[0][0] if shown.table else shown.plain
    if rest in ("%", "percent"):
        return f"{value}%"
    if shown.unit:  # the column has it
        return f"{shown.text} {scale}".strip()
    money = currency_code(rest)
    parts = [rest * bool(money), value, scale, rest * (not money)]
    return " ".join(p for p in parts if p)
