"""MySQL and MariaDB as connected databases."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.mysql_server import MysqlServer, connect
from tests.tools.connections.engine_contract import EngineContract
from tests.tools.connections.shop import created


def run(server: MysqlServer, url: str, *statements: str) -> None:
    with closing(connect(server.port)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute(f"USE `{url.rpartition('/')[2]}`")
        for statement in statements:
            cursor.execute(statement)


class TestMysql(EngineContract):
    engine = "MySQL"
    commented = (
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, "
        "state VARCHAR(9) COMMENT 'Where it is: O = open, C = cancelled', "
        "zone INTEGER COMMENT 'Delivery zone, 1 - near, 2 - remote', weight INTEGER)",
    )
    text_key = "VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"

    @pytest.fixture(scope="class")
    @classmethod
    def server(cls, mysql_server: MysqlServer) -> MysqlServer:
        return mysql_server

    @classmethod
    @contextmanager
    def shop(cls, folder: Path, server: MysqlServer) -> Iterator[str]:
        with server.fresh_database() as url:
            run(server, url, *created("`", "VARCHAR(100)", "DOUBLE", "DATETIME"))
            yield url.replace("mysql+mysqlconnector://", "mysql://")

    def change(self, url: str, statement: str) -> None:
        run(self.server_used, url, statement)

    @contextmanager
    def locked(self, url: str) -> Iterator[None]:
        with closing(connect(self.server_used.port)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(f"USE `{url.rpartition('/')[2]}`")
            cursor.execute("LOCK TABLES orders WRITE")
            yield
