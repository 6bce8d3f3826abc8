"""Tags: names of what a program does, which the ranker relates to the question's phrases."""

import re
from collections.abc import Sequence

from tablerag.agent.offline.candidates import Candidate
from tablerag.agent.offline.mention import Mention, QuestionWords
from tablerag.agent.offline.program import NUMBERS
from tablerag.agent.offline.table_view import TableView
from tablerag.tools.records import ROW_ID, Cell

__all__ = ["phrases_of", "tags_of"]


def phrases_of(question: QuestionWords, mentions: Sequence[Mention]) -> list[str]:
    """Return a question's words, pairs and triples, with and without values and numbers blanked out."""
    words = ["^", *question.words, "$"]
    blanked = list(question.words)
    for start, end, _ in question.numbers:
        blanked[start:end] = ["<n>"] * (end - start)
    for mention in mentions:
        if mention.score >= 0.75 and mention.way in ("value", "part"):
            blanked[mention.start : mention.end] = ["<v>"] * (mention.end - mention.start)
    blanked = ["^", *(w for i, w in enumerate(blanked) if not (w[0] == "<" and i and blanked[i - 1] == w)), "$"]
    found = list(words[1:-1])
    for run in (words, blanked):
        found += [f"{a} {b}" for a, b in zip(run, run[1:], strict=False)]
    found += [" ".join(t) for t in zip(blanked, blanked[1:], blanked[2:], strict=False)]
    return list(dict.fromkeys(found))


def tags_of(candidate: Candidate, view: TableView) -> list[str]:
    """Return a candidate's tags."""
    program, rows = candidate.program, candidate.program.rows
    operation = program.operation
    by = "" if not rows.by else "row" if rows.by == ROW_ID else _kind(view, rows.by)
    narrowed = f"step{rows.step}" if rows.step else ""
    if rows.by:
        narrowed = f"{rows.extreme}{rows.above}:{by}"
    ways = "+".join(sorted({m.way for m in candidate.mentions}))
    operators = "+".join(sorted({c.operator for c in rows.conditions}))
    shown = program.column or program.group
    kind = _kind(view, shown) if shown else "rows"
    way = ("down" if program.descending else "up") if program.group and operation != "same" else ""
    size = min(len(candidate.result), 3)
    count = len(rows.conditions)
    found = [
        f"op {operation}{way}", f"narrowed {narrowed}", f"op {operation} {narrowed}{way} {kind}",
        f"shape {operation}{way} {narrowed} {count} {operators}", f"ways {ways}", f"operators {operators}",
        f"kind {operation} {kind}", f"size {operation} {size}", f"answer {_type_of(candidate.result)}",
        f"labels {operation} {' '.join(program.labels)}", f"conditions {operation} {count}", f"op {operation}",
    ]  # fmt: skip
    roles = {"shown": program.column, "by": rows.by, "group": program.group, "sum": program.measure}
    for role, name in roles.items():
        column = view.column(name) if name else None
        if column:
            found += [f"{role} {w}" for w in column.words[:3]]
    found += [f"where {w} {c.operator}" for c in rows.conditions if (v := view.column(c.column)) for w in v.words[:2]]
    return list(dict.fromkeys(found))


def _kind(view: TableView, name: str) -> str:
    column = view.column(name)
    if column is None:
        return "none"
    if name.endswith(NUMBERS):
        return "leading"
    if column.column.kind == "year" or "year" in column.words:
        return "year"
    return "date" if column.is_date else column.column.kind or ("number" if column.is_number else "text")


def _type_of(result: Sequence[Cell]) -> str:
    value = next((v for v in result if v is not None), None)
    if isinstance(value, int | float):
        return "number"
    text = str(value)
    if re.fullmatch(r"[\d.,]+", text):
        return "digits"
    return "mixed" if any(c.isdigit() for c in text) else "text"
