"""Learn the embedded reranker's weights: ``python -m training.reranker --data FOLDER`` (about 10 minutes).

Uses development data that is not a test set and that the embedding has not seen: WikiTableQuestions' training
questions on held-out tables, HybridQA's questions among held-out tables of OTT-QA's dump, and synthetic questions on
those. The product's own ingest and retriever find the candidates; a score is fitted to pick the right one among them
(listwise softmax, ListNet of Cao et al. 2007).
"""

import argparse
import csv
import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.progress import track

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.reranking.features import FEATURES, features
from tablerag.tools.reranking.learned import WEIGHTS
from tablerag.tools.reranking.reranker import candidates
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from training.corpora import SourceTable, held_out, read_hybridqa, read_passages, read_tables, read_wikitq
from training.pairs import name_style, synthetic_query

RECALL_N = 30
ROWS = 10
RIDGE = 0.1
"""Fitted on two of the three kinds of questions and tested on the third, this value generalizes best; products of
features overfit the kinds that they were fitted on."""
STEPS = 500
RATE = 0.05


@dataclass(frozen=True, slots=True)
class Example:
    """The features (n, d) of one question's candidates and which of them are right (n,)."""

    features: np.ndarray
    right: np.ndarray


def main() -> None:
    """Recall, fit, report, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with ottqa/, wikitq/ and hybridqa/")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--questions", type=int, default=900, help="most questions of each kind")
    parser.add_argument("--keep", type=Path, help="keep the examples in this file, and reuse them")
    options = parser.parse_args()
    examples = _kept(options.keep) or _examples(options)
    if options.keep:
        _keep(options.keep, examples)
    for name, some in examples.items():
        found = sum(e.right.any() for e in some)
        print(f"{name}: {len(some)} questions, {found} with their table among the candidates")
    weights = fit([e for some in examples.values() for e in some if 0 < e.right.sum() < len(e.right)])
    for name, some in examples.items():
        for label, score in (("fused", _fused), ("reranked", lambda f: f @ weights)):
            print(f"{name} {label}: Recall@1 / @3 / @10 " + " / ".join(f"{r:.1f}" for r in recall(some, score)))
    stored = {name: round(float(w), 3) for name, w in zip(FEATURES, weights, strict=True)}
    options.out.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def _fused(rows: np.ndarray) -> np.ndarray:
    return 0.6 * rows[:, 0] + 0.4 * rows[:, 1]


def recall(examples: Sequence[Example], score: Callable[[np.ndarray], np.ndarray]) -> list[float]:
    """Return Recall@1, @3 and @10 in percent; questions whose table was not recalled count as missed."""
    places = []
    for example in examples:
        order = np.argsort(-score(example.features), kind="stable")
        hits = np.flatnonzero(example.right[order])
        places.append(hits[0] if len(hits) else RECALL_N * 4)
    return [100 * float(np.mean(np.array(places) < k)) for k in (1, 3, 10)]


def fit(examples: Sequence[Example]) -> np.ndarray:
    """Return the weights (d,) that maximize the likelihood of the right candidates."""
    rows = np.concatenate([e.features for e in examples])
    spread = rows.std(axis=0) + 1e-9
    rows = rows / spread
    lengths = [len(e.right) for e in examples]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    of = np.repeat(np.arange(len(examples)), lengths)
    right = np.concatenate([e.right / e.right.sum() for e in examples])
    weights, first, second = (np.zeros(rows.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        raw = rows @ weights
        likely = np.exp(raw - np.maximum.reduceat(raw, starts)[of])
        likely /= np.add.reduceat(likely, starts)[of]
        slope = rows.T @ (likely - right) / len(examples) + RIDGE * weights
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights / spread


def _examples(options: argparse.Namespace) -> dict[str, list[Example]]:
    random_ = random.Random(0)
    wikitq = read_wikitq(options.data)
    asked = [(q, t.key) for t in wikitq if held_out(t.key) for q in t.questions]
    random_.shuffle(asked)
    hybrid = read_hybridqa(options.data)
    kept = [t for t in read_tables(options.data) if held_out(t.key)]
    passages = {p.title.casefold(): p for p in read_passages(options.data)}
    made = [(synthetic_query(t, passages, random_), t.key) for t in kept]
    made = [(q, key) for q, key in made if q.strip()]
    random_.shuffle(made)
    found = {"wikitq": _recalled(wikitq, {"wikitq": asked[: options.questions]}, random_)["wikitq"]}
    questions = {"hybridqa": [(q, t.key) for t in hybrid for q in t.questions], "made up": made[: options.questions]}
    return found | _recalled([*kept, *hybrid], questions, random_)


def _recalled(
    tables: Sequence[SourceTable], questions: dict[str, list[tuple[str, str]]], random_: random.Random
) -> dict[str, list[Example]]:
    """Ingest tables as CSV files named by their titles, and retrieve candidates for the questions."""
    with tempfile.TemporaryDirectory() as folder:
        keys = _write_csv(tables, Path(folder) / "files", random_)
        services = Services(Settings(home=Path(folder) / "home", _env_file=None))
        print(f"ingesting {len(keys)} tables", flush=True)
        ingest([Path(folder) / "files"], services, "training")
        found = {
            name: list(_each(services, keys, track(some, f"recalling for {name}"))) for name, some in questions.items()
        }
        services.close()
    return found


def _each(services: Services, keys: dict[str, str], questions: Sequence[tuple[str, str]]) -> Iterator[Example]:
    retriever, rarity = services.retriever("training"), services.lexical_index("training").rarity
    for question, key in questions:
        competing = candidates(retriever.search(question, RECALL_N))
        right = np.array([keys[c[0].source] == key for c in competing], dtype=float)
        yield Example(features(question, competing, services.embedding, rarity), right)


def _write_csv(tables: Sequence[SourceTable], out: Path, random_: random.Random) -> dict[str, str]:
    """Write the first rows of tables; tables without a title are named by number. Return the keys by file name."""
    out.mkdir()
    keys: dict[str, str] = {}
    for number, table in enumerate(tables):
        title = " ".join(dict.fromkeys(p for p in (table.title, table.section) if p))
        stem = re.sub(r"[^\w() .,&'-]+", " ", name_style(title, random_))[:100].strip() or str(number)
        name = f"{stem}.csv" if f"{stem}.csv" not in keys else f"{stem} {number}.csv"
        with (out / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([table.header, *table.rows[:ROWS]])
        keys[name] = table.key
    return keys


def _keep(path: Path, examples: dict[str, list[Example]]) -> None:
    arrays = {
        f"{n}/{i}/{part}": getattr(e, part)
        for n, s in examples.items()
        for i, e in enumerate(s)
        for part in ("features", "right")
    }
    np.savez(path, **arrays)


def _kept(path: Path | None) -> dict[str, list[Example]] | None:
    if path is None or not path.exists():
        return None
    with np.load(path) as stored:
        names = list(dict.fromkeys(tuple(k.split("/")[:2]) for k in stored))
        found: dict[str, list[Example]] = {}
        for name, i in names:
            found.setdefault(name, []).append(Example(stored[f"{name}/{i}/features"], stored[f"{name}/{i}/right"]))
    return found


if __name__ == "__main__":
    main()
