"""HD-RAG's answer as text, and as Markdown for chat clients."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablerag.agent.answer_text import source_line
from tablerag.tools.calculator import with_currency
from tablerag.tools.markdown import code, escaped, fenced, inline

__all__ = ["answer_markdown", "written"]


def written(spans: Sequence[str], scale: str, currency: str = "") -> str:
    """Write an answer's items, numbers with scale, a single one with currency: "-$12.6 million", "12 %; 13 %"."""
    if currency and len(spans) == 1 and currency not in spans[0]:
        spans = [with_currency(spans[0], currency)]
    return "; ".join(_scaled(span, scale) for span in spans)


def _scaled(span: str, scale: str) -> str:
    if not scale or not any(c.isdigit() for c in span):
        return span
    if scale == "percent":
        return span if "%" in span else f"{span} %"
    return span if scale in span.lower() else f"{span} {scale}"


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
