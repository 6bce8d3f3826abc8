"""Writes the rows of a result as CSV, XLSX or Parquet; no cell becomes a formula."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Cell

__all__ = ["FORMATS", "MOST_XLSX_ROWS", "check_fits", "write_rows"]

MOST_XLSX_ROWS = 100_000
"""A larger workbook takes minutes to write and to open."""
MOST_CELL = 32_767
"""Characters of a cell in a workbook."""
MOST_BIGINT = 2**63 - 1
FORMULA = re.compile(r"(^|[;\t\r\n][\"\s]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20]|sep=)|^(?=[\t\r\n])", re.IGNORECASE)
"""The places before what begins a formula: the text itself, what a spreadsheet may take for the next cell, "sep="."""
UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML cannot have."""
Rows = Iterable[Sequence[Cell]]
Writer = Callable[[Sequence[str], Rows, Path], None]


def check_fits(kind: str, rows: int) -> None:
    """Raise ConfigError for more rows than are written to a file of a kind in FORMATS."""
    if kind == "xlsx" and rows > MOST_XLSX_ROWS:
        raise ConfigError(f"{rows:,} rows are more than the {MOST_XLSX_ROWS:,} of Excel files: use CSV or Parquet")


def write_rows(kind: str, columns: Sequence[str], rows: Rows, file: Path) -> None:
    """Write a result to a file of a kind in FORMATS."""
    FORMATS[kind][1](columns, rows, file)


def _csv(columns: Sequence[str], rows: Rows, file: Path) -> None:
    """Write CSV (RFC 4180) with a byte order mark, so that spreadsheets read it as UTF-8."""
    with file.open("w", encoding="utf-8-sig", errors="replace", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerows([_inert(c) for c in row] for row in chain([columns], rows))


def _inert(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet runs, also where semicolons divide cells: texts come from documents."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell


def _xlsx(columns: Sequence[str], rows: Rows, file: Path) -> None:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Result")

    def written(cell: Cell) -> object:
        if not isinstance(cell, str):
            return cell
        found = WriteOnlyCell(sheet, UNSEEN.sub("\ufffd", cell)[:MOST_CELL])
        found.data_type = "s"  # not a formula, whatever it begins with
        return found

    for row in chain([columns], rows):
        sheet.append([written(c) for c in row])
    book.save(file)


def _parquet(columns: Sequence[str], rows: Rows, file: Path) -> None:
    """Have DuckDB write the rows, from lines of JSON beside the file."""
    import _duckdb as duckdb

    lines, names = file.with_suffix(".jsonl"), _distinct(columns)
    kinds: list[set[type]] = [set() for _ in names]
    with lines.open("w", encoding="utf-8", errors="replace") as stream:
        for row in rows:
            for kind, cell in zip(kinds, row, strict=True):
                kind.add(float if isinstance(cell, int) and abs(cell) > MOST_BIGINT else type(cell))
            stream.write(json.dumps(dict(zip(map(str, range(len(row))), row, strict=True))) + "\n")
    types = ", ".join(f"'{i}': '{_parquet_type(kind)}'" for i, kind in enumerate(kinds))
    shown = ", ".join(f'"{i}" AS "{name.replace(chr(34), chr(34) * 2)}"' for i, name in enumerate(names))
    source, target = (str(p).replace("'", "''") for p in (lines, file))
    reading = f"read_json('{source}', format = 'newline_delimited', columns = {{{types}}})"
    with closing(duckdb.connect(config={"threads": 1})) as connection:
        connection.execute(f"COPY (SELECT {shown} FROM {reading}) TO '{target}' (FORMAT parquet)")
    lines.unlink()


def _parquet_type(kinds: set[type]) -> str:
    found = kinds - {type(None)}
    if found == {bool}:
        return "BOOLEAN"
    if found == {int}:
        return "BIGINT"
    return "DOUBLE" if found and found <= {int, float} else "VARCHAR"


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names of which no two are the same in any case."""
    found: list[str] = []
    for name in names:
        taken, number, new = {n.casefold() for n in found}, 1, name
        while new.casefold() in taken:
            number += 1
            new = f"{name} {number}"
        found.append(new)
    return found


FORMATS: dict[str, tuple[str, Writer]] = {
    "csv": ("text/csv; charset=utf-8", _csv),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _xlsx),
    "parquet": ("application/vnd.apache.parquet", _parquet),
}
"""The media type and the writer of each format, by its suffix."""
