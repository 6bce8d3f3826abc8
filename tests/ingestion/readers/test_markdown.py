"""Markdown and plain text."""

from pathlib import Path

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers import read_document
from tests.ingestion.readers.blocks import outline, tables, texts

PAGE = """---
title: "The manual"
---
# Manual

Some *marked* [words](http://example.org) in
two lines.

## Prices

| item | price |
|------|------:|
| nut \\| bolt | `1` |
| washer |

1. first
2. second
   - inner

```sql
SELECT 1
```

<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>

End.
"""


def read(tmp_path: Path, content: str, name: str) -> Document:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return read_document(path)


def test_markdown_blocks_come_in_reading_order(tmp_path: Path) -> None:
    document = read(tmp_path, PAGE, "page.md")
    assert document.title == "The manual"
    assert outline(document) == [
        "Manual",
        "Some marked words in two lines.",
        "Prices",
        "TABLE item",
        "1. first",
        "2. second",
        "  - inner",
        "SELECT 1",
        "TABLE a",
        "End.",
    ]
    table = tables(document)[0]
    assert table.grid == [["item", "price"], ["nut | bolt", "1"], ["washer", None]]
    assert table.header_rows == 1
    assert str(table.locator) == "Manual > Prices"


def test_the_first_heading_is_the_title_without_front_matter(tmp_path: Path) -> None:
    assert read(tmp_path, "Intro\n\n## Notes\n\nx\n", "n.md").title == "Notes"
    assert read(tmp_path, "just words\n", "n.md").title == "n"


def test_deep_lists_and_quotes_do_not_exhaust_the_stack(tmp_path: Path) -> None:
    assert read(tmp_path, "> " * 5000 + "deep\n\nend\n", "n.md").blocks


def test_text_is_cut_at_blank_lines_with_line_numbers(tmp_path: Path) -> None:
    document = read(tmp_path, "one\ntwo\n\n \nthree\n", "notes.txt")
    assert texts(document) == ["one\ntwo", "three"]
    assert [b.locator.rows for b in document.blocks] == [(1, 2), (5, 5)]
    assert document.title == "notes"
