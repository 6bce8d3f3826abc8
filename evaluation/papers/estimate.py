"""What a table will cost: questions, model calls, tokens and dollars, estimated before anything is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tablerag.evaluation.document_retrieval import FINDERS
from tablerag.evaluation.journal import Journal
from tablerag.evaluation.progress import Prices
from tablerag.evaluation.records import Answered
from tablerag.evaluation.runner import ANSWERS
from tablerag.evaluation.trial import Plan

__all__ = ["COSTS", "Estimate", "estimated"]


class Cost(NamedTuple):
    """What one question costs on average."""

    calls: float
    tokens_in: float
    tokens_out: float


UNKNOWN = Cost(5.0, 6_000, 500)
"""Of a system that nobody has measured: high, so that nobody is surprised."""
JUDGING = Cost(1.0, 500, 60)
COSTS = {
    "retrieval": Cost(0.0, 0, 0),
    "reranked_retrieval": Cost(0.0, 0, 0),
    "decomposed_retrieval": Cost(1.0, 250, 60),
    "direct": Cost(1.0, 200, 60),
    "naive_rag": Cost(1.0, 1_500, 60),
    "table_gpt": Cost(1.0, 1_500, 60),
    "text2sql": Cost(1.3, 1_500, 100),
    "tablerag": Cost(1.5, 2_500, 250),
    "react": Cost(3.0, 4_000, 250),
    "sql_agent": Cost(3.0, 5_000, 250),
    "program_of_thought": Cost(2.0, 3_000, 300),
    **dict.fromkeys(FINDERS, Cost(0.0, 0, 0)),
    "table_retrieval": Cost(1.0, 1_500, 60),
    "self_rag": Cost(4.0, 3_000, 200),
    **dict.fromkeys(("hd_rag", "hd_rag_rcl", "hd_rag_table", "hd_rag_no_calculator"), Cost(2.0, 8_000, 350)),
    "document_direct": Cost(1.0, 4_000, 30),
    "document_cot": Cost(1.0, 4_000, 250),
    "document_eedp": Cost(1.0, 4_200, 400),
    "document_pot": Cost(1.2, 5_000, 250),
}
"""By system. Of tablerag, react and sql_agent the means, rounded up, over the four sets of "Systems with a model" in
docs/measurements.md; the others are judged by their prompts."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The sums over all runs."""

    runs: int
    questions: int
    answered: int
    """How many of them have an answer from an earlier run."""
    calls: int
    tokens_in: int
    tokens_out: int

    def line(self, prices: Prices) -> str:
        """Return it as one line of text."""
        text = f"{self.runs} runs, {self.questions:,} questions"
        text += f" ({self.answered:,} already answered)" if self.answered else ""
        text += f", about {self.calls:,} model calls"
        if not self.calls:
            return text
        text += f", {self.tokens_in:,} tokens in and {self.tokens_out:,} out"
        cost = prices.of(self.tokens_in, self.tokens_out)
        return text + (f", about ${cost:,.2f}" if cost else "; --price IN,OUT estimates dollars")


def estimated(plans: Iterable[Plan], *, judged: bool = False) -> Estimate:
    """Estimate what the unanswered questions of runs will cost; each run counts once."""
    runs = list({plan.folder: plan for plan in plans}.values())
    questions = answered = 0
    calls = read = written = 0.0
    for plan in runs:
        done = len({a.id for a in Journal(plan.folder / ANSWERS, Answered).read()})
        open_ = max(len(plan.questions) - done, 0)
        questions, answered = questions + len(plan.questions), answered + done
        asks = plan.settings.model != "offline"
        per = [COSTS.get(plan.settings.system, UNKNOWN)] * asks + [JUDGING] * judged
        calls += open_ * sum(c.calls for c in per)
        read += open_ * sum(c.tokens_in for c in per)
        written += open_ * sum(c.tokens_out for c in per)
    return Estimate(len(runs), questions, answered, round(calls), round(read), round(written))
