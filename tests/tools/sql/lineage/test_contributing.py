"""The rows of each table behind joins, sub-selects, derived tables and unions, on SQLite and a real server."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from tablerag.tools.records import ContributingRows, SqlResult, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tablerag.tools.sql.lineage import contributing
from tablerag.tools.sql.lineage.contributing import contributing_rows
from tablerag.tools.sql.row_hash import row_hash
from tablerag.tools.sql.supporting_rows import supporting_rows
from tablerag.tools.uniting import united
from tests.support.mysql_server import MysqlServer
from tests.tools.stored import change, schema_of, store

PLAYERS = {"name": "text", "team": "text", "goals": "integer"}
PLAYER_ROWS = [("Ann", "Red", 5), ("Bob", "Blue", 3), ("Cid", "red", 9), ("Dee", "Blue", 9), ("Eve", None, None)]
TEAMS = {"team": "text", "city": "text"}
TEAM_ROWS = [("Red", "Oslo"), ("Blue", "Rome"), ("Pink", "Bern")]
CITIES = {"city": "text", "country": "text", "people": "integer"}
CITY_ROWS = [("Oslo", "Norway", 700), ("Rome", "Italy", 2800), ("Bern", "Switzerland", 130), ("Riga", "Latvia", 600)]
TABLES = {"players": (PLAYERS, PLAYER_ROWS), "teams": (TEAMS, TEAM_ROWS), "cities": (CITIES, CITY_ROWS)}

JOINS = [
    (
        "SELECT p.name, t.city FROM players p JOIN teams t ON p.team = t.team WHERE p.goals > 3",
        {"players": [1, 3, 4], "teams": [1, 2]},
    ),
    (
        "SELECT p.name FROM players p, teams t WHERE p.team = t.team AND city = 'Rome'",
        {"players": [2, 4], "teams": [2]},
    ),
    ("SELECT COUNT(*) FROM players JOIN teams USING (team)", {"players": [1, 2, 3, 4], "teams": [1, 2]}),
    (
        "SELECT p.name FROM players p LEFT JOIN teams t ON p.team = t.team",
        {"players": [1, 2, 3, 4, 5], "teams": [1, 2]},
    ),
    (
        "SELECT t.team, SUM(p.goals) FROM players p RIGHT JOIN teams t ON p.team = t.team GROUP BY t.team",
        {"players": [1, 2, 3, 4], "teams": [1, 2, 3]},
    ),
    (
        "SELECT t.team FROM teams t LEFT JOIN players p ON p.team = t.team WHERE p.name IS NULL",
        {"teams": [3], "players": []},
    ),
    (
        "SELECT c.country, SUM(p.goals) FROM players p JOIN teams t ON p.team = t.team JOIN cities c "
        "ON c.city = t.city WHERE c.people > 1000 GROUP BY c.country",
        {"players": [2, 4], "teams": [2], "cities": [2]},
    ),
    (
        "SELECT p.name FROM players p LEFT JOIN (teams t JOIN cities c ON c.city = t.city) ON p.team = t.team "
        "WHERE c.country = 'Norway'",
        {"players": [1, 3], "teams": [1], "cities": [1]},
    ),
    (
        "SELECT a.name, b.name FROM players a JOIN players b ON a.goals = b.goals AND a.name < b.name",
        {"players": [3, 4]},
    ),
    (
        "SELECT a.name FROM players a JOIN players b ON a.team = b.team AND a.goals > b.goals",
        {"players": [3, 4, 1, 2]},
    ),
    (
        "SELECT p.name, t.city FROM players p JOIN teams t ON p.team = t.team ORDER BY p.goals, p.name LIMIT 1",
        {"players": [2], "teams": [2]},
    ),
    (
        "SELECT p.name AS who FROM players p JOIN teams t ON p.team = t.team ORDER BY who DESC LIMIT 2 OFFSET 1",
        {"players": [3, 2], "teams": [1, 2]},
    ),
    ("SELECT COUNT(*) FROM players p JOIN teams t ON p.team = t.city", {"players": [], "teams": []}),
    ("SELECT COUNT(*) FROM players CROSS JOIN cities", {"players": [1, 2, 3, 4, 5], "cities": [1, 2, 3, 4]}),
]
SUB_SELECTS = [
    # What chooses rows of the same table adds none.
    ("SELECT name FROM players WHERE goals = (SELECT MAX(goals) FROM players)", {"players": [3, 4]}),
    (
        "SELECT name FROM players p WHERE goals > (SELECT AVG(goals) FROM players WHERE team = p.team)",
        {"players": [3, 4]},
    ),
    (
        "SELECT name FROM players WHERE team IN (SELECT team FROM teams WHERE city = 'Rome')",
        {"players": [2, 4], "teams": [2]},
    ),
    (
        "SELECT name FROM players WHERE team NOT IN (SELECT team FROM teams WHERE city = 'Rome')",
        {"players": [1, 3], "teams": [2]},
    ),
    (
        "SELECT city FROM cities WHERE people > (SELECT 100 * SUM(goals) FROM players WHERE team = 'Blue')",
        {"cities": [2], "players": [2, 4]},
    ),
    (
        "SELECT t.city FROM teams t WHERE EXISTS (SELECT 1 FROM players WHERE players.team = t.team AND goals < 4)",
        {"teams": [2], "players": [2]},
    ),
    (
        "SELECT t.city FROM teams t WHERE NOT EXISTS (SELECT 1 FROM players p WHERE p.team = t.team)",
        {"teams": [3], "players": []},
    ),
    (
        "SELECT city FROM cities c WHERE EXISTS (SELECT 1 FROM teams t WHERE t.city = c.city AND EXISTS "
        "(SELECT 1 FROM players p WHERE p.team = t.team AND p.goals * 200 > c.people))",
        {"cities": [1], "teams": [1], "players": [1, 3]},
    ),
    (
        "SELECT t.team, (SELECT SUM(p.goals) FROM players p WHERE p.team = t.team) AS s FROM teams t "
        "WHERE t.city <> 'Rome'",
        {"teams": [1, 3], "players": [1, 3]},
    ),
    # What is shown counts, of the same table too.
    (
        "SELECT goals / (SELECT SUM(goals) FROM players WHERE goals > 3) FROM players WHERE name = 'Bob'",
        {"players": [2, 1, 3, 4]},
    ),
    (
        "SELECT (SELECT SUM(goals) FROM players WHERE team = 'Red') / "
        "(SELECT SUM(people) FROM cities WHERE people > 600)",
        {"players": [1, 3], "cities": [1, 2]},
    ),
    (
        "SELECT (SELECT SUM(goals) FROM players WHERE team = 'Red') - (SELECT SUM(goals) FROM players WHERE goals < 6)",
        {"players": [1, 3, 2]},
    ),
    (
        "SELECT team, COUNT(*) FROM players GROUP BY team HAVING COUNT(*) > (SELECT COUNT(*) - 2 FROM teams)",
        {"players": [1, 2, 3, 4, 5], "teams": [1, 2, 3]},
    ),
    (
        "SELECT p.name FROM players p JOIN teams t ON p.team = t.team AND t.city IN "
        "(SELECT city FROM cities WHERE people < 1000)",
        {"players": [1, 3], "teams": [1], "cities": [1, 3, 4]},
    ),
]
NESTED = [
    ("SELECT a.n FROM (SELECT COUNT(*) AS n FROM players WHERE goals > 3) a", {"players": [1, 3, 4]}),
    ("SELECT COUNT(*) FROM (SELECT * FROM players WHERE goals > 3) a WHERE a.team = 'Red'", {"players": [1, 3]}),
    (
        "WITH best AS (SELECT name, team FROM players WHERE goals = 9) "
        "SELECT COUNT(*) FROM best b JOIN teams t ON t.team = b.team WHERE t.city = 'Oslo'",
        {"players": [3], "teams": [1]},
    ),
    (
        "WITH x AS (SELECT team, goals FROM players WHERE goals > 3), y AS (SELECT team FROM x WHERE goals < 9) "
        "SELECT x.goals FROM x JOIN y ON x.team = y.team",
        {"players": [1, 3]},
    ),
    (
        "WITH sums AS (SELECT team, SUM(goals) AS s FROM players GROUP BY team) "
        "SELECT c.city FROM sums s JOIN teams t ON t.team = s.team JOIN cities c ON c.city = t.city WHERE s.s > 12",
        {"players": [1, 2, 3, 4, 5], "teams": [1], "cities": [1]},
    ),
    (
        "SELECT r.name FROM (SELECT name, ROW_NUMBER() OVER (PARTITION BY team ORDER BY goals DESC) AS n FROM players "
        "WHERE team IS NOT NULL) r WHERE r.n = 1",
        {"players": [3, 4]},
    ),
    (
        "SELECT r.name FROM (SELECT name, SUM(goals) OVER (ORDER BY name) AS s FROM players) r WHERE r.s = 8",
        {"players": [1, 2, 3, 4, 5]},
    ),
    (
        "SELECT AVG(g) FROM (SELECT goals AS g FROM players ORDER BY goals DESC, name LIMIT 2) AS top",
        {"players": [3, 4]},
    ),
    ("SELECT COUNT(*) FROM (SELECT DISTINCT team FROM players) d WHERE d.team = 'Blue'", {"players": [2, 4]}),
    ("SELECT name FROM players WHERE goals > 8 UNION SELECT city FROM teams", {"players": [3, 4], "teams": [1, 2, 3]}),
    (
        "(SELECT name, goals FROM players WHERE team = 'Red' ORDER BY goals DESC LIMIT 1) UNION ALL "
        "(SELECT name, goals FROM players WHERE team = 'Red' ORDER BY goals LIMIT 1)",
        {"players": [3, 1]},
    ),
    (
        "SELECT SUM(n) FROM (SELECT name AS k, goals AS n FROM players UNION ALL SELECT city, people FROM cities) u "
        "WHERE u.k < 'D'",
        {"players": [1, 2, 3], "cities": [3]},
    ),
    (
        "SELECT t.team, d.n FROM teams t LEFT JOIN (SELECT team, COUNT(*) AS n FROM players WHERE goals > 4 "
        "GROUP BY team) d ON d.team = t.team WHERE t.city <> 'Oslo'",
        {"teams": [2, 3], "players": [1, 3, 4]},
    ),
    (
        "SELECT d.name FROM (SELECT p.name, p.goals FROM players p WHERE p.team IN (SELECT team FROM teams)) d "
        "WHERE d.goals < 5",
        {"players": [2], "teams": [1, 2, 3]},
    ),
]
ENOUGH = [sql for sql, _ in (*JOINS, *SUB_SELECTS, *NESTED) if not re.search("OFFSET|NOT |WHERE goals", sql)]
"""Statements that give the same over the contributing rows alone: those left are about rows that are not there."""
UNTOLD = [
    ("SELECT team FROM players EXCEPT SELECT team FROM teams", "EXCEPT is not traced"),
    ("SELECT team FROM players INTERSECT SELECT team FROM teams", "INTERSECT is not traced"),
    ("SELECT name FROM players UNION ALL SELECT team FROM teams LIMIT 2", "a LIMIT over UNION ALL is not traced"),
    (
        "SELECT d.team FROM (SELECT DISTINCT team FROM players) d LIMIT 2",
        "a LIMIT over a derived table with UNION or DISTINCT is not traced",
    ),
    (
        "SELECT name, (SELECT t.city FROM teams t WHERE t.team <> players.team ORDER BY t.city LIMIT 1) FROM players "
        "WHERE (SELECT MAX(goals) FROM players p WHERE p.team = players.team) IS NULL",
        "a LIMIT in a correlated subquery is not traced",
    ),
    (
        "SELECT p.name FROM players p LEFT JOIN (teams t JOIN teams u ON u.team = t.team AND "
        "t.city IN (SELECT city FROM cities)) ON p.team = t.team",
        "its place in the statement is not traced",
    ),
    (
        "SELECT t.team FROM teams t JOIN cities c ON c.city = t.city WHERE EXISTS "
        "(SELECT 1 FROM players p JOIN teams t ON t.team = p.team WHERE p.goals < c.people)",
        "a correlated subquery with an alias of an outer query is not traced",
    ),
]


@contextmanager
def opened(kind: str, server: MysqlServer, folder: Path) -> Iterator[Database]:
    """Open a database that holds the three tables."""
    with ExitStack() as stack:
        url = stack.enter_context(server.fresh_database()) if kind == "server" else f"sqlite:///{folder / 't.db'}"
        database = stack.enter_context(closing(Database(url, timeout_s=60, row_limit=50)))
        for name, (columns, rows) in TABLES.items():
            store(database, name, columns, rows)
        yield database


@pytest.fixture(scope="module", params=["sqlite", "server"])
def database(
    request: pytest.FixtureRequest, mysql_server: MysqlServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Return a database that no test writes to."""
    with opened(request.param, mysql_server, tmp_path_factory.mktemp("lineage")) as shared:
        yield shared


