"""Arabic and Hebrew: a page shows their letters from right to left; here they are put in the order of reading.

Numbers and other scripts in such a line run from left to right. This undoes the order of display that the Unicode
Bidirectional Algorithm (Unicode Standard Annex 9) gives a line, in the cases that documents have.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

__all__ = ["in_reading_order", "is_leftwards", "line_text", "may_be_leftwards", "word_text"]

MAY_BE_LEFTWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
SHAPED = re.compile("[\ufb1d-\ufdf9\ufe70-\ufefc]")
"""Ligatures, and letters in the form that they take beside others."""
IN_NUMBER = ".,:/٫٬"
OF_NUMBER = "+-−%‰$€£₪°#"
PUNCTUATION = "()[]{}<>«».,:;!?،؛؟"
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
RIGHTWARDS_GLYPHS = re.compile("L(?:[LNSO]*[LN])?|N(?:S?N)*")
RIGHTWARDS_WORDS = re.compile("L(?:[LNO]*[LN])?|N")
LEFTWARDS = re.compile("R(?:[RNSO]*R)?")
SCRIPTS_MEET = re.compile(
    r"(?<=[A-Za-z])(?=[\u05d0-\u064a\u066e-\u06d3])|(?<=[\u05d0-\u064a\u066e-\u06d3])(?=[A-Za-z])"
)
"""Where two words meet whose space is elsewhere in the line, for want of an agreement about direction."""
ENDS = re.compile(rf"([{re.escape(PUNCTUATION)}]*)(.*?)([{re.escape(PUNCTUATION)}]*)", re.DOTALL)


def may_be_leftwards(text: str) -> bool:
    """Return whether a text has letters, marks or digits of scripts that are read from right to left."""
    return not text.isascii() and bool(MAY_BE_LEFTWARDS.search(text))


def is_leftwards(words: Iterable[str]) -> bool:
    """Return whether a text of these words or glyphs has more that are read leftwards than others, or as many."""
    kinds = "".join(map(_word_kind, words))
    return 0 < kinds.count("R") >= kinds.count("L")


def word_text(glyphs: Sequence[str], leftwards: bool) -> str:
    """Return the text of a word whose glyphs are given from left to right, in a text that is ``leftwards`` or not.

    A ligature is one glyph; its letters are in the order of reading already.
    """
    kinds = "".join(map(_kind, glyphs))
    if "R" not in kinds:
        return "".join(glyphs)
    shaped = [SHAPED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), glyph) for glyph in glyphs]
    order = _order(kinds, leftwards, RIGHTWARDS_GLYPHS)
    text = "".join(shaped[i].translate(MIRRORED) if turned else shaped[i] for i, turned in order)
    return SCRIPTS_MEET.sub(" ", text)


def in_reading_order(words: Sequence[str]) -> list[int]:
    """Return the places of the words of a line, which are given from left to right, in the order of reading."""
    if not any(map(may_be_leftwards, words)):
        return list(range(len(words)))
    return [i for i, _ in _order(_kinds(words), is_leftwards(words), RIGHTWARDS_WORDS)]


def line_text(words: Sequence[str]) -> str:
    """Return the text of a line, whose words are given from left to right."""
    if not any(map(may_be_leftwards, words)):
        return " ".join(words)
    if not is_leftwards(words):
        return " ".join(words[i] for i in in_reading_order(words))
    texts = list(words)
    kinds = _kinds(words)
    for run in RIGHTWARDS_WORDS.finditer(kinds):
        first, last = run.start(), run.end() - 1
        before, first_core, _ = _ends(texts[first])
        _, last_core, after = _ends(texts[last])
        if first == last:
            texts[first] = _mirrored(after) + first_core + _mirrored(before)
        else:
            texts[first] = _mirrored(after) + texts[first][len(before) :]
            texts[last] = texts[last][: len(texts[last]) - len(after)] + _mirrored(before)
    return " ".join(texts[i] for i, _ in _order(kinds, True, RIGHTWARDS_WORDS))


def _order(kinds: str, leftwards: bool, rightwards_runs: re.Pattern[str]) -> list[tuple[int, bool]]:
    """Return the places of glyphs or words, given from left to right, in the order of reading; True if turned round."""
    if not leftwards:
        order = [(i, False) for i in range(len(kinds))]
        for run in LEFTWARDS.finditer(kinds):
            inner = _order(kinds[run.start() : run.end()], True, rightwards_runs)
            order[run.start() : run.end()] = [(run.start() + i, turned) for i, turned in inner]
        return order
    order = []
    end = len(kinds)
    for run in reversed(list(rightwards_runs.finditer(kinds))):
        order += [(i, True) for i in range(end - 1, run.end() - 1, -1)]
        order += [(i, False) for i in range(run.start(), run.end())]
        end = run.start()
    return order + [(i, True) for i in range(end - 1, -1, -1)]


def _kind(glyph: str) -> str:
    """Return R for a letter read leftwards, L for others, N for a digit, S for a sign in numbers, O for the rest."""
    for char in glyph:
        found = unicodedata.bidirectional(char)
        if found in ("R", "AL"):
            return "R"
        if found == "L":
            return "L"
        if found in ("EN", "AN") and char not in IN_NUMBER:
            return "N"
    return "S" if glyph in IN_NUMBER else "N" if glyph in OF_NUMBER else "O"


def _kinds(words: Sequence[str]) -> str:
    return "".join(map(_word_kind, words))


def _word_kind(text: str) -> str:
    kinds = {_kind(char) for char in text}
    return next((kind for kind in "RLN" if kind in kinds), "O")


def _ends(text: str) -> tuple[str, str, str]:
    found = ENDS.fullmatch(text)
    return (found[1], found[2], found[3]) if found else ("", text, "")


def _mirrored(text: str) -> str:
    return text[::-1].translate(MIRRORED)
