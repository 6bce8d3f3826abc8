"""The sentences of a passage that a question is about, where the whole would be too long to show."""

import re
from collections.abc import Sequence
from math import inf
from os.path import commonprefix

from tablerag.tools.text import SENTENCE_END, content_tokens, tokens

__all__ = ["FOUND_CHARS", "excerpt", "opening_chars"]

BEST_CHARS, OTHER_CHARS = 600, 300
"""Characters of the best passage that the first message shows, and of each other; a search for it shows more."""
FOUND_CHARS = 2_400
"""Characters of all passages that one search finds together: a few are shown whole."""
GAP = " … "
FORM = 0.6
"""Weight of another form of a word that was asked for."""
WHY = re.compile(r"\b(?:why|warum|wieso|pourquoi|reasons?)\b", re.IGNORECASE)
AGES = frozenset(("old", "older", "oldest", "young", "younger", "youngest", "age"))
ABBREVIATED = re.compile(r"(?:^|[\s(])(?:[A-Z]|[A-Z][a-z]{1,2}|[a-z]{1,2}|(?:[A-Z]\.)+[A-Z])\.\s*$")
"""How a piece ends that is no whole sentence: "George H. W.", "29th U.S.", "in Roe v."."""


def opening_chars(place: int) -> int:
    """Return how many characters of a passage the first message shows, by its place, from 0."""
    return OTHER_CHARS if place else BEST_CHARS


def excerpt(text: str, about: str, most: int, known: str = "", title: str = "") -> str:
    """Return a text of at most ``most`` characters: its first sentence, and those that tell most of ``about``.

    A word tells more the fewer sentences hold it, and one of the ``title`` nothing. Sentences that ``known`` holds come
    last.
    """
    if len(text) <= most:
        return text
    sentences = _sentences(text) or [text]
    read = [bool(known) and s.strip() in known for s in sentences]
    if len(sentences[0]) > most and not read[0]:
        return text[:most].rstrip() + GAP.rstrip()
    telling = _telling(sentences, about, title)
    kept: set[int] = set()
    left = most
    # The first sentence says what the passage is about.
    for i in sorted(range(len(sentences)), key=lambda i: (read[i], -telling[i] if i else -inf, i)):
        size = len(sentences[i]) + len(GAP) * (i > 0)
        if size <= left:
            kept.add(i)
            left -= size
    parts = [(GAP if i and i - 1 not in kept else " ") + sentences[i].strip() for i in sorted(kept)]
    return "".join(parts).strip() + (GAP.rstrip() if len(sentences) - 1 not in kept else "")


def _telling(sentences: Sequence[str], about: str, title: str) -> list[float]:
    """Return how much each sentence tells of what is asked."""
    asked = [w for w in dict.fromkeys(content_tokens(about)) if w not in tokens(title)]
    asked += ["born"] * bool(AGES & set(asked))
    words = [set(tokens(s)) for s in sentences]
    found = [[max((_likeness(a, w) for w in each), default=0.0) for a in asked] for each in words]
    spread = [sum(row[j] for row in found) for j in range(len(asked))]
    told = [sum(score / n for score, n in zip(row, spread, strict=True) if n) for row in found]
    if WHY.search(about):  # the reason stands behind what it is the reason of
        told = [t + before / 2 for t, before in zip(told, [0.0, *told], strict=False)]
    return told


def _likeness(asked: str, word: str) -> float:
    """Return 1 for the same word, less for another form of it: "editor" and "edited"."""
    if asked == word:
        return 1.0
    shared = len(commonprefix([asked, word]))
    return FORM if shared >= 4 and 3 * shared >= 2 * max(len(asked), len(word)) else 0.0


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text; a full stop after an initial or an abbreviation ends none."""
    found: list[str] = []
    for piece in SENTENCE_END.split(text):
        if found and ABBREVIATED.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece.strip():
            found.append(piece)
    return found
