"""Corpora: the same documents share one, which is made once even if several threads ask for it."""

import threading
import time
from pathlib import Path

import pytest

from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.corpora import corpora_of, open_corpus
from tablerag.tools.services import Services
from tests.evaluation.native_sets import heteqa_folder, wikitq_folder
from tests.evaluation.test_table_retrieval import qgpt_folder


@pytest.mark.parametrize("closed", [False, True])
def test_a_corrected_table_is_another_corpus(tmp_path: Path, services: Services, closed: bool) -> None:
    table = wikitq_folder(tmp_path) / "csv" / "201-csv" / "7.csv"
    benchmark = load_benchmark("wikitq", tmp_path)

    def corpus() -> str:
        (name,) = set(corpora_of(benchmark, benchmark.questions, services, closed=closed).values())
        return name

    first = corpus()
    assert corpus() == first
    table.write_text(table.read_text(encoding="utf-8").replace("5", "6"), encoding="utf-8")
    second = corpus()
    assert second != first
    (source,) = (services.settings.home / "documents" / second).iterdir()
    assert '"Bears","6"' in source.read_text(encoding="utf-8")


def test_two_builds_of_heteqa_share_no_corpus(tmp_path: Path, services: Services) -> None:
    first = load_benchmark("heteqa", heteqa_folder(tmp_path / "a"))
    other = heteqa_folder(tmp_path / "b")
    (other / "documents" / "passages" / "Lions.md").write_text("# Lions\n\nAnother team.\n", encoding="utf-8")
    second = load_benchmark("heteqa", other)
    assert [q.id for q in first.questions] == [q.id for q in second.questions]
    corpora = [open_corpus(b, services) for b in (first, second)]
    assert corpora[0] != corpora[1]
    documents = services.settings.home / "documents" / corpora[0]
    assert sorted(p.name for p in documents.rglob("*.*")) == ["Lions.md", "table_00001.html", "table_00002.csv"]


def test_a_workbook_written_at_another_time_is_the_same_document(tmp_path: Path, services: Services) -> None:
    qgpt_folder(tmp_path, "MiMoTable", head="Sheet name: one\n")
    benchmark = load_benchmark("qgpt-mimotable", tmp_path)
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(open_corpus(benchmark, services))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(1.1)  # a workbook says to the second when it was written
    found.append(open_corpus(benchmark, services))
    assert len(found) == 3 and len(set(found)) == 1
    (folder,) = (services.settings.home / "documents").glob("eval-*")
    assert {p.suffix for p in folder.iterdir()} == {".xlsx"}
