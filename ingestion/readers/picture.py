"""Picture files: scans and photographs of pages, read by OCR; a TIFF may hold several pages."""

from collections.abc import Iterator
from pathlib import Path
from warnings import catch_warnings, simplefilter

import numpy as np
from PIL import Image, UnidentifiedImageError
from PIL.ImageOps import exif_transpose

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers import ocr
from tablerag.ingestion.readers.ocr.page import picture_content
from tablerag.ingestion.readers.pdf import document_of
from tablerag.ingestion.readers.pdf_running import PageContent
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_picture"]

FORMATS = ("BMP", "JPEG", "PNG", "TIFF", "WEBP")
MOST_PIXELS = 60_000_000
"""A3 at 530 dpi; a small file may state any size, and its pixels take memory."""
TOO_LARGE = f"is a picture of more than {MOST_PIXELS / 1e6:.0f} million pixels: scale it down"
ERRORS = (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, AttributeError)
"""Errors that Pillow raises on damaged files."""


def read_picture(path: Path) -> Document:
    """Read one picture; raise UnreadableDocument if it is too large, is damaged or shows no text."""
    if not ocr.engine_name():
        raise UnreadableDocument(f"is a picture: {ocr.how_to_read()}")
    try:
        with catch_warnings(), _opened(path) as image:
            pages = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
            most = min(pages, ocr.using.get().most_pages)
            left = (
                f"pages {most + 1}-{pages} were not read: OCR reads {most:,} pages of a document (TABLERAG_OCR_PAGES)"
            )
            return document_of(path, _pages(image, most), most, None, lambda: (left,) if pages > most else ())
    except UnidentifiedImageError as error:
        raise UnreadableDocument("is not a picture of its kind, or damaged: save or fetch it again") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UnreadableDocument(TOO_LARGE) from error
    except ERRORS as error:
        raise UnreadableDocument("is a damaged picture: save or fetch it again") from error


def _opened(path: Path) -> Image.Image:
    simplefilter("error", Image.DecompressionBombWarning)
    return Image.open(path, formats=FORMATS)


def _pages(image: Image.Image, count: int) -> Iterator[PageContent]:
    for number in range(count):
        image.seek(number)
        if image.width * image.height > MOST_PIXELS:
            raise UnreadableDocument(TOO_LARGE)
        ocr.tell_page(number + 1, count)
        upright = exif_transpose(_flat(image))
        yield picture_content(upright, number + 1, ocr.load(), None)


def _flat(image: Image.Image) -> Image.Image:
    """Return an image in grey, over white where it is transparent."""
    if image.has_transparency_data:
        layered = image.convert("RGBA")
        white = Image.new("RGBA", layered.size, "white")
        return Image.alpha_composite(white, layered).convert("L")
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):  # Pillow would cut brighter values off
        values = np.asarray(image, dtype=np.float32)
        low, high = float(values.min()), float(values.max())
        return Image.fromarray(((values - low) * (255 / max(high - low, 1.0))).astype(np.uint8))
    return image.convert("L")
