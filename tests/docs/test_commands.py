"""Every command in the README and docs/ exists, with its options."""

import importlib.util
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from docs.generated import commands as command_tree
from tablerag.cli.app import app
from tests.docs.pages import PAGES, ROOT, commands, inline_commands, page_name

OTHERS = {"export", ".", "docker", "kubectl", "curl", "ray", "sudo"}
"""Commands of other programs, which no test of ours can check."""
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


class Wrong(AssertionError):
    """A documented command that does not work."""


def check(words: list[str], whole: bool) -> None:
    """Raise Wrong for a command that does not exist; one that is not ``whole`` may leave arguments out."""
    match words:
        case ["tablerag", *arguments]:
            check_tablerag(arguments, whole)
        case ["make", *targets]:
            unknown = {t for t in targets if "=" not in t} - TARGETS
            if unknown:
                raise Wrong(f"the Makefile has no target {', '.join(sorted(unknown))}")
        case ["python", "-m", module, *arguments]:
            check_module(module, arguments)
        case ["pip", "install", "-e", package] | ["pip", "install", package]:
            unknown = set(re.findall(r"[a-z0-9]+", package.partition("[")[2])) - set(EXTRAS)
            if unknown:
                raise Wrong(f"pyproject.toml has no extra {', '.join(sorted(unknown))}")
        case [program, *_] if program not in OTHERS:
            raise Wrong(f"no test knows the program {program!r}")


def check_tablerag(arguments: list[str], whole: bool) -> None:
    command, name = typer.main.get_command(app), "tablerag"
    while hasattr(command, "get_command") and arguments:
        context = command.make_context(name, [], resilient_parsing=True)
        word, *arguments = arguments
        if word.startswith("-"):
            if word not in {option for p in command.get_params(context) for option in p.opts}:
                raise Wrong(f"{name} has no option {word}")
            continue
        child = command.get_command(context, word)
        if child is None:
            raise Wrong(f"{name} has no command {word!r}")
        command, name = child, f"{name} {word}"
    if hasattr(command, "get_command"):
        return
    try:
        command.make_context(name, list(arguments))
    except Exception as error:  # click's usage errors, which typer has copies of
        if whole or type(error).__name__ != "MissingParameter":
            raise Wrong(f"{name} {' '.join(arguments)}: {error}") from error


def check_module(module: str, arguments: list[str]) -> None:
    try:
        found = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        found = None
    if found is None or found.origin is None:
        raise Wrong(f"there is no module {module}")
    source = Path(found.origin).read_text(encoding="utf-8") if ROOT in Path(found.origin).parents else None
    if source is not None and "ArgumentParser" in source:
        unknown = [a for a in arguments if a.startswith("--") and f'"{a}"' not in source]
        if unknown:
            raise Wrong(f"python -m {module} has no option {', '.join(unknown)}")


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_documented_commands_exist(page: Path) -> None:
    for words in commands(page):
        check(words, whole=True)
    for words in inline_commands(page):
        check(words, whole=False)


@pytest.mark.parametrize(
    "line",
    [
        "tablerag ingets docs",
        "tablerag ask",
        "tablerag ask Why --jsn",
        "tablerag eval wikitq --data x --top-k 99",
        "tablerag eval wikitqq",
        "make demos",
        "python -m benchmarks.nothing",
        "python -m benchmarks.hdrag_retrieval --date x",
        "pip install -e .[evil]",
        "frobnicate",
    ],
)
def test_wrong_commands_are_found(line: str) -> None:
    with pytest.raises(Wrong):
        check(line.split(), whole=True)


def test_every_command_of_the_readme_is_seen() -> None:
    seen = {" ".join(words[:2]) for words in commands(ROOT / "README.md")}
    assert {"tablerag ingest", "tablerag ask", "tablerag chat", "make demo", "make test"} <= seen


def has_help(param: Any) -> bool:
    return bool(getattr(param, "help", ""))


@pytest.mark.parametrize(
    ("name", "command"), list(command_tree()), ids=lambda part: part if isinstance(part, str) else ""
)
def test_every_command_and_option_has_a_help_text(name: str, command: Any) -> None:
    assert command.help
    assert [p.name for p in command.params if not has_help(p) and not getattr(p, "hidden", False)] == []
