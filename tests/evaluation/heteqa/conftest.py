"""One small benchmark, built once for all tests that only read it."""

import shutil
from pathlib import Path

import pytest

from tablerag.evaluation.heteqa.building import build
from tablerag.evaluation.heteqa.composing_by_grammar import compose_by_grammar
from tests.evaluation.heteqa.native_tables import write_native


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in OTT-QA's layout."""
    return write_native(tmp_path_factory.mktemp("ottqa"))


@pytest.fixture(scope="session")
def built(native: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder built from templates; never change it."""
    out = tmp_path_factory.mktemp("built") / "heteqa"
    build(native, out, compose_by_grammar, composed_by="grammar", per_table=16)
    return out


@pytest.fixture
def copied(built: Path, tmp_path: Path) -> Path:
    """Return a copy of the built folder, to annotate."""
    return Path(shutil.copytree(built, tmp_path / "heteqa"))
