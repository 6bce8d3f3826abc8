"""Turn HybridQA's tables and linked passages into a folder of documents that can be ingested.

    python -m benchmarks.hybridqa_documents --data DIR --out FOLDER [--tables ID ...]

Each table becomes one HTML page (title, section, introduction, table), each passage one Markdown file.
"""

import argparse
import hashlib
import json
import re
from html import escape
from pathlib import Path
from urllib.parse import unquote

__all__ = ["table_page", "write_documents"]


def table_page(table: dict) -> str:
    """Return a HybridQA table as an HTML page; links are dropped, as a reader would see it printed."""
    head = "".join(f"<th>{escape(text)}</th>" for text, _ in table["header"])
    rows = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text, _ in row) + "</tr>\n" for row in table["data"])
    section = table.get("section_title") or ""
    heading = f"<h2>{escape(section)}</h2>\n" if section else ""
    return (
        f"<html><head><title>{escape(table['title'])}</title></head><body>\n<h1>{escape(table['title'])}</h1>\n"
        f"<p>{escape(table.get('intro') or '')}</p>\n{heading}"
        f"<table>\n<tr>{head}</tr>\n{rows}</table>\n</body></html>\n"
    )


def _file_name(link: str) -> str:
    name = re.sub(r"[^\w()-]+", "_", unquote(link.removeprefix("/wiki/")))[:80]
    return f"{name}-{hashlib.sha256(link.encode()).hexdigest()[:6]}.md"


def write_documents(data: Path, out: Path, wanted: list[str] | None = None) -> tuple[int, int]:
    """Write the documents; return how many tables and passages there are."""
    (out / "tables").mkdir(parents=True, exist_ok=True)
    (out / "passages").mkdir(exist_ok=True)
    passages: dict[str, str] = {}
    names = wanted or sorted(p.stem for p in (data / "tables_tok").glob("*.json"))
    for name in names:
        table = json.loads((data / "tables_tok" / f"{name}.json").read_text(encoding="utf-8"))
        (out / "tables" / f"{name}.html").write_text(table_page(table), encoding="utf-8")
        passages |= json.loads((data / "request_tok" / f"{name}.json").read_text(encoding="utf-8"))
    for link, text in passages.items():
        title = unquote(link.removeprefix("/wiki/")).replace("_", " ")
        (out / "passages" / _file_name(link)).write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    return len(names), len(passages)


def main() -> None:
    """Write the documents and print how many there are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="HybridQA's folder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", nargs="*", help="ids of the tables to write; all unless given")
    args = parser.parse_args()
    tables, passages = write_documents(args.data, args.out, args.tables)
    print(f"{tables} tables and {passages} passages written to {args.out}")


if __name__ == "__main__":
    main()
