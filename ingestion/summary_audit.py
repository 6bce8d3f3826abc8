"""The audit of the summary corpora: both indexes must hold the same chunks, of documents in the catalog."""

from collections.abc import Collection, Iterator
from typing import Literal

from tablerag.tools.counting import counted
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import summary_corpora

__all__ = ["compare_summaries", "kept_texts"]


def compare_summaries(
    services: Services, corpus: str, documents: Collection[str], passing: Collection[str]
) -> Iterator[tuple[str, str, Literal["delete", "copy", "keep"], tuple[str, ...]]]:
    """Yield inconsistencies: the summary corpus, a description, the remedy and the ids affected.

    ``documents`` are the ids in the catalog, ``passing`` those being written or deleted.
    """
    for name in summary_corpora(services, corpus):
        in_dense, in_lexical = services.vector_store(name).chunk_ids(), services.lexical_index(name).chunk_ids()
        in_sql = kept_texts(services, name)
        strangers = {*in_dense.values(), *in_lexical.values(), *(in_sql or ())} - {*documents, *passing}
        if strangers:
            says = f"the indexes hold summaries of {counted(len(strangers), 'document')} not in the catalog"
            yield name, says, "delete", tuple(sorted(strangers))
        if in_sql is not None and (lacking := set(in_lexical.values()) & set(documents) - in_sql):
            says = f"the database lacks the summaries of {counted(len(lacking), 'document')}"
            yield name, says, "keep", tuple(sorted(lacking))
        both = {**in_dense, **in_lexical}
        single = [i for i in both if (i in in_dense) != (i in in_lexical) and both[i] in documents]
        if single:
            yield name, f"{len(single)} summaries or sentences are in only one index", "copy", tuple(sorted(single))


def kept_texts(services: Services, name: str) -> set[str] | None:
    """Return the ids of the documents whose chunks the database has texts of; None if no other host shares it."""
    return services.chunk_texts.documents(name) if services.database.is_server else None
