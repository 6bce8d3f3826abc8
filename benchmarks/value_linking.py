"""Measure value linking: whether the columns and values that a question mentions are among its hints.

    python -m benchmarks.value_linking --data DIR [--limit 200] [--seed 7] [--values 1000000] [--misses]

DIR contains wikitq/. Uses the questions of the dev split whose answer is in a row with another text cell that the
question contains word for word; the hints must include that cell's column and value. Then compares the time of a
lookup among many distinct values with one among a thousand.
"""

import argparse
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track

from benchmarks.wikipages import read_csv
from tablerag.evaluation.datasets.wikitq import WikiTqQuestion, load_wikitq
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.linking.keys import COMMON, key_of
from tablerag.tools.linking.large import LargeValues
from tablerag.tools.linking.matching import best_matches
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

LEAST_CHARS = 3
SYLLABLES = "ka ro mi ten sol var bri lon dup est gra hin jor wex yal zim olo pre sti ung".split()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question and the cells of its answer's rows that it mentions."""

    question: WikiTqQuestion
    cells: frozenset[tuple[int, str]]
    """Index of the column, and the case-folded cell."""


def wanted(question: WikiTqQuestion) -> Wanted | None:
    """Return what must be linked; None if the question mentions no cell of the answer's row."""
    asked = f" {key_of(question.question)} "
    answers = {key_of(a) for a in question.gold}
    cells: set[tuple[int, str]] = set()
    for row in read_csv(question.table)[1:]:
        keys = [key_of(c) for c in row]
        if answers.isdisjoint(keys):
            continue
        cells |= {
            (i, k)
            for i, k in enumerate(keys)
            if len(k) >= LEAST_CHARS and not k.isdecimal() and k not in COMMON | answers and f" {k} " in asked
        }
    return Wanted(question, frozenset(cells)) if cells else None


def is_linked(sought: Wanted, services: Services) -> tuple[bool, bool]:
    """Return whether a cell is among the hints with its column, and whether with any column."""
    corpus = "-".join(sought.question.table.parts[-2:])
    ingest([sought.question.table], services, corpus)
    schemas = services.catalog.schemas(corpus)
    places = {n: c.place_in_table for s in schemas for c in _columns(s) for n in c.names}
    hints = services.value_linker.hints(sought.question.question, schemas)
    found = {(places.get(h.column), key_of(h.value)) for h in hints}
    values = {k for _, k in sought.cells}
    return bool(found & sought.cells), bool({v for _, v in found} & values)


@dataclass(frozen=True, slots=True)
class _Place:
    names: list[str]
    place_in_table: int


def _columns(schema: object) -> list[_Place]:
    own = [c for c in schema.columns if c.name not in schema.row_path]
    return [_Place(c.all_names(), i) for i, c in enumerate(own)]


def lookup_times(count: int, console: Console) -> None:
    """Print the times of building the index and of matching a question among many values."""
    chance = random.Random(1)

    def word() -> str:
        return "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize()

    values = list({f"{word()} {word()} {i % 977}" for i in range(count)})
    with tempfile.TemporaryDirectory() as folder:
        store = LargeValues(Path(folder) / "values")
        started = time.perf_counter()
        store.add("d", [("large", "name", values), ("small", "name", values[:1000])])
        built = time.perf_counter() - started
        times = {"small": [], "large": []}
        for value in values[:: max(1, len(values) // 50)]:
            for table, taken in times.items():
                begun = time.perf_counter()
                best_matches(f"How many orders has {value} placed since May?", store.column(table, "name"))
                taken.append(time.perf_counter() - begun)
        ratio = median(times["large"]) / median(times["small"])
        console.print(f"{len(values):,} distinct values: indexed at {len(values) / built:,.0f} values/s")
        console.print(
            f"a question among them: median {median(times['large']) * 1000:.1f} ms, {ratio:.1f} x that among a thousand"
        )


def main() -> None:
    """Print the shares and times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--values", type=int, default=1_000_000)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    console = Console(highlight=False)
    every = load_wikitq(options.data / "wikitq", "random-split-1-dev")
    random.Random(options.seed).shuffle(every)
    sample: list[Wanted] = []
    for question in every:
        if len(sample) < options.limit and (found := wanted(question)):
            sample.append(found)
    right = value_only = 0
    with tempfile.TemporaryDirectory() as home:
        services = Services(Settings(home=Path(home), model="offline"))
        for one in track(sample, "linking", console=Console(stderr=True)):
            both, value = is_linked(one, services)
            right += both
            value_only += value
            if options.misses and not both:
                console.print(f"{one.question.table.parts[-2:]}: {one.question.question} {sorted(one.cells)}")
        services.close()
    console.print(f"column and value among the hints: {right} of {len(sample)} ({right / len(sample):.1%})")
    console.print(f"the value in any column: {value_only} of {len(sample)} ({value_only / len(sample):.1%})")
    lookup_times(options.values, console)


if __name__ == "__main__":
    main()
