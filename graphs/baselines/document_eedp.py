"""document_eedp: one call over one document: elicit, extract, decompose, predict (arXiv 2402.11194)."""

from functools import partial

from tablerag.graphs.baselines.document_prompts import wired

__all__ = ["build", "graph"]

build = partial(wired, "eedp")
graph = build().compile(name="document_eedp")
