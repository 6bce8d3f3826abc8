"""Which reasoner a run asks: the embedded one, or a model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from agent.context import Context
from agent.reasoning import Reasoner
from tools.errors import ConfigError
from tools.services import Services

if TYPE_CHECKING:
    from agent.baseline_model import BaselineModel

__all__ = ["baseline_models", "reasoners"]


def reasoners(services: Services) -> Callable[[Context], Reasoner]:
    """Return a function from a run's context to its reasoner; each is opened once."""

    @lru_cache(maxsize=16)
    def opened(name: str) -> Reasoner:
        # Imported here: a deployment without a model never loads the model's client, which is slow.
        if name == "offline":
            from agent.offline import OfflineReasoner

            return OfflineReasoner()
        from agent.llm import LlmReasoner
        from tools.models import open_chat_model

        return LlmReasoner(name, open_chat_model(name, services.settings))

    def reasoner_for(context: Context) -> Reasoner:
        return opened(context.model or services.settings.resolved_model)

    return reasoner_for


def baseline_models(services: Services) -> Callable[[Context], BaselineModel]:
    """Return a function from a run's context to the model that plays a baseline; each is opened once."""

    @lru_cache(maxsize=16)
    def opened(name: str) -> BaselineModel:
        if name == "offline":
            raise ConfigError("this baseline needs a model: set OPENAI_API_KEY or OPENAI_BASE_URL")
        from agent.baseline_model import BaselineModel
        from tools.models import open_chat_model

        return BaselineModel(name, open_chat_model(name, services.settings))

    def model_for(context: Context) -> BaselineModel:
        return opened(context.model or services.settings.resolved_model)

    return model_for
