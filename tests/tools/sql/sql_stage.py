"""The two tables that statements are tried on, and proofs that trying them changed nothing."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import mysql.connector

from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tests.support.mysql_server import MysqlServer, connect
from tests.tools.sql.test_parity import SALES, SALES_TYPES, STORES, STORES_TYPES
from tests.tools.stored import store

__all__ = ["embedded_state", "files_below", "server_state", "set_stage"]

SECRET = "_tablerag_documents"
"""A table that no statement is shown; its content must appear in no result."""


def set_stage(database: Database) -> list[TableSchema]:
    """Create the tables and the secret one; return the schemas that statements may use."""
    shown = [store(database, "sales", SALES_TYPES, SALES), store(database, "stores", STORES_TYPES, STORES)]
    store(database, SECRET, {"source": "text"}, [("the secret",)])
    return shown


def embedded_state(folder: Path) -> dict[str, str]:
    """Return a digest of every file of an embedded database, without what SQLite makes and removes by itself."""
    (catalog,) = folder.glob("*.db")
    with closing(sqlite3.connect(catalog)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    files = [catalog, *catalog.with_suffix(".parquet").rglob("*")]
    return {str(f.relative_to(folder)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files if f.is_file()}


def server_state(server: MysqlServer, database: str) -> tuple[object, ...]:
    """Return the checksums of a database's tables, and the tables, users, routines and variables there are."""
    with closing(connect(server.port)) as connection, closing(connection.cursor()) as cursor:
        return tuple(
            _rows(cursor, sql)
            for sql in (
                f"SELECT table_name FROM information_schema.tables WHERE table_schema = '{database}' ORDER BY 1",
                f"CHECKSUM TABLE `{database}`.sales, `{database}`.stores, `{database}`.{SECRET} EXTENDED",
                "SELECT user, host FROM mysql.user ORDER BY 1, 2",
                "SELECT schema_name FROM information_schema.schemata ORDER BY 1",
                "SELECT routine_name FROM information_schema.routines WHERE routine_schema NOT IN ('sys', 'mysql')",
                "SHOW GLOBAL VARIABLES WHERE variable_name IN ('general_log', 'max_connections', 'read_only')",
            )
        )


def _rows(cursor: "mysql.connector.cursor.MySQLCursor", sql: str) -> tuple[object, ...]:
    cursor.execute(sql)
    return tuple(cursor.fetchall())


def files_below(*folders: Path) -> set[str]:
    """Return every file's path, without those that an engine makes and removes by itself."""
    beside = ("-wal", "-shm", "-journal")
    return {
        str(p)
        for f in folders
        for p in f.rglob("*")
        if p.is_file() and not p.name.endswith(beside) and "#sql" not in p.name
    }
