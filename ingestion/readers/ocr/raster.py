"""A page as pixels: straightened, and its ruled lines, by numpy alone."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tablerag.ingestion.readers.ocr.recognised import Pixels

__all__ = ["dark", "ruled_sides", "straightened"]

Mask = NDArray[np.bool_]

MOST_SKEW = 6.0
"""The most degrees by which a page is turned back."""
LEAST_SKEW = 0.08
SAMPLE_SIDE = 1000
SAMPLE_POINTS = 60_000
SHORTEST_LINE = 0.3
"""The shortest ruled line in inches; no letter of running text has one."""
GAPS = 0.92
"""The share of a line that is dark: scans interrupt it."""
THICKEST_LINE = 0.05
"""In inches; a thicker one is an area."""
LIGHT = 60
"""The least difference between ink and paper, of 255: less is a background."""


def dark(page: Pixels) -> Mask:
    """Return which pixels are ink, by Otsu's threshold (IEEE Transactions SMC 9, 1979)."""
    counts = np.bincount(page.ravel(), minlength=256).astype(float)
    below = np.cumsum(counts)
    sums = np.cumsum(counts * np.arange(256))
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (sums[-1] * below / below[-1] - sums) ** 2 / (below * (below[-1] - below))
    threshold = int(np.nanargmax(between)) if np.isfinite(between).any() else 0
    return page <= min(threshold, 255 - LIGHT)


def straightened(page: Pixels) -> Pixels:
    """Return a page turned back by its skew, if it has some."""
    angle = _skew(page)
    if abs(angle) < LEAST_SKEW:
        return page
    paper = int(np.median(page[:: max(1, page.shape[0] // 200)]))
    turned = Image.fromarray(page).rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=paper)
    return np.asarray(turned)


def _skew(page: Pixels) -> float:
    """Return by how many degrees, counterclockwise, a page is to be turned so that its lines are level.

    The lines of level text fill some rows of pixels and leave others white; columns do the same in a page on its side.
    """
    step = max(1, max(page.shape) // SAMPLE_SIDE)
    rows = page.shape[0] // step * step
    sample = page[:rows].reshape(-1, step, page.shape[1]).min(1)[:, ::step] if step > 1 else page
    ys, xs = np.nonzero(dark(sample))
    if len(ys) < 200 or len(ys) > 0.5 * sample.size:
        return 0.0
    if len(ys) > SAMPLE_POINTS:
        chosen = np.random.default_rng(0).choice(len(ys), SAMPLE_POINTS, replace=False)
        ys, xs = ys[chosen], xs[chosen]
    best = 0.0
    for width, pitch in ((MOST_SKEW, 0.5), (0.5, 0.1), (0.1, 0.02)):
        angles = np.arange(best - width, best + width + pitch / 2, pitch)
        scores = [_score(ys, xs, a) for a in angles]
        best = float(angles[int(np.argmax(scores))])
    level = _score(ys, xs, 0.0)
    return best if _score(ys, xs, best) > 1.02 * level else 0.0


def _score(ys: NDArray[np.intp], xs: NDArray[np.intp], angle: float) -> float:
    sine, cosine = np.sin(np.radians(angle)), np.cos(np.radians(angle))
    down = _unevenness(ys * cosine - xs * sine)
    across = _unevenness(xs * cosine + ys * sine)
    return max(down, across)


def _unevenness(places: NDArray[np.float64]) -> float:
    counts = np.bincount((places - places.min()).astype(int)).astype(float)
    return float((np.diff(counts) ** 2).sum() / counts.sum())


def ruled_sides(page: Pixels, per_inch: float) -> Iterator[tuple[str, float, float, float]]:
    """Yield the ruled lines of a page: orientation, position, start, end, in pixels."""
    ink = dark(page)
    least = max(12, round(SHORTEST_LINE * per_inch))
    thickest = max(3, round(THICKEST_LINE * per_inch))
    for orientation, mask in (("h", ink), ("v", ink.T)):
        for at, start, end in _runs(mask, least, thickest):
            yield orientation, at, start, end


def _runs(mask: Mask, least: int, thickest: int) -> Iterator[tuple[float, float, float]]:
    """Yield position, start and end of the long dark runs along the rows of a mask that are thin across them."""
    height, width = mask.shape
    if width <= least:
        return
    # A line that is not quite level goes on in the next row.
    near = mask.copy()
    near[1:] |= mask[:-1]
    along = np.cumsum(near, axis=1, dtype=np.int32)
    filled = along[:, least:] - along[:, :-least] >= GAPS * least
    above = np.cumsum(near, axis=0, dtype=np.int32)
    for row in np.nonzero(filled.any(axis=1))[0]:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], filled[row].astype(np.int8), [0]))))
        for first, last in edges.reshape(-1, 2):
            start, end = int(first) + 1, int(last) + least
            low, high = max(0, row - thickest), min(height - 1, row + thickest)
            depth = (above[high, start:end] - above[low, start:end]).mean()
            if depth <= thickest + 1:
                yield float(row), float(start), float(end)