@pytest.fixture(params=["sqlite", "server"])
def own_database(request: pytest.FixtureRequest, mysql_server: MysqlServer, tmp_path: Path) -> Iterator[Database]:
    """Return a database for one test."""
    with opened(request.param, mysql_server, tmp_path) as own:
        yield own


@pytest.fixture
def schemas() -> list[TableSchema]:
    return [schema_of(name, columns, rows) for name, (columns, rows) in TABLES.items()]


def behind(database: Database, schemas: list[TableSchema], sql: str) -> tuple[ContributingRows, ...]:
    guarded = guard(sql, schemas, row_limit=database.row_limit)
    return contributing_rows(guarded, database.run(guarded), schemas, database).tables


@pytest.mark.parametrize(("sql", "row_ids"), [*JOINS, *SUB_SELECTS, *NESTED])
def test_rows_of_every_table(
    database: Database, schemas: list[TableSchema], sql: str, row_ids: dict[str, list[int]]
) -> None:
    found = behind(database, schemas, sql)
    assert {rows.table: rows.untold for rows in found} == dict.fromkeys(row_ids, "")
    assert {rows.table: list(rows.row_ids) for rows in found} == row_ids
    assert all(rows.row_count == len(rows.row_ids) and rows.rows_hash for rows in found)
    assert behind(database, schemas, sql) == found


