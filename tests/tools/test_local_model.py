"""Models in GGUF files, by a model of random weights: it has nothing to say, and says it in any schema."""

import json
import sys
import threading
import time
from pathlib import Path

import pytest

from tablerag.tools import local_model
from tablerag.tools.errors import ConfigError
from tablerag.tools.model_calls import CALL
from tablerag.tools.models import asker, open_chat_model, ping_model
from tablerag.tools.settings import Settings
from tests.support.tiny_gguf import write_tiny_gguf

YES_OR_NO = {
    "type": "object",
    "properties": {"answer": {"enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


@pytest.fixture
def settings() -> Settings:
    return Settings(gguf_context=2048, llm_timeout_s=60, llm_retries=0, _env_file=None)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("xllamacpp")
    return f"gguf:{write_tiny_gguf(tmp_path_factory.mktemp('models') / 'tiny.gguf')}"


def test_the_extra_is_named_where_it_is_missing(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(ConfigError, match=r'needs the extra "local": run pip install "tablerag\[local\]"$'):
        open_chat_model(f"gguf:{tmp_path / 'm.gguf'}", settings)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "could not read the model file .*m.gguf: No such file or directory: check the path after gguf:"),
        (b"<html>Not found</html>", "is not a GGUF file"),
        (b"GGUF\x03\x00\x00\x00damaged", "could not load .*m.gguf: the file is damaged"),
    ],
    ids=["missing", "another kind", "damaged"],
)
def test_a_file_that_is_no_model_is_one_clear_line(
    tmp_path: Path, settings: Settings, content: bytes | None, says: str
) -> None:
    pytest.importorskip("xllamacpp")
    if content is not None:
        (tmp_path / "m.gguf").write_bytes(content)
    with pytest.raises(ConfigError, match=says) as caught:
        open_chat_model(f"gguf:{tmp_path / 'm.gguf'}", settings)
    assert "\n" not in str(caught.value)


def test_a_model_answers_in_a_json_schema(model: str, settings: Settings) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": YES_OR_NO, "strict": True}}
    reply = open_chat_model(model, settings).bind(response_format=form, max_tokens=200).invoke("Is it?")
    assert json.loads(reply.text)["answer"] in ("yes", "no")
    assert reply.usage_metadata["input_tokens"] > 5


def test_one_server_serves_a_file_until_the_end(model: str, settings: Settings) -> None:
    path = model.partition(":")[2]
    server = local_model.serve(path, 2048)
    assert local_model.serve(path, 2048) is server
    assert server.url.startswith("http://127.0.0.1:")
    assert ping_model(model, settings) == f"{model} answers"
    local_model.stop_servers()
    assert local_model.serve(path, 2048) is not server
    assert asker(model, settings.model_copy(update={"llm_timeout_s": 30.0}))


def test_a_server_with_api_keys_takes_only_its_own_file(tmp_path: Path) -> None:
    keys = {"api_keys": '{"secret": ["*"]}', "model": "openai:x", "_env_file": None}
    with pytest.raises(ConfigError, match="is not the model file of this server"):
        open_chat_model(f"gguf:{tmp_path / 'm.gguf'}", Settings(**keys))


def test_a_call_that_was_given_up_hangs_up_before_its_server_stops() -> None:
    hung_up = threading.Event()
    threading.Thread(target=lambda: (time.sleep(0.2), hung_up.set()), name=CALL, daemon=True).start()
    local_model.stop_servers()
    assert hung_up.is_set()


def test_a_call_without_end_keeps_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    threading.Thread(target=released.wait, name=CALL, daemon=True).start()
    monkeypatch.setattr(local_model, "HANG_UP_S", 0.1)
    begun = time.monotonic()
    local_model.stop_servers()
    assert time.monotonic() - begun < 2.0
    released.set()
