"""Which executor reads the documents of an ingest."""

from collections.abc import Iterator
from contextlib import contextmanager

from tablerag.ingestion.in_order import ReadAll
from tablerag.ingestion.reader_pool import read_all

__all__ = ["reading"]


@contextmanager
def reading(ray: str = "") -> Iterator[ReadAll]:
    """Yield what reads documents: processes of this machine, or the Ray at an address until the block ends.

    Raises ConfigError if there is no such Ray.
    """
    if not ray:
        yield read_all
        return
    from tablerag.ingestion.ray_reading import RayReaders

    with RayReaders(ray) as readers:
        yield readers
