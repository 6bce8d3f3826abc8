"""What every SqlBackend must do for Database, over a real database."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import column, literal_column, select

from tablerag.tools.errors import SqlFailed
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.backends.tables import StoredColumn
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import GuardedSql, guard
from tests.tools.stored import store

__all__ = ["SqlBackendContract", "guarded"]

COLUMNS = {"name": "text", "n": "integer", "price": "decimal", "day": "date", "seen": "datetime", "ok": "boolean"}
ROWS = [
    ("Ann 100% :x ? é😀", 1, 1.25, date(2024, 1, 31), datetime(2024, 1, 31, 10), True),
    ("Bob", 2, 2.5, date(2024, 2, 29), datetime(2024, 2, 29, 23, 59, 59), False),
    (None, None, None, None, None, None),
]
CARTESIAN = "SELECT COUNT(*) FROM numbers a, numbers b, numbers c, numbers d WHERE MOD(a.n * b.n * c.n * d.n, 7) = 8"
ELSEWHERE = """
import sys
from tablerag.tools.sql.backends.tables import StoredColumn
from tablerag.tools.sql.database import Database

database = Database(sys.argv[1])
for i in range(20):
    database.tables.write(f"late{i}", [StoredColumn("_row_id", "integer", is_key=True)], [[list(range(100))]])
