"""The documents that processes of this host have written to an index, until somebody has taken note of them."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tablerag.tools.stores.shared_folder import SharedFolder

__all__ = ["WrittenLog"]


class WrittenLog:
    """Document ids in a file of the index's folder, one a line; several processes may add to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = SharedFolder(folder, "written")
        self._new, self._taken = folder / "written", folder / "written.taken"

    def add(self, document_ids: Iterable[str]) -> None:
        """Note documents, before they are written."""
        with self._folder.locked(), self._new.open("a", encoding="utf-8") as file:
            file.writelines(f"{i}\n" for i in dict.fromkeys(document_ids))

    def take(self) -> set[str]:
        """Return the documents noted so far; they are returned again until forget() is called."""
        with self._folder.locked():
            with suppress(FileNotFoundError):
                new = self._new.read_text(encoding="utf-8")
                with self._taken.open("a", encoding="utf-8") as file:
                    file.write(new)
                self._new.unlink()
            with suppress(FileNotFoundError):
                return set(self._taken.read_text(encoding="utf-8").splitlines())
        return set()

    def forget(self) -> None:
        """Forget what take() has returned."""
        self._taken.unlink(missing_ok=True)
