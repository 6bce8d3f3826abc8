"""What is kept of tables between questions: whole small tables, and nothing of a part of a large one."""

import gc
import weakref
from dataclasses import dataclass
from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.agent.offline.reading.facts import ENTRY_CELLS, Facts, FactsCache, Field
from tablerag.agent.offline.reading.kept import MOST, kept
from tablerag.tools.recent import IDLE_S
from tablerag.tools.table_rows import MOST_ROWS, TableRows
from tests.support.fakes import SALES


@dataclass(eq=False)
class Column:
    complete: bool
    calls: int = 0


@kept
def calls(column: Column, more: tuple[Column, ...] = ()) -> int:
    column.calls += 1
    return column.calls


def test_results_are_kept_for_whole_columns_and_for_parts() -> None:
    for column in (Column(True), Column(False)):
        assert [calls(column), calls(column), calls(column, (Column(True),))] == [1, 1, 2]


def test_a_part_of_a_table_is_not_kept() -> None:
    whole, part = Column(True), Column(False)
    calls(whole, (part,))
    calls(part)
    gone = weakref.ref(part)
    del part
    gc.collect()
    assert gone() is None and calls(whole) == 2


def test_a_table_that_was_replaced_is_not_kept() -> None:
    first, other = Column(True), Column(True)
    calls(first, (other,))
    calls(other, (first,))
    gone = weakref.ref(other)
    del other
    gc.collect()
    assert gone() is None


def test_results_of_many_tables_are_bounded() -> None:
    column = Column(True)
    for _ in range(3 * MOST):
        calls(column, (Column(True),))
    assert len(column.__dict__["kept"]) <= MOST


def test_tables_with_many_cells_are_kept_for_few_questions() -> None:
    cache, rows = FactsCache(), TableRows(("_row_id", "n"), tuple((i, i) for i in range(2_000)), complete=True)
    column = SALES.columns[0].model_copy(update={"name": "n", "raw": ""})
    for number in range(ENTRY_CELLS // 2_000 + 5):
        schema = SALES.model_copy(update={"stored_as": f"t{number}", "columns": (column,)})
        assert len(cache.of(schema, lambda: rows).fields) == 1
    assert len(cache._known) == ENTRY_CELLS // 2_000


def test_a_replaced_version_is_not_kept_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, now, reads = FactsCache(), 1_000.0, list[str]()
    monkeypatch.setattr("tablerag.tools.recent.monotonic", lambda: now)

    def ask(version: str) -> None:
        schema = SALES.model_copy(update={"stored_as": version, "columns": ()})
        cache.of(schema, lambda: reads.append(version) or TableRows(("_row_id",), (), complete=True))

    ask("t__1"), ask("other")
    for _ in range(3):
        now += IDLE_S * 0.9
        ask("other")
    assert cache._known.get("t__1") is None
    assert reads == ["t__1", "other"]


def test_questions_leave_nothing_of_large_tables_behind(tmp_path: Path) -> None:
    """Three tables of 280,000 rows and seven columns held 23 MB for each question."""
    rows = "".join(f"item {i},{7 * i},place {i % 50}\n" for i in range(MOST_ROWS + 100))
    (tmp_path / "items.csv").write_text(f"Item,Amount,Place\n{rows}", encoding="utf-8")
    (tmp_path / "places.csv").write_text("Place,Region\nplace 1,North\nplace 2,South\n", encoding="utf-8")
    rag = TableRAG(str(tmp_path / "home"), model="offline")
    rag.ingest(str(tmp_path))
    for item in (41, 42, 43):
        assert rag.ask(f"What is the amount of item {item}?").value == 7 * item
    gc.collect()
    own = ("items.csv", "places.csv")  # other tests of this process may have left their tables
    found = [o for o in gc.get_objects() if isinstance(o, Field) and not o.complete and o.schema.source in own]
    assert found == []
    assert len([o for o in gc.get_objects() if isinstance(o, Facts) and o.schema.source in own]) <= 4
