"""Text that is not ours, written into Markdown so that nothing in it is live: no link, image, bare URL or HTML.

A client that renders an image fetches its URL, which may carry data to whoever wrote the document.
"""

import re

__all__ = ["cell", "code", "escaped", "fenced", "inline"]

SPAN = r"(?<!`)`[^`|\n]+`(?!`)"
"""Code: kept as it is, since nothing in it is live. A table's cells end at |, even in code."""
URL = r"(?:[a-z][a-z0-9+.-]*://|\bwww\.|\b(?:mailto|xmpp):)[^\s<>`|]*[^\s<>`|.,;:!?)\]}'\"*_]"
"""What clients make a link of. As code it is not live, and can still be copied."""
BEGINNING = r"[\[<`\\]|&(?=#|\w+;)"
"""The beginnings of links, images, tags and code, and of what undoes escapes or spells URLs: backslash and entity."""
LIVE = re.compile(rf"(?P<span>{SPAN})|(?P<url>{URL})|{BEGINNING}", re.IGNORECASE)
LIVE_OR_EMPHASIS = re.compile(rf"{LIVE.pattern}|[*_]", re.IGNORECASE)
BACKTICKS = re.compile(r"`{3,}")


def escaped(text: str) -> str:
    """Return text in which no link, image, URL or tag is live; emphasis, lists and code stay."""
    return LIVE.sub(_inert, text)


def inline(text: str) -> str:
    """Return text on one line in which nothing is live, and without emphasis of its own."""
    return LIVE_OR_EMPHASIS.sub(_inert, " ".join(text.split()))


def cell(text: str) -> str:
    """Return text as a cell of a Markdown table, in which nothing is live."""
    # Before code is found in a row, its cells are split at every | without a backslash.
    return escaped(" ".join(text.split())).replace("|", r"\|")


def code(text: str) -> str:
    """Return text as code on one line, its backticks replaced; "" if there is none."""
    shown = " ".join(text.split()).replace("`", "'")
    return f"`{shown}`" if shown else ""


def fenced(text: str, language: str = "") -> str:
    """Fence a statement or formula so that backticks in it cannot close the fence."""
    fence = "`" * max([3, *(len(run) + 1 for run in BACKTICKS.findall(text))])
    return f"{fence}{language}\n{text}\n{fence}"


def _inert(found: re.Match[str]) -> str:
    if found["span"]:
        return found[0]
    return f"`{found[0]}`" if found["url"] else f"\\{found[0]}"
