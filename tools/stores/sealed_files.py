"""Checksums of files that a library maps into memory unchecked: Chroma crashes the process on a damaged graph."""

import json
import zlib
from contextlib import suppress
from pathlib import Path

__all__ = ["SealedFiles"]

BLOCK = 1 << 20


class SealedFiles:
    """The files of a pattern in a folder, with their checksums; written and checked under the folder's lock."""

    def __init__(self, folder: Path, pattern: str) -> None:
        self._folder = folder
        self._pattern = pattern
        self._seal = folder / "checksums.json"

    def changed(self) -> str:
        """Return the name of a file that is not as it was sealed, "" if there is none or no seal."""
        for name, (size, _, checksum) in self.facts().items():
            file = self._folder / name
            if not file.is_file() or file.stat().st_size != size or _checksum(file) != checksum:
                return name
        return ""

    def remove(self) -> None:
        """Remove the seal, before something is written: a writer that is killed must not leave a wrong one."""
        self._seal.unlink(missing_ok=True)

    def renew(self, known: dict[str, list[int]]) -> None:
        """Seal the files again; ``known`` is the seal before, whose checksums of unchanged files are taken over."""
        sealed = {}
        for file in self._folder.glob(self._pattern):
            status = file.stat()
            name, facts = str(file.relative_to(self._folder)), [status.st_size, status.st_mtime_ns]
            before = known.get(name, [])
            sealed[name] = before if before[:2] == facts else [*facts, _checksum(file)]
        written = self._seal.with_suffix(".part")
        written.write_text(json.dumps(sealed), encoding="ascii")
        written.replace(self._seal)

    def facts(self) -> dict[str, list[int]]:
        """Return the seal: size, time and checksum by the file's name; empty if there is none."""
        with suppress(OSError, ValueError):
            found = json.loads(self._seal.read_bytes())
            if isinstance(found, dict) and all(isinstance(v, list) and len(v) == 3 for v in found.values()):
                return found
        return {}


def _checksum(file: Path) -> int:
    checksum = 0
    with file.open("rb") as stream:
        while block := stream.read(BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum
