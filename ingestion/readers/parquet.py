"""Parquet files, through DuckDB."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers.archives import mismatch, unreadable
from tablerag.ingestion.readers.grids import MAX_CELLS, too_large
from tablerag.ingestion.readers.records import cell_of, grid_block, record_blocks
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.sql.backends.parquet_unions import literal

__all__ = ["read_parquet"]

MEMORY = "450MB"
FETCHED = 2000
NESTED = ("list", "struct", "map", "array", "union", "variant")
BINARY = ("blob", "geometry", "bit")
PANDAS_INDEX = "__index_level_0__"
GLOB = str.maketrans({c: f"[{c}]" for c in "*?["})


def read_parquet(path: Path) -> Document:
    """Read one file; the locator of a row has its number."""
    _check(path)
    settings = {"threads": 1, "memory_limit": MEMORY, "temp_directory": "", "autoload_known_extensions": "false"}
    engine = duckdb.connect(config=settings)
    try:
        file = literal(str(path.resolve()).translate(GLOB))
        found = engine.execute(f"SELECT * FROM read_parquet({file}, hive_partitioning = false)")
        kinds = {name: str(kind.id) for name, kind, *_ in found.description}
        kept = [n for n, kind in kinds.items() if kind not in BINARY and n != PANDAS_INDEX]
        ((count,),) = engine.execute(f"SELECT count(*) FROM read_parquet({file})").fetchall()
        if count * len(kept) > MAX_CELLS:
            raise too_large("the file", count, len(kept))
        warnings = tuple(f"{n}: binary values were left out" for n, kind in kinds.items() if kind in BINARY)
        columns = ", ".join(_column(n, kinds[n]) for n in kept) or "1"
        rows = _rows(engine.execute(f"SELECT {columns} FROM read_parquet({file}, hive_partitioning = false)"))
        if any(kinds[n] in NESTED for n in kept):
            blocks = record_blocks((dict(zip(kept, r, strict=True)) for r in rows), path.stem, warnings=warnings)
        else:
            cells = [[cell_of(c) for c in r] for r in rows]
            blocks = [grid_block(kept, cells, path.stem, (), range(1, len(cells) + 1), warnings)]
    except duckdb.OutOfMemoryException as error:
        raise MemoryError from error
    except duckdb.Error as error:
        raise unreadable("a Parquet file") from error
    finally:
        engine.close()
    return Document(path, path.stem, blocks if kept else [])


def _column(name: str, kind: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    # Times with a zone are read in UTC, as the client needs another package for zones.
    return f"{quoted} AT TIME ZONE 'UTC' AS {quoted}" if kind == "timestamp with time zone" else quoted


def _check(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(4)
    if head == b"PARE":
        raise UnreadableDocument("is encrypted: save it again without encryption")
    if head != b"PAR1":
        raise mismatch("", "a Parquet file")


def _rows(found: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while some := found.fetchmany(FETCHED):
        yield from some
