"""What every SqlBackend must do for Database, over a real database."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, column, inspect, literal_column, select, table, text

from tablerag.tools.errors import SqlFailed
from tablerag.tools.records import TableSchema
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
CARTESIAN = (
    "SELECT COUNT(*) FROM numbers AS a, numbers AS b, numbers AS c, numbers AS d WHERE a.n + b.n + c.n + d.n = -1"
)
ELSEWHERE = """
import sys
from tablerag.tools.sql.database import Database

database = Database(sys.argv[1])
for i in range(100):
    with database.engine.begin() as connection:
        connection.exec_driver_sql(f"INSERT INTO people (_row_id, n) VALUES ({1000 + i}, {i})")
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
        with database.engine.begin() as connection:
            connection.execute(text("DROP TABLE people"))
        with pytest.raises(SqlFailed, match="people") as caught:
            database.run(statement)
        assert "\n" not in str(caught.value)
        assert "SELECT" not in str(caught.value)

    def test_endless_statements_are_ended(self, database: Database, numbers: TableSchema) -> None:
        database.timeout_s = 0.3
        with pytest.raises(SqlFailed, match=r"longer than 0\.3 s"):
            database.run(guarded(CARTESIAN, numbers))
        assert database.run(guarded("SELECT COUNT(*) FROM numbers", numbers)).rows == ((400,),)

    def test_sessions_cannot_write(self, database: Database, people: TableSchema) -> None:
        for statement in ("DELETE FROM people", "INSERT INTO people (_row_id) VALUES (9)", "UPDATE people SET n = 5"):
            with pytest.raises(SqlFailed), database._reading() as connection:
                connection.exec_driver_sql(statement)
        assert database.run(guarded("SELECT COUNT(*), MAX(n) FROM people", people)).rows == ((3, 2),)

    def test_own_selects_are_not_cut(self, database: Database, numbers: TableSchema) -> None:
        database.run(guarded("SELECT n FROM numbers", numbers))
        statement = select(column("n")).select_from(table("numbers")).where(literal_column("n") >= 100)
        assert len(database.select(statement)) == 300
        with pytest.raises(SqlFailed, match="absent"):
            database.select(select(column("n")).select_from(table("absent")))

    def test_ping_names_the_database_and_its_version(self, database: Database) -> None:
        with database.engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE a (n INT)")
        name, version = database.ping().split(" ", 1)
        assert name in database.backend.name and version[0].isdigit()

    def test_closed_database_opens_again(self, database: Database, people: TableSchema) -> None:
        database.close()
        assert database.run(guarded("SELECT COUNT(*) FROM people", people)).rows == ((3,),)

    def test_sessions_report_their_limits(self, database: Database, people: TableSchema) -> None:
        facts = database.session_facts()
        assert facts.read_only and facts.timed, facts.says
        checks = list(database.user_checks())
        assert checks and not [c for c in checks if c.state == "broken"]

    def test_a_transaction_that_fails_leaves_nothing_in_tables(self, database: Database, people: TableSchema) -> None:
        with pytest.raises(ZeroDivisionError), database.engine.begin() as connection:
            connection.execute(text("DELETE FROM people"))
            raise ZeroDivisionError
        assert database.run(guarded("SELECT COUNT(*) FROM people", people)).rows == ((3,),)

    def test_texts_compare_without_regard_to_case(self, database: Database, people: TableSchema) -> None:
        assert database.run(guarded("SELECT n FROM people WHERE name = 'BOB'", people)).rows == ((2,),)

    def test_the_types_of_columns_hold_their_values(self, database: Database) -> None:
        backend, moment = database.backend, datetime(2024, 2, 29, 23, 59, 59, 123456)
        values = {"short": "é😀", "long": "x" * 70_000, "seen": moment, "day": moment.replace(microsecond=0)}
        types = (backend.text_type(2), backend.text_type(70_000), backend.datetime_type(True))
        types += (backend.datetime_type(False), backend.double_type())
        columns = [Column(n, t) for n, t in zip((*values, "huge"), types, strict=True)]
        made = Table("typed", MetaData(), Column("_row_id", Integer, primary_key=True), *columns)
        with database.engine.begin() as connection:
            made.create(connection)
            connection.execute(made.insert(), {"_row_id": 1, "huge": 1.5e300, **values})
        (row,) = database.select(select(made))
        assert row._asdict() == {"_row_id": 1, "huge": 1.5e300, **values}

    def test_what_another_process_writes_is_seen_and_nobody_waits_for_it(
        self, database: Database, people: TableSchema, url: str
    ) -> None:
        root = Path(__file__).resolve().parents[4]
        other = subprocess.Popen([sys.executable, "-c", ELSEWHERE, url], cwd=root)
        counts = [3]
        while other.poll() is None:
            with database.engine.begin() as connection:
                connection.exec_driver_sql("UPDATE people SET n = n + 1 WHERE _row_id = 1")
            counts.append(database.run(guarded("SELECT COUNT(*) FROM people", people)).rows[0][0])
        assert other.returncode == 0
        assert counts == sorted(counts)
        assert database.run(guarded("SELECT COUNT(*) FROM people", people)).rows == ((103,),)

    def test_tables_made_by_another_connection_are_seen(self, database: Database, url: str) -> None:
        other = Database(url)
        assert not database.has_table("late")
        store(other, "late", {"n": "integer"}, [(1,)])
        assert database.has_table("late")
        assert inspect(database.engine).has_table("late")
        other.close()
