"""Transcripts print what they show, and snippets run, in a folder that holds nothing but the example corpus."""

import ast
import importlib
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, fences, page_name
from tests.docs.running import Done, Run, running

TRANSCRIPTS = [page for page in PAGES if fences(page, "console")]
RUN_PYTHON = [ROOT / p for p in ("README.md", "docs/tutorial.md", "docs/how-to/python.md", "docs/how-to/approval.md")]
RUN_SHELL = [ROOT / "docs/how-to/verify.md"]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Return what runs commands and snippets."""
    with running() as run:
        yield run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the example corpus in it."""
    shutil.copytree(ROOT / "examples" / "corpus", tmp_path / "examples" / "corpus")
    return tmp_path


def run_line(run: Run, line: str, folder: Path) -> Done:
    """Run one line of a shell that calls ``tablerag``, with its output in a file if it says so."""
    command, _, target = line.partition(" > ")
    program, *arguments = shlex.split(command, comments=True)
    assert program == "tablerag"
    done = run(folder, arguments)
    if target:
        (folder / target).write_text(done.out, encoding="utf-8")
    return done


def steps(block: str) -> list[tuple[str, str]]:
    """Return the commands of a transcript, each with the output shown below it."""
    return re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


def fits(shown: str, printed: str) -> bool:
    """Say whether a shown output is the printed one: a line ``...`` stands for any lines, at an end for its rest."""
    pattern = ""
    for line in shown.splitlines():
        if line == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += re.escape(line.removesuffix("...").rstrip()) + (".*" if line.endswith("...") else "") + r" *\n"
    return re.fullmatch(pattern, printed) is not None


@pytest.mark.parametrize("page", TRANSCRIPTS, ids=page_name)
def test_transcripts_show_what_is_printed(page: Path, folder: Path, run: Run) -> None:
    for block in fences(page, "console"):
        for command, shown in steps(block):
            done = run_line(run, command, folder)
            assert fits(shown, done.out), f"{command}\nprints:\n{done.out}{done.err}"


def test_a_transcript_that_shows_something_else_is_found() -> None:
    printed = "1774500\nverdict agree\nSELECT 1\n"
    assert fits("1774500\n...\nSELECT 1\n", printed) and fits("177...\n...\n", printed)
    assert not fits("1774500\nSELECT 1\n", printed)
    assert not fits("1774501\n...\n", printed)
    assert not fits("1774500\nverdict agree\n", printed)


@pytest.mark.parametrize("page", RUN_SHELL, ids=page_name)
def test_shell_blocks_run(page: Path, folder: Path, run: Run) -> None:
    assert run(folder, ["ingest", "examples/corpus"]).status == 0
    for line in "".join(fences(page, "sh")).splitlines():
        done = run_line(run, line, folder)
        assert done.status == 0, f"{line}\n{done.out}{done.err}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_python_snippets_compile_and_import_what_exists(page: Path) -> None:
    for block in fences(page, "python"):
        for node in ast.walk(ast.parse(block, page_name(page))):
            if isinstance(node, ast.ImportFrom):
                module = importlib.import_module(node.module or "")
                assert [a.name for a in node.names if not hasattr(module, a.name)] == []


@pytest.mark.parametrize("page", RUN_PYTHON, ids=page_name)
def test_python_snippets_run(page: Path, folder: Path, run: Run) -> None:
    blocks = fences(page, "python")
    assert blocks
    done = run(folder, code="\n".join(blocks))
    assert done.status == 0, done.err
