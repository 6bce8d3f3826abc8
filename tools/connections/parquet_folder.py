"""The tables of a folder of Parquet: one for each file, and one for each folder of files."""

from collections.abc import Iterator
from pathlib import Path

from tablerag.tools.sql.backends.parquet_unions import escaped, literal

__all__ = ["files_of", "found_tables", "reader_of"]

SUFFIX = ".parquet"


def found_tables(folder: Path) -> list[str]:
    """Return the names of the tables: files and folders without their endings, or "" for a folder of partitions."""
    entries = sorted(p for p in folder.iterdir() if not p.name.startswith((".", "_")))
    if any(p.is_dir() and "=" in p.name for p in entries):
        return [""]
    files = {p.name.removesuffix(SUFFIX) for p in entries if p.is_file() and p.name.endswith(SUFFIX)}
    folders = {p.name for p in entries if p.is_dir() and next(p.rglob(f"*{SUFFIX}"), None) is not None}
    return sorted(files | folders)


def files_of(folder: Path) -> Iterator[tuple[str, tuple[str, int, int]]]:
    """Yield the files of each table: the table's name, and the path, the size and the time of a file."""
    for name in found_tables(folder) if folder.is_dir() else ():
        file = folder / f"{name}{SUFFIX}"
        for path in [file] if name and file.is_file() else sorted((folder / name).rglob(f"*{SUFFIX}")):
            is_at = path.stat()
            yield name, (str(path.relative_to(folder)), is_at.st_size, is_at.st_mtime_ns)


def reader_of(folder: Path, name: str) -> str:
    """Return what reads a table, with the number of each row in its file."""
    file, below = folder / f"{name}{SUFFIX}", folder / name if name else folder
    if name and file.is_file():
        return f"read_parquet({literal(escaped(str(file)))}, file_row_number = true, hive_partitioning = false)"
    partitioned = any("=" in p.name for p in below.rglob("*") if p.is_dir()) if below.is_dir() else False
    pattern = literal(f"{escaped(str(below))}/**/*{SUFFIX}")
    hive = "true" if partitioned else "false"
    return f"read_parquet({pattern}, file_row_number = true, union_by_name = true, hive_partitioning = {hive})"
