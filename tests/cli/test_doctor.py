"""What `tablerag doctor` says of a deployment over servers."""

import os
from pathlib import Path
from typing import Any

import pytest

from tablerag.cli.doctor import Finding, check
from tablerag.serving.checkpoint_url import check_checkpoint_url
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings, get_settings

AWAY = "postgresql://user:secret@127.0.0.1:9/threads"


def findings(home: Path, **settings: Any) -> dict[str, Finding]:
    services = Services(Settings(home=home, model="offline", _env_file=None, **settings))
    found = list(check(services))
    services.close()
    assert len({f.what for f in found}) == len(found)
    return {f.what: f for f in found}


def test_a_database_that_is_away_is_told_once(tmp_path: Path) -> None:
    found = findings(tmp_path, database_url="mysql+mysqlconnector://user:secret@127.0.0.1:9/none")
    assert [f.what for f in found.values() if f.state == "broken"] == ["sql"]
    assert found["others"].says.endswith("need the database: not looked at") and found["model"].state == "ok"


def test_the_folder_of_uploads_and_the_threads_database_are_tried(tmp_path: Path) -> None:
    uploads = tmp_path / "uploads"
    assert findings(tmp_path, uploads=uploads)["uploads"].state == "warning"
    uploads.mkdir()
    assert findings(tmp_path, uploads=uploads)["uploads"].says == str(uploads)
    found = findings(tmp_path, checkpoint_url=AWAY)["threads"]
    assert found.state == "broken" and "secret" not in found.says
    assert "does not answer (connection" in found.says and found.says.endswith("CHECKPOINT_URL and the server")
    assert findings(tmp_path, checkpoint_url="oracle://host/x")["threads"].says.startswith(
        "TABLERAG_CHECKPOINT_URL has"
    )
    found = findings(tmp_path, checkpoint_url="mysql://user:secret@127.0.0.1:9/x")["threads"]
    assert found.state == "broken" and "does not answer (" in found.says and "secret" not in found.says


def test_a_folder_of_uploads_that_cannot_be_written_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path / "uploads")
    (tmp_path / "uploads").mkdir()
    assert findings(tmp_path, uploads=tmp_path / "uploads")["uploads"].state == "broken"


def test_a_server_does_not_start_without_the_database_of_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERAG_CHECKPOINT_URL", AWAY)
    get_settings.cache_clear()
    with pytest.raises(SystemExit, match=r"^tablerag: the database of the threads, postgresql:") as end:
        check_checkpoint_url()
    get_settings.cache_clear()
    assert "\n" not in str(end.value) and "secret" not in str(end.value)
