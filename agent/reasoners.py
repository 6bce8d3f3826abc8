"""Opens a run's reasoner: the embedded one, or a chat model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tablerag.agent.context import Context
from tablerag.agent.reasoning import Reasoner
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import SqlResult, TableSchema
from tablerag.tools.services import Services

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tablerag.agent.model.baseline import BaselineModel

__all__ = ["baseline_models", "name_of", "opened_by_name", "reasoners", "with_schema_only"]

R = TypeVar("R")


class Named(Protocol):
    """A context that names a model; "" for the deployment's own."""

    model: str


def opened_by_name(
    services: Services, offline: Callable[[], R], of_model: Callable[[str, Any], R], model: str | BaseChatModel = ""
) -> Callable[[Named], R]:
    """Return a function from a run's context to its reasoner; each is opened once.

    ``of_model`` takes the model's name and its opened chat model; ``model`` is for runs that name none.
    """
    chat = None if isinstance(model, str) else model
    named = model if isinstance(model, str) else name_of(model)

    @lru_cache(maxsize=16)
    def opened(name: str) -> R:
        if name == "offline":
            return offline()
        # Imported here: a deployment without a model never loads the model's client, which is slow.
        from tablerag.tools.model_calls import timed
        from tablerag.tools.models import open_chat_model

        if chat is not None and name == named:
            return of_model(name, timed(chat, services.settings.llm_timeout_s))
        return of_model(name, open_chat_model(name, services.settings))

    return lambda context: opened(context.model or named or services.settings.resolved_model)


def name_of(chat: BaseChatModel) -> str:
    """Return the name of a chat model in answers: its kind and, if it has one, its model's name.

    Raises ConfigError for what is not a chat model.
    """
    if isinstance(chat, type) or not hasattr(chat, "_llm_type"):
        raise ConfigError(f"model must be a string such as openai:gpt-4o-mini, or a chat model; got {chat!r}")
    kind = chat._llm_type.removesuffix("-chat")
    named = next((n for n in (getattr(chat, k, None) for k in ("model_name", "model")) if isinstance(n, str)), "")
    return f"{kind}:{named}" if named else kind


def reasoners(services: Services, model: str | BaseChatModel = "") -> Callable[[Context], Reasoner]:
    """Return a function from a run's context to TableRAG's reasoner; ``model`` is for runs that name none."""

    def offline() -> Reasoner:
        from tablerag.agent.offline import OfflineReasoner
        from tablerag.tools.connections.patience import guessing
        from tablerag.tools.evidence import result_of
        from tablerag.tools.linked_passages import LinkedPassages

        linked = LinkedPassages(services)

        def run(sql: str, schemas: Sequence[TableSchema]) -> SqlResult:
            with guessing():
                return result_of(services, sql, services.seen(schemas))

        return OfflineReasoner(services.rows, lambda texts: services.embedding.embed(texts), linked=linked, run=run)

    def of_model(name: str, chat: Any) -> Reasoner:
        from tablerag.agent.model.llm import LlmReasoner

        return LlmReasoner(name, chat)

    return opened_by_name(services, offline, of_model, model)


def with_schema_only(reasoner_for: Callable[[Context], Reasoner]) -> Callable[[Context], Reasoner]:
    """Return the same function, whose models see names and types alone where the context says ``schema_only``."""

    def shown(context: Context) -> Reasoner:
        reasoner = reasoner_for(context)
        if not context.schema_only or reasoner.name == "offline":
            return reasoner
        from tablerag.agent.model.schema_only import SchemaOnly

        return SchemaOnly(reasoner)

    return shown


def baseline_models(services: Services) -> Callable[[Named], BaselineModel]:
    """Return a function from a run's context to the model that plays a baseline."""

    def offline() -> BaselineModel:
        raise ConfigError("this baseline needs a model: set OPENAI_API_KEY, OPENAI_BASE_URL or TABLERAG_MODEL")

    def of_model(name: str, chat: Any) -> BaselineModel:
        from tablerag.agent.model.baseline import BaselineModel

        return BaselineModel(name, chat)

    return opened_by_name(services, offline, of_model)
