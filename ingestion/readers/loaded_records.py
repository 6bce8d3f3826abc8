"""A long plain file read by an engine, in memory: its cells counted by column, without a pass through Python."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

import _duckdb as duckdb  # the package around it takes a third of a second to import

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.readers.delimited_stream import HEAD_ROWS, TAIL_ROWS, RecordFile, Survey
from tablerag.tools.sql.backends.parquet_files import LITERALS, file_records
from tablerag.tools.sql.backends.parquet_unions import literal
from tablerag.tools.sql.backends.tables import PlainFile

__all__ = ["LoadedRecords", "loaded"]

MEMORY = "450MB"
"""A file that needs more is read record by record."""
MOST_BYTES = 150_000_000
"""Larger files do not fit that memory."""
MOST_WIDTH = 500
THREADS = 1
"""More would each take memory, of which a reader process has little; files are read side by side."""
FETCHED = 20_000
MOST_DOUBTFUL = 1000
CLEAN = literal(LITERALS["text"])
VISIBLE = r"'[^\p{C}\p{Z}]'"


def loaded(file: RecordFile, width: int) -> "LoadedRecords | None":
    """Load a file; None if it does not fit into memory, or its lines are not all records of that many cells."""
    if not (1 < width <= MOST_WIDTH and file.lines and file.path.stat().st_size <= MOST_BYTES):
        return None
    settings = {"threads": THREADS, "memory_limit": MEMORY, "temp_directory": ""}
    engine = duckdb.connect(config=settings)
    try:
        records = file_records(PlainFile(file.path, file.delimiter, width, 0, file.lines, 1))
        ((count,),) = engine.execute(f"CREATE TABLE records AS SELECT * FROM {records}").fetchall()
    except duckdb.Error:
        count = 0
    if count == file.lines:
        return LoadedRecords(engine, width, file.lines)
    engine.close()
    return None


class LoadedRecords:
    """The records of a file, all of the same number of cells."""

    def __init__(self, engine: duckdb.DuckDBPyConnection, width: int, count: int) -> None:
        self._engine, self._width, self.count = engine, width, count
        self._cells = [f"c{i}" for i in range(width)]

    def survey(self) -> Survey:
        """Return the survey of the file."""
        is_blank = f"coalesce({', '.join(self._cells)}) IS NULL"
        ((blank,),) = self._asked(f"SELECT count(*) FROM records WHERE {is_blank}")
        head, tail = self._rows(f"rowid < {HEAD_ROWS}"), self._rows(f"rowid >= {self.count - TAIL_ROWS}")
        return Survey(self.count, +Counter({self._width: self.count - blank}), head, tail)

    def _rows(self, wanted: str) -> list[list[str]]:
        return [
            [cell or "" for cell in row] for row in self._asked(f"SELECT * FROM records WHERE {wanted} ORDER BY rowid")
        ]

    def _asked(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement; raise MemoryError if it needs more memory than there is."""
        try:
            found = self._engine.cursor().execute(statement)
            while some := found.fetchmany(FETCHED):
                yield from some
        except duckdb.OutOfMemoryException as error:
            raise MemoryError from error

    def doubtful(self, first: int, last: int, headers: Collection[str]) -> list[list[RawCell]] | None:
        """Return the records that may be blank or repeat a header row, given the first texts of those.

        None if there are many. Records are numbered from 0, and ``last`` is not among them.
        """
        cell, names = self._cells[0], ", ".join(map(literal, headers))
        repeats = f"{cell} IN ({names})" if headers else "false"
        blank = f"NOT regexp_matches(concat({', '.join(self._cells)}), {VISIBLE})"
        found = self._asked(
            f"SELECT * FROM records WHERE rowid >= {first} AND rowid < {last} AND "
            f"CASE WHEN regexp_full_match({cell}, {CLEAN}) THEN {repeats} WHEN regexp_matches({cell}, {VISIBLE}) "
            f"THEN true ELSE {'true' if '' in headers else blank} END LIMIT {MOST_DOUBTFUL + 1}"
        )
        rows = list(map(list, found))
        return rows if len(rows) <= MOST_DOUBTFUL else None

    def counted(self, place: int, first: int, last: int) -> Iterator[tuple[Sequence[str], Sequence[int]]]:
        """Yield the distinct cells of a column without blank ones, some at a time, and how often each occurs.

        They come in the order of their first records.
        """
        cell = self._cells[place]
        found = self._asked(
            f"SELECT {cell}, count(*) FROM records WHERE rowid >= {first} AND rowid < {last} "
            f"AND {cell} IS NOT NULL GROUP BY {cell} ORDER BY min(rowid)"
        )
        while some := list(islice(found, FETCHED)):
            texts, counts = [text for text, _ in some], [n for _, n in some]
            if any(map(str.isspace, texts)):
                counts = [n for text, n in zip(texts, counts, strict=True) if not text.isspace()]
                texts = [text for text in texts if not text.isspace()]
            yield texts, counts
