"""Chat models of providers other than OpenAI, by LangChain's integrations. Only this module uses langchain."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import ValidationError

from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import Settings

__all__ = ["PROVIDERS", "client_errors", "key_of", "open_provider", "status_of"]


@dataclass(frozen=True, slots=True)
class Provider:
    """How to open a provider's models."""

    langchain: str
    """Its name in LangChain."""
    module: str
    """The integration, installed by the extra of the same name as the provider."""
    settings: Mapping[str, str]
    """Parameters of its chat model, and the fields of Settings that they are taken from."""
    needs: Mapping[str, str]
    """Fields of Settings that must be set, and their variables."""
    fixed: Mapping[str, Any] = field(default_factory=dict)


PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Provider(
        "anthropic",
        "langchain_anthropic",
        {"api_key": "anthropic_api_key", "timeout": "llm_timeout_s", "max_retries": "llm_retries"},
        {"anthropic_api_key": "ANTHROPIC_API_KEY"},
    ),
    "azure": Provider(
        "azure_openai",
        "langchain_openai",
        {
            "api_key": "azure_openai_api_key",
            "azure_endpoint": "azure_openai_endpoint",
            "api_version": "openai_api_version",
            "timeout": "llm_timeout_s",
        },
        {
            "azure_openai_api_key": "AZURE_OPENAI_API_KEY",
            "azure_openai_endpoint": "AZURE_OPENAI_ENDPOINT",
            "openai_api_version": "OPENAI_API_VERSION",
        },
        {"stream_usage": True, "max_retries": 0},
    ),
    "google": Provider(
        "google_genai",
        "langchain_google_genai",
        {"google_api_key": "google_api_key", "timeout": "llm_timeout_s", "max_retries": "llm_retries"},
        {"google_api_key": "GOOGLE_API_KEY"},
    ),
    "mistral": Provider(
        "mistralai",
        "langchain_mistralai",
        {"api_key": "mistral_api_key", "timeout": "llm_timeout_s", "max_retries": "llm_retries"},
        {"mistral_api_key": "MISTRAL_API_KEY"},
    ),
    "ollama": Provider("ollama", "langchain_ollama", {"base_url": "ollama_host"}, {}),
}
"""By the name in TABLERAG_MODEL, which is also the name of the extra."""
CLIENT_ERRORS = (
    ("anthropic", "AnthropicError"),
    ("google.api_core.exceptions", "GoogleAPIError"),
    ("google.genai.errors", "APIError"),
    ("httpx", "HTTPError"),
    ("httpx2", "HTTPError"),
    ("langchain_google_genai._common", "GoogleGenerativeAIError"),
    ("ollama", "ResponseError"),
)
"""Modules and their base classes of errors; ollama also raises ConnectionError."""


def open_provider(name: str, settings: Settings, **common: Any) -> BaseChatModel:
    """Open ``PROVIDER:NAME``; ``common`` are parameters of every chat model. Raises ConfigError."""
    provider_name, _, model = name.partition(":")
    provider = PROVIDERS.get(provider_name) or _by_its_own_name(provider_name)
    if provider is None:
        return _opened(name, model, provider_name, common)
    if find_spec(provider.module) is None:
        extra = next(n for n, p in PROVIDERS.items() if p is provider)
        raise ConfigError(f'{name} needs the extra "{extra}": run pip install "tablerag[{extra}]"')
    missing = [variable for setting, variable in provider.needs.items() if not getattr(settings, setting)]
    if missing:
        them = "it" if len(missing) == 1 else "them"
        raise ConfigError(f"{name} needs {' and '.join(missing)}: set {them}, or use the model offline")
    given = {parameter: getattr(settings, setting) for parameter, setting in provider.settings.items()}
    given = {k: v for k, v in given.items() if v not in (None, "")} | dict(provider.fixed) | common
    if provider.langchain == "azure_openai":
        given["azure_deployment"] = model
    if provider.langchain == "mistralai":
        given["timeout"] = max(1, round(given["timeout"]))  # whole seconds only
    return _opened(name, model, provider.langchain, given)


def _by_its_own_name(name: str) -> Provider | None:
    return next((p for p in PROVIDERS.values() if p.langchain == name), None)


def _opened(name: str, model: str, provider: str, given: Mapping[str, Any]) -> BaseChatModel:
    # Imported here: commands without a model, and openai:NAME, do not need it.
    from langchain.chat_models import init_chat_model

    try:
        return init_chat_model(model, model_provider=provider, **given)
    except ImportError as error:
        raise ConfigError(f"{name}: {_in_one_line(error)}") from error
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise ConfigError(f"{name}: {problems}") from error
    except ValueError as error:
        if "Unsupported provider" not in str(error):
            raise ConfigError(f"{name}: {_in_one_line(error)}") from error
        known = ", ".join(f"{p}:NAME" for p in ("openai", *PROVIDERS))
        raise ConfigError(f"unknown model {name!r}: expected {known}, gguf:PATH or offline") from error


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def key_of(name: str) -> str:
    """Return the variable that holds the key of a model's provider."""
    provider_name = name.partition(":")[0]
    provider = PROVIDERS.get(provider_name) or _by_its_own_name(provider_name)
    return next(iter(provider.needs.values()), "its API key") if provider else "OPENAI_API_KEY"


def client_errors() -> tuple[type[BaseException], ...]:
    """Return the base classes of the errors of all clients that are loaded."""
    found = (getattr(sys.modules.get(module), name, None) for module, name in CLIENT_ERRORS)
    return (ConnectionError, *(kind for kind in found if isinstance(kind, type)))


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status in an error of a client; None if there is none."""
    response = getattr(error, "response", None)
    found = (getattr(error, "status_code", None), getattr(response, "status_code", None), getattr(error, "code", None))
    return next((int(s) for s in found if isinstance(s, int) and s > 0), None)
