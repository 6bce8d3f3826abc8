"""The answer as Markdown for chat clients."""

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["answer_markdown", "escaped", "fenced", "inline", "source_line"]

VERDICTS = {
    "agree": "SQL and text agree",
    "conflict": "SQL and text disagree",
    "sql_only": "computed by SQL; no text to check it against",
    "text_only": "found in text only",
    "none": "no answer found",
}


LIVE = re.compile(r"[\[<]")
"""The beginnings of links, images and tags: an answer may be copied from a document."""


def answer_markdown(outcome: Mapping[str, Any], model: str) -> str:
    """Render an outcome (answer, verdict, explanation, sql, citations) as Markdown; of an aside only the answer."""
    if not outcome["iterations"]:
        return escaped(outcome["answer"])
    parts = [escaped(outcome["answer"])]
    if outcome["explanation"]:
        parts.append(f"_{inline(outcome['explanation'])}_")
    parts.append(f"**Verdict:** {VERDICTS[outcome['verdict']]}")
    parts += [fenced(sql, "sql") for sql in outcome["sql"]]
    if outcome["citations"]:
        parts.append("**Sources:**\n" + "\n".join(source_line(c) for c in outcome["citations"]))
    if model == "offline":
        parts.append("_Answered by the embedded offline reasoner; no language model was used._")
    return "\n\n".join(parts)


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
