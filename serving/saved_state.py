"""Repairs what the development server saved before it was killed: its lists of threads and runs, and their files.

langgraph-runtime-inmem writes its lists while they change, so a saved run may be one of a thread that is gone. Ten of
these make its queue start nothing at all. A file that a full disk or a power cut damaged stops it from starting, and an
error while it writes ends the thread that saves. Other runtimes have no such files.
"""

import logging
import pickle
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import PersistentDict

__all__ = ["guard_saved_state", "repaired"]

LOG = logging.getLogger(__name__)
FOLDER = ".langgraph_api"
LISTS = ".langgraph_ops.pckl"
"""The file of threads, runs, assistants and crons."""
SAVE_TRIES = 20
KEYS = {
    "threads": {"thread_id", "status", "metadata"},
    "runs": {"run_id", "thread_id", "status", "kwargs", "created_at", "updated_at"},
    "assistants": {"assistant_id", "metadata"},
    "assistant_versions": {"assistant_id"},
    "crons": set[str](),
}
"""What every row of a list has."""
STOPPED = {"error": "ServerStopped", "message": "the server was stopped during this run: ask again"}

Rows = list[dict[str, Any]]
_save = PersistentDict.sync


def guard_saved_state() -> None:
    """Load and save the runtime's files carefully from now on. Must precede the import of the runtime to cover all."""
    PersistentDict.load = _load
    PersistentDict.sync = _sync


def repaired(saved: dict[str, Rows]) -> dict[str, Rows]:
    """Return the saved lists without what can never end.

    A run that was running ends with an error, so that a question that kills the server does not do so at every start;
    its thread can be continued. Runs of threads that are gone are removed, and so are those without a thread of their
    own (``temporary``), unless a webhook waits for them: nobody else can receive their answer any more.
    """
    threads = {t["thread_id"]: t for t in saved["threads"]}
    runs, ended = [], set[Any]()
    for run in saved["runs"]:
        thread, kwargs = run["thread_id"], run["kwargs"]
        if thread not in threads:
            continue
        if kwargs.get("temporary") and not (run["status"] == "pending" and kwargs.get("webhook")):
            del threads[thread]
            continue
        if run["status"] == "running":
            run["status"] = "error"
            ended.add(thread)
        runs.append(run)
    waiting = {r["thread_id"] for r in runs if r["status"] == "pending"}
    for thread in threads.values():
        if thread["thread_id"] in waiting:
            thread["status"] = "busy"
        elif thread["status"] == "busy" or thread["thread_id"] in ended:
            thread |= {"status": "error", "error": STOPPED, "updated_at": datetime.now(UTC)}
    if len(runs) < len(saved["runs"]) or ended:
        LOG.warning(
            "the server was killed: %d runs ended with an error, %d that nobody waits for were removed",
            len(ended), len(saved["runs"]) - len(runs),
        )  # fmt: skip
    return saved | {"runs": runs, "threads": list(threads.values())}


def _load(self: PersistentDict) -> None:
    """Load a file; a damaged one is renamed, and the store stays empty. Raises FileNotFoundError."""
    file = Path(self.filename)
    try:
        with file.open("rb") as stream:
            saved = pickle.load(stream)
        if not isinstance(saved, dict):
            raise ValueError(f"expected a dict, got {type(saved).__name__}")
        self.update(repaired(_checked(saved)) if file.name == LISTS else saved)
    except FileNotFoundError:
        raise
    except Exception as error:  # damaged bytes may raise anything
        aside = file.with_name(f"{file.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        file.replace(aside)
        LOG.warning("%s is damaged (%s): starting without it, kept as %s", file, _line(error), aside.name)


def _sync(self: PersistentDict) -> None:
    """Save a store; log what prevents it, as an error would end the thread that saves every store."""
    _make_private(Path(self.filename).parent)
    for _ in range(SAVE_TRIES):
        try:
            return _save(self)
        except RuntimeError:  # a row changed while it was written
            continue
        except OSError as error:
            return LOG.warning("%s could not be saved: %s", self.filename, _line(error))
    return LOG.warning("%s could not be saved: it kept changing", self.filename)


def _make_private(folder: Path) -> None:
    """Keep other users of the machine out of the runtime's folder: questions and titles are in its files."""
    with suppress(OSError):  # another user's folder
        if folder.name == FOLDER and folder.stat().st_mode & 0o077:
            folder.chmod(0o700)


def _checked(saved: dict[str, Any]) -> dict[str, Rows]:
    """Return the lists with the rows that have all their keys. Raises ValueError if one is not a list."""
    for name, keys in KEYS.items():
        rows: Iterable[Any] = saved.get(name) or []
        if not isinstance(rows, list):
            raise ValueError(f"{name} must be a list, got {type(rows).__name__}")
        saved[name] = [row for row in rows if isinstance(row, dict) and keys <= row.keys()]
    return saved


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
