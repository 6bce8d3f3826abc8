"""The records of an evaluation: what a run is, what a system gave, and one line for each question."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tablerag.agent.context import Context

__all__ = ["FAILURES", "Answered", "Failure", "Judged", "Outcome", "RunSettings", "changed_settings", "failure_of"]

Failure = Literal["", "wrong", "refused", "out_of_iterations", "failed"]
"""Why an answer does not count (TableRAG, arXiv 2506.10380, error analysis): wrong reasoning, no answer given, the
bound of iterations reached, or the system broke; "" for right ones."""
FAILURES: tuple[Failure, ...] = ("wrong", "refused", "out_of_iterations", "failed")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Outcome(_Record):
    """What a system gave for one question."""

    answer: str = ""
    """"" when the system gave none."""
    values: list[str] = Field(default_factory=list)
    verdict: str = ""
    explanation: str = ""
    iterations: int = 0
    stopped_by: str = ""
    sql: list[str] = Field(default_factory=list)
    trace: list[dict[str, Any]] = Field(default_factory=list)
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    error: str = ""


class Answered(Outcome):
    """One line of a run: a question, what the system gave, and how it scored."""

    id: str
    question: str
    group: str = ""
    gold: list[str]
    scores: dict[str, float]
    right: bool
    failure: Failure = ""


class Judged(_Record):
    """What a judge said of one answer."""

    id: str
    judge: str
    """The model that judged."""
    answer: str = ""
    """What it judged: a verdict is none of another answer, as a question that is asked again may get one."""
    right: bool
    reason: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class RunSettings(_Record):
    """What makes a run what it is: two runs may be continued as one, or compared, only where these allow it."""

    benchmark: str
    split: str
    system: str
    model: str
    closed: bool = False
    group: str = ""
    """The only group of questions that is asked, as the benchmark names it; "" for all."""
    limit: int = 0
    """Questions drawn by the seed; 0 for all."""
    seed: int = 7
    questions: int
    """How many there are: every figure's denominator."""
    digest: str
    """Of the questions' ids and texts, in their order."""
    main: str
    """The metric by which an answer counts as right."""
    context: dict[str, Any] = Field(default_factory=dict)
    """What differs from Context's defaults: top_k, ablations."""

    @property
    def setting(self) -> str:
        """Which documents a question is asked of: open, the whole set's, or closed, its own."""
        return "closed" if self.closed else "open"

    @property
    def title(self) -> str:
        """The run's name in reports: its system with what differs, and its setting."""
        changed = [f"{k}={v}" if not isinstance(v, bool) else f"no {k}" for k, v in sorted(self.context.items())]
        parts = [f"{self.system} ({', '.join(changed)})" if changed else self.system, *["closed"] * self.closed]
        return ", ".join(parts)


def failure_of(outcome: Outcome, *, right: bool) -> Failure:
    """Say why an outcome does not count."""
    if right:
        return ""
    if outcome.error:
        return "failed"
    if outcome.stopped_by == "iteration_limit":
        return "out_of_iterations"
    return "wrong" if outcome.answer else "refused"


def changed_settings(context: Context) -> dict[str, Any]:
    """Return what of a context differs from the defaults, corpus and model aside."""
    defaults = Context().model_dump()
    return {k: v for k, v in context.model_dump().items() if v != defaults[k] and k not in ("corpus", "model")}
