"""The cache of model calls: what was asked and answered once is not paid for again."""

import json
import threading
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from langchain_core.caches import BaseCache

from tablerag.tools.errors import ConfigError

__all__ = ["open_cache"]

OPENING = threading.Lock()
NOT_ASKED = ("request_timeout", "max_retries")
"""Of a client's settings, what says how long and how often it asks, not what."""


class AskedOnce(BaseCache):
    """A cache under another one's keys less NOT_ASKED: patience may be changed without paying for all calls anew."""

    def __init__(self, kept: BaseCache) -> None:
        self._kept = kept

    def lookup(self, prompt: str, llm_string: str) -> Sequence[Any] | None:
        """Return what was answered; None if it was not asked yet."""
        return self._kept.lookup(prompt, _what_decides(llm_string))

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Any]) -> None:
        """Keep an answer."""
        self._kept.update(prompt, _what_decides(llm_string), return_val)

    def clear(self, **kwargs: Any) -> None:
        """Forget all answers."""
        self._kept.clear(**kwargs)


def _what_decides(llm_string: str) -> str:
    """Return LangChain's description of a client (JSON, "---", the call's parameters) less NOT_ASKED."""
    client, mark, parameters = llm_string.partition("---")
    try:
        told = json.loads(client)
    except ValueError:
        return llm_string
    told["kwargs"] = {k: v for k, v in told["kwargs"].items() if k not in NOT_ASKED}
    return json.dumps(told, sort_keys=True) + mark + parameters


def open_cache(url: str) -> BaseCache:
    """Return the cache at a database's URL, opened once; raise ConfigError where it cannot be opened."""
    with OPENING:  # threads that create its table at one time would fail
        return _opened(url)


@lru_cache(maxsize=4)
def _opened(url: str) -> BaseCache:
    """Open the cache; its package is loaded only when it is wanted."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import SQLAlchemyError

    # Its package announces its end, and its reading of entries is "beta": neither is a user's concern.
    warnings.filterwarnings("ignore", message=".*langchain-community.*")
    warnings.filterwarnings("ignore", message=".*(`loads` is in beta|allowed_objects).*")
    from langchain_community.cache import SQLAlchemyCache

    try:
        return AskedOnce(SQLAlchemyCache(create_engine(url)))
    except (SQLAlchemyError, ImportError) as error:
        # The URL is not shown: it may hold a password.
        raise ConfigError(
            f"TABLERAG_LLM_CACHE cannot be opened ({type(error).__name__}): expected a database URL that can be "
            "written to, e.g. sqlite:///llm_cache.db"
        ) from error
