"""The benchmarks by name: what the command line calls each, and what loads it from its native files."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tablerag.tools.errors import ConfigError

if TYPE_CHECKING:
    from tablerag.evaluation.datasets.benchmark import Benchmark

__all__ = ["BENCHMARKS", "load_benchmark"]


class Listed(NamedTuple):
    """One benchmark."""

    title: str
    module: str
    """Imported when the benchmark is loaded: the command line lists all of them and must start fast."""
    loader: str
    """A function from the folder and the split to a Benchmark; where there are variants, with one of them, or ""."""
    variants: str = ""
    """The module's mapping whose keys are the variants of the documents or questions; "" if it has none."""


BENCHMARKS = {
    "wikitq": Listed("WikiTableQuestions", "datasets.wikitq", "wikitq_benchmark"),
    "hybridqa": Listed("HybridQA", "datasets.wiki_tables", "load_hybridqa", "HYBRIDQA"),
    "ottqa": Listed("OTT-QA", "datasets.wiki_tables", "load_ottqa"),
    "tatqa": Listed("TAT-QA", "datasets.tatqa", "tatqa_benchmark"),
    "multihiertt": Listed("MultiHiertt", "datasets.multihiertt", "multihiertt_benchmark"),
    "hitab": Listed("HiTab", "datasets.hitab", "hitab_benchmark"),
    "docraglib": Listed(
        "a corpus like DocRAGLib, built by `tablerag docraglib build`", "datasets.docraglib", "docraglib_benchmark"
    ),
    "heteqa": Listed("HeteQA, built by `tablerag heteqa build`", "datasets.heteqa", "heteqa_benchmark"),
    "folder": Listed("a folder of your own documents and questions", "datasets.folder", "folder_benchmark"),
    "qgpt-mimotable": Listed("QGpT's MiMoTable retrieval set", "qgpt_sets", "load_mimotable", "MIMO"),
    "qgpt-mimotable-ch": Listed(
        "QGpT's Chinese MiMoTable retrieval set", "qgpt_sets", "load_mimotable_chinese", "CHINESE"
    ),
    "qgpt-ottqa": Listed("QGpT's OTT-QA retrieval set", "qgpt_sets", "load_qgpt_ottqa", "OTTQA"),
    "qgpt-fetaqa": Listed("QGpT's FeTaQA retrieval set", "qgpt_sets", "load_fetaqa", "SINGLE"),
    "qgpt-e2e-wtq": Listed("QGpT's E2E-WTQ retrieval set", "qgpt_sets", "load_e2e_wtq", "SINGLE"),
    "qgpt-mmqa": Listed("QGpT's MMQA retrieval set", "qgpt_sets", "load_mmqa", "MULTIPLE"),
}


def load_benchmark(name: str, data: Path, split: str = "dev", variant: str = "") -> "Benchmark":
    """Load a benchmark from its own folder, or from the folder above it; raise ConfigError."""
    if name not in BENCHMARKS:
        raise ConfigError(f"unknown benchmark {name!r}: expected one of {', '.join(BENCHMARKS)}")
    if not data.is_dir():
        raise ConfigError(f"{data}: not a folder: give the benchmark's folder with --data")
    from tablerag.evaluation.datasets.native import repeated

    listed, folder = BENCHMARKS[name], data / name.partition("-")[0]
    module = import_module(f"tablerag.evaluation.{listed.module}")
    load, known = getattr(module, listed.loader), getattr(module, listed.variants) if listed.variants else {}
    if variant and variant not in known:
        named = ", ".join(v for v in known if v)
        expected = f"expected one of {named}" if named else "it has none, omit --variant"
        raise ConfigError(f"{name}: unknown variant {variant!r}: {expected}")
    own = folder if folder.is_dir() else data
    try:
        benchmark: Benchmark = load(own, split, variant) if listed.variants else load(own, split)
    except ConfigError as error:
        if own == folder:
            raise
        raise ConfigError(f"{error}; nor is there a folder {folder}") from error
    if id_ := repeated(q.id for q in benchmark.questions):
        raise ConfigError(f"{data}: duplicate question id {id_} in the split {split}")
    return benchmark