database.close()
"""


def guarded(sql: str, *schemas: TableSchema) -> GuardedSql:
    return guard(sql, schemas, row_limit=10)


class SqlBackendContract:
    """Inherit, and override the fixture ``url`` with that of an empty database."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError("a suite names its database")

    @pytest.fixture
    def database(self, url: str) -> Iterator[Database]:
        opened = Database(url, timeout_s=5, row_limit=10)
        yield opened
        opened.close()

    @pytest.fixture
    def people(self, database: Database) -> TableSchema:
        return store(database, "people", COLUMNS, ROWS)

    @pytest.fixture
    def numbers(self, database: Database) -> TableSchema:
        return store(database, "numbers", {"n": "integer"}, [(i,) for i in range(400)])

    def test_rows_come_back_json_safe_and_equal_on_both(self, database: Database, people: TableSchema) -> None:
        result = database.run(guarded("SELECT name, n, price, day, seen, ok FROM people ORDER BY n DESC", people))
        assert result.columns == ("name", "n", "price", "day", "seen", "ok")
        assert json.loads(json.dumps(result.rows)) == [
            ["Bob", 2, 2.5, "2024-02-29", "2024-02-29 23:59:59", 0],
            ["Ann 100% :x ? é😀", 1, 1.25, "2024-01-31", "2024-01-31 10:00:00", 1],
            [None, None, None, None, None, None],
        ]
        assert not result.truncated

    def test_aggregates_are_numbers(self, database: Database, people: TableSchema) -> None:
        result = database.run(guarded("SELECT SUM(n), AVG(n), SUM(price), COUNT(*) FROM people", people))
        assert result.rows == ((3, 1.5, 3.75, 3),)

    @pytest.mark.parametrize("literal", ["%", ":x", "?", "100% :x ? é😀", "%(name)s", "it''s"])
    def test_literals_are_no_parameters(self, database: Database, people: TableSchema, literal: str) -> None:
        result = database.run(guarded(f"SELECT '{literal}' AS a FROM people", people))
        assert result.rows[0] == (literal.replace("''", "'"),)

    def test_more_rows_than_the_limit_are_cut_and_it_shows(self, database: Database, numbers: TableSchema) -> None:
        cut = database.run(guarded("SELECT n FROM numbers ORDER BY n", numbers))
        assert len(cut.rows) == 10
        assert cut.truncated
        whole = database.run(guarded("SELECT n FROM numbers WHERE n < 10 ORDER BY n", numbers))
        assert len(whole.rows) == 10
        assert not whole.truncated

    def test_the_databases_message_is_one_line_without_the_statement(
        self, database: Database, people: TableSchema
    ) -> None:
        statement = guarded("SELECT n FROM people", people)
        database.tables.drop(["people"])
        with pytest.raises(SqlFailed, match="people") as caught:
            database.run(statement)
        assert "\n" not in str(caught.value)
        assert "SELECT" not in str(caught.value)

    def test_endless_statements_are_ended(self, database: Database, numbers: TableSchema) -> None:
        database.timeout_s = 0.3
        with pytest.raises(SqlFailed, match=r"longer than 0\.3 s"):
            database.run(guarded(CARTESIAN, numbers))
        assert database.run(guarded("SELECT COUNT(*) FROM numbers", numbers)).rows == ((400,),)

    def test_readers_of_the_catalog_cannot_write(self, database: Database) -> None:
        with database.engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE a (n INT)")
        for statement in ("DELETE FROM a", "INSERT INTO a (n) VALUES (9)", "DROP TABLE a"):
            with pytest.raises(SqlFailed), database.reading() as connection:
                connection.exec_driver_sql(statement)

    def test_tables_are_counted(self, database: Database, people: TableSchema) -> None:
        assert "people" in database.tables.whole(["people", "other"])
        assert database.tables.count_rows("people") == len(ROWS)
        database.tables.drop(["people"])
        assert "people" not in database.tables.whole(["people", "other"])

    def test_own_selects_are_not_cut(self, database: Database, numbers: TableSchema) -> None:
        database.run(guarded("SELECT n FROM numbers", numbers))
        source = database.tables.source("numbers")
        statement = select(column("n")).select_from(source).where(literal_column("n") >= 100)
        assert len(database.select_stored(statement)) == 300
        with pytest.raises(SqlFailed, match="absent"):
            database.select_stored(select(column("n")).select_from(database.tables.source("absent")))

    def test_ping_names_the_database_and_its_version(self, database: Database) -> None:
        with database.engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE a (n INT)")
        name, version = database.ping().split(" ", 1)
        assert name in database.backend.name and version[0].isdigit()

    def test_closed_database_opens_again(self, database: Database, people: TableSchema) -> None:
        database.close()
        assert database.run(guarded("SELECT COUNT(*) FROM people", people)).rows == ((3,),)

    def test_sessions_report_their_limits(self, database: Database, people: TableSchema) -> None:
        facts = database.tables.session_facts()
        assert facts.read_only and facts.timed, facts.says
        checks = list(database.user_checks())
        assert checks and not [c for c in checks if c.state == "broken"]

    def test_texts_compare_without_regard_to_case(self, database: Database, people: TableSchema) -> None:
        assert database.run(guarded("SELECT n FROM people WHERE name = 'BOB'", people)).rows == ((2,),)

    def test_columns_hold_their_values(self, database: Database, people: TableSchema) -> None:
        moment = datetime(2024, 2, 29, 23, 59, 59, 123456)
        columns = [
            StoredColumn("_row_id", "integer", is_key=True),
            StoredColumn("short", "text", longest=2),
            StoredColumn("long", "text", longest=70_000),
            StoredColumn("seen", "datetime"),
            StoredColumn("exact", "decimal", digits=(20, 4)),
            StoredColumn("huge", "decimal", digits=(301, 0)),
            StoredColumn("large", "integer"),
        ]
        values = [1, "é😀", "x" * 70_000, moment, Decimal("12345678901234567890.1234"), 1.5e300, 2**63 - 1]
        database.tables.write("typed", columns, [[[v] for v in values], [[2], *([None] for _ in values[1:])]])
        names = [c.name for c in columns]
        rows = database.select_stored(select(*map(column, names)).select_from(database.tables.source("typed")))
        found, empty = sorted(rows)
        exact = found[4] if isinstance(found[4], Decimal) else values[4]  # the server's driver returns floats
        assert (*found[:4], exact, *found[5:]) == tuple(values)
        assert empty == (2, *(None for _ in values[1:]))
        assert database.tables.columns("typed") == set(names)
        assert {"typed", "people"} <= database.tables.names()

    def test_a_table_is_written_in_place_of_one_of_its_name(self, database: Database, people: TableSchema) -> None:
        again = store(database, "people", {"n": "integer"}, [(7,)])
        assert database.run(guarded("SELECT n FROM people", again)).rows == ((7,),)

    def test_what_another_process_writes_is_seen_and_nobody_waits_for_it(
        self, database: Database, numbers: TableSchema, url: str
    ) -> None:
        root = Path(__file__).resolve().parents[4]
        other = subprocess.Popen([sys.executable, "-c", ELSEWHERE, url], cwd=root)
        seen = {0}
        while other.poll() is None:
            assert database.run(guarded("SELECT COUNT(*) FROM numbers", numbers)).rows == ((400,),)
            seen.add(len([n for n in database.tables.names() if n.startswith("late")]))
        assert other.returncode == 0
        assert {f"late{i}" for i in range(20)} <= database.tables.names()

    def test_tables_made_by_another_connection_are_seen(self, database: Database, url: str) -> None:
        other = Database(url)
        schema = store(other, "late", {"n": "integer"}, [(1,)])
        assert "late" in database.tables.names()
        assert database.run(guarded("SELECT n FROM late", schema)).rows == ((1,),)
        other.close()

    def test_distinct_values_come_as_first_met(self, database: Database) -> None:
        one = store(database, "one", {"a": "text", "b": "text"}, [("x", "p"), ("Y", None), ("X", "q"), (None, "p")])
        two = store(database, "two", {"a": "text"}, [("z",), ("y",)])
        assert sorted(database.distinct([(one.name, "a"), (one.name, "b")], 10)) in (
            [(0, "Y"), (0, "x"), (1, "p"), (1, "q")],
            [(0, "X"), (0, "Y"), (1, "p"), (1, "q")],  # a server may show either spelling
        )
        both = database.distinct([(one.name, "a"), (two.name, "a")], 10)
        assert {value.casefold() for _, value in both} == {"x", "y", "z"}
        assert len(database.distinct([(one.name, "a")], 1)) == 1
        assert database.distinct([], 1) == []
