"""Measure table retrieval on QGpT's corpora with the product's own ingest and retriever.

    python -m benchmarks.retrieval --data FOLDER [--plot FILE.svg] [--only MiMoTable]

Prints Recall@1 / @5 / @10 in percent per method, for the first ten rows alone (pT) and with the corpora's
questions (QGpT), beside the published figures of BGE-M3 and Jina-ColBERT-v2 (arXiv 2508.06168, Table 2).
"""

import argparse
import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from tablerag.evaluation.datasets.qgpt import QgptCorpus, QgptEntry, load_qgpt, write_files
from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.questions import index_questions, partial_table
from tablerag.tools.records import Chunk
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

Written = dict[tuple[str, str], QgptEntry]
DEPTHS = (1, 5, 10)
RECALL_N = 30
METHODS = ("lexical", "dense", "fused", "reranked")
PUBLISHED = {
    ("MiMoTable", True, "QGpT"): {"BGE-M3": (50.7, 72.4, 80.8), "Jina-ColBERT-v2": (57.9, 79.1, 83.3)},
    ("OTTQA", False, "QGpT"): {"BGE-M3": (51.5, 78.1, 86.7), "Jina-ColBERT-v2": (55.2, 78.7, 86.0)},
}
"""Published for OTT-QA without its title lines."""


@dataclass(frozen=True)
class Measured:
    """Recall@k in percent of one method on one corpus."""

    corpus: str
    titled: bool
    kind: str
    method: str
    recall: tuple[float, ...]


def measure(corpus: QgptCorpus, *, titled: bool, every: int = 1) -> list[Measured]:
    """Ingest a corpus, then measure it before and after its questions are added."""
    with tempfile.TemporaryDirectory() as folder:
        entries = write_files(corpus.entries, Path(folder) / "files", titled=titled)
        services = Services(Settings(home=Path(folder) / "home", _env_file=None))
        report = ingest([Path(folder) / "files"], services, "bench")
        lost = [e for e in report.entries if e.status != "added"]
        if lost:
            print(f"{len(lost)} files of {corpus.name} failed, the first: {lost[0].source}: {lost[0].error}")
        measured = _methods(corpus, entries, services, titled, "pT", every)
        _add_questions(corpus, entries, services)
        measured += _methods(corpus, entries, services, titled, "QGpT", every)
        services.close()
    return measured


def _add_questions(corpus: QgptCorpus, entries: Written, services: Services) -> None:
    """Index the corpus's own questions as if a model had written them."""
    written = []
    for schema in services.catalog.schemas("bench"):
        asked = entries[schema.source, _sheet(schema.locator)].questions
        if asked:
            written.append((partial_table(schema, services), asked))
    index_questions(services, "bench", written)


def _sheet(locator: str) -> str:
    found = re.fullmatch(r"sheet (.*?)(?:, (?:rows|cells) .*)?", locator)
    return found[1] if found else ""


def _methods(
    corpus: QgptCorpus, entries: Written, services: Services, titled: bool, kind: str, every: int
) -> list[Measured]:
    """Measure every method over every question."""
    retriever, reranker = services.retriever("bench"), services.reranker("bench")
    hits: dict[str, list[list[float]]] = {m: [] for m in METHODS}
    for question in track(corpus.questions[::every], f"{corpus.name} {kind}", transient=True):
        recalled = retriever.search(question.text, RECALL_N)
        found: dict[str, Callable[[], Sequence[Chunk]]] = {
            "lexical": lambda q=question: services.lexical_index("bench").search(q.text, RECALL_N),
            "dense": lambda q=question: services.vector_store("bench").search(q.text, RECALL_N),
            "fused": lambda r=recalled: r,
            "reranked": lambda q=question, r=recalled: reranker.rerank(q.text, r, RECALL_N),
        }
        for method, find in found.items():
            names = _found(find(), entries)
            hits[method].append([len(question.answers & set(names[:k])) / len(question.answers) for k in DEPTHS])
    return [
        Measured(
            corpus.name, titled, kind, m, tuple(100 * sum(column) / len(column) for column in zip(*rows, strict=True))
        )
        for m, rows in hits.items()
    ]


