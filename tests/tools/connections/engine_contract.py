"""What every connected database does, whichever its engine; each engine's tests inherit it and give a URL."""

import re
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablerag.client import TableRAG
from tablerag.ingestion.connecting import connect, disconnect, sync
from tablerag.tools.connections.waiting import KEPT_S
from tablerag.tools.errors import SqlFailed, SqlProblem, SqlRejected
from tablerag.tools.evidence import run_sql
from tablerag.tools.sql.guard import guard
from tablerag.tools.sql.lineage.contributing import contributing_rows
from tablerag.tools.sql.receipts import receipt_for, verified
from tablerag.tools.sql.supporting_rows import rows_of_table

__all__ = ["EngineContract"]

NEXT_LOOK_S = 3.0
"""After it, a database is looked at again."""
PRICES = "product,list price,target\napple,3,11\npear,4.25,4\nplum,9,2\n"
JOINED: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("SELECT p.product, SUM(o.quantity * p.list_price) AS worth FROM orders AS o JOIN prices AS p "
     "ON p.product = o.product GROUP BY p.product ORDER BY worth", [("pear", 29.75), ("apple", 51)]),
    ("SELECT p.product, SUM(o.quantity * p.list_price) AS worth FROM orders AS o JOIN prices AS p "
     "ON p.product = o.product WHERE o.ordered >= '2024-02-01' GROUP BY p.product ORDER BY worth",
     [("apple", 21), ("pear", 51)]),
    ("SELECT p.product, s.n FROM prices AS p LEFT JOIN (SELECT product, SUM(quantity) AS n FROM orders GROUP BY "
     "product) AS s ON s.product = p.product WHERE s.n > p.target OR s.n IS NULL ORDER BY p.product",
     [("apple", 17), ("pear", 7), ("plum", None)]),
    ("SELECT (SELECT SUM(quantity) FROM orders) - (SELECT SUM(target) FROM prices)", [(14,)]),
    ("WITH s AS (SELECT product, SUM(quantity) AS n FROM orders GROUP BY product) "
     "SELECT p.product, ROUND(s.n / p.target, 2) FROM prices AS p JOIN s USING (product) ORDER BY 1",
     [("apple", 1.55), ("pear", 1.75)]),
    ("WITH s AS (SELECT product, quantity FROM orders), t AS (SELECT product, SUM(quantity) AS n FROM s GROUP BY "
     "product) SELECT COUNT(*) FROM t JOIN prices ON prices.product = t.product", [(2,)]),
    ("SELECT product FROM prices WHERE NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.product = prices.product)",
     [("plum",)]),
    ("SELECT LOWER(product) FROM prices UNION SELECT LOWER(product) FROM orders ORDER BY 1",
     [("äpfel",), ("apple",), ("pear",), ("plum",)]),
    ("SELECT COUNT(*) FROM prices, orders", [(18,)]),
    ("SELECT o.id FROM orders AS o WHERE o.product IN (SELECT product FROM prices WHERE target > 5) ORDER BY o.id",
     [(1,), (2,)]),
    ("SELECT p.product, (SELECT MAX(o.price) FROM orders AS o WHERE o.product = p.product AND o.quantity > 0) "
     "FROM prices AS p ORDER BY 1", [("apple", 2.5), ("pear", 3.75), ("plum", None)]),
    ("SELECT COUNT(*) FROM orders AS a JOIN orders AS b ON a.customer_id = b.customer_id AND a.id < b.id "
     "JOIN prices AS p ON p.product = a.product", [(2,)]),
    ("SELECT COUNT(*), COUNT(o.id) FROM prices AS p LEFT JOIN orders AS o ON o.product = p.product "
     "AND o.quantity > 100", [(3, 0)]),
    ("SELECT p.product FROM prices AS p LEFT JOIN orders AS o ON o.product = p.product WHERE o.id IS NULL",
     [("plum",)]),
    ("SELECT COUNT(*) FROM orders AS o RIGHT JOIN prices AS p ON p.product = o.product AND o.quantity > 0 "
     "WHERE p.target < 5", [(2,)]),
    ("SELECT COUNT(*), MAX(o.packed_at) FROM orders AS o JOIN prices AS p ON p.product = o.product WHERE o.paid",
     [(3, "2024-12-29 23:59:59")]),
    ("SELECT p.target, c.name, SUM(o.quantity) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id "
     "JOIN prices AS p ON p.product = o.product WHERE c.city = 'oslo' GROUP BY p.target, c.name ORDER BY 1",
     [(4, "Café Mokka", 12), (11, "Café Mokka", 7)]),
]  # fmt: skip
STATEMENTS: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("SELECT COUNT(*), COUNT(price), SUM(quantity), MIN(ordered), MAX(packed_at) FROM orders",
     [(6, 5, 31, "2023-12-31", "2024-12-29 23:59:59")]),
    ("SELECT 7 / 2, 7 DIV 2, -7 DIV 2, 7 % 3, 1 / 0 FROM orders WHERE id = 1", [(3.5, 3, -3, 1, None)]),
    ("SELECT quantity / 4 FROM orders WHERE id IN (1, 2) ORDER BY id", [(2.5,), (1.75,)]),
    ("SELECT COUNT(*) FROM orders WHERE product = 'APPLE'", [(2,)]),
    ("SELECT COUNT(*) FROM orders WHERE product = 'apfel'", [(2,)]),
    ("SELECT COUNT(*) FROM orders WHERE product IN ('pear', 'x')", [(2,)]),
    ("SELECT COUNT(*) FROM orders WHERE product LIKE 'a%'", [(4,)]),
    ("SELECT COUNT(*) FROM orders WHERE product <> 'apple'", [(4,)]),
    ("SELECT COUNT(*) FROM orders WHERE product BETWEEN 'b' AND 'q'", [(2,)]),
    ("SELECT COUNT(DISTINCT product) FROM orders", [(3,)]),
    ("SELECT COUNT(*) FROM (SELECT DISTINCT product FROM orders) AS t", [(3,)]),
    ("SELECT SUM(quantity) AS n FROM orders GROUP BY product ORDER BY n", [(7,), (7,), (17,)]),
    ("SELECT LOWER(MIN(product)), COUNT(*) AS n FROM orders GROUP BY UPPER(product) ORDER BY n, 1",
     [("äpfel", 2), ("apple", 2), ("pear", 2)]),
    ("SELECT id FROM orders ORDER BY price, id", [(4,), (5,), (2,), (1,), (6,), (3,)]),
    ("SELECT id FROM orders ORDER BY price DESC LIMIT 2", [(3,), (6,)]),
    ("SELECT id FROM orders ORDER BY product, id", [(4,), (5,), (1,), (2,), (3,), (6,)]),
    ("SELECT GROUP_CONCAT(id ORDER BY id DESC SEPARATOR '; ') FROM orders WHERE quantity > 5", [("6; 2; 1",)]),
    ("SELECT YEAR(ordered), COUNT(*) FROM orders WHERE ordered IS NOT NULL GROUP BY YEAR(ordered) ORDER BY 1",
     [(2023, 1), (2024, 4)]),
    ("SELECT id FROM orders WHERE ordered >= '2024-03-01' ORDER BY id", [(4,), (6,)]),
    ("SELECT id FROM orders WHERE packed_at >= '2024-03-01' AND packed_at < '2024-03-02' ORDER BY id", [(4,)]),
    ("SELECT DATEDIFF('2024-03-01', ordered) FROM orders WHERE id = 2", [(1,)]),
    ("SELECT DATE_ADD(ordered, INTERVAL 1 MONTH) FROM orders WHERE id = 1", [("2024-02-29",)]),
    ("SELECT DATE_FORMAT(ordered, '%Y-%m'), MONTH(ordered), QUARTER(ordered) FROM orders WHERE id = 6",
     [("2024-12", 12, 4)]),
    ("SELECT SUM(paid), COUNT(*) FROM orders WHERE paid OR quantity > 5", [(3, 4)]),
    ("SELECT ROUND(AVG(price), 2), ROUND(2.5), ROUND(-1.5) FROM orders", [(2.4, 3, -2)]),
    ("SELECT CONCAT(product, '-', quantity), LENGTH(note), SUBSTRING(product, 2, 3) FROM orders WHERE id = 1",
     [("Apple-10", 5, "ppl")]),
    ("SELECT IFNULL(note, 'none'), COALESCE(price, 0), IF(paid, 'yes', 'no') FROM orders WHERE id = 2",
     [("none", 1.25, "no")]),
    ("SELECT c.name, SUM(o.quantity) AS n FROM orders AS o JOIN customers AS c ON c.id = o.customer_id "
     "GROUP BY c.name ORDER BY n DESC, c.name", [("Café Mokka", 19), ("delta", 7), ("Bar Aurora", 5)]),
    ("SELECT name FROM customers WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = customers.id "
     "AND quantity > 5) ORDER BY name", [("delta",)]),
    ("WITH big AS (SELECT id, quantity FROM orders WHERE quantity > 3) SELECT COUNT(*), MAX(quantity) FROM big",
     [(4, 12)]),
    ("SELECT id, ROW_NUMBER() OVER (ORDER BY quantity DESC) AS r FROM orders ORDER BY r LIMIT 2", [(6, 1), (1, 2)]),
    ("SELECT COUNT(*) FROM (SELECT product FROM orders UNION SELECT 'APPLE' UNION SELECT 'plum') AS u", [(4,)]),
    ("SELECT COUNT(*) FROM orders WHERE note = ''", [(1,)]),
    ("SELECT city FROM customers ORDER BY city", [(None,), ("Bergen",), ("Oslo",)]),
]  # fmt: skip


