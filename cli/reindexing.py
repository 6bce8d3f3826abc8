"""tablerag reindex: what is to be embedded, its price, and a progress bar."""

from rich.console import Console

from tablerag.cli.common import confirmed
from tablerag.cli.ingest import bar
from tablerag.ingestion.reindexing import reindex, to_reindex
from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services

__all__ = ["reindex_with_progress"]


def reindex_with_progress(services: Services, corpus: str, err: Console, *, yes: bool) -> str:
    """Embed a corpus again; return what was done. Raises ConfigError for a corpus without documents."""
    if not services.catalog.listed_documents(corpus):
        raise ConfigError(f"corpus {corpus!r} has no documents: ingest some, or name another corpus (--corpus)")
    embedding, wanted = services.chunk_embedding, to_reindex(services, corpus)
    if not wanted.chunks:
        reindex(services, corpus)  # an interrupted run may have left nothing but the last step
        return f"all chunks of corpus {corpus!r} are embedded by {embedding.name}"
    if not embedding.is_embedded:
        err.print(
            f"{counted(wanted.chunks, 'chunk')} as {counted(wanted.texts, 'text')}, about {wanted.tokens:,} tokens, "
            f"are sent to {services.settings.embedding_url or services.settings.openai_base_url or 'OpenAI'} to be "
            f"embedded by {embedding.name}",
            soft_wrap=True,
            markup=False,
        )
        if not confirmed(yes):
            return "nothing was sent"
    with bar("embedding", err) as show:
        done = reindex(services, corpus, lambda so_far: show(so_far, max(so_far, wanted.chunks)))
    return f"{counted(done, 'chunk')} of corpus {corpus!r} embedded by {embedding.name}"