def _found(chunks: Sequence[Chunk], entries: Written) -> list[str]:
    """Return the keys of the corpus entries found, each sheet once."""
    sheets = dict.fromkeys((c.source, _sheet(c.locator)) for c in chunks)
    return [entries[sheet].key for sheet in sheets]


def show(measured: Sequence[Measured], console: Console) -> None:
    """Print one table per corpus."""
    for corpus, titled in dict.fromkeys((m.corpus, m.titled) for m in measured):
        name = f"{corpus}, {'titles as released' if titled else 'titles stripped'}: Recall@1 / @5 / @10"
        table = Table("method", "pT", "QGpT", title=name, title_justify="left")
        for method in METHODS:
            by_kind = {m.kind: m.recall for m in measured if (m.corpus, m.titled, m.method) == (corpus, titled, method)}
            table.add_row(method, *(_shown(by_kind.get(k)) for k in ("pT", "QGpT")))
        for model in ("BGE-M3", "Jina-ColBERT-v2"):
            figures = [PUBLISHED.get((corpus, titled, k), {}).get(model) for k in ("pT", "QGpT")]
            if any(figures):
                table.add_row(f"{model}, published", *map(_shown, figures), style="dim")
        console.print(table)


def _shown(recall: Sequence[float] | None) -> str:
    return " / ".join(f"{r:.1f}" for r in recall) if recall else ""


def plot(measured: Sequence[Measured], path: Path) -> None:
    """Draw Recall@1 and @10 of every method as bars, the published figures as lines."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    groups = list(dict.fromkeys((m.corpus, m.titled) for m in measured))
    figure, axes = pyplot.subplots(len(groups), 2, figsize=(10, 3 * len(groups)), squeeze=False, sharey=True)
    for row, (corpus, titled) in enumerate(groups):
        for column, kind in enumerate(("pT", "QGpT")):
            axis = axes[row][column]
            some = [m for m in measured if (m.corpus, m.titled, m.kind) == (corpus, titled, kind)]
            for offset, (depth, shade) in enumerate(((0, "#2b6cb0"), (2, "#a0c4e8"))):
                places = [i + 0.4 * offset for i in range(len(some))]
                axis.bar(places, [m.recall[depth] for m in some], 0.38, color=shade, label=f"Recall@{DEPTHS[depth]}")
            for model, figures in PUBLISHED.get((corpus, titled, kind), {}).items():
                axis.axhline(figures[0], color="#c05621", linewidth=0.8, linestyle="--" if model == "BGE-M3" else ":")
                axis.text(3.75, figures[0] + 1, f"{model} @1", fontsize=7, ha="right", color="#c05621")
            axis.set_xticks([i + 0.2 for i in range(len(some))], [m.method for m in some])
            axis.set_title(f"{corpus}, {'titles as released' if titled else 'titles stripped'}, {kind}", fontsize=9)
            axis.set_ylim(0, 100)
    axes[0][0].legend(fontsize=7, loc="lower left")
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    """Measure, print, plot."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with qgpt/, or qgpt itself")
    parser.add_argument("--only", default="", help="one corpus: MiMoTable or OTTQA")
    parser.add_argument("--titles", choices=("released", "stripped"), help="only one of the two")
    parser.add_argument("--every", type=int, default=1, help="ask only every n-th question")
    parser.add_argument("--plot", type=Path, help="write the figures as a picture (svg, png, pdf)")
    parser.add_argument("--json", type=Path, help="write the figures as JSON")
    args = parser.parse_args()
    folder = args.data / "qgpt" if (args.data / "qgpt").is_dir() else args.data
    measured: list[Measured] = []
    for name, titled in (("MiMoTable", True), ("OTTQA", True), ("OTTQA", False)):
        if args.only in ("", name) and args.titles in (None, "released" if titled else "stripped"):
            measured += measure(load_qgpt(folder, name), titled=titled, every=args.every)
            show([m for m in measured if (m.corpus, m.titled) == (name, titled)], Console())
    if args.plot:
        plot(measured, args.plot)
    if args.json:
        args.json.write_text(json.dumps([vars(m) for m in measured], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
