"""Runs a client's questions on its graph, with threads, approval and events."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from inspect import isawaitable, iscoroutine
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tablerag.agent.approval import read_decision
from tablerag.agent.choices import Offered
from tablerag.agent.context import Context
from tablerag.agent.events import StepEvent, event_of
from tablerag.answer import Answer, AnswerEvent
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Record

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.types import StreamMode


__all__ = ["ApprovalRequest", "Approve", "Asking"]

MODES: list["StreamMode"] = ["custom", "values"]
ONE_RUN = "one run"
ContextLike = Context | Mapping[str, Any] | None


class ApprovalRequest(Record):
    """A statement that waits for approval."""

    sql: str
    description: str
    """Its subquery and the tables that it may read."""


Decided = bool | Mapping[str, Any]
Approve = Callable[[ApprovalRequest], Decided | Awaitable[Decided]]
"""Decides on a statement: True, False, ``{"type": "edit", "sql": ...}`` or ``{"type": "reject", "message": ...}``.
AsyncTableRAG takes coroutine functions too."""


class _Run(NamedTuple):
    """One question's run of the graph."""

    graph: "CompiledStateGraph[Any, Any, Any, Any]"
    config: RunnableConfig
    context: Context
    approve: Approve | None
    corpus: str

    def parts(self, given: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the parts of the graph's stream, each with its mode."""
        yield from cast(Any, self.graph.stream(given, self.config, context=self.context, stream_mode=MODES))

    async def aparts(self, given: Any) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Yield the same."""
        async for part in cast(Any, self.graph.astream(given, self.config, context=self.context, stream_mode=MODES)):
            yield part

    def reply_to(self, state: Mapping[str, Any]) -> "Command | None":
        """Return the command that resumes an interrupted run; None after its end. Raises ConfigError."""
        return None if "__interrupt__" not in state else _resumed(self._decided(state))

    async def areply_to(self, state: Mapping[str, Any]) -> "Command | None":
        """Return the same; ``approve`` may be a coroutine function."""
        if "__interrupt__" not in state:
            return None
        reply = self._decided(state)
        return _resumed(await reply if isawaitable(reply) else reply)

    def _decided(self, state: Mapping[str, Any]) -> Any:
        request = state["__interrupt__"][0].value["action_requests"][0]
        assert self.approve is not None, "only runs that were given one are interrupted"
        return self.approve(ApprovalRequest(sql=request["args"]["sql"], description=request["description"]))


def _resumed(reply: Any) -> Command:
    """Return the command; the graph would ask a person again after an unclear reply, but a function forever."""
    if iscoroutine(reply):
        reply.close()
        raise ConfigError("approve is a coroutine function: use AsyncTableRAG, or pass a plain function")
    if read_decision(reply) is None:
        raise ConfigError(f"approve must return True, False or {{'type': 'edit', 'sql': ...}}, got {repr(reply)[:100]}")
    return Command(resume=reply)


class Asking:
    """Runs the questions of one client on its graph."""

    def __init__(self, corpus: str, graph: "CompiledStateGraph[Any, Any, Any, Any]") -> None:
        self._corpus = corpus
        self._alone = graph
        self._in_threads = self._alone.copy(update={"checkpointer": InMemorySaver()})

    def ask(self, question: str, thread: str | None, context: ContextLike, approve: Approve | None) -> Answer:
        """Answer one question."""
        return self._answered(self._run(thread, context, approve), question)

    def choose(
        self, offered: Offered, number: int, thread: str | None, context: ContextLike, approve: Approve | None
    ) -> Answer:
        """Answer by one of the readings offered."""
        run = self._run(thread, context, approve, remembers=True)
        run.graph.update_state(run.config, {"offered": offered}, as_node="finish")
        return self._answered(run, str(number))

    def _answered(self, run: _Run, question: str) -> Answer:
        given: Any = {"question": question}
        while True:
            state = run.graph.invoke(given, run.config, context=run.context)
            given = run.reply_to(state)
            if given is None:
                return Answer.of_outcome(state, run.corpus)

    async def aask(self, question: str, thread: str | None, context: ContextLike, approve: Approve | None) -> Answer:
        """Answer one question; the nodes run in threads, so that the event loop is free."""
        return await self._aanswered(self._run(thread, context, approve), question)

    async def achoose(
        self, offered: Offered, number: int, thread: str | None, context: ContextLike, approve: Approve | None
    ) -> Answer:
        """Answer by one of the readings offered; the nodes run in threads."""
        run = self._run(thread, context, approve, remembers=True)
        await run.graph.aupdate_state(run.config, {"offered": offered}, as_node="finish")
        return await self._aanswered(run, str(number))

    async def _aanswered(self, run: _Run, question: str) -> Answer:
        given: Any = {"question": question}
        while True:
            state = await run.graph.ainvoke(given, run.config, context=run.context)
            given = await run.areply_to(state)
            if given is None:
                return Answer.of_outcome(state, run.corpus)

    def stream(
        self, question: str, thread: str | None, context: ContextLike, approve: Approve | None
    ) -> Iterator[StepEvent | AnswerEvent]:
        """Yield the events of one question, the answer last."""
        run, state = self._run(thread, context, approve), {}
        given: Any = {"question": question}
        while given is not None:
            for mode, part in run.parts(given):
                if mode == "values":
                    state = part
                elif event := event_of(part):
                    yield event
            given = run.reply_to(state)
        yield AnswerEvent(answer=Answer.of_outcome(state, run.corpus))

    async def astream(
        self, question: str, thread: str | None, context: ContextLike, approve: Approve | None
    ) -> AsyncIterator[StepEvent | AnswerEvent]:
        """Yield the same; the nodes run in threads, so that the event loop is free."""
        run, state = self._run(thread, context, approve), {}
        given: Any = {"question": question}
        while given is not None:
            async for mode, part in run.aparts(given):
                if mode == "values":
                    state = part
                elif event := event_of(part):
                    yield event
            given = await run.areply_to(state)
        yield AnswerEvent(answer=Answer.of_outcome(state, run.corpus))

    def _run(
        self, thread: str | None, context: ContextLike, approve: Approve | None, *, remembers: bool = False
    ) -> _Run:
        """Return the run; without a thread, it has a checkpointer of its own if it ``remembers`` or may be paused."""
        given = context.model_dump(exclude_unset=True) if isinstance(context, Context) else dict(context or {})
        # Every field is set, so that a run inside another graph ignores that graph's configurable.
        chosen = Context.model_validate(Context.model_validate({}).model_dump() | {"corpus": self._corpus} | given)
        if approve is not None:
            chosen = chosen.model_copy(update={"approve_sql": True})
        elif chosen.approve_sql:
            raise ConfigError("approve_sql needs a function to ask: pass it as approve=")
        if chosen.pause_to_ask:
            raise ConfigError("pause_to_ask is for served runs: here an answer asks back, and its thread goes on")
        graph = self._alone if thread is None else self._in_threads
        if thread is None and (remembers or approve is not None):
            graph = self._alone.copy(update={"checkpointer": InMemorySaver()})
        config = RunnableConfig(configurable={"thread_id": thread or ONE_RUN})
        return _Run(graph, config, chosen, approve, chosen.corpus or self._corpus)
