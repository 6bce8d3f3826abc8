"""Markdown: headings, paragraphs, lists, code and pipe tables, through markdown-it-py."""

import re
from collections.abc import Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tablerag.ingestion.document import Block, Document, Locator, RawCell, TableBlock, TextBlock
from tablerag.ingestion.readers.encoding import read_text
from tablerag.ingestion.readers.grids import padded
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.html import html_blocks

__all__ = ["read_markdown"]

FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


def read_markdown(path: Path) -> Document:
    """Read one Markdown file (CommonMark with pipe tables)."""
    text, warnings = read_text(path, "Markdown")
    front = FRONT_MATTER.match(text)
    stated = re.search(r"^title:[ \t]*(.+)$", front.group(1), re.MULTILINE) if front else None
    tokens = MarkdownIt("commonmark").enable("table").parse(text[front.end() :] if front else text)
    blocks = _Walk().blocks_of(tokens)
    first = next((b.text for b in blocks if isinstance(b, TextBlock) and b.is_heading), "")
    title = stated.group(1).strip().strip("\"'") if stated else first
    return Document(path, title or path.stem, blocks, warnings)


class _Walk:
    """One pass over the flat list of tokens."""

    def __init__(self) -> None:
        self._headings = HeadingPath()
        self._blocks: list[Block] = []
        self._lists: list[int | None] = []
        self._marker = ""
        self._level = 0
        self._rows: list[list[RawCell]] = []
        self._in_table = False
        self._header_rows = 0

    def blocks_of(self, tokens: Sequence[Token]) -> list[Block]:
        """Return the blocks in reading order."""
        for token in tokens:
            self._take(token)
        return self._blocks

    def _take(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._level = int(token.tag[1:])
            case "inline":
                self._add_inline(token)
            case "fence" | "code_block":
                self._add_text(token.content.rstrip())
            case "html_block":
                self._blocks += html_blocks(token.content, self._headings)
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._open_item()
            case "table_open":
                self._in_table, self._rows, self._header_rows = True, [], 0
            case "tr_open":
                self._rows.append([])
            case "thead_close":
                self._header_rows = len(self._rows)
            case "table_close":
                self._in_table = False
                locator = Locator(headings=self._headings.path)
                self._blocks.append(TableBlock(padded(self._rows), locator, header_rows=self._header_rows))

    def _add_text(self, text: str) -> None:
        if text.strip():
            self._blocks.append(TextBlock(text, Locator(headings=self._headings.path)))

    def _add_inline(self, token: Token) -> None:
        text = _text(token)
        if self._in_table:
            self._rows[-1].append(text)
        elif self._level:
            level, self._level = self._level, 0
            if text:
                self._headings.enter(level, text)
                self._blocks.append(TextBlock(text, Locator(headings=self._headings.path), is_heading=True))
        else:
            marker, self._marker = self._marker, ""
            self._add_text(marker + text)

    def _open_item(self) -> None:
        number = self._lists[-1]
        indent = "  " * (len(self._lists) - 1)
        self._marker = f"{indent}- " if number is None else f"{indent}{number}. "
        if number is not None:
            self._lists[-1] = number + 1


def _text(token: Token) -> str:
    """Return an inline token's text without markup, link addresses and HTML."""
    parts = []
    for child in token.children or []:
        if child.type in ("text", "code_inline", "text_special"):
            parts.append(child.content)
        elif child.type == "image":
            parts.append(_text(child))
        elif child.type == "softbreak":
            parts.append(" ")
        elif child.type == "hardbreak" or (child.type == "html_inline" and child.content.lower().startswith("<br")):
            parts.append("\n")
    return "".join(parts).strip()
