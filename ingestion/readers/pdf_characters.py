"""The characters of a PDF page as words: straightened, without doubles, and split where the page's own spacing says."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypedDict

from pdfplumber.page import Page
from pdfplumber.utils.text import extract_text, extract_words

from tablerag.ingestion.readers.pdf_direction import is_leftwards, line_text, may_be_leftwards, word_text
from tablerag.ingestion.readers.pdf_layout import Word, rows_of

__all__ = ["Character", "Spacing", "characters_of", "is_bold", "page_words", "straightened", "text_of", "words_of"]

Character = dict[str, Any]
"""A character or word in the form of pdfplumber's functions."""


class Spacing(TypedDict, total=False):
    """The least white space between two words, in the form of pdfplumber's functions."""

    x_tolerance_ratio: float


BY_SIZE: Spacing = {"x_tolerance_ratio": 0.15}
"""In font sizes: half of a narrow space."""
UPWARDS, OVER = 90, 180
DIRECTIONS: dict[int, dict[str, Any]] = {
    UPWARDS: {"line_dir_rotated": "ltr", "char_dir_rotated": "btt"},
    OVER: {"line_dir": "btt", "char_dir": "rtl"},
}
"""How turned characters follow each other, in the form of pdfplumber's functions."""
SINGLE_LETTERS = 0.5
"""The share of letters that are words of their own above which a page's text is letter-spaced."""
MOST_SPACED = 0.8
"""The most white space between the letters of a word, in font sizes."""
WIDER = 1.5
"""How much wider than the usual space between letters that between words is."""
NEAR = 0.07
"""The size, in font sizes, of the squares that a character and its double, printed to look bold, are in or beside."""
SIDEWAYS = 0.8
"""The share of characters that stand sideways on a page to be turned."""
USUAL_BELOW, MOST_BELOW, MOST_ABOVE = 0.2, 0.6, -0.2
"""How far, in font sizes, the box of a character reaches below the line that it stands on."""
ROW = 4.0
"""The height, in points, of the rows in which characters are compared with spaces."""
MARK = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c2\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc]+")
BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)


def straightened(page: Page) -> Page:
    """Return the page turned so that most of its characters stand upright."""
    turns = Counter(_turn(c) for c in page.chars)
    turn, count = turns.most_common(1)[0] if turns else (0, 0)
    if not turn or count <= SIDEWAYS * len(page.chars):
        return page
    own = page.page_obj
    own.rotate = own.attrs["Rotate"] = (page.rotation + turn) % 360
    page.close()
    return type(page)(page.pdf, own, page.page_number)


def characters_of(page: Page) -> list[Character]:
    """Return a page's visible characters, each once where it is printed several times almost in one place."""
    # The other half of a spread is in the file, but cut off. Heights do not compare: some pages do not begin at 0.
    shown = [c for c in page.chars if 2 * page.bbox[0] <= c["x0"] + c["x1"] <= 2 * page.bbox[2]]
    shown = [_on_its_line(c) for c in shown]
    printed = [(c["text"], int(c["x0"]), int(c["top"])) for c in shown if not c["text"].isspace()]
    is_doubled = len(set(printed)) < len(printed)
    if is_doubled or "  " in "".join(c["text"] for c in shown):
        shown = _without_covered_spaces(shown)
    if not is_doubled:
        return _with_marks(shown)
    kept: list[Character] = []
    seen: set[tuple[str, int, int]] = set()
    for char in shown:
        square = NEAR * max(1.0, char["size"])
        x, y = round(char["x0"] / square), round(char["top"] / square)
        text = char["text"]
        is_flat = char["x0"] >= char["x1"]  # its font is missing, and all its letters are in one place
        if text.isspace() or is_flat or not any((text, x + i, y + j) in seen for i in (-1, 0, 1) for j in (-1, 0, 1)):
            kept.append(char)
            seen.add((text, x, y))
    return _with_marks(kept)


def _on_its_line(char: Character) -> Character:
    """Return a character with a box near its line, where its font states impossible heights."""
    size, below = char["size"], char["matrix"][5] - char["y0"]
    if not char["upright"] or MOST_ABOVE * size < below < MOST_BELOW * size:
        return char
    shift = USUAL_BELOW * size - below
    return {**char, "top": char["top"] + shift, "bottom": char["bottom"] + shift}


def _without_covered_spaces(characters: list[Character]) -> list[Character]:
    """Return characters without spaces that others are printed over, such as those that fill up a field.

    The characters before and after a space do not count: set tightly, they reach into it.
    """
    covering: dict[tuple[int, int], tuple[int, int]] = {}
    for i, char in enumerate(characters):
        if char["upright"] and not char["text"].isspace():
            row = int(char["bottom"] / ROW)
            for x in range(int(char["x0"] + 1), int(char["x1"]) + 1):
                covering[x, row] = covering.get((x, row), (i,))[0], i
    kept = []
    for i, char in enumerate(characters):
        if char["upright"] and char["text"].isspace():
            place = round((char["x0"] + char["x1"]) / 2), int(char["bottom"] / ROW)
            first, last = covering.get(place, (i, i))
            if first < i - 1 or last > i + 1:
                continue
        kept.append(char)
    return kept


