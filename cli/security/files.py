"""Small files that unpack to more than a reader process may hold."""

import io
import tempfile
import time
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

from tablerag.cli.security.deployment import Deployment
from tablerag.ingestion.document_content import DocumentContent
from tablerag.ingestion.manifest import SourceFile
from tablerag.ingestion.overrides import DocumentWishes
from tablerag.ingestion.reader_worker import Job, Reading, Worker

__all__ = ["hostile"]

MB = 1 << 20
UNPACKED_MB, MEMORY_MB = 300, 200
"""The deployment's own limit may be higher; what is tried is whether one is in force."""
WITHIN_S = 60.0


def hostile(deployment: Deployment) -> str:
    """Name a file that is read, or takes long to be refused."""
    reading = replace(Reading.of(deployment.services.settings), memory_mb=MEMORY_MB, timeout_s=WITHIN_S)
    worker = Worker()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (("nul.csv", bytes(MB)), ("bomb.xlsx", _workbook()), ("bomb.pdf", _pdf())):
                path = Path(folder) / name
                path.write_bytes(content)
                worker = worker if worker.is_idle else Worker()
                begun = time.monotonic()
                outcome = worker.read(Job(SourceFile(path, name), "x", len(content), "", DocumentWishes()), reading)
                took = time.monotonic() - begun
                if isinstance(outcome, DocumentContent):
                    return f"{name} was read"
                if took >= WITHIN_S:
                    return f"{name} was not refused within {WITHIN_S:.0f} s"
    finally:
        worker.end()
    return ""


def _workbook() -> bytes:
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
        file.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(UNPACKED_MB):
            member.write(b" " * MB)
    return stream.getvalue()


def _pdf() -> bytes:
    """Return a PDF whose only page is compressed twice."""
    once = zlib.compressobj(1)
    packed = b"".join([*(once.compress(bytes(MB)) for _ in range(UNPACKED_MB)), once.flush()])
    twice = zlib.compress(packed, 9)
    bodies = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
        b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%b\nendstream" % (len(twice), twice),
    )
    objects = b"".join(b"%d 0 obj\n%b\nendobj\n" % (number, body) for number, body in enumerate(bodies, 1))
    return b"%PDF-1.4\n" + objects + b"trailer << /Size 5 /Root 1 0 R >>\n%%EOF\n"
