"""HD-RAG's reasoner by a chat model."""

import logging

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from tablerag.agent.hd_rag import prompts
from tablerag.agent.hd_rag.citing import citations_of
from tablerag.agent.hd_rag.reasoning import Recap, RecapTask, Selection, SelectTask
from tablerag.agent.hd_rag.recap_grounding import ungrounded
from tablerag.agent.hd_rag.rendering import documents_text, passages_text
from tablerag.agent.hd_rag.replies import RecapReply, SelectReply
from tablerag.agent.model.asking import ASKED, ModelAsker, Ungrounded, fill
from tablerag.agent.model.rendering import inert
from tablerag.agent.model.replies import read_reply
from tablerag.agent.reasoning import Thought, Usage
from tablerag.tools.errors import ReplyInvalid

__all__ = ["HdRagModel"]

LOG = logging.getLogger(__name__)


class HdRagModel:
    """Asks a chat model through the prompts, and parses its replies."""

    def __init__(self, model_name: str, chat: BaseChatModel) -> None:
        self.name = model_name
        self._ask = ModelAsker(model_name, chat, prompts.SAFETY).ask

    def select(self, task: SelectTask) -> Thought[Selection]:
        """Ask which candidate is meant; if none is, or the reply is invalid, take the one with the best evidence."""
        if len(task.documents) == 1:
            return Thought(Selection(0, "It is the only document that was found."))
        prompt = fill(prompts.SELECT, question=inert(task.question), documents=documents_text(task.documents))
        try:
            return self._ask(prompt, lambda message: _read_selection(message, len(task.documents)))
        except ReplyInvalid as problem:
            LOG.warning("using the document with the best evidence: %s", problem)
            return Thought(Selection(0, "The model selected none; this document has the best evidence."), Usage(ASKED))

    def recap(self, task: RecapTask) -> Thought[Recap]:
        """Ask for all five parts in one reply; discard an answer that the document does not support."""
        prompt = fill(prompts.RECAP, question=inert(task.question), passages=passages_text(task.passages))
        return self._ask(
            prompt,
            lambda message: _read_recap(message, task),
            given_up=lambda why: Recap("", "span", (), _not_believed(why), ()),
        )


def _not_believed(why: ReplyInvalid) -> str:
    return f"The model's answer was rejected: {why}." if isinstance(why, Ungrounded) else f"{why}."


def _read_selection(message: AIMessage, count: int) -> Selection:
    reply = read_reply(message.text, SelectReply)
    if not 0 <= reply.document <= count:
        raise ReplyInvalid(f"document must be from 1 to {count}, or 0 for none, got {reply.document}")
    if reply.document == 0:
        return Selection(0, f"The model is not sure; this document has the best evidence. {reply.reason}".strip())
    return Selection(reply.document - 1, reply.reason)


def _read_recap(message: AIMessage, task: RecapTask) -> Recap:
    reply = read_reply(message.text, RecapReply)
    extracted = tuple(f"{e.what}: {e.value}" if e.what else e.value for e in reply.extracted if e.value)
    recap = Recap(
        restated=reply.restated,
        question_type=reply.question_type,
        extracted=extracted,
        computation=reply.computation,
        answer=tuple(reply.answer),
        scale=reply.scale,
        formula=reply.formula,
        citations=citations_of(reply.extracted, task.passages),
    )
    problem = ungrounded(recap, task)
    if problem:
        raise Ungrounded(problem)
    return recap
