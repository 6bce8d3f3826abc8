"""Where the ink of a line's words begins and ends: recognisers only say about where each character is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablerag.ingestion.readers.ocr.recognised import OcrLine, OcrWord, Pixels

__all__ = ["Character", "line_of"]

RULE = 0.9
"""A row or column of pixels that is so full is a ruled line."""
COLUMN_GAP = 0.85
"""White space in heights of the line's ink that separates words, even if the recogniser says nothing of it."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character, its middle in pixels from the left edge of its line, and how sure the recogniser is of it."""

    text: str
    middle: float
    confidence: float


def line_of(crop: Pixels, characters: Sequence[Character], left: float, top: float) -> OcrLine:
    """Return the words of the characters in a crop, whose top left corner is at ``left`` and ``top``."""
    ink = _ink(crop)
    rows = np.flatnonzero(ink.sum(axis=1) >= 2)
    first, last = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, crop.shape[0])
    columns = ink[first:last].sum(axis=0) >= min(2, max(1, (last - first) // 8))
    words = [tuple(word) for word in _words(characters, columns, last - first)]
    filled = np.flatnonzero(columns)
    edges = [float(filled[0]) if len(filled) else 0.0]
    for word, following in zip(words, words[1:], strict=False):
        edges += _gap(columns, word[-1].middle, following[0].middle)
    edges.append(float(filled[-1]) + 1 if len(filled) else float(crop.shape[1]))
    placed = [
        OcrWord(
            "".join(c.text for c in word),
            left + edges[2 * i],
            left + max(edges[2 * i + 1], edges[2 * i] + 1),
            min(c.confidence for c in word),
        )
        for i, word in enumerate(words)
    ]
    return OcrLine(tuple(placed), top + first, top + last)


def _ink(crop: Pixels) -> NDArray[np.bool_]:
    """Return the pixels that are ink: the rarer of dark and light, without ruled lines."""
    middle = (int(crop.min()) + int(crop.max())) / 2
    ink = crop < middle
    if ink.mean() > 0.5:
        ink = ~ink
    lines = ink.mean(axis=1) > RULE
    sides = ink.mean(axis=0) > RULE
    ink[lines] = False
    ink[:, sides] = False
    return ink


def _words(characters: Sequence[Character], columns: NDArray[np.bool_], height: int) -> list[list[Character]]:
    words: list[list[Character]] = [[]]
    for character in characters:
        if character.text.isspace():
            words.append([])
            continue
        if words[-1]:
            start, end = _gap(columns, words[-1][-1].middle, character.middle)
            if end - start > COLUMN_GAP * height:
                words.append([])
        words[-1].append(character)
    return [word for word in words if word]


def _gap(columns: NDArray[np.bool_], first: float, last: float) -> tuple[float, float]:
    """Return the widest white space between two places; without any, their middle."""
    start, end = round(first), max(round(first) + 1, round(last))
    edges = np.flatnonzero(np.diff(np.concatenate(([1], columns[start:end].astype(np.int8), [1]))))
    spaces = [(int(b - a), int(a), int(b)) for a, b in edges.reshape(-1, 2)]
    if not spaces:
        return (first + last) / 2, (first + last) / 2
    _, a, b = max(spaces)
    return float(start + a), float(start + b)
