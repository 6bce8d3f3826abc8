"""Pictures of places on the pages of documents, made in the process that reads files: they may be hostile."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tablerag.ingestion.document import Region

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["pictures_of"]

MARGIN = 8.0
"""Points that are shown around a place."""
SIDE = 1100
"""Most pixels of a side."""
SCALE = 2.0
MOST_BYTES = 400_000


def pictures_of(path: Path, regions: Sequence[Region]) -> tuple[bytes, ...]:
    """Return a place on each page as PNG, none of one that is no longer there."""
    shown = (_of_pdf if path.suffix.lower() == ".pdf" else _of_picture)(path, regions)
    return tuple(data for data in map(_png, shown) if data)


def _of_pdf(path: Path, regions: Sequence[Region]) -> "list[Image]":
    import pdfplumber
    import pypdfium2

    from tablerag.ingestion.readers.pdf_characters import straightened

    shown = []
    with path.open("rb") as file, pdfplumber.open(file) as pdf, pypdfium2.PdfDocument(path) as document:
        for region in regions:
            if region.page > len(pdf.pages):
                continue
            page = straightened(pdf.pages[region.page - 1])
            sheet = document[region.page - 1]
            sheet.set_rotation(page.rotation)
            left, top = float(page.cropbox[0]), float(page.cropbox[1])
            page.close()
            width, height = sheet.get_size()
            box = _within(region, left, top, width, height)
            scale = min(SCALE, SIDE / max(box[2] - box[0], box[3] - box[1], 1.0))
            crop = (box[0], height - box[3], width - box[2], box[1])
            if crop[0] + crop[2] < width - 1 and crop[1] + crop[3] < height - 1:
                shown.append(sheet.render(scale=cast(int, scale), crop=crop).to_pil())  # typed as int, and no int
    return shown


def _of_picture(path: Path, regions: Sequence[Region]) -> "list[Image]":
    from PIL import Image
    from PIL.ImageOps import exif_transpose

    from tablerag.ingestion.readers.picture import FORMATS, MOST_PIXELS

    shown = []
    with Image.open(path, formats=FORMATS) as image:
        for region in regions:
            if region.page > getattr(image, "n_frames", 1):
                continue
            image.seek(region.page - 1)
            if image.width * image.height > MOST_PIXELS:
                continue
            upright = exif_transpose(image.convert("L"))
            box = _within(region, 0.0, 0.0, upright.width, upright.height)
            if box[2] - box[0] > 1 and box[3] - box[1] > 1:
                part = upright.crop((round(box[0]), round(box[1]), round(box[2]), round(box[3])))
                part.thumbnail((SIDE, SIDE))
                shown.append(part)
    return shown


def _within(region: Region, left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
    """Return a place with its margin, in a page that begins at ``left`` and ``top`` and is so large."""
    x0, x1 = region.x0 - left - MARGIN, region.x1 - left + MARGIN
    y0, y1 = region.top - top - MARGIN, region.bottom - top + MARGIN
    return max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1)


def _png(image: "Image") -> bytes:
    """Return a picture as PNG, smaller until it is not too large."""
    image = image.convert("L")
    while True:
        written = io.BytesIO()
        image.save(written, "PNG", optimize=True)
        if written.tell() <= MOST_BYTES or max(image.size) < 200:
            return written.getvalue()
        image.thumbnail((image.width * 2 // 3, image.height * 2 // 3))
