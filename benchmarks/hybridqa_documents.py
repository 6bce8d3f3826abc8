"""Write HybridQA's tables and linked passages as documents to ingest.

    python -m benchmarks.hybridqa_documents --data DIR --out FOLDER [--tables ID ...]

Each table becomes one HTML page (title, section, introduction, table), each passage one Markdown file. Tables are
named by their ids; evaluations use anonymous names instead (evaluation/datasets/wiki_tables.py).
"""

import argparse
import json
from pathlib import Path

from tablerag.evaluation.datasets.wiki_tables import passage_page, table_page

__all__ = ["write_documents"]


def write_documents(data: Path, out: Path, wanted: list[str] | None = None) -> tuple[int, int]:
    """Write the documents; return the numbers of tables and passages."""
    (out / "tables").mkdir(parents=True, exist_ok=True)
    (out / "passages").mkdir(exist_ok=True)
    passages: dict[str, str] = {}
    names = wanted or sorted(p.stem for p in (data / "tables_tok").glob("*.json"))
    for name in names:
        table = json.loads((data / "tables_tok" / f"{name}.json").read_text(encoding="utf-8"))
        (out / "tables" / f"{name}.html").write_text(table_page(table), encoding="utf-8")
        passages |= json.loads((data / "request_tok" / f"{name}.json").read_text(encoding="utf-8"))
    for link, text in passages.items():
        name, page = passage_page(link, text)
        (out / "passages" / name).write_text(page, encoding="utf-8")
    return len(names), len(passages)


def main() -> None:
    """Write the documents and print their numbers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="HybridQA's folder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", nargs="*", help="ids of the tables to write; default: all")
    args = parser.parse_args()
    tables, passages = write_documents(args.data, args.out, args.tables)
    print(f"wrote {tables} tables and {passages} passages to {args.out}")


if __name__ == "__main__":
    main()
