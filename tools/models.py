"""Chat models by name. Only this module knows langchain-openai and its client's errors."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import openai
from langchain_core.language_models import BaseChatModel
from langchain_core.rate_limiters import BaseRateLimiter, InMemoryRateLimiter
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tablerag.tools.errors import ConfigError, ModelUnavailable
from tablerag.tools.model_cache import open_cache
from tablerag.tools.settings import Settings

__all__ = ["STATUS_ERRORS", "asker", "model_errors", "open_chat_model", "ping_model", "refuses_tools"]

NO_KEY = "none-needed"
"""Sent to servers that ask for no key: the client insists on one."""
OWN_TEMPERATURE = re.compile(r"o\d|gpt-[5-9](?!.*chat)")
"""Names of reasoning models, which refuse any temperature but their own."""
KEYS = re.compile(r"\b(?:sk|pk|key)-[\w*.-]{3,}|\bBearer\s+\S+", re.IGNORECASE)
STATUS_ERRORS = (openai.APIStatusError,)
"""What the client raises when a server answers with an error."""


def open_chat_model(name: str, settings: Settings) -> BaseChatModel:
    """Open ``openai:NAME`` at the base URL of the settings; raise ConfigError for anything else."""
    provider, _, model = name.partition(":")
    if provider != "openai" or not model:
        raise ConfigError(f"there is no model {name!r}: expected openai:NAME or offline")
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    if not key and not settings.openai_base_url:
        raise ConfigError(
            f"{name} needs a key or a server: set OPENAI_API_KEY, or OPENAI_BASE_URL for a compatible server, "
            "or use the model offline"
        )
    return ChatOpenAI(
        model=model,
        api_key=SecretStr(key or NO_KEY),
        base_url=settings.openai_base_url or None,
        timeout=settings.llm_timeout_s,
        max_retries=settings.llm_retries,
        temperature=None if OWN_TEMPERATURE.match(model) else 0,
        stream_usage=True,
        cache=open_cache(settings.llm_cache) if settings.llm_cache else None,
        rate_limiter=_rate_limiter(settings.llm_calls_per_minute) if settings.llm_calls_per_minute else None,
    )


@lru_cache(maxsize=4)
def _rate_limiter(calls_per_minute: int) -> BaseRateLimiter:
    """Return the one limiter that all models of this process share; bursts are spread out."""
    return InMemoryRateLimiter(requests_per_second=calls_per_minute / 60, check_every_n_seconds=0.05)


@contextmanager
def model_errors(name: str) -> Iterator[None]:
    """Turn the client's errors into ModelUnavailable, one line each, with what to do.

    For one call of the model and nothing else: a reply that is no chat completion shows only as the
    plain TypeError, KeyError and the like that the client stumbles over.
    """
    try:
        yield
    except openai.AuthenticationError as error:
        raise ModelUnavailable(f"{name}: 401, the key was refused: check OPENAI_API_KEY") from error
    except openai.PermissionDeniedError as error:
        raise ModelUnavailable(f"{name}: 403, the key may not use this model: check the account's rights") from error
    except openai.NotFoundError as error:
        raise ModelUnavailable(f"{name}: 404, there is no such model at this server: check TABLERAG_MODEL") from error
    except openai.RateLimitError as error:
        raise ModelUnavailable(f"{name}: 429 after all retries: wait, or check the account's quota") from error
    except openai.APITimeoutError as error:
        raise ModelUnavailable(
            f"{name}: no reply in time: raise TABLERAG_LLM_TIMEOUT_S, or use a faster model"
        ) from error
    except openai.APIConnectionError as error:
        asked = f"{error.request.url.scheme}://{error.request.url.host}:{error.request.url.port or 'default port'}"
        raise ModelUnavailable(
            f"{name}: no connection: check OPENAI_BASE_URL and the network (asked {asked})"
        ) from error
    except openai.APIStatusError as error:
        raise ModelUnavailable(f"{name}: the server answered {error.status_code}: {_said(error.message)}") from error
    except openai.OpenAIError as error:
        raise ModelUnavailable(f"{name}: {_said(error)}") from error
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ModelUnavailable(
            f"{name}: the server's reply is no chat completion ({type(error).__name__}: {_said(error)}): does "
            "OPENAI_BASE_URL end in the API's path, often /v1?"
        ) from error


def _said(message: object) -> str:
    """Return a server's words on one line, short and without keys."""
    return KEYS.sub("***", " ".join(str(message).split()))[:200]


def refuses_tools(error: openai.APIStatusError) -> bool:
    """Say whether a server may have refused a request because it was offered tools; some do not say why."""
    if error.status_code in (400, 422, 501):
        return True
    return error.status_code in (404, 500) and any(w in str(error.message).lower() for w in ("tool", "function"))


def asker(name: str, settings: Settings) -> Callable[[str], str]:
    """Return a function that sends one prompt and returns the reply's text; it raises ModelUnavailable."""
    chat: Any = open_chat_model(name, settings)

    def ask(prompt: str) -> str:
        with model_errors(name):
            return str(chat.invoke(prompt).text)

    return ask


def ping_model(name: str, settings: Settings) -> str:
    """Ask the model for one word and say what answered; raise ConfigError or ModelUnavailable."""
    chat: Any = open_chat_model(name, settings)
    with model_errors(name):
        chat.bind(max_tokens=16).invoke("Reply with the word ok.")
    return f"{name} answers at {settings.openai_base_url or 'the default server'}"
