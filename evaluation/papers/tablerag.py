"""TableRAG (arXiv 2506.10380): its tables and figures."""

from tablerag.evaluation.papers.paper import Cell, Figure, Paper
from tablerag.evaluation.trial import Trial

__all__ = ["PAPER"]

BENCHMARKS = {"HybridQA": "hybridqa", "WikiTQ": "wikitq", "HeteQA": "heteqa"}
ABLATIONS = {
    "TableRAG": (),
    "without context-sensitive decomposition": (("context_sensitive", False),),
    "without SQL execution": (("sql_execution", False),),
    "without textual retrieval": (("text_retrieval", False),),
}

ABLATION = Figure(
    name="figure-4",
    title="Ablations: context-sensitive decomposition, SQL execution, textual retrieval",
    cells=tuple(
        Cell(row, column, Trial(benchmark, switches=switches))
        for column, benchmark in BENCHMARKS.items()
        if column != "WikiTQ"
        for row, switches in ABLATIONS.items()
    ),
    ours="TableRAG",
    judged=True,
)

PAPER = Paper(
    name="tablerag",
    title="TableRAG: A Retrieval Augmented Generation Framework for Heterogeneous Document Reasoning",
    arxiv="2506.10380",
    figures=(ABLATION,),
)
