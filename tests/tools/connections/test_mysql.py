"""MySQL and MariaDB as connected databases."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.support.mysql_server import MysqlServer, connect
from tests.tools.connections.engine_contract import EngineContract
from tests.tools.connections.shop import created


class TestMysql(EngineContract):
    engine = "MySQL"
    commented = (
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, "
        "state VARCHAR(9) COMMENT 'Where it is: O = open, C = cancelled', "
        "zone INTEGER COMMENT 'Delivery zone, 1 - near, 2 - remote', weight INTEGER)",
    )
    text_key = "VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"

    @pytest.fixture
    def url(self, mysql_url: str, mysql_server: MysqlServer) -> str:
        self._server = mysql_server
        for statement in created("`", "VARCHAR(100)", "DOUBLE", "DATETIME"):
            self.change(mysql_url, statement)
        return mysql_url.replace("mysql+mysqlconnector://", "mysql://")

    def change(self, url: str, statement: str) -> None:
        with closing(connect(self._server.port)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(f"USE `{url.rpartition('/')[2]}`")
            cursor.execute(statement)

    @contextmanager
    def locked(self, url: str) -> Iterator[None]:
        with closing(connect(self._server.port)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(f"USE `{url.rpartition('/')[2]}`")
            cursor.execute("LOCK TABLES orders WRITE")
            yield
