"""A model's replies for HD-RAG, read leniently."""

from typing import Any

from pydantic import Field, field_validator

from tablerag.agent.hd_rag.reasoning import QuestionType
from tablerag.agent.model.replies import NO_ANSWERS, LenientReply, as_text
from tablerag.agent.reasoning import Scale
from tablerag.tools.number_words import answer_scale

__all__ = ["ExtractedReply", "RecapReply", "SelectReply"]

TYPES: dict[str, QuestionType] = {
    "span": "span", "text": "span", "lookup": "span", "multi-span": "multi-span", "multispan": "multi-span",
    "spans": "multi-span", "list": "multi-span", "count": "count", "counting": "count", "arithmetic": "arithmetic",
    "calculation": "arithmetic", "numeric": "arithmetic",
}  # fmt: skip


class SelectReply(LenientReply):
    """The number of the selected document, from 1; 0 for none."""

    document: int
    reason: str = ""

    _texts = field_validator("reason", mode="before")(as_text)

    @field_validator("document", mode="before")
    @classmethod
    def _number(cls, value: Any) -> Any:
        if value is None:
            return 0
        return value.strip("[] ").removeprefix("document").strip() if isinstance(value, str) else value


class ExtractedReply(LenientReply):
    """A value with its description and the number of its passage, from 1; 0 if none is named."""

    what: str = ""
    value: str = ""
    chunk: int = 0

    _texts = field_validator("what", "value", mode="before")(as_text)

    @field_validator("chunk", mode="before")
    @classmethod
    def _number(cls, value: Any) -> int:
        """Read a number in any form; an invalid one must not cost the answer."""
        digits = str(value).strip("[] ")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 6 else 0


class RecapReply(LenientReply):
    """The five parts of RECAP."""

    restated: str = ""
    question_type: QuestionType
    extracted: list[ExtractedReply] = Field(default_factory=list)
    computation: str = ""
    answer: list[str]
    scale: Scale = ""
    formula: str = ""

    _texts = field_validator("restated", "computation", "formula", mode="before")(as_text)

    @field_validator("question_type", mode="before")
    @classmethod
    def _known_type(cls, value: Any) -> Any:
        """Read a type in any form; an unknown one is a span."""
        return TYPES.get(value.strip().lower().replace("_", "-"), "span") if isinstance(value, str) else value

    @field_validator("scale", mode="before")
    @classmethod
    def _known_scale(cls, value: Any) -> Scale:
        """Read a scale in any form; an unknown one is ""."""
        return answer_scale(value) if isinstance(value, str) else ""

    @field_validator("extracted", mode="before")
    @classmethod
    def _only_readable(cls, value: Any) -> list[Any]:
        items = value if isinstance(value, list) else []
        return [
            i if isinstance(i, dict) else {"value": as_text(i)} for i in items if isinstance(i, (dict, str, int, float))
        ]

    @field_validator("answer", mode="before")
    @classmethod
    def _answers(cls, value: Any) -> Any:
        """Read one answer or several, without phrases such as "no answer"."""
        items = value if isinstance(value, list) else [value]
        texts = [as_text(i) for i in items]
        return [t for t in texts if not isinstance(t, str) or t.strip().rstrip(".").casefold() not in {"", *NO_ANSWERS}]
