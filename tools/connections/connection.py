"""The record of a connection, and its URL: what may be stored and shown of it."""

import re
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from tablerag.tools.errors import ConfigError

__all__ = ["FILES", "SERVERS", "Connection", "checked_name", "parse_address", "password_variable"]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,29}")
FILES = {"sqlite": "SQLite", "duckdb": "DuckDB", "parquet": "Parquet"}
SERVERS = {
    "mysql": "MySQL",
    "mariadb": "MySQL",
    "mysql+mysqlconnector": "MySQL",
    "mariadb+mysqlconnector": "MySQL",
    "postgresql": "PostgreSQL",
    "postgresql+psycopg": "PostgreSQL",
    "postgres": "PostgreSQL",
}
EXPECTED = (
    "sqlite:///PATH, duckdb:///PATH, parquet:///FOLDER, mysql://USER@HOST:PORT/DATABASE or "
    "postgresql://USER@HOST:PORT/DATABASE"
)


class Connection(BaseModel):
    """A database that is asked beside the documents of a corpus."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    url: str
    """Without a password."""
    corpus: str
    tables: tuple[str, ...] = ()
    """Patterns of the tables to connect; empty for all."""
    database_schema: str = ""
    may_write: bool = False
    """Whether a user who may write was accepted."""

    @property
    def engine(self) -> str:
        """The kind of database, as its users write it."""
        return (FILES | SERVERS)[self.url.partition(":")[0]]

    @property
    def source(self) -> str:
        """What its tables are cited as."""
        return f"{self.name} (database)"

    def wants(self, table: str, own: str) -> bool:
        """Return whether a table is to be connected, by its name with and without its schema."""
        return not self.tables or any(
            fnmatchcase(name.casefold(), pattern.casefold()) for pattern in self.tables for name in (table, own)
        )


def checked_name(name: str) -> str:
    """Return a connection's name; raise ConfigError for an invalid one."""
    if not NAME.fullmatch(name):
        raise ConfigError(
            f"invalid connection name {name[:40]!r}: use up to 30 letters, digits and _, beginning with a letter"
        )
    return name


def password_variable(name: str) -> str:
    """Return the environment variable with the password of a connection."""
    return f"TABLERAG_CONNECTION_{name.upper()}_PASSWORD"


def parse_address(url: str) -> tuple[str, str]:
    """Return a database's URL without its password, and the password; raise ConfigError, which never shows it."""
    scheme, found, rest = url.partition("://")
    if not found:
        raise ConfigError(f"this is not the URL of a database: expected {EXPECTED}")
    scheme = scheme.lower()
    if scheme in FILES and not rest.startswith("/"):
        raise ConfigError(f"{scheme}://{rest[:60]} has two slashes: write {scheme}:///PATH")
    if scheme in FILES:
        path = unquote(rest.partition("?")[0].removeprefix("/"))
        if not path:
            raise ConfigError(f"{scheme}:// names no file: write {scheme}:///PATH")
        return f"{scheme}:///{Path(path).expanduser().resolve()}", ""
    if scheme not in SERVERS:
        raise ConfigError(f"unknown scheme {scheme[:30]}://: expected {EXPECTED}")
    try:
        parsed: URL = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise ConfigError(f"this is not the URL of a database: expected {EXPECTED}") from error
    if not parsed.database:
        raise ConfigError(f"{scheme}:// names no database: write it after the last slash")
    query = {k: v for k, v in parsed.query.items() if k.casefold() not in ("password", "passwd", "pwd")}
    given = parsed.password or next((str(v) for k, v in parsed.query.items() if k not in query), "")
    # set() would keep the password: None is no change for it.
    bare = parsed.set(drivername=scheme, query=query)._replace(password=None)
    return bare.render_as_string(hide_password=False), str(given or "")
