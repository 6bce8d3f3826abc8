"""Shell completion and the version, as a shell asks for them."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest


def tablerag(*arguments: str, **environment: str) -> str:
    code = "import sys; sys.argv[0] = 'tablerag'; from tablerag.cli.app import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    # Without its variable Typer asks which shell called, and a test is called by none.
    given = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"} | environment
    done = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_version_is_the_installed_one() -> None:
    assert tablerag("--version") == f"tablerag {version('tablerag')}\n"


@pytest.mark.parametrize(
    ("words", "position", "expected"),
    [
        ("tablerag de", 1, {"describe"}),
        ("tablerag ask --sh", 2, {"--show-sql"}),
        ("tablerag eval wi", 2, {"wikitq"}),
        ("tablerag heteqa ", 2, {"build", "annotate", "stats"}),
    ],
)
def test_words_are_completed(words: str, position: int, expected: set[str]) -> None:
    asked = {"_TABLERAG_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(position)}
    assert set(tablerag(**asked).split()) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_of_each_shell_is_shown(shell: str) -> None:
    assert "_TABLERAG_COMPLETE" in tablerag("--show-completion", shell)


def test_completion_is_installed_for_the_user(tmp_path: Path) -> None:
    assert "bash completion installed" in tablerag("--install-completion", "bash", HOME=str(tmp_path))
    (written,) = [p for p in tmp_path.rglob("*.sh") if p.is_file()]
    assert "_TABLERAG_COMPLETE" in written.read_text(encoding="utf-8")
    assert written.name in (tmp_path / ".bashrc").read_text(encoding="utf-8")
