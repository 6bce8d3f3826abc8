"""Every public method has an example, and every example does what it says."""

import asyncio
import doctest
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import tablerag
from tablerag import answer, async_client, client
from tablerag.graphs import tablerag as graphs


def methods_of(kind: type) -> list[str]:
    return [n for n, m in vars(kind).items() if not n.startswith("_") and not isinstance(m, property)]


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in (client.TableRAG, async_client.AsyncTableRAG) for name in methods_of(kind)],
)
def test_every_method_has_an_example(kind: type, name: str) -> None:
    assert ">>> " in inspect.getdoc(getattr(kind, name))


@pytest.fixture
def reports(ingested: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand in a folder with the documents and the stores that the examples name; bring back what they remove."""
    monkeypatch.chdir(ingested)
    yield
    with tablerag.TableRAG("reports.tablerag", model="offline") as rag:
        rag.ingest("reports")


@pytest.mark.parametrize("module", [tablerag, client, async_client, answer, graphs], ids=lambda m: m.__name__)
def test_examples_hold(module: ModuleType, reports: None) -> None:
    kind = tablerag.AsyncTableRAG if module is async_client else tablerag.TableRAG
    examples = sorted(doctest.DocTestFinder().find(module, module.__name__), key=lambda e: ".remove" in e.name)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for example in examples:
        rag = kind("reports.tablerag", model="offline")
        example.globs |= {"rag": rag, "asyncio": asyncio}
        runner.run(example)
        rag.services.close()
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries > 0
