"""The audit of the summary corpora: both indexes must hold the same chunks, of documents in the catalog."""

from collections.abc import Collection, Iterator
from typing import Literal

from tablerag.tools.counting import counted
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import summary_corpora

__all__ = ["compare_summaries"]


def compare_summaries(
    services: Services, corpus: str, documents: Collection[str], passing: Collection[str]
) -> Iterator[tuple[str, str, Literal["delete", "copy"], tuple[str, ...]]]:
    """Yield inconsistencies: the summary corpus, a description, the remedy and the ids affected.

    ``documents`` are the ids in the catalog, ``passing`` those being written or deleted.
    """
    for name in summary_corpora(services, corpus):
        in_dense, in_lexical = services.vector_store(name).chunk_ids(), services.lexical_index(name).chunk_ids()
        strangers = {*in_dense.values(), *in_lexical.values()} - {*documents, *passing}
        if strangers:
            says = f"the indexes hold summaries of {counted(len(strangers), 'document')} not in the catalog"
            yield name, says, "delete", tuple(sorted(strangers))
        both = {**in_dense, **in_lexical}
        single = [i for i in both if (i in in_dense) != (i in in_lexical) and both[i] in documents]
        if single:
            yield name, f"{len(single)} summaries or sentences are in only one index", "copy", tuple(sorted(single))
