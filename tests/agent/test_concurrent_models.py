"""Reasoners opened by several threads at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from tablerag.tools.models import open_chat_model
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer


def test_threads_open_one_cache_at_one_time(tmp_path: Path, model_server: ModelServer) -> None:
    settings = Settings(
        openai_base_url=model_server.url, llm_cache=f"sqlite:///{tmp_path / 'calls.db'}", llm_retries=0, _env_file=None
    )
    together = Barrier(8)

    def opened(number: int) -> str:
        together.wait()
        return open_chat_model(f"openai:m{number}", settings).invoke("Say ok.").text

    model_server.enqueue(*["ok"] * 8)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(opened, range(8))) == ["ok"] * 8
