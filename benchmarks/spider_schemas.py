"""Measure whether the tables of a question are found among those of all of Spider's databases (Yu et al. 2018).

``python -m benchmarks.spider_schemas --data FOLDER [--limit N]`` needs tables.json and dev.json of the public
repository taoyds/spider. Its 876 tables become one SQLite file, without rows: only names, types and keys can tell.
Questions name no database, and several have tables for singers: not all can be found. Prints one JSON object.
"""

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import exp

from tablerag.client import TableRAG
from tablerag.ingestion.connecting import connect
from tablerag.tools.evidence import opening, search

__all__ = ["main"]

Names = dict[tuple[str, str], str]
"""SQL names by database and table; those of several databases name the database."""
OF_SQLITE = "sqlite_sequence"
"""Its own table, which tables.json lists of some databases; no question is about it."""
TYPES = {"number": "REAL", "time": "TEXT", "text": "TEXT", "boolean": "INTEGER", "others": "TEXT"}


def main() -> None:
    """Generate, connect, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=0, help="questions, chosen by a seed; 0: all")
    given = parser.parse_args()
    schemas = json.loads((given.data / "tables.json").read_text())
    asked = json.loads((given.data / "dev.json").read_text())
    asked = random.Random(5).sample(asked, given.limit) if given.limit else asked
    with tempfile.TemporaryDirectory() as folder, TableRAG(Path(folder) / "home", model="offline") as rag:
        path = Path(folder) / "spider.db"
        names = generate(path, schemas)
        begun = time.perf_counter()
        report = connect(rag.services, "default", "spider", f"sqlite:///{path}")
        connecting = round(time.perf_counter() - begun, 1)
        print(f"connected {len(report.added)} tables in {connecting} s", file=sys.stderr)
        print(
            json.dumps({"tables": len(report.added), "seconds_to_connect": connecting, **measured(rag, names, asked)})
        )


def generate(path: Path, schemas: list[dict[str, Any]]) -> Names:
    """Write the file; return the names of its tables."""
    often = Counter(t.casefold() for s in schemas for t in s["table_names_original"])
    names = {
        (s["db_id"], t.casefold()): t if often[t.casefold()] == 1 else f"{t}_of_{s['db_id']}"
        for s in schemas
        for t in s["table_names_original"]
    }
    with closing(sqlite3.connect(path)) as connection:
        for schema in schemas:
            for place, table in enumerate(schema["table_names_original"]):
                if table == OF_SQLITE:
                    continue
                connection.execute(_created(schema, place, names))
    return names


def _created(schema: dict[str, Any], place: int, names: Names) -> str:
    """Return the statement that creates one table of a database."""

    def name_of(table: int) -> str:
        return names[schema["db_id"], schema["table_names_original"][table].casefold()]

    columns = schema["column_names_original"]
    lines = [
        f'"{name}" {TYPES[kind]}'
        for (table, name), kind in zip(columns, schema["column_types"], strict=True)
        if table == place
    ]
    if keys := [columns[k][1] for k in schema["primary_keys"] if columns[k][0] == place]:
        lines.append(f"PRIMARY KEY ({', '.join(f'{chr(34)}{k}{chr(34)}' for k in keys)})")
    for one, two in schema["foreign_keys"]:
        if columns[one][0] == place:
            lines.append(
                f'FOREIGN KEY ("{columns[one][1]}") REFERENCES "{name_of(columns[two][0])}"("{columns[two][1]}")'
            )
    return f'CREATE TABLE "{name_of(place)}" ({", ".join(lines)})'


def measured(rag: TableRAG, names: Names, asked: list[dict[str, Any]]) -> dict[str, float]:
    """Return the share of questions of which all tables are found, and the seconds of a search."""
    found, retrieving = Counter[str](), 0.0
    for question in asked:
        tables = sqlglot.parse_one(question["query"], read="sqlite").find_all(exp.Table)
        wanted = {names[question["db_id"], t.name.casefold()].casefold() for t in tables}
        begun = time.perf_counter()
        _, best = search(rag.services, question["question"], corpus="default", recall_n=100, top_k=20, kinds=("table",))
        retrieving += time.perf_counter() - begun
        _, shown = opening(rag.services, question["question"], corpus="default", recall_n=30, top_k=3)
        for most in (1, 5, 20):
            found[f"all_in_{most}"] += wanted <= {s.name for s in best[:most]}
        found["all_shown_to_a_model"] += wanted <= {s.name for s in shown}
    shares = {name: round(count / len(asked), 3) for name, count in found.items()}
    return {"questions": len(asked), **shares, "seconds_to_retrieve": round(retrieving / len(asked), 3)}


if __name__ == "__main__":
    main()
