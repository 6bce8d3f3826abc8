"""Asks a reader process for pictures of a table's places on its pages."""

from pathlib import Path

from tablerag.ingestion.document import Region
from tablerag.ingestion.reader_worker import PictureJob, Reading, keep, take
from tablerag.tools.catalog import DocumentRecord
from tablerag.tools.places import is_url
from tablerag.tools.records import TableSchema
from tablerag.tools.settings import Settings

__all__ = ["pictured"]


def pictured(record: DocumentRecord, schema: TableSchema, settings: Settings) -> tuple[bytes, ...]:
    """Return a table's places on its pages as PNG; none if its file has changed, or is in an archive or a store."""
    regions = schema.found.regions if schema.found else ()
    path = Path(record.path)
    if not regions or is_url(record.path) or not path.is_file() or path.resolve() != path:
        return ()
    about = path.stat()
    if about.st_size != record.size_bytes or record.mtime_ns not in (0, about.st_mtime_ns):
        return ()
    worker = take()
    outcome = worker.read(PictureJob(path, tuple(Region(*r) for r in regions)), Reading.of(settings))
    keep([worker])
    return outcome if isinstance(outcome, tuple) else ()
