"""The baselines' thinking: one chat model, asked through their prompts and read as leniently as the product's own."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool
from pydantic import field_validator

from tablerag.agent.model import baseline_prompts as prompts
from tablerag.agent.model import rendering
from tablerag.agent.model.asking import ModelAsker, fill
from tablerag.agent.model.replies import ConclusionReply, SqlReply, as_text, read_reply, without_thinking
from tablerag.agent.reasoning import CannotAnswer, Conclusion, Thought
from tablerag.tools.errors import ConfigError, ReplyInvalid
from tablerag.tools.records import Chunk, SqlResult, TableSchema

__all__ = ["BaselineModel", "Draft", "Finish", "Program", "ProgramAttempt", "Search", "Strategy", "ToolsUsed", "Turn"]

ACTION = re.compile(r"Action(?:\s*\d+)?\s*:\s*(Search|Finish)\s*\[(.*)\]", re.IGNORECASE | re.DOTALL)
THOUGHT = re.compile(r"Thought(?:\s*\d+)?\s*:(.*?)(?=Action(?:\s*\d+)?\s*:|\Z)", re.IGNORECASE | re.DOTALL)
OBSERVATION = re.compile(r"\n[ \t]*Observation", re.IGNORECASE)
PYTHON = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)


DOCUMENT_CHARS, PASSAGE_CHARS = 80_000, 24_000
"""Limits of a whole document in a prompt, and of one passage."""

Strategy = Literal["direct", "cot", "eedp"]
"""How a question about one document is asked: for the answer alone, step by step, or by EEDP's four parts."""
Support = Literal["fully", "partially", "no"]


@dataclass(frozen=True, slots=True)
class Search:
    """Look for words in the documents."""

    thought: str
    query: str


@dataclass(frozen=True, slots=True)
class Finish:
    """End with an answer, "" for none."""

    thought: str
    answer: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One search of ReAct with what it showed."""

    thought: str
    query: str
    observation: str


@dataclass(frozen=True, slots=True)
class Program:
    """Python that was not run yet, and is not trusted."""

    code: str


@dataclass(frozen=True, slots=True)
class ProgramAttempt:
    """A program that did not give an answer, and why."""

    code: str
    error: str


@dataclass(frozen=True, slots=True)
class ToolsUsed:
    """The end of a conversation with tools: an answer, "" for none."""

    answer: str
    explanation: str
    calls_used_up: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer from one chunk, "" for none, with the model's own judgement of it."""

    answer: str
    relevant: bool
    support: Support
    useful: int
    """From 1 to 5."""


class _DraftReply(ConclusionReply):
    relevant: bool = False
    support: Support = "no"
    useful: int = 1

    @field_validator("support", mode="before")
    @classmethod
    def _known(cls, value: Any) -> Any:
        """Read a judgement in any form; an unknown one is no support."""
        word = str(as_text(value)).strip().lower()
        return next((s for s in ("fully", "partially") if word.startswith(s[:4])), "no")

    @field_validator("useful", mode="before")
    @classmethod
    def _from_1_to_5(cls, value: Any) -> int:
        digits = re.search(r"\d+", str(value))
        return min(max(int(digits[0][:3]), 1), 5) if digits else 1


class _RetrieveReply(ConclusionReply):
    retrieve: bool


class BaselineModel:
    """Asks one chat model on behalf of a baseline. Raises ModelUnavailable and ReplyInvalid."""

    def __init__(self, name: str, chat: BaseChatModel) -> None:
        self.name = name
        self._chat = chat
        self._asker = ModelAsker(name, chat, prompts.BASELINE_SAFETY)

    def answer(self, question: str) -> Thought[Conclusion]:
        """Answer from what the model knows."""
        return self._asker.ask(fill(prompts.DIRECT, question=rendering.inert(question)), _read_answer)

    def answer_from(self, question: str, chunks: Sequence[Chunk]) -> Thought[Conclusion]:
        """Answer from chunks."""
        parts = {"question": rendering.inert(question), "chunks": rendering.chunks_text(chunks)}
        return self._asker.ask(fill(prompts.NAIVE_RAG, **parts), _read_answer)

    def answer_document(self, question: str, passages: Sequence[Chunk], strategy: Strategy) -> Thought[Conclusion]:
        """Answer from a whole document by one strategy."""
        parts = {"question": rendering.inert(question), "chunks": _document_text(passages)}
        return self._asker.ask(fill(prompts.DOCUMENT, way=prompts.WAYS[strategy], **parts), _read_answer)

    def write_document_program(
        self, question: str, passages: Sequence[Chunk], attempts: Sequence[ProgramAttempt]
    ) -> Thought[Program | CannotAnswer]:
        """Write a program with the figures of a whole document (arXiv 2211.12588)."""
        parts = {"question": rendering.inert(question), "chunks": _document_text(passages)}
        return self._asker.ask(
            fill(prompts.DOCUMENT_PROGRAM, attempts=_attempts_text(attempts), **parts), _read_program
        )

    def decide_retrieval(self, question: str) -> Thought[Conclusion | None]:
        """Decide whether to search (Self-RAG, arXiv 2310.11511): None to search, else an answer from what is known."""
        return self._asker.ask(fill(prompts.DECIDE_RETRIEVAL, question=rendering.inert(question)), _read_decision)

    def draft(self, question: str, chunk: Chunk) -> Thought[Draft]:
        """Answer from one chunk, and judge that answer (Self-RAG)."""
        parts = {"question": rendering.inert(question), "chunks": rendering.chunks_text([chunk])}
        return self._asker.ask(fill(prompts.DRAFT, **parts), _read_draft)

    def answer_from_tables(self, question: str, tables: Sequence[tuple[TableSchema, SqlResult]]) -> Thought[Conclusion]:
        """Answer from whole tables; a table model may reply in its own words, which then are the answer."""
        texts = [rendering.inert(_csv_text(schema, rows)) for schema, rows in tables]
        parts = {"question": rendering.inert(question), "tables": "\n\n".join(texts)}
        return self._asker.ask(fill(prompts.TABLE_GPT, **parts), _read_loosely)

    def act(self, question: str, turns: Sequence[Turn], actions_left: int) -> Thought[Search | Finish]:
        """Choose ReAct's next action (arXiv 2210.03629)."""
        parts = {"question": rendering.inert(question), "steps": _turns_text(turns), "actions_left": actions_left}
        return self._asker.ask(fill(prompts.REACT, **parts), _read_action)

    def write_program(
        self, question: str, tables: str, attempts: Sequence[ProgramAttempt]
    ) -> Thought[Program | CannotAnswer]:
        """Write a program over the tables that the text describes (arXiv 2211.12588)."""
        parts = {"question": rendering.inert(question), "tables": tables, "attempts": _attempts_text(attempts)}
        return self._asker.ask(fill(prompts.PROGRAM_OF_THOUGHT, **parts), _read_program)

    def use_tools(self, question: str, tools: Sequence[BaseTool], most_calls: int) -> Thought[ToolsUsed]:
        """Let the model call tools until it answers, at most so many calls; an unreadable reply is no answer.

        Raises ConfigError if langchain is not installed.
        """
        try:
            from tablerag.agent.model.tool_loop import run_loop
        except ModuleNotFoundError as error:
            raise ConfigError("sql_agent requires langchain: pip install 'tablerag[eval]'") from error
        system = fill(prompts.SQL_AGENT, calls=most_calls)
        thought = run_loop(self.name, self._chat, system, rendering.inert(question), tools, most_calls)
        end = thought.value
        if end.problem:
            return Thought(ToolsUsed("", end.problem, end.calls_used_up), thought.usage)
        reply = _read_last(end.text)
        return Thought(ToolsUsed(reply.answer, reply.explanation), thought.usage)


