"""Writes the documents of a HeteQA corpus: tables as CSV and HTML files, passages as Markdown."""

import csv
import html
import re
from collections.abc import Iterable
from pathlib import Path

from tablerag.evaluation.heteqa.sources import Passage
from tablerag.evaluation.heteqa.tables import ChosenTable

__all__ = ["PASSAGES", "TABLES", "write_passages", "write_table"]

TABLES, PASSAGES = "tables", "passages"
UNSAFE = re.compile(r"[^\w() .,&'-]+")
NAME_CHARS = 100
HTML_EVERY = 3


def write_table(table: ChosenTable, folder: Path, number: int) -> str:
    """Write one table, every third one as HTML; return its path below ``folder``."""
    stem = _file_stem(table.title)
    suffix = ".html" if number % HTML_EVERY == 0 else ".csv"
    parent = folder / TABLES
    parent.mkdir(parents=True, exist_ok=True)
    if any((parent / f"{stem}{s}").exists() for s in (".csv", ".html")):
        stem = f"{stem} {number}"
    source = f"{TABLES}/{stem}{suffix}"
    path = folder / source
    if suffix == ".html":
        path.write_text(_page(table), encoding="utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows((table.header, *table.rows))
    return source


def write_passages(passages: Iterable[Passage], folder: Path) -> dict[str, str]:
    """Write each passage once; return the paths below ``folder`` by title."""
    (folder / PASSAGES).mkdir(parents=True, exist_ok=True)
    sources: dict[str, str] = {}
    taken: set[str] = set()
    for passage in sorted(passages, key=lambda p: p.title):
        stem = _file_stem(passage.title)
        if stem.casefold() in taken:
            stem = f"{stem} {len(sources)}"
        taken.add(stem.casefold())
        sources[passage.title] = f"{PASSAGES}/{stem}.md"
        (folder / sources[passage.title]).write_text(f"# {passage.title}\n\n{passage.text}\n", encoding="utf-8")
    return sources


def _file_stem(title: str) -> str:
    return " ".join(UNSAFE.sub(" ", title).split())[:NAME_CHARS].strip(". ") or "untitled"


def _page(table: ChosenTable) -> str:
    def row(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    title = html.escape(table.title)
    lines = [
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>',
        f"<body><h1>{title}</h1>\n<table>",
        row(table.header, "th"),
        *(row(r, "td") for r in table.rows),
        "</table></body></html>\n",
    ]
    return "\n".join(lines)
