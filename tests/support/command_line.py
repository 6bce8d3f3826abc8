"""The command line in an empty folder of its own: arguments and environment in, status and text out."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablerag.cli.app import main
from tablerag.tools.services import get_services
from tablerag.tools.settings import get_settings

__all__ = ["CommandLine", "command_line"]

CommandLine = Callable[..., tuple[int, str, str]]
"""Takes arguments, and environment variables by keyword, which stay set; returns exit status, stdout and stderr."""


@pytest.fixture
def command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[CommandLine]:
    """Return the command line in ``tmp_path``; every call reads the environment afresh."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def fresh() -> None:
        if get_services.cache_info().currsize:
            get_services().close()
        get_services.cache_clear()
        get_settings.cache_clear()

    def call(*arguments: str, **environment: str) -> tuple[int, str, str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        fresh()
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    yield call
    fresh()
