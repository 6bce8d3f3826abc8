"""The commands for connected databases."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.command_line import CommandLine
from tests.support.model_server import ModelServer


def shop(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, product TEXT, quantity INTEGER)")
        connection.execute("CREATE VIEW broken AS SELECT nope FROM orders")
        connection.execute("INSERT INTO orders VALUES (1, 'Apple', 3), (2, 'Pear', 4)")
        connection.commit()


def test_a_database_is_connected_asked_verified_and_disconnected(command_line: CommandLine, tmp_path: Path) -> None:
    shop(tmp_path / "shop.db")
    status, out, err = command_line("connect", "shop", "sqlite:///shop.db", TABLERAG_HOME="home")
    assert (status, out) == (1, "shop: 1 table (1 added, 1 left out)\n")
    assert "left out broken: no such column: nope" in err
    assert "sqlite:///" in command_line("connections")[1]
    assert "shop (database)" in command_line("tables")[1]
    assert "from shop (database), main.orders" in command_line("describe", "orders")[1]
    assert "7" in command_line("sql", "SELECT SUM(quantity) FROM orders")[1]
    status, out, _ = command_line("ask", "What is the total quantity of all orders?", "--json", "--model", "offline")
    assert status == 0 and json.loads(out)["answer"] == "7"
    (tmp_path / "answer.json").write_text(out, encoding="utf-8")
    status, out, _ = command_line("verify", "answer.json")
    assert status == 0 and "same" in out
    assert "connection shop: SQLite, 1 table" in command_line("doctor")[1]
    status, out, _ = command_line("sync")
    assert out == "shop: 1 table (1 unchanged, 1 left out)\n"
    assert command_line("disconnect", "shop")[1] == "shop: 0 tables (1 removed)\n"
    status, _, err = command_line("connections")
    assert status == 2 and "tablerag connect NAME URL" in err


def test_what_is_locked_could_not_be_checked(command_line: CommandLine, tmp_path: Path) -> None:
    shop(tmp_path / "shop.db")
    command_line("connect", "shop", "sqlite:///shop.db", "--tables", "orders", TABLERAG_HOME="home")
    out = command_line("ask", "What is the total quantity of all orders?", "--json", "--model", "offline")[1]
    (tmp_path / "answer.json").write_text(out, encoding="utf-8")
    (tmp_path / "k.yaml").write_text("tables: {orders: {exclude: quantity > 5}}", encoding="utf-8")
    command_line("confirm", "answer.json")
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        status, out, _ = command_line("verify", "answer.json")
        assert status == 4 and "could not be checked" in " ".join(out.replace("│", " ").split())
        status, _, err = command_line("knowledge", "check", "k.yaml")
        assert status == 4 and "k.yaml, line 1: exclude of table orders could not be checked: the connected" in err
        status, out, _ = command_line("eval", "replay", "--model", "offline")
        assert status == 4 and "could not be checked" in out
    assert command_line("knowledge", "check", "k.yaml")[0] == 0


def test_an_unknown_connection_is_one_line(command_line: CommandLine) -> None:
    status, _, err = command_line("sync", "nope", TABLERAG_HOME="home")
    assert (status, err) == (2, "error: unknown connection 'nope': there is none\n")
    status, _, err = command_line("disconnect", "nope")
    assert status == 2 and "unknown connection 'nope'" in err


def test_other_databases_are_synced_if_one_is_gone(command_line: CommandLine, tmp_path: Path) -> None:
    for name in ("gone", "here"):
        shop(tmp_path / f"{name}.db")
        command_line("connect", name, f"sqlite:///{name}.db", TABLERAG_HOME="home")
    (tmp_path / "gone.db").unlink()
    status, out, err = command_line("sync", TABLERAG_HOME="home")
    assert (status, out.splitlines()[-1]) == (1, "here: 1 table (1 unchanged, 1 left out)")
    assert "gone.db: no such file" in err
    status, _, err = command_line("sync", "gone", TABLERAG_HOME="home")
    assert status == 2 and "gone.db: no such file" in err


def test_what_cannot_be_connected_is_not_to_be_disconnected(command_line: CommandLine) -> None:
    for url in ("mysql://reader@127.0.0.1:1/shop", "postgresql://reader@127.0.0.1:1/shop"):
        status, _, err = command_line("connect", "shop", url, TABLERAG_HOME="home")
        assert status == 2 and "does not answer" in err
        assert "check the user, TABLERAG_CONNECTION_SHOP_PASSWORD and the name of the database" in err
        assert "disconnect" not in err and len(err.splitlines()) == 1


def test_an_unchanged_database_is_told_as_such_when_it_is_connected_again(
    command_line: CommandLine, tmp_path: Path
) -> None:
    shop(tmp_path / "shop.db")
    command_line("connect", "shop", "sqlite:///shop.db", TABLERAG_HOME="home")
    status, out, _ = command_line("connect", "shop", "sqlite:///shop.db")
    assert out == "shop: 1 table (1 unchanged, 1 left out)\n"


def test_an_answer_is_verified_while_its_database_is_locked_and_after_it_changed(
    command_line: CommandLine, tmp_path: Path
) -> None:
    shop(tmp_path / "shop.db")
    command_line("connect", "shop", "sqlite:///shop.db", TABLERAG_HOME="home")
    out = command_line("ask", "What is the total quantity of all orders?", "--json", "--model", "offline")[1]
    (tmp_path / "answer.json").write_text(out, encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        status, out, _ = command_line("verify", "answer.json")
        told = " ".join(out.replace("│", " ").split())
        assert status == 4 and "unavailable" in told and "damaged" not in told
        assert "locked" in told and "'shop'" in told
        connection.rollback()
        connection.execute("DROP VIEW broken")
        connection.execute("ALTER TABLE orders RENAME COLUMN quantity TO amount")
        connection.commit()
    status, out, _ = command_line("verify", "answer.json")
    assert status == 1 and "changed" in out and "sync" not in out
    assert "amount" in command_line("describe", "orders")[1]


def test_connected_tables_are_described_by_a_model_after_the_price(
    command_line: CommandLine, tmp_path: Path, model_server: ModelServer
) -> None:
    shop(tmp_path / "shop.db")
    (tmp_path / "staff.csv").write_text("Name,Lv\nAda,1\nBo,2\n")
    connecting = ("connect", "shop", "sqlite:///shop.db", "--tables", "orders", "--profiles")
    status, _, err = command_line(*connecting, TABLERAG_HOME="home")
    assert status == 2 and "--profiles needs a language model" in err
    assert command_line("connections")[0] == 2, "nothing was connected"
    command_line("ingest", "staff.csv")
    settings = {"OPENAI_BASE_URL": model_server.url, "TABLERAG_LLM_RETRIES": "0"}
    status, out, err = command_line(*connecting, **settings)
    assert status == 2 and "(1 added)" in out and "pass --yes" in err and not model_server.requests
    assert "1 table without profiles: about 1 call" in err
    model_server.enqueue({"columns": {"quantity": "boxes of twelve"}})
    status, out, _ = command_line("sync", "shop", "--profiles", "--yes")
    assert status == 0 and "new profiles for 1 table" in out
    assert "boxes of twelve (drafted by" in " ".join(command_line("describe", "orders")[1].split())
    assert "all tables have profiles" in command_line("sync", "--profiles", "--yes")[1]
    assert len(model_server.requests) == 1


def test_confirmed_questions_are_asked_again_of_the_columns_that_there_are_now(
    command_line: CommandLine, tmp_path: Path
) -> None:
    shop(tmp_path / "shop.db")
    command_line("connect", "shop", "sqlite:///shop.db", "--tables", "orders", TABLERAG_HOME="home")
    asked = command_line("ask", "What is the total quantity of all orders?", "--json", "--model", "offline")[1]
    (tmp_path / "answer.json").write_text(asked, encoding="utf-8")
    assert command_line("confirm", "answer.json")[0] == 0
    for old, new in (("quantity", "pieces"), ("pieces", "quantity")):
        with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
            connection.execute("DROP VIEW IF EXISTS broken")
            connection.execute(f"ALTER TABLE orders RENAME COLUMN {old} TO {new}")
        status, out, _ = command_line("eval", "replay", "--model", "offline")
        assert (status, "statement fails" in out) == ((1, True) if new == "pieces" else (0, False))
