"""The answer as Markdown for chat clients."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tablerag.agent.presenting.table import AnswerTable
from tablerag.agent.readings import MARK, heading, reading_table

__all__ = [
    "answer_markdown",
    "escaped",
    "fenced",
    "inline",
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


LIVE = re.compile(r"[\[<]")
"""The beginnings of links, images and tags: an answer may be copied from a document."""


def answer_markdown(outcome: Mapping[str, Any], model: str) -> str:
    """Render an outcome (answer, verdict, explanation, sql, citations) as Markdown; of an aside only the answer."""
    if not outcome["iterations"]:
        return escaped(outcome["answer"])
    readings = outcome.get("readings") or ()
    parts = readings_markdown(readings) if readings else [escaped(outcome["answer"])]
    if (table := table_of(outcome)) and outcome["answer"] != table.markdown:
        parts.append(escaped(table.markdown))
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
            parts.append(f"{number}. {meaning}: **{escaped(reading['text'])}** {MARK}")
        else:
            indented = "\n".join(f"   {line}".rstrip() for line in escaped(table.markdown).split("\n"))
            parts.append(f"{number}. {meaning} {MARK}:\n\n{indented}")
    return [*parts, "To choose one, reply with its number."]


def table_of(outcome: Mapping[str, Any]) -> AnswerTable | None:
    """Return the table to show with an answer; None if the answer has all its values."""
    table = AnswerTable.model_validate(outcome["table"]) if outcome.get("table") else None
    if table is None or table.is_single:
        return None
    said = outcome["answer"] != table.markdown and all(t in outcome["answer"] for row in table.texts for t in row)
    return None if said else table


def escaped(text: str) -> str:
    """Return text in which no link, image or tag is live."""
    return LIVE.sub(r"\\\g<0>", text)


def inline(text: str) -> str:
    """Return text on one line, without emphasis of its own."""
    return " ".join(text.split()).replace("_", r"\_").replace("*", r"\*")


def fenced(text: str, language: str = "") -> str:
    """Fence a statement or formula so that backticks in it cannot close the fence."""
    fence = "````" if "```" in text else "```"
    return f"{fence}{language}\n{text}\n{fence}"


def source_line(citation: Mapping[str, str]) -> str:
    """Return one source line, with place and quote as code: a document's text may have links or images."""
    quote = " ".join(citation["quote"].split()).replace("`", "'")
    place = f"{citation['source']}, {citation['locator']}" if citation["locator"] else citation["source"]
    return f"- `{place.replace('`', chr(39))}`" + (f": `{quote}`" if quote else "")
