"""The rows behind a result, on real SQLite and a MySQL-compatible server."""

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from tablerag.tools.records import SupportingRows, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tablerag.tools.sql.lineage.contributing import contributing_rows
from tablerag.tools.sql.supporting_rows import supporting_rows
from tests.support.mysql_server import MysqlServer
from tests.tools.stored import store

COLUMNS = {"name": "text", "team": "text", "goals": "integer", "order": "decimal"}
ROWS = [
    ("Ann", "Red", 5, 1.5),
    ("Bob", "Blue", 3, None),
    ("Cid", "red", 9, 2.5),
    ("Dee", "Blue", 9, 0.5),
    ("Eve", None, None, 4.0),
]
TEAMS = [("Red", "Oslo"), ("Blue", "Rome")]


@pytest.fixture(scope="module", params=["sqlite", "server"])
def database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, mysql_server: MysqlServer
) -> Iterator[Database]:
    file = f"sqlite:///{tmp_path_factory.mktemp('rows') / 't.db'}"
    with mysql_server.fresh_database() if request.param == "server" else nullcontext(file) as url:
        opened = Database(url, timeout_s=5, row_limit=50)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def schemas(database: Database) -> list[TableSchema]:
    players = store(database, "players", COLUMNS, ROWS)
    return [players, store(database, "teams", {"team": "text", "city": "text"}, TEAMS)]


def found(database: Database, schemas: list[TableSchema], sql: str, limit: int = 20) -> tuple[SupportingRows, ...]:
    guarded = guard(sql, schemas, row_limit=database.row_limit)
    contributions = contributing_rows(guarded, database.run(guarded), schemas, database)
    return supporting_rows(contributions.tables, schemas, database, limit)


@pytest.mark.parametrize(
    ("sql", "row_ids"),
    [
        ("SELECT name FROM players WHERE team = 'red'", [1, 3]),
        ("SELECT SUM(goals) FROM players WHERE team = 'Blue'", [2, 4]),
        ("SELECT COUNT(*) FROM players p WHERE p.goals > 4 AND p.`order` < 2", [1, 4]),
        ("SELECT MAX(goals) AS most FROM players", [1, 2, 3, 4, 5]),
        ("SELECT team, AVG(goals) AS a FROM players WHERE goals > 3 GROUP BY team ORDER BY a DESC LIMIT 1", [1, 3, 4]),
        ("SELECT team FROM players GROUP BY team HAVING COUNT(*) > 1", [1, 2, 3, 4, 5]),
        ("SELECT DISTINCT team FROM players WHERE team IS NOT NULL LIMIT 1", [1, 2, 3, 4]),
        ("SELECT name FROM players ORDER BY `order` DESC LIMIT 2", [5, 3]),
        ("SELECT name, goals FROM players WHERE goals IS NOT NULL ORDER BY 2, 1 DESC LIMIT 2", [2, 1]),
        ("SELECT name, goals * 2 AS twice FROM players ORDER BY twice DESC, name LIMIT 1 OFFSET 1", [4]),
        ("SELECT name FROM players ORDER BY name LIMIT 1000 OFFSET 2", [3, 4, 5]),
        ("SELECT name FROM players ORDER BY name DESC FETCH FIRST 2 ROWS ONLY", [5, 4]),
        ("SELECT * FROM players WHERE name LIKE '%e%' ORDER BY name DESC", [5, 4]),
        ("SELECT name FROM players WHERE goals = (SELECT MAX(goals) FROM players) ORDER BY name", [3, 4]),
        ("SELECT name, ROW_NUMBER() OVER (ORDER BY goals) AS r FROM players WHERE goals > 3", [1, 3, 4]),
        ("SELECT STD(goals) FROM players WHERE team = 'red' LIMIT 1", [1, 3]),
        ("SELECT 100 * SUM(CASE WHEN team = 'Red' THEN 1 ELSE 0 END) / COUNT(*) FROM players", [1, 2, 3, 4, 5]),
        ("SELECT name FROM players WHERE name = 'nobody'", []),
        ("SELECT SUM(goals) FROM players WHERE name = 'nobody'", []),
        ("SELECT name FROM players WHERE name <> 'it''s 100% -- \\\\ :x' AND goals = 5", [1]),
    ],
)
def test_rows_behind_a_result(database: Database, schemas: list[TableSchema], sql: str, row_ids: list[int]) -> None:
    (rows,) = found(database, schemas, sql)
    assert list(rows.row_ids) == row_ids
    assert rows.total == len(row_ids)
    assert rows.table == "players"
    assert rows.columns == tuple(COLUMNS)
    assert [r[0] for r in rows.rows] == [ROWS[i - 1][0] for i in row_ids]


def test_first_rows_are_shown_and_all_are_counted(database: Database, schemas: list[TableSchema]) -> None:
    (rows,) = found(database, schemas, "SELECT SUM(goals) FROM players", limit=2)
    assert (rows.row_ids, rows.total) == ((1, 2), 5)
    (rows,) = found(database, schemas, "SELECT name FROM players ORDER BY name DESC LIMIT 3", limit=2)
    assert (rows.row_ids, rows.total) == ((5, 4), 3)


@pytest.mark.parametrize("tail", ["", " ORDER BY name DESC", " ORDER BY name DESC LIMIT 40"])
def test_the_row_limits_own_bound_does_not_count(
    database: Database, schemas: list[TableSchema], tail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "row_limit", 2)
    (rows,) = found(database, schemas, "SELECT name FROM players" + tail)
    assert rows.total == 5


def test_tied_rows_are_the_ones_returned(database: Database, schemas: list[TableSchema]) -> None:
    guarded = guard("SELECT name FROM players ORDER BY goals DESC LIMIT 1", schemas, row_limit=50)
    result = database.run(guarded)
    rows = supporting_rows(contributing_rows(guarded, result, schemas, database).tables, schemas, database)
    assert not rows or [r[0] for r in rows[0].rows] == [result.rows[0][0]]


def test_rows_that_are_gone_meanwhile_are_not_shown(database: Database) -> None:
    schemas = [store(database, "gone", COLUMNS, ROWS)]
    guarded = guard("SELECT COUNT(*) FROM gone", schemas, row_limit=50)
    result = database.run(guarded)
    known = contributing_rows(guarded, result, schemas, database).tables
    database.tables.drop(["gone"])
    assert supporting_rows(known, schemas, database) == ()
    (rows,) = contributing_rows(guarded, result, schemas, database).tables
    assert rows.row_count is None
    assert rows.untold.startswith("could not read them again: ")
