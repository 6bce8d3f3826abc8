"""Text recognition (OCR): pages that are pictures, as words with boxes and a confidence.

One module per engine defines ``lines_of(page) -> Recognised``. The engine is loaded when the first picture is read.
"""

import shutil
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it brings numpy, which the program starts without
    from tablerag.ingestion.readers.ocr.recognised import Recognise

__all__ = ["OcrSettings", "engine_name", "how_to_read", "installed", "load", "tell_page", "using"]

MOST_PAGES = 200


@dataclass(frozen=True, slots=True)
class OcrSettings:
    """How pictures are read in this process."""

    on: bool = True
    most_pages: int = MOST_PAGES
    """Pages of a document that are read at most; the others are named in its notes."""
    on_page: Callable[[int, int], None] = lambda page, pages: None
    """Called with each page and the number of pages before it is read."""


using: ContextVar[OcrSettings] = ContextVar("using", default=OcrSettings())  # noqa: B039  it is frozen


def engine_name() -> str:
    """Return the engine that reads pictures in this process, "" if none does."""
    return installed() if using.get().on else ""


@cache
def installed() -> str:
    """Return the engine that is installed: "rapidocr", else "tesseract", else ""."""
    if find_spec("rapidocr") and find_spec("onnxruntime"):
        return "rapidocr"
    return "tesseract" if shutil.which("tesseract") else ""


def how_to_read() -> str:
    """Return what to do so that pictures are read."""
    if not using.get().on:
        return "set TABLERAG_OCR=auto to read it by OCR"
    return 'to read it by OCR, pip install "tablerag[ocr]" or install tesseract'


def load() -> "Recognise":
    """Return the function of the engine; there must be one."""
    module = {"rapidocr": "rapid", "tesseract": "tesseract"}[engine_name()]
    return import_module(f"{__name__}.{module}").lines_of


def tell_page(page: int, pages: int) -> None:
    """Report that a page is about to be read by OCR."""
    using.get().on_page(page, pages)
