"""Words that deny what they stand beside: "not 1,200", "never paid", "all but the North"."""

import re
from collections.abc import Iterable

__all__ = ["affirming", "denies"]

DENIES = re.compile(
    r"\b(?:not|never|neither|nor|cannot|nobody|none|nothing|hardly|barely|scarcely|far from|no longer|"
    r"wrong(?:ly)?|incorrect(?:ly)?|false(?:ly)?|fake|forged|untrue|mistaken(?:ly)?|den(?:y|ies|ied)|disput(?:es?|ed)|"
    r"fail(?:s|ed)? to|instead of|rather than|"
    r"nicht|niemals|niemand|kein\w*|weder|kaum|falsch\w*|statt|nie|pas|jamais|aucun\w*|ni|faux|fausse\w*)\b"
    r"|n['’]t\b|≠|\bn['’](?:est|a|ont|était|avait)\b",
    re.IGNORECASE,
)
LEAVES_OUT = re.compile(
    r"\b(?:no|but|except\w*|excluding|unless|without|ohne|außer|ausser|sauf|sans|hors)\b", re.IGNORECASE
)


def denies(text: str) -> bool:
    """Return whether a text says of something that it is not so."""
    return bool(DENIES.search(text))


def affirming(cells: Iterable[str], answer: str) -> list[str]:
    """Return the cells that a part of can be an answer: "paid" is not what "not paid" says.

    A cell with a word that denies or leaves out counts only for an answer that has one too.
    """
    if _turns(answer):
        return list(cells)
    return [c for c in cells if not _turns(c)]


def _turns(text: str) -> bool:
    return denies(text) or bool(LEAVES_OUT.search(text))
