"""The files of the home folder: who may read and change them, and whether conversations are readable."""

import os
import sqlite3
import stat
from contextlib import closing

from tablerag.cli.security.deployment import Deployment, Skipped

__all__ = ["readable", "threads"]

THREADS = "threads.db"


def readable(deployment: Deployment) -> str:
    """Say which files other users may read or change; "" if a folder above keeps them out."""
    home = deployment.services.settings.home.resolve()
    if os.name != "posix":
        raise Skipped("only checked where files have owners and modes")
    if not home.exists():
        raise Skipped("there is no home folder yet: run `tablerag ingest PATH` first")
    if not all(folder.stat().st_mode & stat.S_IXOTH for folder in (home, *home.parents)):
        return ""
    inside = [home, *(p for p in home.rglob("*") if not p.is_symlink())]
    modes = {p: p.stat().st_mode for p in inside if p.exists()}
    for may, bit in (("change", stat.S_IWOTH), ("read", stat.S_IROTH)):
        found = [p for p, mode in modes.items() if mode & bit]
        if found:
            return f"others may {may} {len(found)} of {len(modes)} files and folders of {home}, such as {found[0].name}"
    return ""


def threads(deployment: Deployment) -> str:
    """Return what SQLite finds wrong with the conversations."""
    file = deployment.services.settings.home.resolve() / THREADS
    if not file.exists():
        raise Skipped("no server has run here")
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            says = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        says = str(error)
    return "" if says == "ok" else f"{THREADS}: {says}"
