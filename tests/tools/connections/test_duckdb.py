"""DuckDB files and folders of Parquet as connected databases."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from tablerag.client import TableRAG
from tablerag.tools.errors import SqlRejected
from tests.tools.connections.engine_contract import EngineContract
from tests.tools.connections.shop import created

WORDS = ('"', "VARCHAR", "DOUBLE", "TIMESTAMP")


class TestDuckDb(EngineContract):
    engine = "DuckDB"
    commented = (
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, state VARCHAR(9), zone INTEGER, weight INTEGER)",
        "COMMENT ON COLUMN parcels.state IS 'Where it is: O = open, C = cancelled'",
        "COMMENT ON COLUMN parcels.zone IS 'Delivery zone, 1 - near, 2 - remote'",
    )
    says_locked = "open for writing in another program"

    @classmethod
    @contextmanager
    def shop(cls, folder: Path, server: None) -> Iterator[str]:
        path = folder / "shop.duckdb"
        with duckdb.connect(str(path)) as connection:
            for statement in created(*WORDS):
                connection.execute(statement)
        yield f"duckdb:///{path}"

    def change(self, url: str, statement: str) -> None:
        self.opened.services.database.connections.close()  # or wait until the file is not used any more
        with duckdb.connect(url.removeprefix("duckdb:///")) as connection:
            connection.execute(statement)

    @contextmanager
    def locked(self, url: str) -> Iterator[None]:
        self.opened.services.database.connections.close()
        with duckdb.connect(url.removeprefix("duckdb:///")):
            yield
            self.opened.services.database.connections.close()


class TestParquet(EngineContract):
    engine = "Parquet"

    @classmethod
    @contextmanager
    def shop(cls, folder: Path, server: None) -> Iterator[str]:
        tables = folder / "shop"
        tables.mkdir()
        with duckdb.connect() as connection:
            for statement in created(*WORDS):
                connection.execute(statement)
            for name in ("customers", "orders", "Odd Names!"):
                connection.execute(f"COPY \"{name}\" TO '{tables / name}.parquet'")
        yield f"parquet:///{tables}"

    def test_a_view_that_begins_to_fail_is_told(self, rag: TableRAG, url: str) -> None:
        """A folder of Parquet has no views."""

    def test_a_locked_table_is_one_line_within_the_time_limit(self, rag: TableRAG, url: str) -> None:
        """Files of Parquet are not locked."""

    def change(self, url: str, statement: str) -> None:
        path = f"{url.removeprefix('parquet:///')}/orders.parquet"
        with duckdb.connect() as connection:
            folder = Path(path).parent
            for file in folder.glob("*.parquet"):
                connection.execute(f"CREATE TABLE \"{file.stem}\" AS FROM '{file}'")
            connection.execute(statement)
            for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
                connection.execute(f"COPY \"{name}\" TO '{folder / name}.parquet'")


@pytest.mark.parametrize("engine", ["duckdb", "parquet"])
def test_a_huge_join_is_refused_with_its_estimate(tmp_path: Path, engine: str) -> None:
    (tmp_path / "numbers").mkdir()
    with duckdb.connect(str(tmp_path / "numbers.duckdb")) as connection:
        connection.execute("CREATE TABLE numbers AS SELECT range AS n, range % 7 AS day FROM range(20000)")
        connection.execute(f"COPY numbers TO '{tmp_path / 'numbers' / 'numbers.parquet'}'")
    place = tmp_path / ("numbers" if engine == "parquet" else "numbers.duckdb")
    with TableRAG(tmp_path / "home", model="offline", connection_most_rows=1_000_000) as rag:
        rag.connect("shop", f"{engine}:///{place}")
        for joined in ("a.n < b.n", "a.day = b.day OR a.n = b.n", "ABS(a.n - b.n) < 3", "TRUE"):
            with pytest.raises(SqlRejected, match=r"about [\d,]+ rows, more than 1,000,000 \(TABLERAG_CONNECTION_MOST"):
                rag.sql(f"SELECT COUNT(*) FROM numbers AS a JOIN numbers AS b ON {joined}")
        assert rag.sql("SELECT COUNT(*) FROM numbers AS a JOIN numbers AS b ON a.n = b.n").rows == ((20_000,),)
        assert rag.sql("SELECT COUNT(*) FROM numbers AS a WHERE n IN (SELECT n FROM numbers)").rows == ((20_000,),)
        assert rag.sql("SELECT SUM(n) FROM numbers WHERE day = 0").rows[0][0] > 0
