"""document_direct: one call over one whole document, for the answer alone."""

from functools import partial

from tablerag.graphs.baselines.document_prompts import wired

__all__ = ["build", "graph"]

build = partial(wired, "direct")
graph = build().compile(name="document_direct")
