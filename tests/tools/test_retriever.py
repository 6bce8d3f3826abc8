"""Fusion of both indexes' scores."""

from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.tools.retriever import HybridRetriever, fuse
from tablerag.tools.services import Services
from tablerag.tools.stores.tantivy_index import TantivyIndex
from tests.tools.stores.lexical_index_contract import CHUNKS


def test_fusion_keeps_how_much_better_the_first_is() -> None:
    ranked = fuse({"a": 0.9, "b": 0.1, "c": -0.5}, {"b": 8.0, "d": 2.0}, 0.5)
    assert ranked == [("b", pytest.approx(0.5 + 0.05 / 0.9)), ("a", 0.5), ("d", 0.125), ("c", 0.0)]
    assert fuse({}, {}, 0.5) == []


def test_the_retriever_scores_what_one_index_missed(tmp_path: Path) -> None:
    class Dense:
        def search(self, query, k, kinds=None):
            return [CHUNKS[2]]

        def scores(self, query, ids):
            return dict.fromkeys(ids, 0.5) | {"d3:0": 1.0}

    index = TantivyIndex("default", tmp_path)
    index.add(CHUNKS)
    found = HybridRetriever(Dense(), index, dense_weight=0.5).search("stock in oslo", 5)
    assert [(c.id, c.score) for c in found] == [("d2:0", pytest.approx(0.75)), ("d3:0", pytest.approx(0.5))]


def test_a_search_is_repeated_only_when_an_index_changed(tmp_path: Path) -> None:
    index = TantivyIndex("default", tmp_path)
    index.add(CHUNKS)
    seen: list[str] = []

    class Counted:
        def search(self, query, k, kinds=None):
            seen.append(query)
            return index.search(query, k, kinds)

        def scores(self, query, ids):
            return index.scores(query, ids)

    hidden: set[str] = set()
    retriever = HybridRetriever(Counted(), index, published=lambda ids: ids - hidden, generation=index.version)
    query = CHUNKS[0].title
    first = retriever.search(query, 5)
    asked = len(seen)
    assert retriever.search(query, 5) == first and len(seen) == asked
    hidden.add(first[0].document_id)
    assert first[0].id not in {c.id for c in retriever.search(query, 5)}, "what is visible is asked each time"
    index.add([CHUNKS[0].model_copy(update={"id": "new", "document_id": "other"})])
    assert "new" in {c.id for c in retriever.search(query, 5)} and len(seen) > asked


def test_a_question_searches_for_the_same_once(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n3,5\n", encoding="utf-8")
    (tmp_path / "notes.md").write_text("# Notes\n\nAnn Lee looks after the orders.\n", encoding="utf-8")
    rag = TableRAG.over(services)
    rag.ingest(tmp_path)
    recalled: list[tuple[object, ...]] = []
    recall = HybridRetriever._recall

    def counted(self, query, k, kinds):
        recalled.append((query, k, kinds))
        return recall(self, query, k, kinds)

    monkeypatch.setattr(HybridRetriever, "_recall", counted)
    for question in ("What is the total amount of the orders?", "Who looks after the orders?"):
        for times in (1, 2):
            assert rag.ask(question).text
            mine = [r for r in recalled if r[0] == question]
            assert mine and len(mine) == len(set(mine)), f"asked {times} times, nothing changed"
    before = len(recalled)
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n3,6\n", encoding="utf-8")
    rag.ingest(tmp_path)
    assert rag.ask("What is the total amount of the orders?").value == 36
    assert len(recalled) > before, "another generation is searched again"
