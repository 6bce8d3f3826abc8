"""Old Office files saved as new ones by LibreOffice, if it is installed: on Linux, which can cut off its network."""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
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
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>2</value>
</prop></item><item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse">
<value>2</value></prop></item>
</oor:items>
"""
"""Runs no macros and updates no links. LibreOffice fetches linked pictures nevertheless."""
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


@contextmanager
def converted(path: Path, suffix: str) -> Iterator[Path | None]:
    """Save a file with another suffix in a temporary folder; None if LibreOffice is not installed, or not on Linux.

    Raises UnreadableDocument if it cannot be converted.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None or sys.platform != "linux":
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
    """Run a program, and what it starts, without network; end all of it if it takes too long."""
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True, preexec_fn=_cut_off
        )
    except subprocess.SubprocessError as error:
        raise UnreadableDocument(
            "was not converted, as this system cannot run LibreOffice without network access: save it in a new format"
        ) from error
    try:
        process.wait(MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise UnreadableDocument(
            f"was not converted by LibreOffice within {MOST_SECONDS} s: save it in a new format"
        ) from None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _cut_off() -> None:
    """Give this process a network of its own, without connections; raise OSError where that is not permitted."""
    if ctypes.CDLL(None).unshare(CLONE_NEWNET | (0 if os.getuid() == 0 else CLONE_NEWUSER)):
        raise OSError
