"""Splits a line of words at clear white space into segments, the possible cells of a table without rules."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tablerag.ingestion.readers.pdf_direction import line_text, may_be_leftwards
from tablerag.ingestion.readers.pdf_layout import SUPERSCRIPTS, Word
from tablerag.tools.number_words import CURRENCY

__all__ = ["NO_VALUE", "NUMBER", "Segment", "TextRow", "joined_text", "segment_of", "segments_of", "text_row"]

WORD_GAP = 0.6
"""Clear white space between words, in font sizes; a space is about 0.25, at most twice that in justified text."""
NUMBER_GAP = 0.4
"""Clear white space between two numbers; a space between groups of digits is narrower."""
FAR_CURRENCY = 12.0
"""The most space between a currency sign and its number, in font sizes."""
FAR_CLOSING = 1.0
"""The most space before a percent sign or closing bracket; with more it is a separate cell."""
LEADING = re.compile(rf"\(?[-–−]?\(?{CURRENCY}")
CLOSING = re.compile(r"\)?\s?[%‰]\)?|\)")
MONTH = r"(?:[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]une?|[Jj]uly?|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec)[a-z]*\.?"
GROUPED = r"(?:\d{1,3}(?:[,.'’  \u202f]\d{2,3})+(?:[.,]\d+)?|\d+(?:[.,:]\d+)*|[.,]\d+|\d*[½¼¾])"
BEFORE = rf"[-+−–±~≈<>≤≥(\[]*\s?(?:{CURRENCY}|[A-Z]{{3}}\s)?\s?[-−–(]*"
AFTER = r"(?:\s?(?:[%‰°]|[A-Za-zµ°]{1,3}(?:/[A-Za-z]{1,3})?))?[)\]]*\s?[*†‡§¶¹²³⁴⁵⁶⁷⁸⁹⁰]*"
DATE = (
    rf"\d{{1,4}}([-./])\d{{1,2}}\1\d{{1,4}}(?: \d\d?:\d\d)?|"
    rf"\d{{1,2}}[ .-]?{MONTH}(?:[ .,-]{{0,2}}\d{{2,4}})?|{MONTH}[ -]?\d{{1,2}}(?:,? \d{{4}})?|{MONTH}[ -]?\d{{4}}"
)
NUMBER = re.compile(rf"{BEFORE}{GROUPED}(?:\s?[-–/x×:]\s?{GROUPED})?{AFTER}|{DATE}")
NO_VALUE = re.compile(r"[-–—−_.…*xX/:]{1,3}|n/?a|N/?A|n\.\s?a\.|nil|Nil|\(?[-–—]\)?%?", re.IGNORECASE)
LEADER = re.compile(r"(?P<head>.*?)\s{0,3}(?:(?:[.·_]\s{0,3}){4,}|…{2,})(?P<tail>.*)")
APART = re.compile(r"(?<=\d) (?=\.\d+\b)")
"""Space before a number's decimals."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of one line with clear white space on both sides."""

    words: tuple[Word, ...]
    text: str
    is_number: bool
    is_blank: bool
    """Whether it marks a missing value: a dash, "n/a"."""

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return self.words[-1].x1


@dataclass(frozen=True, slots=True)
class TextRow:
    """A line of a page, split into segments."""

    words: tuple[Word, ...]
    segments: tuple[Segment, ...]
    top: float
    bottom: float
    size: float
    has_leader: bool
    """Whether it contained a dot leader."""

    @property
    def numbers(self) -> int:
        """The number of segments after the first that are numbers."""
        return sum(s.is_number for s in self.segments[1:])


def text_row(words: Sequence[Word]) -> TextRow:
    """Return a line's words, ordered from left to right, with their segments."""
    pieces = list(_without_leaders(words))
    sizes = sorted(w.size for w in words)
    return TextRow(
        tuple(words),
        segments_of(pieces),
        min(w.top for w in words),
        max(w.bottom for w in words),
        max(1.0, sizes[len(sizes) // 2]),
        len(pieces) != len(words) or any(p is not w for p, w in zip(pieces, words, strict=True)),
    )


def segments_of(words: Sequence[Word]) -> tuple[Segment, ...]:
    """Split words at clear white space; currency signs, percent signs and brackets stay with their number."""
    groups: list[list[Word]] = []
    for word in words:
        if groups and not _is_apart(groups[-1][-1], word):
            groups[-1].append(word)
        else:
            groups.append([word])
    joined: list[Segment] = []
    for segment in map(segment_of, groups):
        last = joined[-1] if joined else None
        gap = (segment.x0 - last.x1) / max(1.0, segment.words[0].size) if last else 0.0
        is_sum = last and LEADING.fullmatch(last.text) and (segment.is_number or segment.is_blank)
        is_end = last and last.is_number and CLOSING.fullmatch(segment.text)
        if last and ((is_sum and gap < FAR_CURRENCY) or (is_end and gap < FAR_CLOSING)):
            joined[-1] = segment_of([*last.words, *segment.words])
        else:
            joined.append(segment)
    return tuple(joined)


def joined_text(words: Sequence[Word]) -> str:
    """Join words to a text; raised digits become superscripts, and signs are joined to their numbers."""
    if any(may_be_leftwards(w.text) for w in words):
        return line_text([w.text for w in words])
    text = ""
    for i, word in enumerate(words):
        before = words[i - 1] if i else None
        near = before is not None and word.x0 - before.x1 < 0.12 * word.size
        if before and near and _is_raised(before, word):
            text += word.text.translate(SUPERSCRIPTS)
        elif before and (
            LEADING.fullmatch(before.text.strip("(-–−")) or CLOSING.fullmatch(word.text) or before.text == "("
        ):
            text += word.text
        else:
            text += f" {word.text}" if text else word.text
    return APART.sub("", text) if " ." in text else text


def _is_raised(before: Word, word: Word) -> bool:
    small = word.size < 0.85 * before.size and word.bottom < before.bottom - 0.05 * before.size
    return small and word.text.isdecimal() and len(word.text) <= 2


def _is_apart(left: Word, right: Word) -> bool:
    size = max(1.0, min(left.size, right.size) if _is_raised(left, right) else right.size)
    both = (left.text[-1:].isdigit() and right.text[:1].isdigit()) or left.text.endswith(("%", ")"))
    return right.x0 - left.x1 > (NUMBER_GAP if both else WORD_GAP) * size


def segment_of(words: Sequence[Word]) -> Segment:
    """Return words of one line as a segment."""
    text = joined_text(words)
    is_number = len(text) <= 32 and bool(NUMBER.fullmatch(text))
    return Segment(tuple(words), text, is_number, not is_number and bool(NO_VALUE.fullmatch(text)))


def _without_leaders(words: Sequence[Word]) -> Iterator[Word]:
    """Yield words without dot leaders; a word that contains one is split there, its width divided by letters."""
    dots: list[Word] = []
    for word in words:
        if word.text.strip() in (".", "·", "_"):
            dots.append(word)
            continue
        yield from _unless_leader(dots)
        dots = []
        match = LEADER.fullmatch(word.text)
        if match is None:
            yield word
        else:
            letter = (word.x1 - word.x0) / len(word.text)
            if match["head"]:
                yield replace(word, text=match["head"], x1=word.x0 + letter * len(match["head"]))
            if match["tail"]:
                yield replace(word, text=match["tail"], x0=word.x1 - letter * len(match["tail"]))
    yield from _unless_leader(dots)


def _unless_leader(dots: Sequence[Word]) -> Iterable[Word]:
    return () if len(dots) >= 3 else dots
