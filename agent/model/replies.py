"""The reply models, and how they are parsed from whatever a model sends.

Models without JSON-schema support wrap JSON in fences or prose, think aloud first, or answer with bare
SQL: all of that is read; what still does not fit raises ReplyInvalid with the reason, to be asked again.
"""

import json
import re
from typing import Any, TypeVar, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from tablerag.agent.disagreement import ConflictCause
from tablerag.tools.errors import ReplyInvalid

__all__ = [
    "CitationReply",
    "ConclusionReply",
    "LenientReply",
    "ResolveReply",
    "SqlReply",
    "StepReply",
    "as_text",
    "read_reply",
    "read_sql",
    "read_step_reply",
    "without_thinking",
]

THINKING = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
FENCE = re.compile(r"```(\w*)[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)
SQL_LANGUAGES = ("sql", "mysql", "mariadb")
BARE_SELECT = re.compile(r"^\s*(?:\(\s*)*(SELECT|WITH)\b", re.IGNORECASE)
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


class StepReply(LenientReply):
    """One reply of a question's conversation: a statement, a search, the answer, a question back, what is missing."""

    sql: str = ""
    part: str = ""
    bridge: str = ""
    find: tuple[str, ...] = ()
    answer: str | None = None
    ask: str = ""
    choices: tuple[str, ...] = ()
    missing: str | None = None
    assumption: str = ""
    unit: str = ""
    formula: str = ""
    conflict: str = ""
    """The cause of a conflict, "unknown" if it cannot be told; "" without one."""
    citations: list[CitationReply] = Field(default_factory=list)

    _texts = field_validator(
        "sql", "part", "bridge", "ask", "assumption", "unit", "formula", "conflict", mode="before"
    )(as_text)
    _reasons = field_validator("missing", mode="before")(lambda v: v if v is None else as_text(v))
    _answers = field_validator("answer", mode="before")(lambda v: v if v is None else _as_answer(v))

    @field_validator("find", "choices", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        """Accept one text for a list of them."""
        items = value if isinstance(value, (list, tuple)) else [value]
        return tuple(str(v).strip() for v in items if v not in (None, "") and not isinstance(v, (dict, list)))

    @field_validator("citations", mode="before")
    @classmethod
    def _only_readable(cls, value: Any) -> list[Any]:
        """Drop malformed citations: one must not cost the answer."""
        items = value if isinstance(value, list) else [value]
        return [
            i for i in items if isinstance(i, dict) and str(i.get("chunk", "")).strip("[] ").isdigit() and _numbered(i)
        ]

    @model_validator(mode="after")
    def _says_something(self) -> "StepReply":
        """A reply without any step is none."""
        steps = self.sql, self.part, self.bridge, self.find, self.ask
        if not any(steps) and self.missing is None and self.answer is None:
            raise ValueError('expected "sql", "part", "bridge", "find", "answer", "ask" or "missing"')
        return self

    @property
    def cause(self) -> ConflictCause:
        """The cause of a conflict in any spelling; "" if unknown."""
        named = self.conflict.strip().lower().replace(" ", "_").replace("-", "_")
        return next((c for c in get_args(ConflictCause) if c == named), "")


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
    """Return a reply without the thoughts of reasoning models, read once from tag to tag.

    The server may have dropped the opening tag, and the length limit may have cut off the closing one.
    """
    kept: list[str] = []
    end, opened = 0, None
    for tag in THINKING.finditer(text):
        if tag[1]:
            if opened is None:
                kept.clear()
            else:
                kept.append(text[end:opened])
            end, opened = tag.end(), None
        elif opened is None:
            opened = tag.start()
    if opened is not None and not "".join([*kept, text[end:opened]]).strip():
        return ""
    return "".join([*kept, text[end:]]).strip()


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


def read_step_reply(text: str) -> StepReply:
    """Read a step from JSON; a bare statement is one whose result is the answer. Raises ReplyInvalid."""
    try:
        reply = read_reply(text, StepReply)
    except ReplyInvalid as problem:
        try:
            bare = read_sql(text)  # also {"cannot_answer": ...}, as other systems ask for
        except ReplyInvalid:
            raise problem from None
        return StepReply(sql=bare.sql or "", missing=bare.cannot_answer)
    fields = {name: _unfenced(sql) for name in ("sql", "part", "bridge") if (sql := getattr(reply, name))}
    return reply.model_copy(update=fields)


def _unfenced(sql: str) -> str:
    fenced = FENCE.search(sql)
    return (fenced[2] if fenced else sql).strip()
