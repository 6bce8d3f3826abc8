"""Folders that no other user of the machine may enter."""

from pathlib import Path

__all__ = ["make_private"]


def make_private(folder: Path) -> None:
    """Create a folder, and those above it, for its owner alone; leave existing ones as they are."""
    for missing in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)  # raises FileExistsError for a file
