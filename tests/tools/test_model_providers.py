"""Models of other providers: their clients ask a stand-in over HTTP."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import util
from typing import Any

import pytest

from tablerag.tools import model_providers
from tablerag.tools.errors import ConfigError, ModelUnavailable
from tablerag.tools.models import model_errors, open_chat_model
from tablerag.tools.settings import Settings

REPLIES: dict[str, Any] = {
    "/v1/messages": {
        "id": "m", "type": "message", "role": "assistant", "model": "x", "stop_reason": "end_turn",
        "stop_sequence": None, "content": [{"type": "text", "text": "ten"}],
        "usage": {"input_tokens": 20, "cache_read_input_tokens": 80, "output_tokens": 10},
    },
    "/v1/chat/completions": {
        "id": "c", "object": "chat.completion", "created": 1, "model": "x",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "ten"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    },
    "/api/chat": {
        "model": "x", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": "ten"},
        "done": True, "done_reason": "stop", "prompt_eval_count": 100, "eval_count": 10,
    },
}  # fmt: skip
KEYS = {"anthropic_api_key": "k", "google_api_key": "k", "mistral_api_key": "k"}
AZURE = {"azure_openai_api_key": "k", "openai_api_version": "2024-10-21"}


class Provider:
    """A server that answers as every provider's does, or with one status."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.status = 200
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: Any) -> None:
                """Say nothing: the test reads ``asked``."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                path = self.path.partition("?")[0]
                owner.asked.append((path, body))
                known = path if path in REPLIES else "/v1/chat/completions"
                reply = REPLIES[known] if owner.status == 200 else {"error": {"message": "no", "type": "refused"}}
                self.send_response(owner.status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(reply).encode() + b"\n")

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A running stand-in, where every client looks for its server."""
    running = Provider()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", running.url)
    monkeypatch.setenv("MISTRAL_BASE_URL", f"{running.url}/v1")
    yield running
    running.server.shutdown()
    running.server.server_close()


def settings(provider: Provider, **changes: Any) -> Settings:
    servers = {"ollama_host": provider.url, "azure_openai_endpoint": provider.url}
    return Settings(**(KEYS | AZURE | servers | {"llm_retries": 0, "llm_timeout_s": 9, "_env_file": None} | changes))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("anthropic:claude-x", "/v1/messages"),
        ("azure:my-gpt", "/openai/deployments/my-gpt/chat/completions"),
        ("azure_openai:my-gpt", "/openai/deployments/my-gpt/chat/completions"),
        ("mistral:mistral-small", "/v1/chat/completions"),
        ("ollama:qwen3:8b", "/api/chat"),
    ],
)
def test_each_provider_is_asked(provider: Provider, name: str, path: str) -> None:
    reply = open_chat_model(name, settings(provider)).invoke("How much?")
    assert reply.text == "ten"
    assert (reply.usage_metadata["input_tokens"], reply.usage_metadata["output_tokens"]) == (100, 10)
    (asked,) = provider.asked
    assert asked[0] == path
    assert asked[1].get("model", "my-gpt") == name.partition(":")[2]


def test_google_is_opened(provider: Provider) -> None:
    pytest.importorskip("langchain_google_genai")
    chat = open_chat_model("google:gemini-2.5-flash", settings(provider))
    assert "gemini-2.5-flash" in chat.bound.model


@pytest.mark.parametrize(("status", "says"), [(401, "401, invalid API key: check ANTHROPIC_API_KEY"), (529, "529")])
def test_errors_are_one_clear_line(provider: Provider, status: int, says: str) -> None:
    provider.status = status
    chat = open_chat_model("anthropic:x", settings(provider))
    with pytest.raises(ModelUnavailable, match=f"^anthropic:x: .*{says}"), model_errors("anthropic:x"):
        chat.invoke("How much?")


def test_a_server_that_does_not_run_is_one_clear_line(provider: Provider) -> None:
    chat = open_chat_model("ollama:x", settings(provider, ollama_host="http://127.0.0.1:9"))
    with pytest.raises(ModelUnavailable, match="^ollama:x: could not connect"), model_errors("ollama:x"):
        chat.invoke("How much?")


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("anthropic:x", "ANTHROPIC_API_KEY"),
        ("mistral:x", "MISTRAL_API_KEY"),
        ("azure:x", "AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT and OPENAI_API_VERSION: set them"),
    ],
)
def test_a_missing_key_is_named(name: str, variable: str) -> None:
    with pytest.raises(ConfigError, match=f"^{name} needs {variable}"):
        open_chat_model(name, Settings(_env_file=None))


@pytest.mark.parametrize("extra", model_providers.PROVIDERS)
def test_a_missing_extra_is_named(extra: str, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_providers, "find_spec", lambda module: None if "langchain" in module else util.find_spec)
    with pytest.raises(ConfigError, match=rf'needs the extra "{extra}": run pip install "tablerag\[{extra}\]"$'):
        open_chat_model(f"{extra}:x", settings(provider))


def test_a_provider_without_an_extra_names_its_package(provider: Provider) -> None:
    with pytest.raises(ConfigError, match="groq:llama: .*pip install langchain-groq"):
        open_chat_model("groq:llama", settings(provider))
