"""What the product sends to a server stays within what MySQL-compatible engines have in common.

The rules are those of TiDB's and Vitess's documentation (docs/explanation/clusters.md); neither engine was run.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from mysql.connector.cursor import MySQLCursor

from tablerag import TableRAG
from tablerag.ingestion.auditing import audit, fix
from tablerag.ingestion.pipeline import ingest, remove
from tablerag.tools.knowledge.entries import ConfirmedEntry
from tablerag.tools.saved_items import SavedItems
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

BEGINS = re.compile(
    r"(CREATE TABLE \S+ \(|CREATE INDEX \S+ ON |DROP TABLE |INSERT INTO |UPDATE \S+ SET |DELETE FROM \S+ WHERE "
    r"|SELECT |SHOW |DESCRIBE |EXPLAIN |SET SESSION |COMMIT$|ROLLBACK$|KILL )"
)
"""How statements begin that all engines have."""
REJECTED = re.compile(
    r"\b(CREATE (TEMPORARY|OR REPLACE|VIEW|PROCEDURE|FUNCTION|TRIGGER|EVENT)|GET_LOCK|RELEASE_LOCK|FOREIGN KEY"
    r"|REFERENCES|FULLTEXT|SPATIAL|MATCH \(|LOAD DATA|LOAD_FILE|LOCK TABLES|SAVEPOINT|XA |HANDLER"
    r"|CALL |PREPARE|INTO OUTFILE|AUTO_INCREMENT|RETURNING|REPLACE INTO|STRAIGHT_JOIN|OPTIMIZE TABLE|CHECK TABLE)\b"
    r"|CONVERT\(.* USING |^CREATE TABLE .*\) *(AS )?SELECT|@[a-z]\w* *:=",
    re.IGNORECASE | re.DOTALL,
)
SESSION = {
    "collation_connection",
    "cte_max_recursion_depth",
    "div_precision_increment",
    "group_concat_max_len",
    "lock_wait_timeout",
    "max_execution_time",
    "sql_mode",
    "sql_select_limit",
    # MariaDB's own, which other engines are not sent: see limits_for().
    "max_recursive_iterations",
    "max_statement_time",
    "wsrep_sync_wait",
}
"""Variables that a session sets; TiDB and Vitess know those that are not MariaDB's."""


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of all statements that the driver sends."""
    found: list[str] = []
    execute = MySQLCursor.execute

    def noted(cursor: Any, statement: Any, *given: Any, **named: Any) -> Any:
        found.append(statement.decode(errors="replace") if isinstance(statement, bytes) else str(statement))
        return execute(cursor, statement, *given, **named)

    monkeypatch.setattr(MySQLCursor, "execute", noted)
    return found


def use_everything(services: Services, folder: Path) -> None:
    """Ingest, replace, ask, confirm, save, count tokens, audit, repair and remove."""
    folder.mkdir()
    for name in ("a.csv", "b.csv"):
        (folder / name).write_text("city,day,price,order_id\nOslo,2020-01-02,1.5,1\nRome,2021-03-04,2.25,2\n")
    (folder / "long.csv").write_text("name,n\n" + "".join(f"name {n},{n}\n" for n in range(1_200)))
    ingest([folder], services, "default")
    (folder / "a.csv").write_text("city,day,price,order_id\nOslo,2020-01-02,1.5,3\n")
    ingest([folder], services, "default")
    answer = TableRAG.over(services, model="offline").ask("What is the price of Rome in b?")
    assert answer.sql
    services.knowledge.confirm("default", ConfirmedEntry(question="What?", sql=answer.sql[-1], line=1))
    services.token_ledger.add("default", 5)
    services.token_ledger.add("default", 5)
    saved = SavedItems(services.database, "", "default", "question")
    saved.remove(saved.add("title", {}).item_id)
    services.catalog.save_model_texts("key", ["text"])
    list(services.database.user_checks())
    (schema, *_) = services.catalog.schemas("default")
    services.database.tables.drop([schema.stored_as])
    assert list(fix(services, audit(services).flaws))
    remove("b.csv", services, "default")
    assert audit(services).flaws == []


def test_statements_are_those_that_engines_have_in_common(tmp_path: Path, mysql_url: str, sent: list[str]) -> None:
    services = Services(Settings(home=tmp_path / "home", database_url=mysql_url, model="offline", _env_file=None))
    use_everything(services, tmp_path / "docs")
    services.close()
    statements = sorted({" ".join(s.split()) for s in sent})
    assert len(statements) > 80 and sum(s.startswith("CREATE TABLE") for s in statements) > 15
    assert [s for s in statements if not BEGINS.match(s)] == []
    assert [s for s in statements if REJECTED.search(re.sub(r"'(?:[^'\\\\]|\\\\.)*'", "''", s))] == []
    created = [s for s in statements if s.startswith("CREATE TABLE")]
    assert [s for s in created if "PRIMARY KEY" not in s] == [], "clusters need one in every table"
    assert [s for s in created if re.search(r"CHARSET=(?!utf8mb4)", s)] == []
    variables = {m[1] for s in statements if (m := re.match(r"SET SESSION (\w+) =", s))}
    assert variables <= SESSION
    others = {s for s in statements if s.startswith("SET SESSION ") and "=" not in s}
    assert others == {"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET SESSION TRANSACTION READ ONLY"}


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TEMPORARY TABLE t (a INT)",
        "CREATE TABLE t (a INT) SELECT 1",
        "SELECT GET_LOCK('a', 1)",
        "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (a)",
        "SELECT CONVERT(a USING latin1) FROM t",
        "INSERT INTO t (a) VALUES (1) RETURNING a",
        "SELECT a FROM t WHERE MATCH (a) AGAINST ('b')",
    ],
)
def test_what_engines_reject_is_recognised(statement: str) -> None:
    assert REJECTED.search(statement)
