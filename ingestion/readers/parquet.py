"""Parquet files, through DuckDB."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import _duckdb as duckdb  # the package around it takes a third of a second to import

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers.archives import mismatch, unreadable
from tablerag.ingestion.readers.grids import MAX_CELLS, too_large
from tablerag.ingestion.readers.records import cell_of, grid_block, record_blocks
from tablerag.tools.errors import UnreadableDocument
from tablerag.tools.sql.backends.parquet_unions import escaped, identifier, literal

__all__ = ["read_parquet"]

MEMORY = "450MB"
FETCHED = 2000
NESTED = ("list", "struct", "map", "array", "union", "variant")
BINARY = ("blob", "geometry", "bit")
PANDAS_INDEX = "__index_level_0__"
ZONED = re.compile(r'("(?:[^"]|"")*")|TIMESTAMP WITH TIME ZONE')
"""Times with a zone in the name of a type, or the name of a field in it."""


def read_parquet(path: Path) -> Document:
    """Read one file; the locator of a row has its number."""
    _check(path)
    settings = {"threads": 1, "memory_limit": MEMORY, "temp_directory": "", "autoload_known_extensions": "false"}
    engine = duckdb.connect(config=settings)
    try:
        engine.execute("SET TimeZone = 'UTC'")
        source = f"read_parquet({literal(escaped(str(path.resolve())))}, hive_partitioning = false)"
        types = {name: kind for name, kind, *_ in engine.execute(f"SELECT * FROM {source}").description}
        kept = [n for n, kind in types.items() if kind.id not in BINARY and n != PANDAS_INDEX]
        if not kept:
            return Document(path, path.stem, [])
        ((count,),) = engine.execute(f"SELECT count(*) FROM {source}").fetchall()
        if count * len(kept) > MAX_CELLS:
            raise too_large("the file", count, len(kept))
        warnings = tuple(f"{n}: binary values were left out" for n, kind in types.items() if kind.id in BINARY)
        columns = ", ".join(_column(n, str(types[n])) for n in kept)
        rows = _rows(engine.execute(f"SELECT {columns} FROM {source}"))
        if any(types[n].id in NESTED for n in kept):
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
    return Document(path, path.stem, blocks)


def _column(name: str, kind: str) -> str:
    # Times with a zone, nested ones too, are cast to UTC: the client needs another package for zones.
    plain = ZONED.sub(lambda found: found[1] or "TIMESTAMP", kind)
    return identifier(name) if plain == kind else f"CAST({identifier(name)} AS {plain})"


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
