"""QGpT (arXiv 2508.06168): its tables."""

from tablerag.evaluation.papers.paper import Cell, Figure, Paper
from tablerag.evaluation.trial import Trial

__all__ = ["PAPER"]

SINGLE = Figure(
    name="table-5",
    title="Retrieval of single tables",
    cells=tuple(
        Cell("pT", f"{column}, R@{k}", Trial(f"qgpt-{name}", system="retrieval"), f"recall@{k}")
        for column, name in (("MiMoTable", "mimotable"), ("OTT-QA", "ottqa"))
        for k in (1, 5, 10)
    ),
)

PAPER = Paper(
    name="qgpt",
    title="Improving Table Retrieval with Question Generation from Partial Tables",
    arxiv="2508.06168",
    figures=(SINGLE,),
)