@pytest.mark.parametrize("sql", ENOUGH)
def test_the_rows_are_enough_to_compute_the_result(
    own_database: Database, schemas: list[TableSchema], sql: str
) -> None:
    guarded = guard(sql, schemas, row_limit=50)
    before = own_database.run(guarded)
    for rows in contributing_rows(guarded, before, schemas, own_database).tables:
        kept = ", ".join(map(str, (0, *rows.row_ids)))
        change(own_database, rows.table, f"DELETE FROM {rows.table} WHERE _row_id NOT IN ({kept})")
    assert row_hash(own_database.run(guarded).rows) == row_hash(before.rows)


@pytest.mark.parametrize(("sql", "untold"), UNTOLD)
def test_what_is_not_taken_apart_says_so(database: Database, schemas: list[TableSchema], sql: str, untold: str) -> None:
    told = {rows.table: rows for rows in behind(database, schemas, sql)}
    unknown = [r for r in told.values() if r.untold]
    assert {r.untold for r in unknown} == {untold}
    assert all((r.row_count, r.row_ids, r.rows_hash) == (None, (), "") for r in unknown)


def test_having_without_groups_is_not_taken_apart(database: Database, schemas: list[TableSchema]) -> None:
    # MySQL filters stored rows with it; MariaDB and SQLite refuse it.
    guarded = guard("SELECT name FROM players HAVING name = 'Ann'", schemas, row_limit=50)
    result = SqlResult(sql=guarded.shown, columns=("name",), rows=(("Ann",),))
    (rows,) = contributing_rows(guarded, result, schemas, database).tables
    assert (rows.row_count, rows.untold) == (None, "HAVING without groups is not traced")


