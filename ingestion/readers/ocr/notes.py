"""What a document says of its pages that were read by OCR."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tablerag.ingestion.readers.pdf_running import PageContent
from tablerag.tools.counting import doubt

__all__ = ["read_by_ocr"]

UNSURE = 0.8
"""The confidence below which a word is counted as unsure."""


def read_by_ocr(pages: Sequence[PageContent]) -> Iterator[str]:
    """Yield which pages were read by OCR, and how surely; nothing if none was."""
    words = [(w, p.number) for p in pages for w in p.words]
    if not words:
        return
    least, page = min(words, key=lambda found: found[0].confidence)
    unsure = sum(w.confidence < UNSURE for w, _ in words)
    yield (
        f"{_ranges([p.number for p in pages])} read by OCR: {unsure:,} of {len(words):,} words are less than "
        f"{UNSURE:.0%} sure; least sure: {doubt(least.text, int(100 * least.confidence))} on page {page}"
    )


def _ranges(numbers: Sequence[int]) -> str:
    """Return page numbers such as "pages 1-3, 7 were"."""
    starts = [numbers[0], *(b for a, b in pairwise(numbers) if b != a + 1)]
    ends = [*(a for a, b in pairwise(numbers) if b != a + 1), numbers[-1]]
    shown = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))
    return f"page {shown} was" if len(numbers) == 1 else f"pages {shown} were"
