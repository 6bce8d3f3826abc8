"""Chat models by name, and their errors. Only this module uses langchain-openai and its client."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import openai
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import SecretStr

from tablerag.tools.errors import ConfigError, ModelUnavailable
from tablerag.tools.model_cache import open_cache
from tablerag.tools.model_calls import CallTimedOut, Pacing, TimedChat, timed
from tablerag.tools.model_providers import client_errors, key_of, open_provider, status_of
from tablerag.tools.settings import Settings

__all__ = [
    "STATUS_ERRORS",
    "asker",
    "embedding_errors",
    "model_errors",
    "open_chat_model",
    "open_embeddings",
    "ping_model",
]

NO_KEY = "none-needed"
"""Sent to servers that need no key; the client requires one."""
OWN_TEMPERATURE = re.compile(r"o\d|gpt-[5-9](?!.*chat)|claude-")
"""Names of models that only accept their default temperature."""
KEYS = re.compile(r"\b(?:sk|pk|key)-[\w*.-]{3,}|\bBearer\s+\S+", re.IGNORECASE)
STATUS_ERRORS = (openai.APIStatusError,)
"""Errors that the client raises if a server answers with an error."""
TEXTS_AT_ONCE = 32
"""Texts in one call of an embedding: what servers take at least."""
TIMED_OUT = "timed out: increase TABLERAG_LLM_TIMEOUT_S or use a faster model"
LONGEST_PAUSE_S = 60.0


def open_chat_model(name: str, settings: Settings) -> TimedChat:
    """Open ``PROVIDER:NAME`` or ``gguf:PATH``, with the limits of the settings; raise ConfigError for other names."""
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise ConfigError(f"unknown model {name!r}: expected PROVIDER:NAME such as openai:gpt-4o-mini, or offline")
    common: dict[str, Any] = {
        "cache": open_cache(settings.llm_cache) if settings.llm_cache else None,
        "rate_limiter": _rate_limiter(settings.llm_calls_per_minute) if settings.llm_calls_per_minute else None,
        "temperature": None if OWN_TEMPERATURE.match(model) else 0,
    }
    if provider == "openai":
        chat = _open_openai(name, settings, common)
    elif provider == "gguf":
        if settings.api_keys and name != settings.model:
            raise ConfigError(f"{name} is not the model file of this server: leave the model empty, or use offline")
        from tablerag.tools.local_model import serve

        server = serve(model, settings.gguf_context)
        chat = _compatible(model, server.url, server.key, settings, common)
    else:
        given = {k: v for k, v in common.items() if v is not None}
        chat = open_provider(name, settings, **given)
    return timed(chat, settings.llm_timeout_s, settings.llm_retries, _pause_before)


def _open_openai(name: str, settings: Settings, common: dict[str, Any]) -> ChatOpenAI:
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    if not key and not settings.openai_base_url:
        raise ConfigError(
            f"{name} needs a key or a server: set OPENAI_API_KEY, or OPENAI_BASE_URL for a compatible server, "
            "or use the model offline"
        )
    return _compatible(name.partition(":")[2], settings.openai_base_url, key or NO_KEY, settings, common)


def _compatible(model: str, url: str, key: str, settings: Settings, common: dict[str, Any]) -> ChatOpenAI:
    """Return the client of an OpenAI-compatible server."""
    return ChatOpenAI(
        model=model,
        api_key=SecretStr(key),
        base_url=url or None,
        timeout=settings.llm_timeout_s,
        max_retries=0,  # TimedChat tries again: the client would go on after the limit of the whole call
        stream_usage=True,
        **common,
    )


def open_embeddings(name: str, settings: Settings) -> OpenAIEmbeddings:
    """Return the client of an embedding, ``openai:NAME``; raise ConfigError for another name, or without a server."""
    provider, _, model = name.partition(":")
    if provider != "openai" or not model:
        raise ConfigError(f"TABLERAG_EMBEDDING must be embedded or openai:NAME, got {name!r}")
    secret = settings.embedding_api_key or settings.openai_api_key
    url = settings.embedding_url or settings.openai_base_url
    if not secret and not url:
        raise ConfigError(
            f"the embedding {name} needs a key or a server: set OPENAI_API_KEY, or TABLERAG_EMBEDDING_URL for a "
            "compatible server, or TABLERAG_EMBEDDING=embedded"
        )
    return OpenAIEmbeddings(
        model=model,
        api_key=secret or SecretStr(NO_KEY),
        base_url=url or None,
        timeout=settings.embedding_timeout_s,
        max_retries=settings.llm_retries,
        chunk_size=TEXTS_AT_ONCE,
        # Texts are sent as they are: other servers do not know the tokens of OpenAI's models.
        check_embedding_ctx_length=False,
    )


def _pause_before(error: Exception, tried: int) -> float | None:
    """Return the seconds to wait before a request is sent again; None if it would be refused again, or timed out."""
    if isinstance(error, openai.APITimeoutError) or not isinstance(error, openai.APIError):
        return None
    if isinstance(error, openai.APIStatusError):
        if error.status_code not in (408, 409, 429) and error.status_code < 500:
            return None
        wanted = error.response.headers.get("retry-after", "")
        if re.fullmatch(r"\d+(\.\d+)?", wanted) and 0 < float(wanted) <= LONGEST_PAUSE_S:
            return float(wanted)
    return min(0.5 * 2**tried, 8.0) * random.uniform(0.75, 1.0)


@lru_cache(maxsize=4)
def _rate_limiter(calls_per_minute: int) -> Pacing:
    """Return the limiter that all models of this process share; it spreads out bursts."""
    return Pacing(requests_per_second=calls_per_minute / 60, check_every_n_seconds=0.05)


@contextmanager
def model_errors(name: str) -> Iterator[None]:
    """Raise ModelUnavailable for errors of the client, in one line with what to do.

    Use it around one call of the model only: a reply that is not a chat completion makes the client raise TypeError,
    KeyError and similar errors.
    """
    try:
        yield
    except CallTimedOut as error:
        raise ModelUnavailable(f"{name}: {TIMED_OUT}") from error
    except (openai.OpenAIError, *client_errors()) as error:
        raise ModelUnavailable(f"{name}: {_reason(name, error)}") from error
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        where = "OPENAI_BASE_URL ends with the path of the API, usually /v1"
        check = where if name.startswith("openai:") else "it is a chat model"
        raise ModelUnavailable(
            f"{name}: the reply is not a chat completion ({type(error).__name__}: {_in_one_line(error)}): check that "
            f"{check}"
        ) from error


@contextmanager
def embedding_errors(name: str) -> Iterator[None]:
    """Raise ModelUnavailable for errors of the client of an embedding, in one line with what to do."""
    try:
        yield
    except openai.OpenAIError as error:
        raise ModelUnavailable(f"embedding {name}: {_reason_of_embedding(error)}") from error
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ModelUnavailable(
            f"embedding {name}: the reply is no list of vectors ({type(error).__name__}: {_in_one_line(error)}): check "
            "that TABLERAG_EMBEDDING_URL is the path above /embeddings, usually /v1"
        ) from error


def _reason_of_embedding(error: openai.OpenAIError) -> str:
    if isinstance(error, openai.APITimeoutError):
        return "timed out: increase TABLERAG_EMBEDDING_TIMEOUT_S or use a faster server"
    if isinstance(error, openai.APIConnectionError):
        asked = f"{error.request.url.scheme}://{error.request.url.host}:{error.request.url.port or 'default port'}"
        return f"could not connect to {asked}: start the server, or fix TABLERAG_EMBEDDING_URL"
    said = _in_one_line(getattr(error, "message", error))
    status = status_of(error)
    setting = {401: "_API_KEY", 403: "_API_KEY", 404: " and TABLERAG_EMBEDDING_URL"}.get(status or 0)
    if setting:
        return f"the server answered {status}: {said}: check TABLERAG_EMBEDDING{setting}"
    return said if status is None else f"the server answered {status}: {said}"


def _reason(name: str, error: BaseException) -> str:
    """Return what is wrong and how to fix it."""
    advice = {
        401: f"401, invalid API key: check {key_of(name)}",
        403: "403, no access to this model: check the permissions of the account",
        404: "404, model not found: check TABLERAG_MODEL",
        429: "429 after all retries: wait, or check the quota of the account",
    }
    status = status_of(error)
    if status in advice:
        return advice[status]
    if isinstance(error, openai.APITimeoutError) or "timeout" in type(error).__name__.lower():
        return TIMED_OUT
    if isinstance(error, openai.APIConnectionError):
        asked = f"{error.request.url.scheme}://{error.request.url.host}:{error.request.url.port or 'default port'}"
        return f"could not connect to {asked}: check OPENAI_BASE_URL and the network"
    if status is not None:
        return f"the server answered {status}: {_in_one_line(getattr(error, 'message', error))}"
    if isinstance(error, openai.OpenAIError):
        return _in_one_line(error)
    return f"could not connect: check its server and the network ({_in_one_line(error)})"


def _in_one_line(message: object) -> str:
    """Return a message of a server in one short line, without API keys."""
    return KEYS.sub("***", " ".join(str(message).split()))[:200]


def asker(name: str, settings: Settings) -> Callable[[str], str]:
    """Return a function that sends a prompt and returns the text of the reply; it raises ModelUnavailable."""
    chat: Any = open_chat_model(name, settings)

    def ask(prompt: str) -> str:
        with model_errors(name):
            return str(chat.invoke(prompt).text)

    return ask


def ping_model(name: str, settings: Settings) -> str:
    """Ask the model for one word and return where it answered; raise ConfigError or ModelUnavailable."""
    chat = open_chat_model(name, settings)
    short = chat.bind(max_tokens=16) if isinstance(chat.bound, ChatOpenAI) else chat
    with model_errors(name):
        short.invoke("Reply with the word ok.")
    where = settings.openai_base_url if name.startswith("openai:") else ""
    return f"{name} answers at {where or 'its default server'}" if not name.startswith("gguf:") else f"{name} answers"
