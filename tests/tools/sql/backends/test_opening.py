"""Database URLs, and which of them can be used."""

import pytest

from tablerag.tools.errors import ConfigError
from tablerag.tools.sql.backends.backend import shown
from tablerag.tools.sql.backends.opening import parse_url
from tablerag.tools.sql.database import Database


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("mysql://root@localhost/x", r"write mysql\+mysqlconnector://"),
        ("mysql+pymysql://root@localhost/x", r"write mysql\+mysqlconnector://"),
        ("postgresql://localhost/x", "not supported"),
        ("sqlite://", "write sqlite:///PATH"),
        ("sqlite:///:memory:", "write sqlite:///PATH"),
        ("tables.db", "not a database URL"),
        ("mysql+mysqlconnector://root@localhost:port/x", "not a database URL"),
        ("mysql+mysqlconnector://root:hunter2@localhost", "names no database"),
    ],
)
def test_urls_that_cannot_be_used(url: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told) as caught:
        Database(url)
    assert "TABLERAG_DATABASE_URL" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_query_url_names_the_same_database() -> None:
    with pytest.raises(ConfigError, match="the same database"):
        Database("mysql+mysqlconnector://a@h/x", query_url="mysql+mysqlconnector://a@h/y")


def test_shown_hides_the_password() -> None:
    assert "hunter2" not in shown(parse_url("mysql+mysqlconnector://a:hunter2@h/x?password=hunter2", "SETTING"))
