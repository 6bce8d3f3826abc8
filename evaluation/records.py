"""The records of an evaluation: a run's settings, the outcome of each question, and the judges' verdicts."""

from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from tablerag.agent.context import Context

__all__ = ["FAILURES", "Answered", "Failure", "Judged", "Outcome", "RunSettings", "changed_settings", "failure_of"]

Failure = Literal["", "wrong", "refused", "out_of_iterations", "failed"]
"""Kinds of failure (TableRAG, arXiv 2506.10380, error analysis): a wrong answer, no answer, the iteration limit
reached, or an error in the system; "" for right answers."""
FAILURES: tuple[Failure, ...] = get_args(Failure)[1:]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Outcome(_Record):
    """A system's answer to one question."""

    answer: str = ""
    """"" if the system gave none."""
    values: list[str] = Field(default_factory=list)
    scale: str = ""
    """What the only value is counted in, or "%", where the answer shows it beside the stored value."""
    shown: str = ""
    """The only value as people read it, with its unit: "1,400 tons", "70.7%"; "" if it has none."""
    documents: list[str] = Field(default_factory=list)
    """The documents that were found, best first, if the system says so."""
    document: str = ""
    """The one that was selected of them; "" without selection."""
    verdict: str = ""
    explanation: str = ""
    iterations: int = 0
    stopped_by: str = ""
    sql: list[str] = Field(default_factory=list)
    trace: list[dict[str, Any]] = Field(default_factory=list)
    calls: int = 0
    input_tokens: int = 0
    """All of them, also those that the server had cached."""
    cached_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    error: str = ""

    @property
    def scaled(self) -> str:
        """The only value with its scale, as people read it: "12 thousand", "4.5%"; "" if it has none of its own."""
        if not self.scale or len(self.values) != 1 or any(c.isalpha() or c == "%" for c in self.values[0]):
            return ""
        return f"{self.values[0]}{'' if self.scale == '%' else ' '}{self.scale}"


class Answered(Outcome):
    """One line of a run: a question, the system's answer, and its scores."""

    id: str
    question: str
    group: str = ""
    gold: list[str]
    scores: dict[str, float]
    right: bool
    failure: Failure = ""


class Judged(_Record):
    """A judge's verdict on one answer."""

    id: str
    judge: str
    """The judging model."""
    answer: str = ""
    """The judged answer: a question that is asked again may get another one, to which the verdict does not apply."""
    right: bool
    reason: str = ""
    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


class RunSettings(_Record):
    """A run's settings, which decide whether it can be continued and which runs it can be compared with."""

    benchmark: str
    split: str
    system: str
    model: str
    embedding: str = "embedded"
    """What chunks and questions are embedded by: TABLERAG_EMBEDDING."""
    closed: bool = False
    group: str = ""
    """The only group of questions asked; "" for all."""
    limit: int = 0
    """How many questions are drawn, by the seed; 0 for all."""
    seed: int = 7
    questions: int
    """The number of questions: every figure's denominator."""
    digest: str
    """Hash of the questions' ids and texts, in order."""
    main: str
    """An answer is right if this metric is 1."""
    context: dict[str, Any] = Field(default_factory=dict)
    """The settings that differ from Context's defaults: top_k, ablations."""

    @property
    def asked(self) -> str:
        """What the run asks: its model, and the embedding if that is not the embedded one."""
        return self.model if self.embedding == "embedded" else f"{self.model}, embedding {self.embedding}"

    @property
    def setting(self) -> str:
        """The documents that a question is asked of: "open" for the whole set's, "closed" for its own."""
        return "closed" if self.closed else "open"

    @property
    def title(self) -> str:
        """The run's name in reports: its system with changed settings, and "closed"."""
        changed = [f"{k}={v}" if not isinstance(v, bool) else f"no {k}" for k, v in sorted(self.context.items())]
        changed += [f"embedding={self.embedding}"] * (self.embedding != "embedded")
        parts = [f"{self.system} ({', '.join(changed)})" if changed else self.system, *["closed"] * self.closed]
        return ", ".join(parts)


def failure_of(outcome: Outcome, *, right: bool) -> Failure:
    """Return an outcome's kind of failure."""
    if right:
        return ""
    if outcome.error:
        return "failed"
    if outcome.stopped_by in ("iteration_limit", "budget"):
        return "out_of_iterations"
    return "wrong" if outcome.answer else "refused"


def changed_settings(context: Context) -> dict[str, Any]:
    """Return the fields of a context that differ from the defaults, except corpus and model."""
    defaults = Context().model_dump()
    return {k: v for k, v in context.model_dump().items() if v != defaults[k] and k not in ("corpus", "model")}
