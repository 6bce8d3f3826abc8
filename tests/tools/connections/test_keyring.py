"""Passwords in a keyring: read when a server is opened, and kept nowhere else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tablerag.client import TableRAG
from tablerag.tools.errors import ConfigError
from tests.support.mysql_server import MysqlServer

keyring = pytest.importorskip("keyring")
backend = pytest.importorskip("keyring.backend")
errors = pytest.importorskip("keyring.errors")


class InMemory(backend.KeyringBackend):
    """A keyring of one test."""

    priority: ClassVar[float] = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise errors.KeyringLocked("the keyring is locked")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def kept() -> Iterator[Any]:
    before, own = keyring.get_keyring(), InMemory()
    keyring.set_keyring(own)
    yield own
    keyring.set_keyring(before)


def test_a_password_is_read_from_the_keyring(
    kept: Any,
    tmp_path: Path,
    mysql_url: str,
    mysql_server: MysqlServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("DEBUG")
    mysql_server.execute(
        f"CREATE TABLE `{mysql_url.rpartition('/')[2]}`.t (a INT)",
        f"INSERT INTO `{mysql_url.rpartition('/')[2]}`.t VALUES (3)",
    )
    url = mysql_server.select_only_url(mysql_url).replace(":only-reads@", "@")
    with TableRAG(tmp_path / "home", model="offline") as rag:
        with pytest.raises(ConfigError, match="TABLERAG_CONNECTION_SHOP_PASSWORD"):
            rag.connect("shop", url)
        keyring.set_password("tablerag", "shop", "only-reads")
        report = rag.connect("shop", url)
        answer = rag.ask("What is the total a of t?")
        assert answer.value == 3
        rag.services.database.connections.close()
        monkeypatch.setenv("TABLERAG_CONNECTION_SHOP_PASSWORD", "wrong")  # goes first
        with pytest.raises(ConfigError, match="TABLERAG_CONNECTION_SHOP_PASSWORD"):
            rag.sync("shop")
        monkeypatch.delenv("TABLERAG_CONNECTION_SHOP_PASSWORD")
        kept.locked = True
        with pytest.raises(ConfigError, match="does not answer"):
            rag.sync("shop")
    said = [str(report), answer.model_dump_json(), caplog.text, *capfd.readouterr()]
    assert not any("only-reads" in text for text in said)
    files = [p for p in (tmp_path / "home").rglob("*") if p.is_file()]
    assert files and not any(b"only-reads" in p.read_bytes() for p in files)
