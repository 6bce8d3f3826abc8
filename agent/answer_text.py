"""The answer as Markdown for chat clients."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablerag.agent.presenting.table import AnswerTable
from tablerag.agent.readings import MARK, heading, reading_table
from tablerag.tools.markdown import code, escaped, fenced, inline

__all__ = [
    "answer_markdown",
    "readings_markdown",
    "source_line",
    "table_of",
    "verdict_words",
]

VERDICTS = {
    "agree": "SQL and text agree",
    "conflict": "SQL and text disagree",
    "sql_only": "computed by SQL over the whole table",
    "text_only": "found in text only",
    "none": "no answer found",
}


def answer_markdown(outcome: Mapping[str, Any], model: str) -> str:
    """Render an outcome (answer, verdict, explanation, sql, citations) as Markdown; of an aside only the answer."""
    if not outcome["iterations"]:
        return escaped(outcome["answer"])
    readings, table = outcome.get("readings") or (), table_of(outcome)
    if readings:
        parts = readings_markdown(readings)
    else:  # a table is escaped by cell, and what else was copied from a document as a whole
        parts = [escaped(outcome["answer"])] if table is None or outcome["answer"] != table.markdown else []
    if table is not None:
        parts.append(table.inert_markdown)
    if outcome["explanation"]:
        parts.append(f"_{inline(outcome['explanation'])}_")
    parts.append(f"**Verdict:** {verdict_words(outcome)}")
    parts += [fenced(sql, "sql") for sql in outcome["sql"]]
    if outcome["citations"]:
        parts.append("**Sources:**\n" + "\n".join(source_line(c) for c in outcome["citations"]))
    if model == "offline":
        parts.append("_Answered by the embedded offline reasoner; no language model was used._")
    return "\n\n".join(parts)


def verdict_words(outcome: Mapping[str, Any]) -> str:
    """Return the verdict in words; of readings, that none is sure."""
    return "not sure" if outcome.get("readings") else VERDICTS[outcome["verdict"]]


def readings_markdown(readings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the readings of a question as a numbered list, several rows as a table, and how to choose one."""
    parts = [heading(readings)]
    for number, reading in enumerate(readings, start=1):
        meaning = escaped(" ".join(reading["meaning"].split()))
        table = reading_table(reading)
        if table is None:
            parts.append(f"{number}. {meaning}: **{inline(reading['text'])}** {MARK}")
        else:
            indented = "\n".join(f"   {line}".rstrip() for line in table.inert_markdown.split("\n"))
            parts.append(f"{number}. {meaning} {MARK}:\n\n{indented}")
    return [*parts, "To choose one, reply with its number."]


def table_of(outcome: Mapping[str, Any]) -> AnswerTable | None:
    """Return the table to show with an answer; None if the answer has all its values."""
    table = AnswerTable.model_validate(outcome["table"]) if outcome.get("table") else None
    if table is None or table.is_single:
        return None
    said = outcome["answer"] != table.markdown and all(t in outcome["answer"] for row in table.texts for t in row)
    return None if said else table


def source_line(citation: Mapping[str, str]) -> str:
    """Return one source line, with place and quote as code: a document's text may have links or images."""
    place = f"{citation['source']}, {citation['locator']}" if citation["locator"] else citation["source"]
    return ": ".join(part for part in (f"- {code(place)}", code(citation["quote"])) if part)