class EngineContract:
    """Tests that every engine passes."""

    engine = ""
    opened: TableRAG
    server_used: Any
    says_locked = "locked by another"
    breaks_view = "DROP TABLE base"
    commented: tuple[str, ...] = ()
    """The statements that create a table of parcels with comments on the columns of their states and zones."""
    keyed = True
    """Whether rows have numbers."""
    text_key, after = "VARCHAR(40)", ""
    """The type of a key of texts that differ in case, and what follows the columns of its table."""

    @pytest.fixture(scope="class")
    @classmethod
    def server(cls) -> Any:
        """What runs the engine, if that takes a server."""
        return None

    @classmethod
    def shop(cls, folder: Path, server: Any) -> AbstractContextManager[str]:
        """Create the shop, in an empty folder or on the server, and return its URL."""
        raise NotImplementedError

    @pytest.fixture
    def url(self, tmp_path: Path, server: Any) -> Iterator[str]:
        """The URL of a shop that the test may change."""
        self.server_used = server
        with self.shop(tmp_path, server) as url:
            yield url

    @pytest.fixture
    def rag(self, tmp_path: Path, url: str) -> Iterator[TableRAG]:
        """A client with the shop connected."""
        with self.connected(tmp_path / "home", url) as rag:
            self.opened = rag
            yield rag

    @pytest.fixture(scope="class")
    @classmethod
    def read(cls, tmp_path_factory: pytest.TempPathFactory, server: Any) -> Iterator[TableRAG]:
        """A client for the tests that only read: one for all of them, as connecting takes longer than they do."""
        folder = tmp_path_factory.mktemp("read")
        with cls.shop(folder, server) as url, cls.connected(folder / "home", url) as rag:
            yield rag

    @staticmethod
    @contextmanager
    def connected(home: Path, url: str) -> Iterator[TableRAG]:
        """Open a client of the shop."""
        with TableRAG(home, model="offline", sql_timeout_s=3) as rag:
            report = connect(rag.services, "default", "shop", url, may_write=True)
            assert not report.left_out
            yield rag

    def change(self, url: str, statement: str) -> None:
        """Run a statement on the database as its owner."""
        raise NotImplementedError

    def locked(self, url: str) -> AbstractContextManager[object]:
        """Lock the table of orders for any other session."""
        raise NotImplementedError

    def test_a_locked_table_is_one_line_within_the_time_limit(self, rag: TableRAG, url: str) -> None:
        with self.locked(url):
            begun = time.monotonic()
            with pytest.raises(SqlFailed, match=self.says_locked) as error:
                rag.sql("SELECT SUM(quantity) FROM orders")
            assert time.monotonic() - begun < 3 + 1
            assert "\n" not in str(error.value)
            begun = time.monotonic()
            answer = rag.ask("What is the total quantity of all orders?")
            assert time.monotonic() - begun < 2 * 3
            assert (answer.value, answer.cause) == (None, "table_lost")
            assert re.search(self.says_locked, answer.text)
        time.sleep(KEPT_S)
        assert rag.sql("SELECT SUM(quantity) FROM orders").rows == ((31,),)

    def test_a_view_that_begins_to_fail_is_told(self, rag: TableRAG, url: str) -> None:
        self.change(url, "CREATE TABLE base (id INTEGER PRIMARY KEY, n INTEGER)")
        self.change(url, "INSERT INTO base VALUES (1, 4), (2, 2)")
        self.change(url, "CREATE VIEW shares AS SELECT id, 20 / n AS share FROM base")
        rag.sync("shop")
        assert rag.sql("SELECT SUM(share) FROM shares").rows[0][0] == 15
        self.change(url, self.breaks_view)
        with pytest.raises(SqlProblem) as error:
            rag.sql("SELECT SUM(share) FROM shares")
        assert "\n" not in str(error.value) and len(str(error.value)) < 400
        assert rag.ask("What is the total share of all shares?").value is None
        assert rag.ask("What is the total quantity of all orders?").value == 31
        (line,) = rag.sync("shop")[0].left_out
        assert line.partition(":")[0].endswith("shares") and "\n" not in line

    def test_tables_are_listed_as_those_of_documents(self, read: TableRAG) -> None:
        found = {t.name: t for t in read.tables()}
        assert found.keys() == {"customers", "orders", "odd_names"}
        assert found["orders"].source == "shop (database)"
        assert found["orders"].locator.endswith("orders")
        assert found["orders"].row_count == 6
        types = {c.name: c.type for c in found["orders"].columns}
        assert types == {
            "id": "integer", "customer_id": "integer", "product": "text", "quantity": "integer", "price": "decimal",
            "ordered": "date", "packed_at": "datetime", "paid": "boolean", "note": "text",
        }  # fmt: skip
        assert found["orders"].columns[2].examples[:1] == ("Apple",)
        assert found["orders"].origin and found["orders"].origin.engine == self.engine

    def test_statements_answer_as_on_mysql(self, read: TableRAG) -> None:
        assert self.wrong(read, STATEMENTS) == []

    def wrong(self, rag: TableRAG, statements: list[tuple[str, list[tuple[Any, ...]]]]) -> list[tuple[str, Any]]:
        """Return the statements with other rows than expected, and these; none that the engine says it cannot do."""
        wrong = []
        for statement, expected in statements:
            try:
                found = [tuple(_comparable(v) for v in row) for row in rag.sql(statement).rows]
            except SqlProblem as problem:
                if "is not available on" not in str(problem):
                    wrong.append((statement, str(problem)))
                continue
            if found != [tuple(_comparable(v) for v in row) for row in expected]:
                wrong.append((statement, found))
        return wrong

    def test_difficult_names_are_read(self, read: TableRAG) -> None:
        names = {c.name: c.header for c in read.describe("odd_names").columns}
        assert list(names.values()) == ["select", "Größe", "two words"]
        one, other, third = names
        found = read.sql(f"SELECT `{one}`, SUM(`{other}`), MAX(`{third}`) FROM odd_names GROUP BY `{one}` ORDER BY 1")
        assert [(r[0], int(r[1] or 0), r[2]) for r in found.rows] == [("x", 1, "one"), ("y", 4, "two")]

    def test_an_answer_is_computed_and_verified(self, read: TableRAG) -> None:
        answer = read.ask("What is the total quantity of all orders?")
        assert answer.value == 31
        assert answer.citations[0].source == "shop (database)"
        assert "computed at" in answer.explanation.casefold()
        checks = read.verify(answer)
        assert [c.status for c in checks] == ["same"]
        rows = checks[0].receipt.rows[0]
        assert rows.row_count == 6
        assert (rows.row_ids == (1, 2, 3, 4, 5, 6)) if self.keyed else rows.untold

    def test_rows_without_a_key_are_counted(self, read: TableRAG) -> None:
        one = read.describe("odd_names").columns[1].name
        receipt = read.sql(f"SELECT SUM(`{one}`) FROM odd_names").receipt
        assert receipt is not None and receipt.rows[0].row_count == 3
        assert len(rows_of_table(read.describe("odd_names"), read.services.database, count=2).row_ids) == 2

    @pytest.fixture
    def keyed_rag(self, rag: TableRAG, url: str) -> TableRAG:
        """A client with tables whose keys are texts, or several columns."""
        self.change(url, f"CREATE TABLE goods (code {self.text_key} PRIMARY KEY, cost INTEGER){self.after}")
        self.change(url, "INSERT INTO goods VALUES ('it''s', 1), ('a', 2), ('A', 4), ('\u00c4', 8), ('b', 16)")
        self.change(
            url,
            f"CREATE TABLE parts (box INTEGER, code {self.text_key}, day DATE, n INTEGER, "
            f"PRIMARY KEY (box, code, day)){self.after}",
        )
        self.change(
            url,
            "INSERT INTO parts VALUES (1, 'a', '2024-01-01', 5), (1, 'A', '2024-01-01', 6), (1, 'a', '2024-01-02', 7), "
            "(2, 'b', '2024-01-01', 8)",
        )
        rag.sync("shop")
        return rag

    def test_rows_with_other_keys_are_shown_and_verified(self, keyed_rag: TableRAG, url: str) -> None:
        answer = keyed_rag.ask("What is the total cost of all goods?")
        assert answer.value == 31
        check = keyed_rag.verify(answer)[0]
        assert (check.status, check.says) == ("same", "the result and its rows are unchanged")
        assert (check.receipt.rows[0].row_count, check.receipt.rows[0].untold) == (5, "")
        assert check.receipt.rows[0].rows_hash
        assert {row[0] for row in answer.steps[0].supporting[0].rows} == {"it's", "a", "A", "Ä", "b"}
        self.change(url, "UPDATE goods SET cost = 5 WHERE code = 'A'")
        self.change(url, "UPDATE goods SET cost = 1 WHERE code = 'a'")
        after = keyed_rag.verify(answer)[0]
        assert after.status == "same" and after.says.endswith("computed from other rows of goods")

    def test_rows_with_keys_of_several_columns_are_told_apart(self, keyed_rag: TableRAG) -> None:
        def rows(sql: str) -> dict[str, tuple[int | None, set[Any]]]:
            result, supporting = run_sql(keyed_rag.services, sql, keyed_rag.tables())
            assert result.receipt is not None
            shown = {s.table: {tuple(row) for row in s.rows} for s in supporting}
            return {r.table: (r.row_count, shown[r.table]) for r in result.receipt.rows}

        one, other, third = (1, "a", "2024-01-01", 5), (1, "A", "2024-01-01", 6), (1, "a", "2024-01-02", 7)
        assert rows("SELECT SUM(n) FROM parts WHERE box = 1") == {"parts": (3, {one, other, third})}
        assert rows("SELECT n FROM parts ORDER BY n LIMIT 2") == {"parts": (2, {one, other})}
        # Texts are compared without case: both a and A are joined with both.
        joined = rows("SELECT SUM(g.cost) FROM parts AS p JOIN goods AS g ON g.code = p.code WHERE p.n = 7")
        assert joined["parts"] == (1, {third})
        assert {("a", 2), ("A", 4)} <= joined["goods"][1] and joined["goods"][0] == len(joined["goods"][1])

    def test_a_value_is_found_by_its_words(self, read: TableRAG) -> None:
        assert read.ask("How many orders have the product pear?").value == 2

    def test_a_changed_value_is_noticed(self, rag: TableRAG, url: str) -> None:
        answer = rag.ask("What is the total quantity of all orders?")
        self.change(url, "UPDATE orders SET quantity = 100 WHERE id = 1")
        assert [c.status for c in rag.verify(answer)] == ["changed"]

    def test_a_renamed_column_is_described_again(self, rag: TableRAG, url: str) -> None:
        self.change(url, "ALTER TABLE orders RENAME COLUMN quantity TO amount")
        with pytest.raises(SqlRejected, match="unknown column 'quantity': .*amount"):
            rag.sql("SELECT SUM(quantity) FROM orders")
        assert rag.sql("SELECT SUM(amount) FROM orders").rows[0][0] == 31
        assert [len(r.unchanged) for r in sync(rag.services)] == [3]

    def test_a_question_goes_on_with_the_new_schema(self, rag: TableRAG, url: str) -> None:
        self.change(url, "ALTER TABLE orders RENAME COLUMN quantity TO amount")
        assert rag.ask("What is the total amount of all orders?").value == 31

    def test_a_new_column_is_described_when_a_statement_names_it(self, rag: TableRAG, url: str) -> None:
        with pytest.raises(SqlRejected, match="unknown column 'weight'"):
            rag.sql("SELECT SUM(weight) FROM orders")
        self.change(url, "ALTER TABLE orders ADD COLUMN weight INTEGER DEFAULT 2")
        rag.services.refresh = None
        with TableRAG.over(rag.services, corpus="default", model="offline") as again:
            assert again.sql("SELECT SUM(weight) FROM orders").rows[0][0] == 12

    def test_a_new_column_is_described_when_a_question_names_it(self, rag: TableRAG, url: str) -> None:
        assert rag.ask("What is the total quantity of all orders?").value == 31
        self.change(url, "ALTER TABLE orders ADD COLUMN weight INTEGER DEFAULT 2")
        for _ in range(5):  # on a busy machine a look takes longer, and the next one is later
            time.sleep(NEXT_LOOK_S)
            answer = rag.ask("What is the total weight of all orders?")
            if answer.value is not None:
                break
        assert answer.value == 12

    def test_a_new_table_is_described_when_a_question_names_it(self, rag: TableRAG, url: str) -> None:
        self.change(url, "CREATE TABLE parcels (id INTEGER PRIMARY KEY, weight INTEGER)")
        self.change(url, "INSERT INTO parcels VALUES (1, 40), (2, 2)")
        assert rag.ask("What is the total weight of all parcels?").value == 42

    def test_codes_are_read_as_the_comment_of_their_column_says(self, rag: TableRAG, url: str) -> None:
        if not self.commented:
            pytest.skip("the engine keeps no comments")
        for statement in self.commented:
            self.change(url, statement)
        self.change(url, "INSERT INTO parcels VALUES (1, 'O', 1, 4), (2, 'C', 2, 5), (3, 'C', 1, 6)")
        rag.sync("shop")
        answer = rag.ask("How many parcels were cancelled?")
        assert answer.value == 2
        assert "state “C” means “cancelled”, as the comment of column state says." in answer.explanation
        answer = rag.ask("What is the total weight of parcels that were not cancelled?")
        assert answer.value == 4
        assert "state “C” means “cancelled”, as the comment of column state says." in answer.explanation
        answer = rag.ask("How many parcels are remote?")
        assert (answer.value, answer.sql[0].partition("WHERE ")[2]) == (1, "`zone` = 2")
        assert "zone “2” means “remote”, as the comment of column zone says." in answer.explanation

    def test_nothing_changed_is_unchanged(self, read: TableRAG) -> None:
        report = sync(read.services)[0]
        assert (len(report.unchanged), report.added, report.replaced, report.removed) == (3, [], [], [])

    def test_a_statement_ends_with_its_time(self, read: TableRAG) -> None:
        many = ", ".join(f"orders AS o{i}" for i in range(13))
        with pytest.raises(SqlProblem, match="ran longer than|would examine about"):
            read.sql(f"SELECT SUM(o0.quantity * o12.quantity) FROM {many}")

    def test_tables_of_documents_are_joined(self, rag: TableRAG, tmp_path: Path) -> None:
        (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
        rag.ingest(tmp_path / "prices.csv")
        assert self.wrong(rag, JOINED) == []

    def test_a_joined_answer_has_rows_of_both_sides(self, rag: TableRAG, url: str, tmp_path: Path) -> None:
        (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
        rag.ingest(tmp_path / "prices.csv")
        guarded = guard(JOINED[0][0], rag.tables(), row_limit=10)
        found = contributing_rows(guarded, rag.sql(JOINED[0][0]), rag.tables(), rag.services.database).tables
        receipt = receipt_for(guarded, rag.sql(JOINED[0][0]), rag.tables(), found)
        assert {r.table: (r.row_count, r.row_ids) for r in receipt.rows} == {
            "orders": (4, (1, 2, 3, 6)), "prices": (2, (1, 2))
        }  # fmt: skip
        assert receipt.joined == ("shop", "")
        assert verified(receipt, rag.tables(), rag.services.database, row_limit=10).status == "same"
        self.change(url, "UPDATE orders SET quantity = 100 WHERE id = 1")
        assert verified(receipt, rag.tables(), rag.services.database, row_limit=10).status == "changed"

    def test_too_many_rows_are_not_joined(self, rag: TableRAG, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
        rag.ingest(tmp_path / "prices.csv")
        monkeypatch.setattr("tablerag.tools.connections.joining.MOST_PARTIAL_ROWS", 3)
        with pytest.raises(SqlFailed, match="more than 3 rows of orders would be joined .*GROUP BY"):
            rag.sql("SELECT COUNT(*) FROM orders JOIN prices ON prices.product = orders.product")
        summed = "SELECT product, SUM(quantity) AS n FROM orders GROUP BY product"
        assert rag.sql(f"SELECT COUNT(*) FROM ({summed}) AS s JOIN prices ON prices.product = s.product").rows == (
            (2,),
        )
        assert rag.sql(
            "SELECT o.id FROM orders AS o JOIN prices AS p ON p.product = o.product WHERE o.quantity = 10"
        ).rows == ((1,),)

    def test_disconnected_tables_are_gone(self, rag: TableRAG, url: str) -> None:
        disconnect(rag.services, "shop")
        assert rag.tables() == []
        assert rag.services.vector_store("default").count() == 0
        assert rag.services.database.connections.all() == []

    @pytest.mark.parametrize(
        ("statement", "says"),
        [
            ("SELECT COUNT(*) FROM orders WHERE quantity > 'abc'", "column 'quantity' holds numbers, got 'abc'"),
            ("SELECT COUNT(*) FROM orders WHERE price IN ('2.5', 'x')", "column 'price' holds numbers, got 'x'"),
            ("SELECT COUNT(*) FROM orders WHERE ordered < 'soon'", "column 'ordered' holds dates, got 'soon': write a"),
            ("SELECT o.city FROM orders AS o JOIN customers AS c ON c.id = o.customer_id",
             "unknown column 'city' of 'o': did you mean c.city?"),
            ("SELECT SUM(pieces) FROM customers", "unknown column 'pieces': expected one of city, id, name"),
        ],
    )  # fmt: skip
    def test_names_and_types_that_do_not_fit_are_told(self, read: TableRAG, statement: str, says: str) -> None:
        with pytest.raises(SqlRejected, match=f"^{re.escape(says)}"):
            read.sql(statement)

    def test_a_number_written_as_a_text_is_one(self, read: TableRAG) -> None:
        assert read.sql("SELECT COUNT(*) FROM orders WHERE quantity > '9.5' OR price = ' 4 '").rows == ((3,),)

    def test_statements_cannot_reach_beyond_the_tables(self, read: TableRAG) -> None:
        for statement in (
            "SELECT * FROM information_schema.tables",
            "SELECT * FROM sqlite_schema",
            "DELETE FROM orders",
            "SELECT load_file('/etc/passwd') FROM orders",
            "SELECT 1 FROM orders; DROP TABLE orders",
        ):
            with pytest.raises((SqlRejected, SqlFailed)):
                read.sql(statement)


def _comparable(value: Any) -> Any:
    if isinstance(value, bool | int | float):
        return round(float(value), 6)
    try:
        return round(float(value), 6) if value is not None else None
    except ValueError:
        return value.removesuffix(" 00:00:00")