def test_columns_are_those_that_the_statement_reads_of_each_table(
    database: Database, schemas: list[TableSchema]
) -> None:
    sql = (
        "WITH best AS (SELECT team, goals AS country FROM players) SELECT b.country FROM best b JOIN teams t "
        "ON t.team = b.team WHERE EXISTS (SELECT 1 FROM cities c WHERE c.city = t.city AND c.people > 1)"
    )
    players, teams, cities = behind(database, schemas, sql)
    assert (players.columns, teams.columns) == (("team", "goals"), ("team", "city"))
    assert (cities.columns, cities.chooses) == (("city", "people"), True)


def test_tables_that_only_choose_are_told_apart(database: Database, schemas: list[TableSchema]) -> None:
    sql = "SELECT name FROM players WHERE team IN (SELECT team FROM teams) AND goals = (SELECT MAX(goals) FROM players)"
    assert [(r.table, r.chooses) for r in behind(database, schemas, sql)] == [("players", False), ("teams", True)]


def test_a_hash_tells_rows_that_were_read_only(own_database: Database, schemas: list[TableSchema]) -> None:
    sql = "SELECT SUM(p.goals) FROM players p JOIN teams t ON p.team = t.team"
    before = {r.table: r.rows_hash for r in behind(own_database, schemas, sql)}
    changes = {"UPDATE teams SET city = 'Pisa'": set(), "UPDATE players SET goals = 6 WHERE _row_id = 1": {"players"}}
    for statement, changed in changes.items():
        change(own_database, statement.split()[1], statement)
        assert {r.table for r in behind(own_database, schemas, sql) if r.rows_hash != before[r.table]} == changed


