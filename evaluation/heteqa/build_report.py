"""The report of a HeteQA build."""

from collections import Counter
from typing import Any

from pydantic import BaseModel, ConfigDict

from tablerag.evaluation.heteqa.candidates import Trial

__all__ = ["REPORT", "BuildReport", "report_of"]

REPORT = "build.json"


class BuildReport(BaseModel):
    """The result of a build: numbers of tables, candidates and questions, by operation and by reason."""

    model_config = ConfigDict(frozen=True)

    tables: int
    tables_used: int
    passages: int
    """Passages linked to tables with questions; each is a document of the corpus."""
    candidates: int
    agreed: int
    """Candidates whose programs agree on one untied value, even if their text hop was rejected."""
    kept: int
    with_text_hop: int
    operations: dict[str, int]
    domains: dict[str, int]
    kinds: dict[str, int]
    rejected: dict[str, int]
    seconds: float
    seed: int
    composed_by: str


def report_of(trial: Trial, **others: Any) -> BuildReport:
    """Count what a build tried and kept, and why it rejected the rest; ``others`` are the remaining fields."""
    kept, reasons = trial.kept, Counter(r.reason for r in trial.rejected)
    return BuildReport(
        candidates=len(kept) + len(trial.rejected),
        agreed=len(kept) + reasons["no_fact"] + reasons["passage"] + reasons["trivial"],
        kept=len(kept),
        with_text_hop=sum(q.bridge is not None for q in kept),
        operations=dict(Counter(o for q in kept for o in q.operations).most_common()),
        domains=dict(Counter(q.domain for q in kept).most_common()),
        kinds=dict(Counter(q.kind for q in kept).most_common()),
        rejected=dict(reasons.most_common()),
        **others,
    )
