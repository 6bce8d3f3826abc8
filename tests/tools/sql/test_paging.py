"""Parts of results, on the embedded database."""

from collections.abc import Iterator
from typing import Any

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import SqlProblem
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql import paging
from tablerag.tools.sql.paging import Selection, WholeResult

LINES = [f"{i},{'North' if i % 3 else 'South'},{i * 1.5},2025-{i % 12 + 1:02}-01" for i in range(1, 301)]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("paging")
    (folder / "loads.csv").write_text("Trip,Place,Tonnes,Delivered\n" + "\n".join(LINES) + "\n", encoding="utf-8")
    opened = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "loads.csv"], opened, "default")
    yield opened
    opened.close()


@pytest.fixture
def whole(services: Services) -> Any:
    tables = services.catalog.tables("default")
    return lambda sql: WholeResult(sql, tables, services.database)


@pytest.mark.parametrize(
    ("wanted", "total", "first"),
    [
        ({}, 300, 1),
        ({"sort": 0, "descending": True}, 300, 300),
        ({"search": "sOUth"}, 100, 3),
        ({"filters": [{"column": 2, "text": ">= 1,50"}]}, 201, 100),
        ({"filters": [{"column": 2, "text": "> 440"}, {"column": 1, "text": "north"}], "sort": 2}, 4, 295),
        ({"search": "2025-07"}, 25, 6),
        ({"search": "%"}, 0, None),
        ({"search": "' OR 1=1 -- \\"}, 0, None),
    ],
)
def test_rows_are_searched_filtered_and_sorted(whole: Any, wanted: dict, total: int, first: int | None) -> None:
    found, wanted = whole("SELECT * FROM loads"), Selection(**wanted)
    rows = found.rows(wanted, first=0, count=50)
    assert (found.count(wanted), rows[0][0] if rows else None) == (total, first)
    assert len(list(found.every(wanted))) == total


def test_pages_of_groups_never_overlap(whole: Any) -> None:
    found = whole("SELECT delivered, place, SUM(tonnes) AS t FROM loads GROUP BY delivered, place")
    every = [row for first in range(0, 60, 7) for row in found.rows(Selection(), first=first, count=7)]
    assert len(every) == len(set(every)) == found.count(Selection()) == 12


def test_every_row_is_read_once_in_parts(whole: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PART_ROWS", 70)
    counts = [r[0] for r in whole("SELECT trip FROM loads").every(Selection())]
    assert counts == list(range(1, 301))


def test_the_statements_own_order_and_limit_hold(whole: Any) -> None:
    found = whole("SELECT trip AS l FROM loads ORDER BY l DESC LIMIT 4")
    assert [r[0] for r in found.rows(Selection(), first=1, count=9)] == [299, 298, 297]
    assert found.count(Selection()) == 4


@pytest.mark.parametrize(
    ("sql", "wanted", "says"),
    [
        ("DELETE FROM loads", {}, "only SELECT"),
        ("SELECT * FROM elsewhere", {}, "unknown table"),
        ("SELECT trip, trip FROM loads", {}, "same name"),
        ("SELECT trip FROM loads", {"sort": 3}, "no column 3"),
    ],
)
def test_what_cannot_be_read_is_refused(whole: Any, sql: str, wanted: dict, says: str) -> None:
    with pytest.raises(SqlProblem, match=says):
        whole(sql).rows(Selection(**wanted), first=0, count=5)
