"""The loop of a model that calls tools, LangChain's ``create_agent``, bounded. Only this module uses langchain.

It is imported when a run needs it: langchain is an extra.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.tools import BaseTool

from tablerag.agent.model.asking import fill, usage_of
from tablerag.agent.model.baseline_prompts import TOOLS_AGAIN
from tablerag.agent.reasoning import Thought
from tablerag.tools.errors import TableRagError
from tablerag.tools.models import STATUS_ERRORS, model_errors

__all__ = ["LoopEnd", "run_loop"]

STEPS_OF_A_CALL = 5
"""LangGraph's steps for one call and its tools, at most."""
TOO_LONG = (400, 413, 422)
"""What servers answer to a conversation that exceeds the model's context."""
Handler = Callable[[ModelRequest], ModelResponse]


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """How a loop ended: with the text of the last message, or with a problem."""

    text: str
    problem: str = ""
    """Why there is no text; "" if there is one."""
    calls_used_up: bool = False


class _Ended(TableRagError):
    """The loop ends without an answer."""


class _UsedUp(_Ended):
    """It made the most calls."""


class _Bounded(AgentMiddleware):
    """Counts the calls and ends the loop after the most; has an empty reply sent again."""

    def __init__(self, name: str, most_calls: int) -> None:
        super().__init__()
        self._name, self._most = name, most_calls
        self.replies: list[AIMessage] = []

    def wrap_model_call(self, request: ModelRequest, handler: Handler) -> ModelResponse:
        """Call the model; raise ModelUnavailable."""
        messages = [_lean(m) for m in request.messages]
        response, reply = self._called(request, messages, handler)
        if not reply.tool_calls and not reply.text.strip():
            problem = "it has a tool call that cannot be read" if reply.invalid_tool_calls else "it is empty"
            again: list[AnyMessage] = [AIMessage("(no text)"), HumanMessage(fill(TOOLS_AGAIN, problem=problem))]
            response, reply = self._called(request, [*messages, *again], handler)
        return response

    def _called(
        self, request: ModelRequest, messages: list[AnyMessage], handler: Handler
    ) -> tuple[ModelResponse, AIMessage]:
        if len(self.replies) >= self._most:
            raise _UsedUp(f"no answer after {self._most} calls")
        with model_errors(self._name):
            try:
                response = handler(request.override(messages=messages))
            except STATUS_ERRORS as error:
                if not self.replies or error.status_code not in TOO_LONG:
                    raise
                raise _Ended(f"the server refused call {len(self.replies) + 1}: {error.status_code}") from error
        reply = next(m for m in response.result if isinstance(m, AIMessage))
        self.replies.append(reply)
        return response, reply


def _lean(message: AnyMessage) -> AnyMessage:
    """Return a reply without its cost, by which a cached call would not be found again."""
    if not isinstance(message, AIMessage):
        return message
    return AIMessage(message.content, tool_calls=message.tool_calls)


def run_loop(
    name: str, chat: BaseChatModel, system: str, question: str, tools: Sequence[BaseTool], most_calls: int
) -> Thought[LoopEnd]:
    """Let a model call tools until it sends a text, with at most so many calls.

    Raises ModelUnavailable, and the errors of the tools.
    """
    bounded = _Bounded(name, most_calls)
    agent = create_agent(chat, tools, system_prompt=system, middleware=[bounded], checkpointer=False)
    try:
        agent.invoke(
            {"messages": [HumanMessage(question)]},
            config={"recursion_limit": STEPS_OF_A_CALL * (most_calls + 1), "tags": ["nostream"]},
        )
        end = LoopEnd(bounded.replies[-1].text)
    except _Ended as ended:
        end = LoopEnd("", str(ended), isinstance(ended, _UsedUp))
    return Thought(end, usage_of(bounded.replies))