def _with_marks(characters: Sequence[Character]) -> list[Character]:
    """Return characters with accents and vowel signs, which have boxes of their own, joined to their letters."""
    if not MARK.search("".join(c["text"] for c in characters)):
        return list(characters)
    joined: list[Character | None] = list(characters)
    for i, mark in enumerate(characters):
        if not MARK.fullmatch(mark["text"]):
            continue
        middle = (mark["x0"] + mark["x1"]) / 2
        for j in (i - 1, i + 1, i - 2, i + 2):
            letter = joined[j] if 0 <= j < len(joined) else None
            if letter and letter["text"][:1].isalpha() and _is_over(middle, mark, letter):
                joined[j] = {**letter, "text": unicodedata.normalize("NFC", letter["text"] + mark["text"])}
                joined[i] = None
                break
    return [c for c in joined if c is not None]


def _is_over(middle: float, mark: Character, letter: Character) -> bool:
    near = abs(mark["top"] - letter["top"]) < 0.5 * letter["size"]
    return near and letter["x0"] - 0.1 <= middle <= letter["x1"] + 0.1


def words_of(characters: Sequence[Character], spacing: Spacing) -> list[Word]:
    """Return the words of characters; those that stand sideways are read in their own direction."""
    return [_word(w) for w in _words(characters, spacing) if w["text"]]


def page_words(characters: Sequence[Character]) -> tuple[list[Word], Spacing]:
    """Return the words of a page's characters, and how wide the space between words is."""
    words = words_of(characters, BY_SIZE)
    letters = [len(w.text) for w in words if w.text.isalpha()]
    if letters.count(1) <= SINGLE_LETTERS * sum(letters):
        return words, BY_SIZE
    gaps = sorted((b.x0 - a.x1) / max(1.0, b.size) for a, b in pairwise(words) if _beside(a, b))
    if len(gaps) < SINGLE_LETTERS * len(words):  # the letters stand alone, such as in a diagram
        return words, BY_SIZE
    spacing: Spacing = {"x_tolerance_ratio": WIDER * gaps[len(gaps) // 2]}
    return words_of(characters, spacing), spacing


def _beside(left: Word, right: Word) -> bool:
    """Return whether two words may be parts of one whose letters are spaced."""
    return abs(left.top - right.top) < 0.3 * right.size and 0 < right.x0 - left.x1 < MOST_SPACED * right.size


def text_of(characters: Sequence[Character], spacing: Spacing) -> str:
    """Return the text of a cell's characters, line by line; of sideways characters in one line."""
    if _may_be_leftwards(characters):
        return "\n".join(line_text([w.text for w in row]) for row in rows_of(words_of(characters, spacing)))
    if not any(map(_turn, characters)):
        return extract_text(list(characters), **spacing)
    return " ".join(w["text"] for w in _words(characters, spacing))


def _words(characters: Sequence[Character], spacing: Spacing) -> Iterator[Character]:
    by_turn: dict[int, list[Character]] = {}
    for char in characters:
        turn = _turn(char)
        # The library takes a sideways character's extent along its line for its size. Characters of one line have one
        # size: it begins a word where that changes, be it by a rounding error.
        by_turn.setdefault(turn, []).append({**char, "size": round(char["x1"] - char["x0"], 1)} if turn % 180 else char)
    for turn, chars in sorted(by_turn.items()):
        directions = DIRECTIONS.get(turn, {})
        words = extract_words(chars, extra_attrs=["size"], return_chars=True, **directions, **spacing)
        yield from words if turn or not _may_be_leftwards(words) else _leftwards(words)


def _leftwards(words: Sequence[Character]) -> Iterator[Character]:
    """Yield words with their letters in the order of reading."""
    leftwards = is_leftwards(w["text"] for w in words)
    for word in words:
        yield {**word, "text": word_text([c["text"] for c in word["chars"]], leftwards)}


def _may_be_leftwards(characters: Sequence[Character]) -> bool:
    return may_be_leftwards("".join(c["text"] for c in characters))


def _word(found: Character) -> Word:
    bold = all(map(is_bold, found["chars"][:2]))
    box = found["x0"], found["x1"], found["top"], found["bottom"]
    return Word(found["text"], *box, float(found["size"]), bold=bold, turn=_turn(found["chars"][0]))


def is_bold(char: Character) -> bool:
    """Return whether a character is bold, judged by its font name."""
    return bool(BOLD.search(char["fontname"]))


def _turn(char: Character) -> int:
    """Return by how many degrees, clockwise, a character is to be turned to stand upright."""
    a, b, _, d = char["matrix"][:4]
    if char["upright"] or abs(a) > abs(b):
        return 180 if a < 0 and d < 0 else 0
    return UPWARDS if b > 0 else 270
