"""The Makefile's setup, with an environment that is empty and nothing installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BARE_PYTHON = """#!/bin/sh
# Makes an environment without pip, in which every command does nothing.
if [ "$1 $2" = "-m venv" ]; then "{python}" -m venv --without-pip "$3" && ln -sf "{nothing}" "$3/bin/python"
else exec "{python}" "$@"; fi
"""


@pytest.mark.parametrize("is_link", [False, True])
def test_setup_makes_the_environment_also_behind_a_link(tmp_path: Path, is_link: bool) -> None:
    folder, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    for name in ("Makefile", "pyproject.toml", "setup.py", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    if is_link:
        (folder / ".venv").symlink_to(elsewhere)
    python = tmp_path / "python"
    python.write_text(BARE_PYTHON.format(python=sys.executable, nothing=shutil.which("true")))
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "setup", f"PYTHON={python}"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert ((elsewhere if is_link else folder / ".venv") / ".ready").is_file()
