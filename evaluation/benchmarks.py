"""The benchmarks by name, each loaded from its native files into the same form."""

import hashlib
import re
import shutil
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.heteqa import load_heteqa
from tablerag.evaluation.datasets.native import repeated
from tablerag.evaluation.datasets.tatqa import load_tatqa, write_files
from tablerag.evaluation.datasets.wiki_tables import load_hybridqa, load_ottqa
from tablerag.evaluation.datasets.wikitq import load_wikitq
from tablerag.evaluation.metrics.denotation import denotations_match, values_match
from tablerag.evaluation.metrics.spans import span_scores
from tablerag.evaluation.metrics.tatqa import score
from tablerag.evaluation.table_retrieval import load_table_retrieval
from tablerag.tools.errors import ConfigError

__all__ = ["BENCHMARKS", "load_benchmark"]

SPLITS = {"dev": "random-split-1-dev", "train": "random-split-1-train", "test": "pristine-unseen-tables"}
SCALED = re.compile(r"(?P<number>.*\d.*?)\s*(?P<scale>thousand|million|billion)s?", re.IGNORECASE)


def load_benchmark(name: str, data: Path, split: str = "dev") -> Benchmark:
    """Load a benchmark from its own folder, or from the folder above it; raise ConfigError."""
    if name not in BENCHMARKS:
        raise ConfigError(f"unknown benchmark {name!r}: expected one of {', '.join(BENCHMARKS)}")
    if not data.is_dir():
        raise ConfigError(f"{data}: not a folder: give the benchmark's folder with --data")
    folder = data / name.partition("-")[0]
    benchmark = BENCHMARKS[name](folder if folder.is_dir() else data, split)
    if id_ := repeated(q.id for q in benchmark.questions):
        raise ConfigError(f"{data}: duplicate question id {id_} in the split {split}")
    return benchmark


def _wikitq(folder: Path, split: str) -> Benchmark:
    native = load_wikitq(folder, SPLITS.get(split, split))
    files = {str(q.table.relative_to(folder)): q.table for q in native}

    def write_documents(out: Path, keys: Collection[str]) -> None:
        out.mkdir(parents=True, exist_ok=True)
        ordered = sorted(keys, key=lambda k: hashlib.sha256(k.encode()).digest())
        for number, key in enumerate(ordered, start=1):
            shutil.copyfile(files[key], out / f"table_{number:05}.csv")

    return Benchmark(
        name="wikitq",
        questions=tuple(Question(q.id, q.question, q.gold, str(q.table.relative_to(folder))) for q in native),
        write_documents=write_documents,
        score=_wikitq_scores,
        main="denotation",
    )


def _wikitq_scores(question: Question, values: Sequence[str]) -> dict[str, float]:
    # A single value may itself contain a semicolon.
    readings = [values, ["; ".join(values)]] if values else []
    return {"denotation": float(any(denotations_match(question.gold, r) for r in readings))}


def _tatqa(folder: Path, split: str) -> Benchmark:
    reports = {r.uid: r for r in load_tatqa(folder, split)}
    return Benchmark(
        name="tatqa",
        questions=tuple(
            Question(q.uid, q.question, q.answer, r.uid, q.answer_type, q)
            for r in reports.values()
            for q in r.questions
        ),
        write_documents=lambda out, keys: write_files([reports[k] for k in sorted(keys)], out),
        score=_tatqa_scores,
        main="em",
    )


def _tatqa_scores(question: Question, values: Sequence[str]) -> dict[str, float]:
    # The scale may be part of the span, as in the report's own "approximately 13%".
    readings = [spans_and_scale(values), (list(values), "")]
    found = max((score(question.native, *r) for r in readings), key=lambda s: (s.exact, s.f1))
    return {"em": found.exact, "f1": found.f1, "scale": float(found.scale and any(v.strip() for v in values))}


def spans_and_scale(values: Sequence[str]) -> tuple[list[str], str]:
    """Split off the scale that all values end with: ["1.5 million"] gives ["1.5"], "million"."""
    spans = [v.strip() for v in values if v.strip()]
    if spans and all(v.endswith(("%", "percent")) for v in spans):
        return [v.removesuffix("percent").strip() for v in spans], "percent"
    scaled = [SCALED.fullmatch(v) for v in spans]
    scales = {m["scale"].lower() for m in scaled if m}
    if scaled and all(scaled) and len(scales) == 1:
        return [m["number"] for m in scaled if m], scales.pop()
    return spans, ""


def _heteqa(folder: Path, split: str) -> Benchmark:
    found = load_heteqa(folder, "all" if split == "dev" else split)
    needed = {q.id: found.own_documents(q) for q in found.questions}
    return Benchmark(
        name="heteqa",
        questions=tuple(
            Question(q.id, q.question, (q.answer,), q.id, " + ".join(sorted(q.operations))) for q in found.questions
        ),
        write_documents=lambda out, keys: found.write([p for key in keys for p in needed[key]], out),
        score=_heteqa_scores,
        main="exact",
        write_whole=lambda out: found.write([p for p in found.documents.rglob("*") if p.is_file()], out),
    )


def _heteqa_scores(question: Question, values: Sequence[str]) -> dict[str, float]:
    """Score a single value: the same number, date or normalised text, and F1 over its words."""
    exact = len(values) == 1 and values_match(question.gold[0], values[0])
    return {"exact": float(exact), "f1": span_scores(question.gold, "; ".join(values))["f1"]}


BENCHMARKS: dict[str, Callable[[Path, str], Benchmark]] = {
    "wikitq": _wikitq,
    "hybridqa": load_hybridqa,
    "ottqa": load_ottqa,
    "tatqa": _tatqa,
    "heteqa": _heteqa,
    "qgpt-mimotable": lambda folder, split: load_table_retrieval(folder, "MiMoTable"),
    "qgpt-ottqa": lambda folder, split: load_table_retrieval(folder, "OTTQA"),
}
