"""The answer as Markdown for chat clients."""

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["answer_markdown"]

VERDICTS = {
    "agree": "SQL and text agree",
    "conflict": "SQL and text disagree",
    "sql_only": "computed by SQL; no text to check it against",
    "text_only": "found in text only",
    "none": "no answer found",
}


LIVE = re.compile(r"[\[<]")
"""How links, images and tags begin: an answer may be copied from a document."""


def answer_markdown(outcome: Mapping[str, Any], model: str) -> str:
    """Render an outcome (answer, verdict, explanation, sql, citations) as Markdown; an aside is its answer alone."""
    if not outcome["iterations"]:
        return outcome["answer"]
    parts = [LIVE.sub(r"\\\g<0>", outcome["answer"])]
    if outcome["explanation"]:
        parts.append(f"_{_inline(outcome['explanation'])}_")
    parts.append(f"**Verdict:** {VERDICTS[outcome['verdict']]}")
    parts += [_fenced(sql) for sql in outcome["sql"]]
    if outcome["citations"]:
        parts.append("**Sources:**\n" + "\n".join(_source(c) for c in outcome["citations"]))
    if model == "offline":
        parts.append("_Answered by the embedded offline reasoner; no language model was used._")
    return "\n\n".join(parts)


def _inline(text: str) -> str:
    return " ".join(text.split()).replace("_", r"\_").replace("*", r"\*")


def _fenced(sql: str) -> str:
    """Fence a statement so that backticks in it cannot close the fence."""
    fence = "````" if "```" in sql else "```"
    return f"{fence}sql\n{sql}\n{fence}"


def _source(citation: Mapping[str, str]) -> str:
    """Write one source line; quotes come from documents, so no Markdown link or image may live in them."""
    quote = " ".join(citation["quote"].split()).replace("`", "'")
    place = f"{citation['source']}, {citation['locator']}" if citation["locator"] else citation["source"]
    return f"- `{place.replace('`', chr(39))}`" + (f": `{quote}`" if quote else "")
