"""What an engine reads on a page: words with boxes, in pixels from the top left corner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["OcrLine", "OcrWord", "Pixels", "Recognise", "Recognised"]

Pixels = NDArray[np.uint8]
"""A page in grey, by row and column: 0 is black."""


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word, its left and right edge, and how sure the engine is of its least sure character, from 0 to 1."""

    text: str
    x0: float
    x1: float
    confidence: float


@dataclass(frozen=True, slots=True)
class OcrLine:
    """Words side by side, and where their ink begins and ends."""

    words: tuple[OcrWord, ...]
    top: float
    bottom: float

    @property
    def text(self) -> str:
        return " ".join(w.text for w in self.words)


@dataclass(frozen=True, slots=True)
class Recognised:
    """The lines of a page, and the page as the engine turned it to be upright."""

    lines: Sequence[OcrLine]
    pixels: Pixels


class Recognise(Protocol):
    """Reads the lines of a page that is straight, if perhaps turned by quarters."""

    def __call__(self, page: Pixels) -> Recognised: ...
