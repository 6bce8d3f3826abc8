"""Turns a model's reply into a thought: parsed, and checked against what the model was shown."""

from langchain_core.messages import AIMessage

from tablerag.agent.computed_answer import computes
from tablerag.agent.model.asking import Ungrounded
from tablerag.agent.model.grounding import cells_of, numbers_in, sentence_with, strays, unknown_figures
from tablerag.agent.model.quoting import cited
from tablerag.agent.model.replies import (
    ConclusionReply,
    DecomposeReply,
    ResolveReply,
    ValidationReply,
    read_reply,
    read_sql,
)
from tablerag.agent.reasoning import (
    CannotAnswer,
    ConcludeTask,
    Conclusion,
    DecomposeTask,
    Enough,
    NoQuestion,
    SqlQuery,
    Standalone,
    Step,
    Subquery,
    ValidateTask,
    Validation,
    Verdict,
)
from tablerag.agent.turns import MAX_QUESTION_CHARS
from tablerag.tools.calculator import figures
from tablerag.tools.errors import ReplyInvalid

__all__ = ["read_conclusion", "read_decompose", "read_resolved", "read_statement", "read_validation"]


def read_resolved(message: AIMessage) -> Standalone | NoQuestion:
    """Read a question that stands alone; raise ReplyInvalid for a reply that is none."""
    question = read_reply(message.text, ResolveReply).question
    if len(question) > MAX_QUESTION_CHARS:
        raise ReplyInvalid(f"question has {len(question)} characters, the limit is {MAX_QUESTION_CHARS}")
    return Standalone(question) if question else NoQuestion()


def read_decompose(message: AIMessage, task: DecomposeTask) -> Subquery | Enough:
    """Read the next subquery or the final answer; raise Ungrounded for an answer that the steps do not give."""
    for call in message.tool_calls:
        if call["name"] == "solve_subquery" and str(call["args"].get("subquery") or "").strip():
            return Subquery(str(call["args"]["subquery"]).strip())
    # Arguments that are not quite JSON (a brace too many) are read as leniently as text.
    unread = "\n".join(c["args"] or "" for c in message.invalid_tool_calls)
    reply = read_reply(unread or message.text, DecomposeReply)
    if reply.subquery:
        return Subquery(reply.subquery)
    if reply.answer is None:
        raise ReplyInvalid('expected "subquery" or "answer"')
    _check_final(reply.answer, task.question, task.steps)
    return Enough(reply.answer, reply.reason)


def read_statement(message: AIMessage) -> SqlQuery | CannotAnswer:
    """Read one statement, or why there is none."""
    reply = read_sql(message.text)
    return SqlQuery(reply.sql) if reply.sql else CannotAnswer(reply.cannot_answer or "the model gave no reason")


def read_conclusion(message: AIMessage, task: ConcludeTask) -> Conclusion:
    """Read the answer that the steps give; raise Ungrounded for one that they do not."""
    reply = read_reply(message.text, ConclusionReply)
    _check_final(reply.answer, task.question, task.steps)
    return Conclusion(reply.answer, reply.explanation)


def _check_final(answer: str, question: str, steps: tuple[Step, ...]) -> None:
    """Refuse numbers that neither stand in the steps nor are made of two of theirs, and answers of no step."""
    if not answer or not steps:
        return
    if not any(s.intermediate_answer for s in steps):
        raise Ungrounded("no step found an answer, so the answer must be empty")
    shown = [t for s in steps for t in (s.intermediate_answer, s.subquery, s.reason, *cells_of(s.result))]
    unknown = strays(answer, numbers_in([question, *shown]), combined=True)
    if unknown:
        raise Ungrounded(f"{', '.join(unknown)} is not in any step: take the answer from the steps")


def read_validation(message: AIMessage, task: ValidateTask) -> Validation:
    """Read the intermediate answer with its verdict; raise Ungrounded where the evidence does not say it."""
    reply = read_reply(message.text, ValidationReply)
    verdict = _settled(reply, task)
    if verdict == "none":
        return Validation("", "none", reply.reason)
    quotes = cited(reply.citations, task.chunks)
    shown = [task.question, task.subquery, *(f"{c.title} {c.text}" for c in task.chunks)]
    if verdict != "text_only":
        shown += cells_of(task.result, task.supporting)
    elif not any(c.quote for c in quotes):
        found = sentence_with(reply.answer, task.chunks)
        if found is None:
            raise Ungrounded("an answer from the text needs a citation with a quote")
        quotes = (found,)
    # Of what a calculator is to compute, the figures must be known, and not the outcome.
    known = numbers_in(shown)
    unknown = unknown_figures(figures(reply.formula), known) if computes(reply.formula) else strays(reply.answer, known)
    if unknown:
        where = "the evidence" if verdict == "text_only" else "the SQL result and the evidence"
        raise Ungrounded(f"{', '.join(unknown)} is not in {where}: use only figures that are")
    cause = reply.cause if verdict == "conflict" else ""
    return Validation(reply.answer, verdict, reply.reason, quotes, cause, reply.formula)


def _settled(reply: ValidationReply, task: ValidateTask) -> Verdict:
    """Return the verdict, corrected where the evidence does not support the claimed one."""
    if not reply.answer or reply.verdict == "none" or (task.result is None and not task.chunks):
        return "none"
    if task.result is None:
        return "text_only"
    return reply.verdict if task.chunks else "sql_only"
