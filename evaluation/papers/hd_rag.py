"""HD-RAG (arXiv 2504.09554): its tables and figures."""

from tablerag.evaluation.papers.paper import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="hd_rag",
    title="HD-RAG: Retrieval-Augmented Generation for Hybrid Documents Containing Text and Hierarchical Tables",
    arxiv="2504.09554",
    figures=(),
)
