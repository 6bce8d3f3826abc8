"""The cache of model calls: the same call is only paid for once."""

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
"""Settings of a client that do not change its replies."""


class AskedOnce(BaseCache):
    """A cache whose keys leave out NOT_ASKED: changing a timeout does not repeat all calls."""

    def __init__(self, kept: BaseCache) -> None:
        self._kept = kept

    def lookup(self, prompt: str, llm_string: str) -> Sequence[Any] | None:
        """Return the cached reply, or None."""
        return self._kept.lookup(prompt, _what_decides(llm_string))

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Any]) -> None:
        """Cache a reply."""
        self._kept.update(prompt, _what_decides(llm_string), return_val)

    def clear(self, **kwargs: Any) -> None:
        """Remove all replies."""
        self._kept.clear(**kwargs)


def _what_decides(llm_string: str) -> str:
    """Return LangChain's description of a client (JSON, "---", parameters of the call) without NOT_ASKED."""
    client, mark, parameters = llm_string.partition("---")
    try:
        described = json.loads(client)
    except ValueError:
        return llm_string
    described["kwargs"] = {k: v for k, v in described["kwargs"].items() if k not in NOT_ASKED}
    return json.dumps(described, sort_keys=True) + mark + parameters


def open_cache(url: str) -> BaseCache:
    """Return the cache in a database, opened once; raise ConfigError if it cannot be opened."""
    with OPENING:  # two threads that create its table at the same time would fail
        return _opened(url)


@lru_cache(maxsize=4)
def _opened(url: str) -> BaseCache:
    """Open the cache; its package is only loaded if it is used."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import SQLAlchemyError

    # The package warns of its deprecation, and that reading entries is in beta: users can do nothing about it.
    warnings.filterwarnings("ignore", message=".*langchain-community.*")
    warnings.filterwarnings("ignore", message=".*(`loads` is in beta|allowed_objects).*")
    from langchain_community.cache import SQLAlchemyCache

    try:
        return AskedOnce(SQLAlchemyCache(create_engine(url)))
    except (SQLAlchemyError, ImportError) as error:
        # The URL is not shown: it may hold a password.
        raise ConfigError(
            f"could not open TABLERAG_LLM_CACHE ({type(error).__name__}): expected the URL of a writable database, "
            "e.g. sqlite:///llm_cache.db"
        ) from error
