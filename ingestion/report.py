"""The ingest report as a file: JSON for programs and a self-contained HTML page for people."""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tablerag.ingestion.picturing import pictured
from tablerag.ingestion.pipeline import Entry
from tablerag.ingestion.report_page import Shown, page
from tablerag.tools.errors import ConfigError, SqlProblem
from tablerag.tools.left_out import rule_for
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.sql.supporting_rows import rows_of_table

__all__ = ["report_of", "write_report"]

SURE = 2
"""The rank of tables that are not doubtful."""
MOST_PICTURED = 30
"""Doubtful tables that are shown beside a picture of their page."""
STORED_ROWS = 8


def write_whole(file: Path, content: str) -> None:
    """Write a file atomically."""
    part = file.with_name(f".{file.name}.part")
    part.write_text(content, encoding="utf-8", errors="replace")
    part.replace(file)


def report_of(corpus: str, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the report: documents in order, those with doubtful tables first, with their tables and columns."""
    entries = sorted(entries, key=lambda e: min((_rank(s) for s in e.schemas), default=SURE))
    return {
        "corpus": corpus,
        "written_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "documents_by_status": dict(Counter(e.status for e in entries)),
        "tables": sum(len(e.schemas) for e in entries if e.status != "removed"),
        "rows": sum(s.row_count for e in entries if e.status != "removed" for s in e.schemas),
        "documents": [_document(e) for e in entries],
    }


def _rank(schema: TableSchema) -> int:
    """Return the place of a table among others: those that are set aside first, then other doubtful ones."""
    return 0 if schema.set_aside else 1 if schema.doubts else SURE


def _document(entry: Entry) -> dict[str, Any]:
    return {
        "source": entry.source,
        "status": entry.status,
        "error": entry.error,
        "chunks": entry.chunks,
        "warnings": list(entry.warnings),
        "tables": [_table(s) for s in sorted(entry.schemas, key=_rank)],
    }


def _table(schema: TableSchema) -> dict[str, Any]:
    return {
        "name": schema.name,
        "title": schema.title,
        "locator": schema.locator,
        "rows": schema.row_count,
        "header_rows": schema.header_rows,
        "confidence": schema.confidence,
        "doubts": list(schema.doubts),
        "set_aside": schema.set_aside,
        "rule": rule_for(schema) if schema.set_aside else "",
        "printed": [list(row) for row in schema.found.cells] if schema.found else [],
        "row_path": list(schema.row_path),
        "hidden_columns": list(schema.hidden_columns),
        "cells_that_do_not_fit": sum(c.unfit for c in schema.columns),
        "warnings": list(schema.warnings),
        "columns": [_column(c) for c in schema.columns],
    }


def _column(column: Column) -> dict[str, Any]:
    return {
        "name": column.name,
        "header": column.header,
        "path": list(column.path),
        "type": column.type,
        "kind": column.kind,
        "unit": column.unit,
        "scale": column.scale,
        "raw": column.raw,
        "range_ends": [n for n in (column.low, column.high) if n],
        "coerced": column.coerced,
        "unfit": column.unfit,
        "no_value": column.missing,
        "examples": list(column.examples),
    }


def _shown(entries: Sequence[Entry], corpus: str, services: Services) -> dict[str, Shown]:
    """Return the first rows of doubtful tables as stored, with pictures of their places on pages, by SQL name."""
    doubtful = [s for e in entries if e.status != "removed" for s in e.schemas if _rank(s) < SURE]
    shown = {}
    for schema in sorted(doubtful, key=_rank)[:MOST_PICTURED]:
        record = services.catalog.document(corpus, schema.source)
        pictures = pictured(record, schema, services.settings) if record else ()
        with suppress(SqlProblem):  # another ingest has replaced it
            found = rows_of_table(schema, services.database, count=STORED_ROWS)
            shown[schema.name] = Shown(pictures, found.rows)
    return shown


def write_report(
    file: Path, corpus: str, entries: Sequence[Entry], services: Services | None = None
) -> tuple[Path, Path]:
    """Write the report atomically as FILE.json and FILE.html; return both paths.

    With ``services``, the page shows doubtful tables as they are stored beside pictures of their places. Raises
    ConfigError if the folder is not writable.
    """
    report = report_of(corpus, entries)
    stem = file.with_suffix("") if file.suffix.lower() in (".json", ".html", ".htm") else file
    as_json, as_html = stem.with_name(f"{stem.name}.json"), stem.with_name(f"{stem.name}.html")
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        write_whole(as_json, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
        write_whole(as_html, page(report, _shown(entries, corpus, services) if services else {}))
    except OSError as error:
        raise ConfigError(f"{file}: cannot write the report: {error.strerror or error}") from error
    return as_json, as_html
