import pytest

from tests.support.model_server import ModelServer
from tools.errors import ConfigError
from tools.models import open_chat_model
from tools.settings import Settings


@pytest.mark.parametrize("name", ["gpt-4o", "anthropic:claude", "openai:", ""])
def test_unknown_models_are_refused_by_name(name: str) -> None:
    with pytest.raises(ConfigError, match="expected openai:NAME or offline"):
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


def test_a_cache_that_is_no_url() -> None:
    with pytest.raises(ConfigError, match="TABLERAG_LLM_CACHE"):
        open_chat_model(
            "openai:x", Settings(openai_base_url="http://127.0.0.1:9", llm_cache="nonsense", _env_file=None)
        )
