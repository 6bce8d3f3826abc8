"""The sentences of a passage that a question is about, where the whole would be too long to show."""

import re

from tablerag.tools.text import SENTENCE_END, content_tokens, tokens

__all__ = ["FOUND_CHARS", "excerpt", "opening_chars"]

BEST_CHARS, OTHER_CHARS = 600, 300
"""Characters of the best passage that the first message shows, and of each other; a search for it shows more."""
FOUND_CHARS = 2_400
"""Characters of all passages that one search finds together: a few are shown whole."""
GAP = " … "
ABBREVIATED = re.compile(r"(?:^|[\s(])(?:[A-Z]|[A-Z][a-z]{1,2}|[a-z]{1,2}|(?:[A-Z]\.)+[A-Z])\.\s*$")
"""How a piece ends that is no whole sentence: "George H. W.", "29th U.S.", "in Roe v."."""


def opening_chars(place: int) -> int:
    """Return how many characters of a passage the first message shows, by its place, from 0."""
    return OTHER_CHARS if place else BEST_CHARS


def excerpt(text: str, about: str, most: int, known: str = "") -> str:
    """Return a text of at most ``most`` characters: its first sentence, and those that share most words with ``about``.

    Sentences that ``known`` holds come last.
    """
    if len(text) <= most:
        return text
    sentences = _sentences(text) or [text]
    if len(sentences[0]) > most:
        return text[:most].rstrip() + GAP.rstrip()
    wanted = set(content_tokens(about))
    shared = [len(wanted & set(tokens(s))) for s in sentences]
    read = [bool(known) and s.strip() in known for s in sentences]
    # The first sentence says what the passage is about.
    kept, left = {0}, most - len(sentences[0])
    for i in sorted(range(1, len(sentences)), key=lambda i: (read[i], -shared[i], i)):
        size = len(sentences[i]) + len(GAP)
        if size <= left:
            kept.add(i)
            left -= size
    if kept == {0} and len(sentences[0]) < most // 2:  # a title tells nothing by itself
        return text[:most].rstrip() + GAP.rstrip()
    parts = [(GAP if i and i - 1 not in kept else " ") + sentences[i].strip() for i in sorted(kept)]
    return "".join(parts).strip() + (GAP.rstrip() if len(sentences) - 1 not in kept else "")


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text; a full stop after an initial or an abbreviation ends none."""
    found: list[str] = []
    for piece in SENTENCE_END.split(text):
        if found and ABBREVIATED.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece.strip():
            found.append(piece)
    return found
