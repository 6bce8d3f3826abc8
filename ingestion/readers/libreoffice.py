"""Old Office files saved as new ones by LibreOffice, if it is installed."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tablerag.tools.errors import UnreadableDocument

__all__ = ["converted"]

PROGRAMS = ("soffice", "libreoffice")
MOST_SECONDS = 120
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse">
<value>3</value></prop><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop>
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""
"""Runs no macros and follows no links."""


@contextmanager
def converted(path: Path, suffix: str) -> Iterator[Path | None]:
    """Save a file with another suffix in a temporary folder; None if LibreOffice is not installed.

    Raises UnreadableDocument if it cannot be converted.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="tablerag-office-") as made:
        folder = Path(made).resolve()
        user = folder / "profile" / "user"
        user.mkdir(parents=True)
        (user / "registrymodifications.xcu").write_text(SETTINGS, encoding="utf-8")
        source = folder / f"source{path.suffix.lower()}"
        shutil.copyfile(path, source)
        target = folder / "saved"
        options = [f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless", "--norestore"]
        _run([program, *options, "--convert-to", suffix, "--outdir", str(target), str(source)])
        saved = target / f"source.{suffix}"
        if not saved.is_file():
            raise UnreadableDocument(f"cannot be converted by LibreOffice: open it and save it as {suffix.upper()}")
        yield saved


def _run(command: list[str]) -> None:
    """Run a program with what it starts; end all of it if it takes too long."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        process.wait(MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise UnreadableDocument(f"takes LibreOffice more than {MOST_SECONDS} s: save it in a new format") from None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()