def _read_last(text: str) -> ConclusionReply:
    """Read the answer from JSON, or else take the text itself."""
    try:
        return read_reply(text, ConclusionReply)
    except ReplyInvalid:
        return ConclusionReply(answer=without_thinking(text))


def _attempts_text(attempts: Sequence[ProgramAttempt]) -> str:
    tried = [f"{rendering.inert(a.code)}\nerror: {rendering.inert(a.error)}" for a in attempts]
    return "\n\n".join(tried) or "(none)"


def _document_text(passages: Sequence[Chunk]) -> str:
    return rendering.chunks_text(passages, each=PASSAGE_CHARS, together=DOCUMENT_CHARS)


def _csv_text(schema: TableSchema, result: SqlResult) -> str:
    """Write a table as CSV under its title; rows left out are counted."""
    text = io.StringIO()
    headers = {column.name: column.header for column in schema.columns}
    csv.writer(text, lineterminator="\n").writerows([[headers.get(c, c) for c in result.columns], *result.rows])
    shown = len(result.rows)
    cut = f"\n(the first {shown} of {schema.row_count} rows)" if shown < schema.row_count else ""
    return f"Table: {schema.title or schema.name}\n{text.getvalue().rstrip()}{cut}"


def _turns_text(turns: Sequence[Turn]) -> str:
    """Write what was thought, searched for and seen."""
    lines = []
    for number, turn in enumerate(turns, start=1):
        lines += [
            f"Thought {number}: {rendering.inert(turn.thought)}",
            f"Action {number}: Search[{rendering.inert(turn.query)}]",
            f"Observation {number}: {turn.observation}",
        ]
    return "\n".join(lines) or "(none)"


def _read_answer(message: AIMessage) -> Conclusion:
    reply = read_reply(message.text, ConclusionReply)
    return Conclusion(reply.answer, reply.explanation)


def _read_decision(message: AIMessage) -> Conclusion | None:
    reply = read_reply(message.text, _RetrieveReply)
    return None if reply.retrieve else Conclusion(reply.answer, reply.explanation)


def _read_draft(message: AIMessage) -> Draft:
    reply = read_reply(message.text, _DraftReply)
    return Draft(reply.answer, reply.relevant, reply.support, reply.useful)


def _read_loosely(message: AIMessage) -> Conclusion:
    reply = _read_last(message.text)
    return Conclusion(reply.answer, reply.explanation)


def _read_action(message: AIMessage) -> Search | Finish:
    # Models that write the observation themselves are read up to it.
    text = OBSERVATION.split(without_thinking(message.text), maxsplit=1)[0]
    found = ACTION.search(text)
    if found is None:
        raise ReplyInvalid("expected Action: Search[...] or Action: Finish[...]")
    thought = THOUGHT.search(text)
    said, argument = thought[1].strip() if thought else "", found[2].strip()
    if found[1].lower() == "finish":
        return Finish(said, argument)
    if not argument:
        raise ReplyInvalid("Search[] is empty")
    return Search(said, argument)


def _read_program(message: AIMessage) -> Program | CannotAnswer:
    text = without_thinking(message.text)
    blocks = [b.strip() for b in PYTHON.findall(text) if b.strip() and not b.lstrip().startswith("{")]
    if blocks:
        return Program(blocks[-1])
    reply = read_reply(text, SqlReply)
    if reply.cannot_answer:
        return CannotAnswer(reply.cannot_answer)
    raise ReplyInvalid("expected a ```python block or cannot_answer")
