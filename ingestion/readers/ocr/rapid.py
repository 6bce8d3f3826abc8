"""The engine RapidOCR: PP-OCR's models in onnxruntime, which come with its package; nothing is fetched."""

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tablerag.ingestion.readers.ocr.ink import Character, line_of
from tablerag.ingestion.readers.ocr.raster import dark
from tablerag.ingestion.readers.ocr.recognised import OcrLine, Pixels, Recognised

__all__ = ["lines_of"]

Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels."""

GLANCE_SIDE = 800
"""The longer side of a page on which only the direction of its lines is looked for."""
SEARCH_SIDE = 1650
"""The longer side of a page on which text is searched, A4 at 140 dpi; it is read in all its pixels."""
BAND = 400
"""The height of what is searched for text at once: memory grows with it."""
TALL = 3.0
"""A box of which the height is so many widths is text on its side, which is left out."""
SAMPLE = 10
"""Lines that tell whether a page is upside down."""
UPRIGHT = 0.9
"""The confidence of a sample above which nothing else is tried."""
LEAST_CONFIDENCE = 0.5
"""Text below it is a picture or noise, as in RapidOCR's own default."""
MMAP_THRESHOLD = -3
"""M_MMAP_THRESHOLD of glibc's malloc.h."""
LARGE_BLOCK = 1 << 20
PARAMETERS = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,  # documents are read side by side
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Global.log_level": "critical",
    "Global.max_side_len": 4000,
    "Det.limit_type": "max",
    "Det.limit_side_len": 4000,
}


def lines_of(page: Pixels) -> Recognised:
    """Return the lines of a page, and the page turned upright."""
    if _is_sideways(page):
        page = np.ascontiguousarray(np.rot90(page))
    boxes = _boxes(page)
    if _is_upside_down(page, boxes):
        page = np.ascontiguousarray(np.rot90(page, 2))
        height, width = page.shape
        boxes = [(width - x1, height - y1, width - x0, height - y0) for x0, y0, x1, y1 in boxes]
    lines = [line for box in boxes if (line := _line(page, box))]
    return Recognised(lines, page)


@cache
def _engine() -> Any:
    _return_memory()
    import_module("cv2").setNumThreads(1)
    return import_module("rapidocr").RapidOCR(params=PARAMETERS)


def _return_memory() -> None:
    """Have large blocks returned to the system when they are freed, where the C library is glibc.

    Else it raises the size from which it does so to that of the largest block freed, and a few pages of different
    sizes leave the process at its memory limit.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE_BLOCK)


def _detected(page: Pixels) -> list[Box]:
    found = _engine()(_coloured(page), use_det=True, use_cls=False, use_rec=False)
    boxes = getattr(found, "boxes", None)
    if boxes is None:
        return []
    low, high = np.floor(boxes.min(axis=1)), np.ceil(boxes.max(axis=1))
    height, width = page.shape
    ends = np.minimum(high, (width, height)).astype(int)
    return [(x0, y0, x1, y1) for (x0, y0), (x1, y1) in zip(np.maximum(low, 0).astype(int), ends, strict=True)]


def _coloured(page: Pixels) -> NDArray[np.uint8]:
    return np.repeat(page[:, :, None], 3, axis=2)


def _is_sideways(page: Pixels) -> bool:
    glance = _scaled(page, min(1.0, GLANCE_SIDE / max(page.shape)))
    sides = [(x1 - x0, y1 - y0) for x0, y0, x1, y1 in _detected(glance)]
    wide = sum(w for w, h in sides if w > 1.5 * h)
    return sum(h for w, h in sides if h > 1.5 * w) > 2 * wide


def _scaled(page: Pixels, ratio: float) -> Pixels:
    size = max(1, round(ratio * page.shape[1])), max(1, round(ratio * page.shape[0]))
    return np.asarray(Image.fromarray(page).resize(size, Image.Resampling.BOX)) if ratio < 1 else page


def _boxes(page: Pixels) -> list[Box]:
    """Return the boxes of text, searched band by band; bands end where the page is whitest."""
    ratio = min(1.0, SEARCH_SIDE / max(page.shape))
    smaller = _scaled(page, ratio)
    ink = dark(smaller).sum(axis=1)
    boxes: list[Box] = []
    top, height = 0, smaller.shape[0]
    while top < height:
        end = height
        if height - top > 1.2 * BAND:
            first = top + int(0.8 * BAND)
            end = first + int(np.argmin(ink[first : top + int(1.2 * BAND)]))
        boxes += [(x0, y0 + top, x1, y1 + top) for x0, y0, x1, y1 in _detected(smaller[top:end])]
        top = end
    return [(int(x0 / ratio), int(y0 / ratio), ceil(x1 / ratio), ceil(y1 / ratio)) for x0, y0, x1, y1 in boxes]


def _read(crops: Sequence[Pixels]) -> list[tuple[str, Any]]:
    """Return the text of each crop, and the places and confidences of its characters."""
    found = []
    for crop in crops:
        read = _engine()(_coloured(crop), use_det=False, use_cls=False, use_rec=True, return_word_box=True)
        found.append((read.txts[0], read.word_results[0]) if getattr(read, "txts", None) else ("", None))
    return found


def _is_upside_down(page: Pixels, boxes: Sequence[Box]) -> bool:
    sample = sorted(boxes, key=lambda b: b[0] - b[2])[:SAMPLE]
    crops = [page[y0:y1, x0:x1] for x0, y0, x1, y1 in sample]
    upright = _certainty(crops)
    if not crops or upright >= UPRIGHT:
        return False
    return _certainty([np.ascontiguousarray(np.rot90(c, 2)) for c in crops]) > upright + 0.05


def _certainty(crops: Sequence[Pixels]) -> float:
    confidences = [c for text, info in _read(crops) if text for c in info.confs]
    return sum(confidences) / len(confidences) if confidences else 0.0


def _line(page: Pixels, box: Box) -> OcrLine | None:
    x0, y0, x1, y1 = box
    crop = page[y0:y1, x0:x1]
    if min(crop.shape) < 4 or crop.shape[0] > TALL * crop.shape[1]:
        return None
    ((text, info),) = _read([crop])
    if not text.strip() or sum(info.confs) < LEAST_CONFIDENCE * len(info.confs):
        return None
    pitch = crop.shape[1] / info.line_txt_len
    places = iter([column for word in info.word_cols for column in word])
    characters = [
        Character(c, 0.0 if c.isspace() else (next(places) + 0.5) * pitch, float(sure))
        for c, sure in zip(text, info.confs, strict=True)
    ]
    return line_of(crop, characters, x0, y0)
