"""The ingest report as a file: JSON for programs and a self-contained HTML page for people."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tablerag.ingestion.pipeline import Entry
from tablerag.ingestion.report_page import page
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Column, TableSchema

__all__ = ["report_of", "write_report"]


def write_whole(file: Path, content: str) -> None:
    """Write a file atomically."""
    part = file.with_name(f".{file.name}.part")
    part.write_text(content, encoding="utf-8", errors="replace")
    part.replace(file)


def report_of(corpus: str, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the report: documents in order, with their tables and columns."""
    return {
        "corpus": corpus,
        "written_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "documents_by_status": dict(Counter(e.status for e in entries)),
        "tables": sum(len(e.schemas) for e in entries if e.status != "removed"),
        "rows": sum(s.row_count for e in entries if e.status != "removed" for s in e.schemas),
        "documents": [_document(e) for e in entries],
    }


def _document(entry: Entry) -> dict[str, Any]:
    return {
        "source": entry.source,
        "status": entry.status,
        "error": entry.error,
        "chunks": entry.chunks,
        "warnings": list(entry.warnings),
        "tables": [_table(s) for s in entry.schemas],
    }


def _table(schema: TableSchema) -> dict[str, Any]:
    return {
        "name": schema.name,
        "title": schema.title,
        "locator": schema.locator,
        "rows": schema.row_count,
        "header_rows": schema.header_rows,
        "header_confidence": schema.confidence,
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


def write_report(file: Path, corpus: str, entries: Sequence[Entry]) -> tuple[Path, Path]:
    """Write the report atomically as FILE.json and FILE.html; return both paths.

    Raises ConfigError if the folder is not writable.
    """
    report = report_of(corpus, entries)
    stem = file.with_suffix("") if file.suffix.lower() in (".json", ".html", ".htm") else file
    as_json, as_html = stem.with_name(f"{stem.name}.json"), stem.with_name(f"{stem.name}.html")
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        write_whole(as_json, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
        write_whole(as_html, page(report))
    except OSError as error:
        raise ConfigError(f"{file}: cannot write the report: {error.strerror or error}") from error
    return as_json, as_html
