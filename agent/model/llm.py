"""LlmReasoner: a chat model as the reasoner."""

import logging

from langchain_core.language_models import BaseChatModel

from tablerag.agent.model import prompts, rendering
from tablerag.agent.model.asking import ASKED, ModelAsker, Ungrounded, fill
from tablerag.agent.model.reply_readers import (
    read_conclusion,
    read_decompose,
    read_resolved,
    read_statement,
    read_validation,
)
from tablerag.agent.reasoning import (
    CannotAnswer,
    ConcludeTask,
    Conclusion,
    DecomposeTask,
    Enough,
    NoQuestion,
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
from tablerag.tools.errors import ReplyInvalid
from tablerag.tools.linking.relevance import relevant_columns

__all__ = ["LlmReasoner", "SOLVE_SUBQUERY"]

LOG = logging.getLogger(__name__)
SOLVE_SUBQUERY = {
    "type": "function",
    "function": {
        "name": "solve_subquery",
        "description": "Solve one subquery: searches the documents, runs SQL over their tables, and checks both.",
        "parameters": {
            "type": "object",
            "properties": {"subquery": {"type": "string", "description": "One question that stands alone"}},
            "required": ["subquery"],
        },
    },
}


class LlmReasoner:
    """Asks a chat model through the prompts, and parses its replies."""

    def __init__(self, model_name: str, chat: BaseChatModel) -> None:
        self.name = model_name
        self._ask = ModelAsker(model_name, chat, prompts.SAFETY).ask

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Ask for the message as a question that stands alone; it stays as it is when the replies do not fit."""
        history, question = rendering.history_text(task.history), rendering.inert(task.question)
        try:
            return self._ask(fill(prompts.RESOLVE, history=history, question=question), read_resolved)
        except ReplyInvalid as problem:
            LOG.warning("asking the question unchanged: %s", problem)
            return Thought(Standalone(task.question), Usage(ASKED))

    def decompose(self, task: DecomposeTask) -> Thought[Subquery | Enough]:
        """Ask for the next subquery, as a tool call or as JSON, or for the final answer."""
        prompt = fill(
            prompts.DECOMPOSE,
            question=rendering.inert(task.question),
            schemas=rendering.schemas_text(task.schemas),
            chunks=rendering.chunks_text(task.chunks),
            steps=rendering.steps_text(task.steps),
            iterations_left=task.iterations_left,
        )
        thought = self._ask(
            prompt,
            lambda message: read_decompose(message, task),
            tools=[SOLVE_SUBQUERY],
            ungrounded=lambda why: Enough("", _not_believed(why)),
        )
        if isinstance(thought.value, Enough) and not task.steps:
            # An answer without a step could be neither computed nor cited: the question itself is put first.
            return Thought(Subquery(task.question), thought.usage)
        return thought

    def write_sql(self, task: SqlTask) -> Thought[SqlQuery | CannotAnswer]:
        """Ask for one statement, showing the attempts that did not run."""
        wanted = relevant_columns(f"{task.subquery} {task.question}", task.schemas, task.hints, task.joins)
        prompt = fill(
            prompts.NL2SQL,
            schemas=rendering.schemas_text(task.schemas, wanted),
            hints=rendering.hints_text(task.hints, task.joins),
            attempts=rendering.attempts_text(task.attempts, task.others),
            question=rendering.inert(task.question),
            subquery=rendering.inert(task.subquery),
            row_limit=task.row_limit,
        )
        return self._ask(prompt, read_statement)

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """Ask for the intermediate answer and the verdict."""
        prompt = fill(
            prompts.CROSS_VALIDATE,
            question=rendering.inert(task.question),
            subquery=rendering.inert(task.subquery),
            result=rendering.result_text(task.result, task.error),
            supporting=rendering.supporting_text(task.result, task.supporting),
            chunks=rendering.chunks_text(task.chunks),
        )
        return self._ask(
            prompt,
            lambda message: read_validation(message, task),
            ungrounded=lambda why: Validation("", "none", _not_believed(why)),
        )

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]:
        """Ask for an answer from the steps alone."""
        prompt = fill(
            prompts.CONCLUDE,
            question=rendering.inert(task.question),
            steps=rendering.steps_text(task.steps),
        )
        return self._ask(
            prompt,
            lambda message: read_conclusion(message, task),
            ungrounded=lambda why: Conclusion("", _not_believed(why)),
        )


def _not_believed(why: Ungrounded) -> str:
    return f"The model's answer was rejected: {why}."
