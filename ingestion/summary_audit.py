"""The audit of the summary corpora: whether both their indexes hold the same chunks, of documents that are there."""

from collections.abc import Collection, Iterator
from typing import Literal

from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import summary_corpora

__all__ = ["compare_summaries"]


def compare_summaries(
    services: Services, corpus: str, documents: Collection[str], passing: Collection[str]
) -> Iterator[tuple[str, str, Literal["delete", "copy"], tuple[str, ...]]]:
    """Yield what does not agree: the summary corpus, what it is, its remedy, and the ids that this is for.

    ``documents`` are the ids of those in the catalog, ``passing`` of those that are written or deleted just now.
    """
    for name in summary_corpora(services, corpus):
        in_dense, in_lexical = services.vector_store(name).chunk_ids(), services.lexical_index(name).chunk_ids()
        strangers = {*in_dense.values(), *in_lexical.values()} - {*documents, *passing}
        if strangers:
            says = f"the summaries of {len(strangers)} documents are left that the catalog does not have"
            yield name, says, "delete", tuple(sorted(strangers))
        both = {**in_dense, **in_lexical}
        single = [i for i in both if (i in in_dense) != (i in in_lexical) and both[i] in documents]
        if single:
            yield name, f"{len(single)} summaries or sentences are in one index only", "copy", tuple(sorted(single))
