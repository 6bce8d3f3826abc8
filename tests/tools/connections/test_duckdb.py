"""DuckDB files and folders of Parquet as connected databases."""

from pathlib import Path

import duckdb
import pytest

from tests.tools.connections.engine_contract import EngineContract
from tests.tools.connections.shop import created

WORDS = ('"', "VARCHAR", "DOUBLE", "TIMESTAMP")


class TestDuckDb(EngineContract):
    engine = "DuckDB"

    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        path = tmp_path / "shop.duckdb"
        with duckdb.connect(str(path)) as connection:
            for statement in created(*WORDS):
                connection.execute(statement)
        return f"duckdb:///{path}"

    def change(self, url: str, statement: str) -> None:
        self.opened.services.database.connections.close()  # or wait until the file is not used any more
        with duckdb.connect(url.removeprefix("duckdb:///")) as connection:
            connection.execute(statement)


class TestParquet(EngineContract):
    engine = "Parquet"

    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        folder = tmp_path / "shop"
        folder.mkdir()
        with duckdb.connect() as connection:
            for statement in created(*WORDS):
                connection.execute(statement)
            for name in ("customers", "orders", "Odd Names!"):
                connection.execute(f"COPY \"{name}\" TO '{folder / name}.parquet'")
        return f"parquet:///{folder}"

    def change(self, url: str, statement: str) -> None:
        path = f"{url.removeprefix('parquet:///')}/orders.parquet"
        with duckdb.connect() as connection:
            folder = Path(path).parent
            for file in folder.glob("*.parquet"):
                connection.execute(f"CREATE TABLE \"{file.stem}\" AS FROM '{file}'")
            connection.execute(statement)
            for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
                connection.execute(f"COPY \"{name}\" TO '{folder / name}.parquet'")
