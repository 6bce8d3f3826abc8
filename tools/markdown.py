"""Text that is not ours, written into Markdown so that nothing in it is live: no link, image, bare URL or HTML.

A client that renders an image fetches its URL, which may carry data to whoever wrote the document.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["cell", "code", "escaped", "fenced", "inert_json", "inert_statement", "inline"]

SPAN = r"(?<!`)`[^`|\n]+`(?!`)"
"""Code: kept as it is, since nothing in it is live. A table's cells end at |, even in code."""
REST = r"[^\s<>`|]*[^\s<>`|.,;:!?)\]}'\"*_]"
TOP = "[a-z]{2}|com|org|net|info|biz|edu|gov|pro|name|shop|app|dev|xyz|site|online|cloud|link|top|club|web|xxx|asia|рф"
TOP += "|aero|coop|museum|xn--[a-z0-9-]+"
"""Ends of host names that clients know without a scheme; two letters are a country, and also the end of notes.md."""
URL = (
    rf"(?:(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*+:)?//|\bwww\.|\b(?:mailto|xmpp):){REST}"
    r"|(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+"
    rf"|(?<![\w.\ufffd-])(?:[\w\ufffd-]++\.)+(?:{TOP})(?![\w-])(?:[:/?#]{REST})?"
)
"""What clients make a link of. As code it is not live, and can still be copied.

Each part is looked for once in a run of its characters, however long that is.
"""
MOST_NESTED = 50
BEGINNING = r"[\[<`\\]|&(?=#|\w+;)"
"""The beginnings of links, images, tags and code, and of what undoes escapes or spells URLs: backslash and entity."""
LIVE = re.compile(rf"(?P<span>{SPAN})|(?P<url>{URL})|{BEGINNING}|\*|(?<!\w)_|_(?!\w)", re.IGNORECASE)
LIVE_OR_EMPHASIS = re.compile(rf"(?P<span>{SPAN})|(?P<url>{URL})|{BEGINNING}|[*_]", re.IGNORECASE)
BLOCK = re.compile(
    rf"^(?P<space>[ \t]*+(?:(?:\d++[.)]|[-+])[ \t]++){{0,{MOST_NESTED}}})"
    r"(?=#{1,6}(?:\s|$)|[>|]|~{3}|=+[ \t]*$|-+[ \t]*$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$)",
    re.MULTILINE,
)
"""Where a heading, a quotation, a table, code or a rule begins, which could pass for a part of our own message."""
BACKTICKS = re.compile(r"`{3,}")
UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]|\r(?!\n)"
)
"""Characters without a shape, those that control a terminal, and those that turn the text around them."""
NOT_IN_JSON = re.compile(r"[\\\]`]")
"""Marks of what was escaped, and the end of a link whose beginning could be JSON's own bracket."""
IN_JSON = re.compile(r"\\\\|[^\w\s\\\"]")
LIVE_IN_SQL = re.compile(
    rf"{URL}|[\[\\#~]|\*\*|(?<!\w)__|<[^\s=>]|&(?=\w+;)|^[^\S\n]*+[->=]", re.IGNORECASE | re.MULTILINE
)


def escaped(text: str) -> str:
    """Return text in which nothing is live, and no emphasis, heading or rule of its own; lists and code stay."""
    return BLOCK.sub(r"\g<space>\\", LIVE.sub(_inert, _seen(text)))


def inline(text: str) -> str:
    """Return text on one line in which nothing is live, and without emphasis of its own."""
    return BLOCK.sub(r"\g<space>\\", LIVE_OR_EMPHASIS.sub(_inert, " ".join(_seen(text).split())))


def cell(text: str) -> str:
    """Return text as a cell of a Markdown table, in which nothing is live."""
    # Before code is found in a row, its cells are split at every | without a backslash.
    return LIVE.sub(_inert, " ".join(_seen(text).split())).replace("|", r"\|")


def code(text: str) -> str:
    """Return text as code on one line, its backticks replaced; "" if there is none."""
    shown = " ".join(_seen(text).split()).replace("`", "'")
    return f"`{shown}`" if shown else ""


def fenced(text: str, language: str = "") -> str:
    """Fence a statement or formula so that backticks in it cannot close the fence."""
    text = _seen(text)
    fence = "`" * max([3, *(len(run) + 1 for run in BACKTICKS.findall(text))])
    return f"{fence}{language}\n{text}\n{fence}"


def inert_json(found: Any) -> str:
    """Return JSON in which nothing is live: not in its texts and keys, nor where the JSON itself is rendered."""
    if isinstance(found, Mapping):
        return f"{{{', '.join(f'{inert_json(str(key))}: {inert_json(value)}' for key, value in found.items())}}}"
    if isinstance(found, list | tuple):
        return f"[{', '.join(map(inert_json, found))}]"
    if found is None or isinstance(found, bool | int | float):
        return json.dumps(found)
    written = json.dumps(escaped(" ".join(str(found).split())), ensure_ascii=False)
    # JSON's escape of a backslash is two of them, which Markdown reads as one that escapes nothing.
    return IN_JSON.sub(_json_escape, written) if NOT_IN_JSON.search(written) else written


def inert_statement(sql: str) -> str:
    """Return a statement as it is if nothing in it can be live, and else fenced."""
    return fenced(sql, "sql") if LIVE_IN_SQL.search(sql) or UNSEEN.search(sql) else sql


def _json_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0][-1]):04x}"


def _seen(text: str) -> str:
    return UNSEEN.sub("\ufffd", text)


def _inert(found: re.Match[str]) -> str:
    if found["span"]:
        return found[0]
    return f"`{found[0]}`" if found["url"] else f"\\{found[0]}"