def test_a_join_of_too_many_rows_is_not_looked_through(
    database: Database, schemas: list[TableSchema], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contributing, "MOST_JOINED", 19)
    for rows in behind(database, schemas, "SELECT COUNT(*) FROM players CROSS JOIN cities"):
        assert (rows.row_count, rows.untold) == (None, "the join has more than 19 rows")
    monkeypatch.setattr(contributing, "MOST_JOINED", 20)
    assert [r.row_count for r in behind(database, schemas, "SELECT COUNT(*) FROM players CROSS JOIN cities")] == [5, 4]


def test_many_rows_are_counted_and_not_hashed(
    database: Database, schemas: list[TableSchema], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contributing, "MOST_HASHED", 4)
    monkeypatch.setattr(contributing, "MOST_IDS", 2)
    players, teams = behind(database, schemas, "SELECT p.name FROM players p LEFT JOIN teams t ON t.team = p.team")
    assert (players.row_count, players.row_ids, players.rows_hash) == (5, (1, 2), "")
    assert (teams.row_count, teams.row_ids, len(teams.rows_hash)) == (2, (1, 2), 64)
    (twice,) = behind(database, schemas, "SELECT name FROM players UNION SELECT team FROM players WHERE goals > 3")
    assert (twice.row_count, twice.untold) == (None, "a table that is read several times has more than 4 rows")


def test_a_time_that_is_over_ends_the_reading(own_database: Database, schemas: list[TableSchema]) -> None:
    guarded = guard("SELECT p.name FROM players p JOIN teams t ON p.team = t.team", schemas, row_limit=50)
    result = own_database.run(guarded)
    own_database.timeout_s = -1.0
    for rows in contributing_rows(guarded, result, schemas, own_database).tables:
        assert (rows.row_count, rows.untold) == (None, "reading them again takes longer than -1 s")


def test_ties_that_limit_chooses_among_are_not_guessed(database: Database, schemas: list[TableSchema]) -> None:
    sql = "SELECT p.name FROM players p JOIN teams t ON p.team = t.team ORDER BY p.goals DESC LIMIT 1"
    guarded = guard(sql, schemas, row_limit=50)
    names = {3: "Cid", 4: "Dee"}
    for row_id, name in names.items():
        result = SqlResult(sql=sql, columns=("name",), rows=((name,),))
        players, teams = contributing_rows(guarded, result, schemas, database).tables
        assert players.row_ids == (row_id,) or players.untold == teams.untold != ""


def test_united_tables_are_joined(own_database: Database, schemas: list[TableSchema]) -> None:
    years = [
        store(own_database, f"goals_{year}", {"player": "text", "n": "integer"}, [("Ann", year), ("Bob", 1)])
        for year in (2023, 2024)
    ]
    every = [*schemas, *years, *united(years)]
    sql = "SELECT p.name, g.n FROM players p JOIN all_goals g ON g.player = p.name WHERE p.name = 'Ann'"
    players, goals = behind(own_database, every, sql)
    assert (players.row_ids, goals.row_ids, goals.members) == ((1,), (1, 1), ("goals_2023", "goals_2024"))
    shown = supporting_rows([players, goals], every, own_database)
    assert [rows.rows[-1][-2:] for rows in shown] == [("Red", 5), ("Ann", 2024)]


def test_deep_statements_end_in_words(database: Database, schemas: list[TableSchema]) -> None:
    long = " UNION ".join(f"SELECT {i} AS n" for i in range(29)) + " UNION SELECT goals FROM players"
    (rows,) = behind(database, schemas, long)
    assert rows.row_count == 5 or rows.untold
    common = "WITH a AS (SELECT goals FROM players)" + "".join(
        f", {b} AS (SELECT x.goals FROM {a} x JOIN {a} y ON x.goals = y.goals)"
        for a, b in zip("abcdef", "bcdefg", strict=True)
    )
    guarded = guard(f"{common} SELECT COUNT(*) AS n FROM g", schemas, row_limit=50)
    result = SqlResult(sql=guarded.shown, columns=("n",), rows=((1,),))
    (rows,) = contributing_rows(guarded, result, schemas, database).tables
    assert rows.untold == "its WITH queries read more than 60 tables"
