"""The reply models, and how they are parsed from whatever a model sends.

Models without JSON-schema support wrap JSON in fences or prose, think aloud first, or answer with bare
SQL: all of that is read; what still does not fit raises ReplyInvalid with the reason, to be asked again.
"""

import json
import re
from typing import Any, TypeVar, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from tablerag.agent.disagreement import ConflictCause
from tablerag.agent.reasoning import Verdict
from tablerag.tools.errors import ReplyInvalid

__all__ = [
    "CitationReply",
    "ConclusionReply",
    "DecomposeReply",
    "LenientReply",
    "ResolveReply",
    "SqlReply",
    "ValidationReply",
    "as_text",
    "read_reply",
    "read_sql",
    "without_thinking",
]

THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
UNFINISHED_THINKING = re.compile(r"^.*?</think(?:ing)?>|^\s*<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE)
"""Thoughts whose opening tag the server dropped, or that the length limit cut off."""
FENCE = re.compile(r"```(\w*)[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)
SQL_LANGUAGES = ("sql", "mysql", "mariadb")
BARE_SELECT = re.compile(r"^\s*\(*\s*(SELECT|WITH)\b", re.IGNORECASE)
LABELLED_SELECT = re.compile(
    r"^[ \t]*(?:SQL(?:[ \t]*Query)?[ \t]*:[ \t]*)?"
    r"(\(*(?:SELECT\b|WITH\b[^()]+(?:\([^()]*\)\s*)?AS\s*\().*?\bFROM\b.*?)"
    r"(?:;[ \t]*$|\n[ \t]*\n|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
"""A statement on lines of its own after some prose, up to its semicolon or an empty line."""
MAX_BARE_CHARS = 20_000
"""As far as a statement amid prose is looked for: some models repeat themselves without end."""
NO_ANSWERS = frozenset(("n/a", "not available", "no answer", "cannot be determined", "cannot be answered", "not found"))
Reply = TypeVar("Reply", bound=BaseModel)


class LenientReply(BaseModel):
    """A reply of which unknown keys are left out."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


def as_text(value: Any) -> Any:
    """Accept numbers, lists and null for a string: models send all of them."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(str(v) for v in value)
    return str(value) if isinstance(value, (int, float, bool)) else value


def _as_answer(value: Any) -> Any:
    """Read the usual phrases for "no answer" as empty."""
    text = as_text(value)
    return "" if isinstance(text, str) and text.strip().rstrip(".").casefold() in NO_ANSWERS else text


class ResolveReply(LenientReply):
    """A question that stands alone; "" when the message asks nothing."""

    question: str

    _texts = field_validator("question", mode="before")(as_text)


class DecomposeReply(LenientReply):
    """Either the next subquery or the final answer."""

    subquery: str | None = None
    answer: str | None = None
    reason: str = ""

    _texts = field_validator("reason", mode="before")(as_text)
    _answers = field_validator("answer", mode="before")(lambda v: v if v is None else _as_answer(v))

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, value: Any) -> Any:
        """Take the arguments out of a tool call that a server left in the text."""
        if not isinstance(value, dict) or value.get("name") != "solve_subquery":
            return value
        arguments = value.get("arguments", value.get("parameters"))
        return (_parsed(arguments) or {}) if isinstance(arguments, str) else arguments or {}


class SqlReply(LenientReply):
    """Either a statement or why there is none."""

    sql: str | None = None
    cannot_answer: str | None = Field(
        default=None, validation_alias=AliasChoices("cannot_answer", "cannot_answer_reason")
    )


class CitationReply(LenientReply):
    """A chunk by its number in the prompt, with words copied from it."""

    chunk: int
    quote: str = ""

    _texts = field_validator("quote", mode="before")(as_text)


class ValidationReply(LenientReply):
    """The intermediate answer and how SQL and text relate."""

    answer: str = ""
    verdict: Verdict
    reason: str = ""
    cause: ConflictCause = ""
    formula: str = ""
    citations: list[CitationReply] = Field(default_factory=list)

    _texts = field_validator("reason", "formula", mode="before")(as_text)
    _answers = field_validator("answer", mode="before")(_as_answer)

    @field_validator("citations", mode="before")
    @classmethod
    def _only_readable(cls, value: Any) -> list[Any]:
        """Drop malformed citations: one must not cost the answer."""
        items = value if isinstance(value, list) else []
        return [
            i for i in items if isinstance(i, dict) and str(i.get("chunk", "")).strip("[] ").isdigit() and _numbered(i)
        ]

    @field_validator("cause", mode="before")
    @classmethod
    def _known(cls, value: Any) -> Any:
        """Read a cause in any spelling; "" if unknown."""
        named = value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else ""
        return named if named in get_args(ConflictCause) else ""

    @field_validator("verdict", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else value


def _numbered(item: dict[str, Any]) -> bool:
    item["chunk"] = int(str(item["chunk"]).strip("[] "))
    return True


class ConclusionReply(LenientReply):
    """The final answer drawn from the steps."""

    answer: str = ""
    explanation: str = ""

    _texts = field_validator("explanation", mode="before")(as_text)
    _answers = field_validator("answer", mode="before")(_as_answer)


def without_thinking(text: str) -> str:
    """Return a reply without the thoughts of reasoning models."""
    return UNFINISHED_THINKING.sub("", THINKING.sub("", text)).strip()


def read_reply(text: str, kind: type[Reply]) -> Reply:
    """Read a reply of that kind from text; raise ReplyInvalid saying what does not fit."""
    problem = "no JSON object found"
    for candidate in _json_objects(without_thinking(text)):
        try:
            return kind.model_validate(candidate)
        except ValidationError as error:
            first = error.errors()[0]
            problem = f"{'.'.join(map(str, first['loc'])) or 'the object'}: {first['msg']}"
    raise ReplyInvalid(problem)


def _json_objects(text: str) -> list[dict[str, Any]]:
    """Return the JSON objects found in text: the whole, fenced blocks, then from each brace on."""
    candidates = [text, *(body for _, body in FENCE.findall(text))]
    found = [o for c in candidates if (o := _parsed(c.strip())) is not None]
    if found:
        return found
    decoder = json.JSONDecoder(strict=False)
    for start in [m.start() for m in re.finditer(r"\{", text)][:50]:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return [value]
    return []


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_sql(text: str) -> SqlReply:
    """Read a statement from JSON, a fenced block (the last), or bare SQL, alone or after some prose."""
    plain = without_thinking(text)
    try:
        reply = read_reply(plain, SqlReply)
    except ReplyInvalid:
        reply = SqlReply()
    if reply.sql or reply.cannot_answer:
        return SqlReply(sql=_unfenced(reply.sql) if reply.sql else None, cannot_answer=reply.cannot_answer)
    for language, body in reversed(FENCE.findall(plain)):
        if body.strip() and (language.lower() in SQL_LANGUAGES or BARE_SELECT.match(body)):
            return SqlReply(sql=body.strip())
    labelled = LABELLED_SELECT.search(plain[:MAX_BARE_CHARS])
    if labelled:
        return SqlReply(sql=labelled[1].strip())
    if BARE_SELECT.match(plain):
        return SqlReply(sql=plain)
    raise ReplyInvalid('expected {"sql": ...} or {"cannot_answer": ...}')


def _unfenced(sql: str) -> str:
    fenced = FENCE.search(sql)
    return (fenced[2] if fenced else sql).strip()
