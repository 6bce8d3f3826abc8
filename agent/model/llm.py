"""LlmReasoner: a chat model as the reasoner. One question is one conversation, which only grows."""

import logging
from collections.abc import Mapping
from dataclasses import replace

from langchain_core.language_models import BaseChatModel

from tablerag.agent.excerpts import FOUND_CHARS, opening_chars
from tablerag.agent.model import prompts, rendering
from tablerag.agent.model.asking import ASKED, ModelAsker, NotSearched, OutOfSteps, Ungrounded, fill
from tablerag.agent.model.closing import closed, in_doubt, insisted, last_statement
from tablerag.agent.model.reply_readers import Shown, not_found, read_resolved, read_step
from tablerag.agent.model.rules import rules_for
from tablerag.agent.reasoning import (
    CannotAnswer,
    ConcludeTask,
    Conclusion,
    DecomposeTask,
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

__all__ = ["LlmReasoner"]

LOG = logging.getLogger(__name__)
NOTHING_FOUND = "No answer was found in the steps."


class LlmReasoner:
    """Asks a chat model through the prompts, and parses its replies."""

    converses = True

    def __init__(self, model_name: str, chat: BaseChatModel) -> None:
        self.name = model_name
        self._resolve = ModelAsker(model_name, chat, prompts.SAFETY).ask
        self._ask = ModelAsker(model_name, chat, prompts.SYSTEM).ask

    def resolve(self, task: ResolveTask) -> Thought[Standalone | NoQuestion]:
        """Ask for the message as a question that stands alone; it stays as it is when the replies do not fit."""
        history, question = rendering.history_text(task.history), rendering.inert(task.question)
        try:
            return self._resolve(
                fill(prompts.RESOLVE, history=history, question=question), lambda m: read_resolved(m, task)
            )
        except ReplyInvalid as problem:
            LOG.warning("asking the question unchanged: %s", problem)
            return Thought(Standalone(task.question), Usage(ASKED))

    def decompose(self, task: DecomposeTask) -> Thought[Subquery | Validation]:
        """Open the conversation with the tables and the evidence, and ask for the first step or the answer.

        After a question back to the user, it goes on with the reply.
        """
        if task.told:
            told = fill(prompts.TOLD, reply=rendering.inert(task.told), left=_left(task.iterations_left))
            return self._next(told, Shown(task.question, task.chunks, task.dialogue, steps_left=task.iterations_left))
        wanted = relevant_columns(task.question, task.schemas, task.hints, task.joins)
        prompt = fill(
            prompts.OPENING,
            question=rendering.inert(task.question),
            tables=_tables(task, wanted),
            chunks=rendering.passages_text(task.chunks, task.question, most=opening_chars),
            left="\n".join([*rules_for(task.schemas, task.extracts, task.chunks), _left(task.iterations_left)]),
        )
        return self._next(
            prompt,
            Shown(task.question, task.chunks, schemas=task.schemas, steps_left=task.iterations_left, opening=True),
        )

    def write_sql(self, task: SqlTask) -> Thought[SqlQuery | CannotAnswer]:
        """Ask for another statement, showing why the last one did not do; without a conversation, for the first."""
        parts = []
        if not task.dialogue:
            wanted = relevant_columns(f"{task.subquery} {task.question}", task.schemas, task.hints, task.joins)
            tables = _tables(task, wanted)
            left = "\n".join([*rules_for(task.schemas), _left(1)])
            about = {"question": rendering.inert(task.subquery), "chunks": "(none)", "left": left}
            parts.append(fill(prompts.OPENING, tables=tables, **about))
        if task.attempts:
            problem = rendering.failed_text(task.attempts[-1])
            parts.append(fill(prompts.FAILED, problem=problem, left=_left(max(task.steps_left, 1))))
        elif task.others:
            parts.append(fill(prompts.FAILED, problem=rendering.others_text(task.others), left=""))
        shown = Shown(
            task.question, task.chunks, task.dialogue, schemas=task.schemas, steps_left=max(task.steps_left, 1)
        )
        thought = self._next("\n".join(parts), shown)
        step = thought.value
        if isinstance(step, Subquery) and step.sql:
            return Thought(SqlQuery(step.sql, purpose=step.purpose), thought.usage, thought.said)
        reason = step.reason if isinstance(step, Validation) else "The texts are searched instead."
        return Thought(CannotAnswer(reason or "the model gave no reason", instead=step), thought.usage, thought.said)

    def cross_validate(self, task: ValidateTask) -> Thought[Validation]:
        """End the question where nothing is left to judge; else ask for the answer or the next step."""
        if ended := closed(task):
            return Thought(ended)
        results = tuple(s.result for s in task.steps if s.result is not None)
        shown = Shown(
            task.question,
            task.chunks,
            task.dialogue,
            results=(*results, *([task.result] if task.result else [])),
            supporting=task.supporting,
            schemas=task.schemas,
            steps_left=task.steps_left,
            asked=task.asked,
            in_doubt=in_doubt(task),
        )
        thought = self._next(_news(task), shown)
        step = thought.value
        if isinstance(step, Validation):
            return Thought(step, thought.usage, thought.said)
        repeated = last_statement(thought.said)  # as it was sent, before words of its own were replaced
        if step.sql and step.purpose == "answer" and repeated and repeated == last_statement(task.dialogue):
            return Thought(insisted(task), thought.usage, thought.said)
        verdict = "sql_only" if task.result and task.result.rows else "none"
        return Thought(Validation("", verdict, "", next=step), thought.usage, thought.said)

    def conclude(self, task: ConcludeTask) -> Thought[Conclusion]:
        """End without an answer: the last call was told that no step is left."""
        return Thought(Conclusion("", NOTHING_FOUND))

    def _next(self, prompt: str, shown: Shown) -> Thought[Subquery | Validation]:
        """Ask for the next step; a reply that stays invalid or ungrounded is no answer."""
        known = replace(shown, prompt=prompt)
        return self._ask(
            prompt,
            lambda message: read_step(message, known),
            given_up=lambda why: Validation("", "none", _not_believed(why), final=True),
            before=shown.dialogue,
        )


def _tables(task: DecomposeTask | SqlTask, wanted: Mapping[str, Mapping[str, str]]) -> str:
    """Write the tables of a task, and what the company means by words of its question."""
    extracts = task.extracts if isinstance(task, DecomposeTask) else ()
    tables = rendering.tables_text(task.schemas, extracts, task.hints, task.joins, wanted)
    examples = rendering.confirmed_text(task.confirmed)
    others = rendering.listed_text(task.other_tables, task.question) if isinstance(task, DecomposeTask) else ""
    return "\n\n".join(filter(None, [tables, others, rendering.meanings_text(task.mentions), examples]))


def _news(task: ValidateTask) -> str:
    """Write what the conversation does not hold yet: the result with the rows behind it, and what was found."""
    parts: list[str] = []
    if not task.dialogue:
        parts.append(f"<question>\n{rendering.inert(task.question)}\n</question>")
    if task.result is not None or task.error:
        result = rendering.result_text(task.result, task.error)
        known = "\n".join(s.text for s in task.dialogue if s.role == "user")
        behind = rendering.supporting_text(task.result, task.supporting, known)
        others = [f"the same over `{name}`: {rendering.inert(answer)}" for name, answer in task.alternatives]
        parts.append(fill(prompts.RESULT, result="\n".join(filter(None, [result, behind, *others]))))
    new = {e.table for e in task.extracts}
    schemas = [s for s in task.schemas if s.name in new]
    if task.extracts:
        parts.append(f"<tables>\n{rendering.tables_text(schemas, task.extracts, (), task.joins)}\n</tables>")
    if task.found or not (task.result or task.error):
        parts.append(f"<evidence>\n{_numbered(task)}\n</evidence>")
    if in_doubt(task):
        parts.append(prompts.CONFLICT)
    elif task.result is not None and task.purpose == "answer":
        parts.append(prompts.GIVEN)
    told = "\n".join(s.text for s in task.dialogue)
    rules = [r for r in rules_for(schemas, task.extracts, task.found) if r not in told]
    return "\n".join([*parts, *rules, _left(task.steps_left)])


def _numbered(task: ValidateTask) -> str:
    first = len(task.chunks) - len(task.found) + 1
    most = FOUND_CHARS // max(len(task.found), 1)
    # A name may be searched for again, with the words of what its first excerpt left out.
    about = {"about": f"{task.question} {task.subquery}", "known": "\n".join(s.text for s in task.dialogue)}
    text = rendering.passages_text(task.found, **about, most=lambda _: most, first=first)
    return text if task.found else "(nothing new was found)"


def _left(steps: int) -> str:
    return fill(prompts.NEXT, left=steps) if steps else prompts.LAST


def _not_believed(why: ReplyInvalid) -> str:
    if not isinstance(why, Ungrounded):
        return f"{why}."
    if isinstance(why, NotSearched):
        return not_found(why.missing)
    return NOTHING_FOUND if isinstance(why, OutOfSteps) else f"The model's answer was rejected: {why}."
