"""The sentences of a passage that a question is about, where the whole would be too long to show."""

import re

from tablerag.tools.text import SENTENCE_END, content_tokens, tokens

__all__ = ["FOUND_CHARS", "OPENING_CHARS", "excerpt"]

OPENING_CHARS = 350
"""Characters of a passage that the first message shows; a search for it shows more."""
FOUND_CHARS = 3_200
"""Characters of all passages that one search finds together: a few are shown whole."""
GAP = " … "
ABBREVIATED = re.compile(r"(?:^|[\s(])(?:[A-Z]|[A-Z][a-z]{1,2}|[a-z]{1,2}|(?:[A-Z]\.)+[A-Z])\.\s*$")
"""How a piece ends that is no whole sentence: "George H. W.", "29th U.S.", "in Roe v."."""


def excerpt(text: str, question: str, most: int) -> str:
    """Return a text of at most ``most`` characters: its first sentence, and those that share most with the question."""
    if len(text) <= most:
        return text
    sentences = _sentences(text)
    wanted = set(content_tokens(question))
    shared = [len(wanted & set(tokens(s))) for s in sentences]
    # The first sentence says what the passage is about.
    order = [0, *sorted(range(1, len(sentences)), key=lambda i: (-shared[i], i))]
    kept: set[int] = set()
    left = most
    for i in order:
        size = len(sentences[i]) + len(GAP)
        if size <= left:
            kept.add(i)
            left -= size
    if not kept:
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
