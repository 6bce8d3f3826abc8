"""Budgets of tokens: a reasoner that asks its model only while they last, and then answers from what is known."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Protocol, TypeVar

from tablerag.agent.computed_by_code import last_answer, of_result
from tablerag.agent.ports import ReasonerFor
from tablerag.agent.reasoning import (
    CannotAnswer,
    ConcludeTask,
    Conclusion,
    DecomposeTask,
    Enough,
    NoQuestion,
    Reasoner,
    ResolveTask,
    SqlQuery,
    SqlTask,
    Standalone,
    Subquery,
    Thought,
    Usage,
    ValidateTask,
    Validation,
)
from tablerag.tools.token_ledger import TokenLedger

__all__ = ["Budget", "Budgeted", "DailyBudget", "QuestionBudget", "within_budget"]

T = TypeVar("T")
Node = Callable[..., dict[str, Any]]
OF_LAST_STEP = " The answer is that of the last finished step."


class Budget(Protocol):
    """A number of tokens that model calls may cost together."""

    def used_up(self) -> str:
        """Return a sentence on what is used up; "" while something is left."""
        ...

    def spend(self, usage: Usage) -> None:
        """Count the cost of a call."""
        ...


class QuestionBudget:
    """The tokens of one question."""

    def __init__(self, limit: int, spent: Usage) -> None:
        self._limit, self._spent = limit, spent

    def used_up(self) -> str:
        """Return the sentence; a call that has begun is finished, so that more may be spent than the limit."""
        if self._spent.tokens < self._limit:
            return ""
        return f"Stopped after {self._spent.tokens:,} tokens: the limit for one question is {self._limit:,}."

    def spend(self, usage: Usage) -> None:
        """Count the cost of a call."""
        self._spent += usage


class DailyBudget:
    """The tokens of one corpus and day, counted in the SQL database by all processes."""

    def __init__(self, limit: int, corpus: str, ledger: TokenLedger) -> None:
        self._limit, self._corpus, self._ledger = limit, corpus, ledger

    def used_up(self) -> str:
        """Return the sentence; raise StoreUnavailable."""
        if self._ledger.spent(self._corpus) < self._limit:
            return ""
        return f"Stopped: today's {self._limit:,} tokens for the corpus {self._corpus!r} are used up."

    def spend(self, usage: Usage) -> None:
        """Count the cost of a call; raise StoreUnavailable."""
        self._ledger.add(self._corpus, usage.tokens)


class Budgeted:
    """A reasoner that asks another one while the budget lasts.

    After that, a result is answered with its values, and the question with the answer of its last step.
    """

    def __init__(self, reasoner: Reasoner, budget: Budget) -> None:
        self.name, self.converses = reasoner.name, reasoner.converses
        self._reasoner, self._budget = reasoner, budget

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Return the question as it is when the budget is used up."""
        return self._within(self._reasoner.resolve, task, lambda why: Standalone(task.question))

    def decompose(self, task: DecomposeTask) -> Thought[Subquery | Enough | Validation]:
        """Return the last step's answer as that of the question when the budget is used up."""
        return self._within(self._reasoner.decompose, task, lambda why: Enough(*_known(task.steps, why), "budget"))

    def write_sql(self, task: SqlTask) -> Thought[SqlQuery | CannotAnswer]:
        """Write nothing when the budget is used up."""
        return self._within(self._reasoner.write_sql, task, lambda why: CannotAnswer(why, unread=()))

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """Return the result's values, unchecked, when the budget is used up; a part is no answer."""
        return self._within(
            self._reasoner.cross_validate,
            task,
            lambda why: of_result(task, why) if task.purpose == "answer" else Validation("", "none", why, final=True),
        )

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]:
        """Return the last step's answer when the budget is used up."""
        return self._within(self._reasoner.conclude, task, lambda why: Conclusion(*_known(task.steps, why), "budget"))

    def _within(self, ask: Callable[[Any], Thought[T]], task: Any, otherwise: Callable[[str], T]) -> Thought[T]:
        why = self._budget.used_up()
        if why:
            return Thought(otherwise(why))
        thought = ask(task)
        self._budget.spend(thought.usage)
        return thought


def _known(steps: Sequence[Any], why: str) -> tuple[str, str]:
    """Return the answer that the steps give, and the sentence on the budget."""
    answer = last_answer(steps)
    return answer, why + OF_LAST_STEP * bool(answer)


def within_budget(node: Node) -> Node:
    """Return a node whose reasoner asks its model only while the budget of the question lasts."""

    @wraps(node)
    def run(state: Any, runtime: Any, *, reasoner_for: ReasonerFor, **tools: Any) -> dict[str, Any]:
        def budgeted(context: Any) -> Reasoner:
            reasoner, limit = reasoner_for(context), context.max_tokens_per_question
            if not limit or reasoner.name == "offline":
                return reasoner
            return Budgeted(reasoner, QuestionBudget(limit, Usage(**state["usage"])))

        return node(state, runtime, reasoner_for=budgeted, **tools)

    return run
