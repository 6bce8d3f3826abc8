"""Homes of version 0.1.0, whose SQLite file held the documents' tables."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tablerag.tools.errors import ConfigError
from tablerag.tools.sql.backends.embedded import tables_folder
from tablerag.tools.sql.backends.migrating import old_tables
from tablerag.tools.sql.database import Database
from tests.tools.stored import stored_rows

NAME = "sales__0123456789ab_0"
OLD = f"""
CREATE TABLE {NAME} (_row_id INTEGER NOT NULL PRIMARY KEY, _source_row BIGINT, "group" TEXT COLLATE "NOCASE",
    price NUMERIC(5, 2), ratio NUMERIC, day DATE, seen DATETIME, paid BOOLEAN);
INSERT INTO {NAME} VALUES (1, 2, 'a "b" é', 123.45, 1.5e300, '2024-02-29', '2024-02-29 23:59:59.000500', 1);
INSERT INTO {NAME} VALUES (2, 3, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE _tablerag_documents (source TEXT);
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "tables.db")) as connection:
        connection.executescript(OLD)
    return tmp_path / "tables.db"


def test_tables_are_moved_with_their_values(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    with pytest.raises(ConfigError, match="older version: run `tablerag migrate` once"):
        database.tables.names()
    assert list(database.backend.migrate()) == [(1, NAME)]
    columns = ("_row_id", "_source_row", "group", "price", "ratio", "day", "seen", "paid")
    first, second = stored_rows(database, NAME, *columns)
    assert [str(v) for v in first] == [
        *("1", "2", 'a "b" é', "123.45", "1.5e+300", "2024-02-29", "2024-02-29 23:59:59.000500", "1")
    ]
    assert second == (2, 3, *[None] * 6)
    assert old_tables(path) == []
    assert list(database.backend.migrate()) == []
    database.close()


def test_decimals_keep_the_digits_that_were_shown(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE {NAME[:-1]}1 (_row_id INTEGER, price NUMERIC(17, 17), wide NUMERIC(40, 3))")
        connection.execute(f"INSERT INTO {NAME[:-1]}1 VALUES (1, 0.1 + 0.2, 68.66499999999999), (2, NULL, 1e300)")
        connection.execute(f"CREATE TABLE {NAME[:-1]}2 (_row_id INTEGER, place NUMERIC(17, 15))")
        connection.execute(f"INSERT INTO {NAME[:-1]}2 VALUES (1, 13.589792251586902)")
    database = Database(f"sqlite:///{path}")
    assert len(list(database.backend.migrate())) == 3
    found = stored_rows(database, f"{NAME[:-1]}1", "price", "wide")
    assert [[None if v is None else float(v) for v in row] for row in found] == [[0.3, 68.665], [None, 1e300]]
    assert float(stored_rows(database, f"{NAME[:-1]}2", "place")[0][0]) == 13.5897922515869
    database.close()


def test_an_interrupted_migration_begins_again(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    moving = database.backend.migrate()
    next(moving)
    moving.close()
    assert not tables_folder(path).exists() and old_tables(path) == [NAME]
    assert list(database.backend.migrate()) == [(1, NAME)]
    assert database.tables.names() == {NAME}
    database.close()
