"""The private server and the network fence."""

import socket

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from tests.conftest import OutsideNetwork
from tests.support.mysql_server import MysqlServer


def test_each_test_gets_an_empty_database(mysql_server: MysqlServer) -> None:
    with mysql_server.fresh_database() as one, mysql_server.fresh_database() as two:
        assert one != two
        mysql_server.execute(f"CREATE TABLE {one.rpartition('/')[2]}.t (a INT)")
        engine = create_engine(two, connect_args={"collation": "utf8mb4_unicode_ci", "use_pure": True})
        with engine.connect() as connection:
            assert connection.execute(text("SHOW TABLES")).all() == []
        engine.dispose()


def test_select_only_user_reads_and_cannot_write(mysql_server: MysqlServer, mysql_url: str) -> None:
    mysql_server.execute(f"CREATE TABLE {mysql_url.rpartition('/')[2]}.t AS SELECT 7 AS a")
    url = mysql_server.select_only_url(mysql_url)
    engine = create_engine(url, connect_args={"collation": "utf8mb4_unicode_ci", "use_pure": True})
    with engine.connect() as connection:
        assert connection.execute(text("SELECT a FROM t")).scalar() == 7
        with pytest.raises(DBAPIError, match="denied"):
            connection.execute(text("INSERT INTO t VALUES (8)"))
    engine.dispose()


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 80)])
def test_fence_refuses_other_machines(address: tuple[str, int]) -> None:
    with socket.socket() as probe, pytest.raises(OutsideNetwork, match="loopback only"):
        probe.connect(address)
