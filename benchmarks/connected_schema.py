"""Measure a connected database with very many wide tables: seconds to connect and to ask, and whether tables are found.

``python -m benchmarks.connected_schema [--tables 1000] [--columns 120] [--questions 50]`` generates a SQLite file, and
asks about tables chosen by a seed. Prints one JSON object.
"""

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tablerag.agent.model.rendering import tables_text
from tablerag.client import TableRAG
from tablerag.ingestion.connecting import connect
from tablerag.tools.evidence import opening, search

__all__ = ["main"]

SUBJECTS = (
    "invoice shipment employee supplier customer payment warehouse contract ticket machine vehicle project".split()
)
PARTS = "north south retail online export legacy daily monthly archive draft planned audited regional internal".split()
THINGS = "amount weight duration discount margin deposit volume distance penalty bonus surcharge budget".split()
OF = "initial final approved expected measured reported corrected estimated blocked pending shipped returned".split()
ROWS = 20


def main() -> None:
    """Generate, connect, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("tables", 1000), ("columns", 120), ("questions", 50), ("asked", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.db"
        names = generate(path, given.tables, given.columns)
        with TableRAG(Path(folder) / "home", model="offline") as rag:
            begun = time.perf_counter()
            report = connect(rag.services, "default", "wide", f"sqlite:///{path}")
            connecting = time.perf_counter() - begun
            print(f"connected in {connecting:.1f} s", file=sys.stderr)
            assert len(report.added) == given.tables, report
            print(json.dumps({"seconds_to_connect": round(connecting, 1), **measured(rag, names, given)}))


def generate(path: Path, tables: int, columns: int) -> dict[str, list[str]]:
    """Write the file; return the columns of each table by name."""
    chosen = random.Random(7)
    kinds = [f"{a}_{b}_{s}" for a in PARTS for b in PARTS for s in SUBJECTS if a != b]
    measures = [f"{o}_{t}" for o in OF for t in THINGS]
    names = {}
    with closing(sqlite3.connect(path)) as connection:
        for name in chosen.sample(kinds, tables):
            own = chosen.sample(measures, min(columns - 2, len(measures)))
            own += [f"attribute_{i}" for i in range(columns - 2 - len(own))]
            names[name] = own
            listed = ", ".join(f"{c} REAL" for c in own)
            connection.execute(f"CREATE TABLE {name}(id INTEGER PRIMARY KEY, region TEXT, {listed})")
            rows = ((i, chosen.choice(PARTS), *(round(chosen.random() * 99, 2) for _ in own)) for i in range(ROWS))
            connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * columns)})", rows)
        connection.commit()
    return names


def measured(rag: TableRAG, names: dict[str, list[str]], given: argparse.Namespace) -> dict[str, float]:
    """Return recall of the right table among three, and the seconds and characters of a question."""
    chosen = random.Random(11)
    found, offered, retrieving, characters = 0, 0, 0.0, 0
    for place in range(given.questions):
        table = chosen.choice(list(names))
        column = chosen.choice(names[table])
        question = f"What is the total {column.replace('_', ' ')} of all {table.replace('_', ' ')}s?"
        begun = time.perf_counter()
        _, best = search(rag.services, question, corpus="default", recall_n=30, top_k=3, kinds=("table",))
        retrieving += time.perf_counter() - begun if place else 0.0  # the first loads the embedding
        found += table in [s.name for s in best[:3]]
        _, schemas = opening(rag.services, question, corpus="default", recall_n=30, top_k=3)
        offered += table in [s.name for s in schemas]
        characters = max(characters, len(tables_text(schemas)))
    begun = time.perf_counter()
    for _ in range(given.asked):
        rag.ask(f"How many {chosen.choice(list(names)).replace('_', ' ')}s are there?")
    return {
        "recall_at_3": found / given.questions,
        "offered_to_a_model": offered / given.questions,
        "seconds_to_retrieve": round(retrieving / max(given.questions - 1, 1), 3),
        "seconds_per_question": round((time.perf_counter() - begun) / max(given.asked, 1), 2),
        "most_characters_of_schemas": characters,
    }


if __name__ == "__main__":
    main()
