import pytest

from tablerag.tools.errors import ConfigError
from tablerag.tools.models import open_chat_model
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer, Reply


@pytest.mark.parametrize("name", ["gpt-4o", "openai:", ":x", "nobody:x", ""])
def test_unknown_models_are_refused_by_name(name: str) -> None:
    with pytest.raises(ConfigError, match=f"unknown model '{name}': expected .*openai:.* or offline"):
        open_chat_model(name, Settings(_env_file=None))


def test_neither_key_nor_server() -> None:
    with pytest.raises(ConfigError, match="set OPENAI_API_KEY, or OPENAI_BASE_URL"):
        open_chat_model("openai:x", Settings(_env_file=None))


def test_the_cache_answers_the_second_call(model_server: ModelServer, tmp_path) -> None:
    cache = f"sqlite:///{tmp_path / 'cache.db'}"
    settings = Settings(openai_base_url=model_server.url, llm_cache=cache, llm_retries=0, _env_file=None)
    model_server.enqueue("ten")
    assert open_chat_model("openai:x", settings).invoke("How much?").text == "ten"
    assert open_chat_model("openai:x", settings).invoke("How much?").text == "ten"
    assert len(model_server.requests) == 1


def test_more_patience_pays_for_nothing_twice(model_server: ModelServer, tmp_path) -> None:
    """A run that timed out is resumed with a longer timeout, as the error advises: what was answered stays so."""
    cache = f"sqlite:///{tmp_path / 'cache.db'}"
    for reply, model, timeout, retries in (("ten", "x", 5, 0), ("", "x", 50, 2), ("elf", "y", 50, 2)):
        if reply:
            model_server.enqueue(reply)
        settings = Settings(
            openai_base_url=model_server.url, llm_cache=cache, llm_timeout_s=timeout, llm_retries=retries,
            _env_file=None,
        )  # fmt: skip
        assert open_chat_model(f"openai:{model}", settings).invoke("How much?").text == (reply or "ten")
    assert len(model_server.requests) == 2


def test_a_cache_that_is_no_url() -> None:
    with pytest.raises(ConfigError, match="TABLERAG_LLM_CACHE"):
        open_chat_model(
            "openai:x", Settings(openai_base_url="http://127.0.0.1:9", llm_cache="nonsense", _env_file=None)
        )


@pytest.mark.parametrize(
    "url", ["nonsense://u:hunter2@h/db", "mysql+nosuch://u:hunter2@h", "sqlite:////nowhere/at/all.db"]
)
def test_a_cache_that_cannot_be_opened_shows_no_password(url: str) -> None:
    with pytest.raises(ConfigError, match="could not open TABLERAG_LLM_CACHE") as caught:
        open_chat_model("openai:x", Settings(openai_base_url="http://127.0.0.1:9/v1", llm_cache=url, _env_file=None))
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "sent"), [("gpt-4o-mini", 0), ("qwen3:8b", 0), ("o3-mini", None), ("gpt-5", None)])
def test_only_models_that_take_a_temperature_get_one(model_server: ModelServer, name: str, sent: float | None) -> None:
    settings = Settings(openai_base_url=model_server.url, llm_retries=0, _env_file=None)
    model_server.enqueue("ok")
    open_chat_model(f"openai:{name}", settings).invoke("Hello")
    assert model_server.requests[0].get("temperature") == sent


def test_a_streamed_tool_call_arrives_whole_and_is_counted(model_server: ModelServer) -> None:
    settings = Settings(openai_base_url=model_server.url, llm_retries=0, _env_file=None)
    model_server.enqueue(Reply(text="so", tool="look_up", arguments={"name": "Who?"}))
    message = None
    for part in open_chat_model("openai:x", settings).stream("Hello"):
        message = part if message is None else message + part
    assert message.tool_calls[0]["args"] == {"name": "Who?"}
    assert message.usage_metadata["total_tokens"] == 110
    assert model_server.requests[0]["stream_options"] == {"include_usage": True}
