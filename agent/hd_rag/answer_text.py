"""HD-RAG's answer as text, and as Markdown for chat clients."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablerag.agent.answer_text import source_line
from tablerag.tools.calculator import with_currency
from tablerag.tools.markdown import code, escaped, fenced, inline

__all__ = ["answer_markdown", "written"]


def written(spans: Sequence[str], scale: str, currency: str = "") -> str:
    """Write an answer's items, a single number with scale and currency: "-$12.6 million", "5 %"."""
    text = "; ".join(spans)
    if currency and len(spans) == 1 and currency not in text:
        text = with_currency(text, currency)
    if not scale or len(spans) != 1 or not any(c.isdigit() for c in text):
        return text
    if scale == "percent":
        return text if "%" in text else f"{text} %"
    return text if scale in text.lower() else f"{text} {scale}"


def answer_markdown(outcome: Mapping[str, Any], state: Mapping[str, Any]) -> str:
    """Render the answer with its explanation, formula, document and sources."""
    parts = [escaped(outcome["answer"])]
    if outcome["explanation"]:
        parts.append(f"_{inline(outcome['explanation'])}_")
    if outcome["calculated"]:
        parts.append(fenced(f"{state['recap']['formula']} = {outcome['calculated']}"))
    if state["document"]:
        parts.append(f"**Document:** {code(state['document'])}")
    if outcome["citations"]:
        parts.append("**Sources:**\n" + "\n".join(source_line(c) for c in outcome["citations"]))
    if state["model"] == "offline":
        parts.append("_Answered by the embedded offline reasoner; no language model was used._")
    return "\n\n".join(parts)
