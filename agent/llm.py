"""LlmReasoner: a chat model that thinks, asked through the prompts and read through the replies."""

import logging

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from agent import prompts, rendering
from agent.asking import ASKED, ModelAsker, fill
from agent.quoting import cited
from agent.reasoning import (
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
    Verdict,
)
from agent.replies import ConclusionReply, DecomposeReply, ResolveReply, ValidationReply, read_reply, read_sql
from agent.turns import MAX_QUESTION_CHARS
from tools.errors import ReplyInvalid
from tools.linking.relevance import relevant_columns

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
    """Thinks by asking a chat model."""

    def __init__(self, model_name: str, chat: BaseChatModel) -> None:
        self.name = model_name
        self._ask = ModelAsker(model_name, chat, prompts.SAFETY).ask

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Ask for the message as a question that stands alone; it stays as it is when the replies do not fit."""
        history, question = rendering.history_text(task.history), rendering.inert(task.question)
        try:
            return self._ask(fill(prompts.RESOLVE, history=history, question=question), _read_resolved)
        except ReplyInvalid as problem:
            LOG.warning("the question is put as it was asked: %s", problem)
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
        thought = self._ask(prompt, _read_decompose, tools=[SOLVE_SUBQUERY])
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
        return self._ask(prompt, _read_sql)

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """Ask for the intermediate answer and the verdict."""
        prompt = fill(
            prompts.CROSS_VALIDATE,
            question=rendering.inert(task.question),
            subquery=rendering.inert(task.subquery),
            result=rendering.result_text(task.result, task.error),
            supporting=rendering.supporting_text(task.supporting),
            chunks=rendering.chunks_text(task.chunks),
        )
        return self._ask(prompt, lambda message: _read_validation(message, task))

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]:
        """Ask for an answer from the steps alone."""
        prompt = fill(
            prompts.CONCLUDE,
            question=rendering.inert(task.question),
            steps=rendering.steps_text(task.steps),
        )
        return self._ask(prompt, _read_conclusion)


def _read_resolved(message: AIMessage) -> Standalone | NoQuestion:
    question = read_reply(message.text, ResolveReply).question
    if len(question) > MAX_QUESTION_CHARS:
        raise ReplyInvalid(f"the question has {len(question)} characters: at most {MAX_QUESTION_CHARS}")
    return Standalone(question) if question else NoQuestion()


def _read_decompose(message: AIMessage) -> Subquery | Enough:
    for call in message.tool_calls:
        if call["name"] == "solve_subquery" and str(call["args"].get("subquery") or "").strip():
            return Subquery(str(call["args"]["subquery"]).strip())
    # Arguments that are not quite JSON (a brace too many) are read as leniently as text.
    unread = "\n".join(c["args"] or "" for c in message.invalid_tool_calls)
    reply = read_reply(unread or message.text, DecomposeReply)
    if reply.subquery:
        return Subquery(reply.subquery)
    if reply.answer is None:
        raise ReplyInvalid('it has neither "subquery" nor "answer"')
    return Enough(reply.answer, reply.reason)


def _read_sql(message: AIMessage) -> SqlQuery | CannotAnswer:
    reply = read_sql(message.text)
    return SqlQuery(reply.sql) if reply.sql else CannotAnswer(reply.cannot_answer or "the model gave no reason")


def _read_conclusion(message: AIMessage) -> Conclusion:
    reply = read_reply(message.text, ConclusionReply)
    return Conclusion(reply.answer, reply.explanation)


def _read_validation(message: AIMessage, task: ValidateTask) -> Validation:
    reply = read_reply(message.text, ValidationReply)
    verdict = _settled(reply, task)
    if verdict == "none":
        return Validation("", "none", reply.reason)
    quotes = cited(reply.citations, task.chunks)
    cause = reply.cause if verdict == "conflict" else ""
    return Validation(reply.answer, verdict, reply.reason, quotes, cause, reply.formula)


def _settled(reply: ValidationReply, task: ValidateTask) -> Verdict:
    """Return the verdict, put right where the evidence at hand cannot bear the one claimed."""
    if not reply.answer or reply.verdict == "none" or (task.result is None and not task.chunks):
        return "none"
    if task.result is None:
        return "text_only"
    return reply.verdict if task.chunks else "sql_only"
