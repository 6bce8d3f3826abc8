"""Which reasoner a run asks: the embedded one, or a model behind an OpenAI-compatible endpoint."""

from collections.abc import Callable
from functools import lru_cache

from agent.context import Context
from agent.reasoning import Reasoner
from tools.services import Services

__all__ = ["reasoners"]


def reasoners(services: Services) -> Callable[[Context], Reasoner]:
    """Return a function from a run's context to its reasoner; each is opened once."""

    @lru_cache(maxsize=16)
    def opened(name: str) -> Reasoner:
        # Imported here: a deployment without a model never loads the model's client, which is slow.
        if name == "offline":
            from agent.offline import OfflineReasoner
            from tools.table_rows import RowReader

            return OfflineReasoner(RowReader(services.database), lambda texts: services.embedding.embed(texts))
        from agent.llm import LlmReasoner
        from tools.models import open_chat_model

        return LlmReasoner(name, open_chat_model(name, services.settings))

    def reasoner_for(context: Context) -> Reasoner:
        return opened(context.model or services.settings.resolved_model)

    return reasoner_for
