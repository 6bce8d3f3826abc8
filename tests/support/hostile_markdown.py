"""Texts that a renderer of Markdown would make links, images or HTML of, and what it finds live in a text."""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["HOSTILE", "live_in"]

HOSTILE = (
    "![x](http://evil.example/leak)",
    "\\![x](http://evil.example/leak)",
    "\\[x](http://evil.example/leak)",
    "[x](http://evil.example/leak)",
    "[x](//evil.example/leak)",
    "![x][y]\n\n[y]: http://evil.example/leak",
    "<img src=http://evil.example/leak>",
    "<http://evil.example/leak>",
    "text\n\n<script>fetch('//evil.example')</script>",
    "Go to http://evil.example/leak now",
    "Go to HTTPS://evil.example/leak",
    "http&#58;//evil.example/leak",
    "&#104;ttp://evil.example/leak",
    "http\\://evil.example/leak",
    "www.evil.example/leak",
    "mailto:a@evil.example",
    "` http://evil.example/leak",
    "`a` ` [x](http://evil.example/leak)",
    "```[x](http://evil.example/leak)`",
    "`x`http://evil.example/`y` [x](//evil.example/leak)",
    "h | i\n--- | ---\n`a | ![x](//evil.example/leak)`",
    "a|b|![x](//evil.example/leak)|`",
    "```\ncode\n```\n![x](//evil.example/leak)",
    "_![x](//evil.example/leak)_ *[y](//evil.example/leak)*",
)
LIVE_TOKENS = ("link_open", "image", "html_inline", "html_block")
BARE = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/]|\bwww\.|\bmailto:", re.IGNORECASE)
"""What chat clients make a link of, in text that is already parsed."""
RENDERER = MarkdownIt("commonmark").enable("table")


def live_in(markdown: str) -> list[str]:
    """Return the links, images and HTML of a Markdown text, and the URLs outside code."""
    found = []
    for token in _flat(RENDERER.parse(markdown)):
        if token.type in LIVE_TOKENS:
            found.append(f"{token.type}: {token.content or token.attrs}")
        elif token.type == "inline":
            # A client looks for URLs in the text between tags and code, its escapes undone.
            texts = "".join(t.content if t.type in ("text", "text_special") else "\0" for t in token.children or ())
            found += BARE.findall(texts)
    return found


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])
