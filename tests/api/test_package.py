"""The names that the package offers, and what importing it loads."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import tablerag

HEAVY = (
    "chromadb",
    "openai",
    "langchain_openai",
    "langgraph",
    "pdfplumber",
    "openpyxl",
    "numpy",
    "pydantic",
    "sqlalchemy",
)
MARKER = Path(tablerag.__file__).parent / "py.typed"


def test_names_are_sorted_and_all_there() -> None:
    assert list(tablerag.__all__) == sorted(tablerag.__all__)
    assert {*tablerag.__all__} == {*tablerag.MODULES}
    assert all(getattr(tablerag, name) is not None for name in tablerag.__all__)
    assert {*tablerag.__all__} <= {*dir(tablerag)}


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(inspect.getsource(tablerag))
    (block,) = [n for n in tree.body if isinstance(n, ast.If)]
    seen = {(n.module, a.name) for n in block.body if isinstance(n, ast.ImportFrom) for a in n.names}
    assert seen == {(f"tablerag.{module}", name) for name, module in tablerag.MODULES.items()}
    assert MARKER.is_file()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'tablerag' has no attribute 'TableRag'"):
        _ = tablerag.TableRag


@pytest.mark.parametrize("use", ["import tablerag", "from tablerag.tools.errors import ConfigError"])
def test_importing_loads_nothing_heavy(use: str) -> None:
    loaded = f"import sys; {use}; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.split()
    assert not {m.partition(".")[0] for m in modules} & {*HEAVY}


def test_both_clients_have_the_same_methods() -> None:
    def shape(kind: type) -> dict[str, list[str]]:
        public = {n: m for n, m in vars(kind).items() if not n.startswith("_") and callable(getattr(kind, n))}
        return {n: list(inspect.signature(getattr(kind, n)).parameters) for n in public}

    assert shape(tablerag.TableRAG) == shape(tablerag.AsyncTableRAG)
    assert list(inspect.signature(tablerag.TableRAG).parameters) == list(
        inspect.signature(tablerag.AsyncTableRAG).parameters
    )
