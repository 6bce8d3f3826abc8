"""document_cot: one call over one whole document, step by step (chain of thought, arXiv 2201.11903)."""

from functools import partial

from tablerag.graphs.baselines.document_prompts import wired

__all__ = ["build", "graph"]

build = partial(wired, "cot")
graph = build().compile(name="document_cot")
