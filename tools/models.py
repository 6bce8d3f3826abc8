"""Chat models by name. Only this module uses langchain-openai and the errors of its client."""

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
"""Sent to servers that need no key; the client requires one."""
OWN_TEMPERATURE = re.compile(r"o\d|gpt-[5-9](?!.*chat)")
"""Names of reasoning models, which only accept their default temperature."""
KEYS = re.compile(r"\b(?:sk|pk|key)-[\w*.-]{3,}|\bBearer\s+\S+", re.IGNORECASE)
STATUS_ERRORS = (openai.APIStatusError,)
"""Errors that the client raises if a server answers with an error."""
ADVICE: dict[type[openai.OpenAIError], str] = {
    openai.AuthenticationError: "401, invalid API key: check OPENAI_API_KEY",
    openai.PermissionDeniedError: "403, no access to this model: check the permissions of the account",
    openai.NotFoundError: "404, model not found: check TABLERAG_MODEL",
    openai.RateLimitError: "429 after all retries: wait, or check the quota of the account",
    openai.APITimeoutError: "timed out: increase TABLERAG_LLM_TIMEOUT_S or use a faster model",
}


def open_chat_model(name: str, settings: Settings) -> BaseChatModel:
    """Open ``openai:NAME`` with the base URL of the settings; raise ConfigError for other names."""
    provider, _, model = name.partition(":")
    if provider != "openai" or not model:
        raise ConfigError(f"unknown model {name!r}: expected openai:NAME or offline")
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
    """Return the limiter that all models of this process share; it spreads out bursts."""
    return InMemoryRateLimiter(requests_per_second=calls_per_minute / 60, check_every_n_seconds=0.05)


@contextmanager
def model_errors(name: str) -> Iterator[None]:
    """Raise ModelUnavailable for errors of the client, in one line with what to do.

    Use it around one call of the model only: a reply that is not a chat completion makes the client raise TypeError,
    KeyError and similar errors.
    """
    try:
        yield
    except openai.OpenAIError as error:
        raise ModelUnavailable(f"{name}: {_reason(error)}") from error
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ModelUnavailable(
            f"{name}: the reply is not a chat completion ({type(error).__name__}: {_in_one_line(error)}): check that "
            "OPENAI_BASE_URL ends with the path of the API, usually /v1"
        ) from error


def _reason(error: openai.OpenAIError) -> str:
    advice = next((text for kind, text in ADVICE.items() if isinstance(error, kind)), None)
    if advice is not None:
        return advice
    if isinstance(error, openai.APIConnectionError):
        asked = f"{error.request.url.scheme}://{error.request.url.host}:{error.request.url.port or 'default port'}"
        return f"could not connect to {asked}: check OPENAI_BASE_URL and the network"
    if isinstance(error, openai.APIStatusError):
        return f"the server answered {error.status_code}: {_in_one_line(error.message)}"
    return _in_one_line(error)


def _in_one_line(message: object) -> str:
    """Return a message of a server in one short line, without API keys."""
    return KEYS.sub("***", " ".join(str(message).split()))[:200]


def refuses_tools(error: openai.APIStatusError) -> bool:
    """Return whether a server may have refused a request because of its tools; some servers give no reason."""
    if error.status_code in (400, 422, 501):
        return True
    return error.status_code in (404, 500) and any(w in str(error.message).lower() for w in ("tool", "function"))


def asker(name: str, settings: Settings) -> Callable[[str], str]:
    """Return a function that sends a prompt and returns the text of the reply; it raises ModelUnavailable."""
    chat: Any = open_chat_model(name, settings)

    def ask(prompt: str) -> str:
        with model_errors(name):
            return str(chat.invoke(prompt).text)

    return ask


def ping_model(name: str, settings: Settings) -> str:
    """Ask the model for one word and return where it answered; raise ConfigError or ModelUnavailable."""
    chat: Any = open_chat_model(name, settings)
    with model_errors(name):
        chat.bind(max_tokens=16).invoke("Reply with the word ok.")
    return f"{name} answers at {settings.openai_base_url or 'the default server'}"
