"""Damaged stores: indexes are derived, and deleted to be built again; a damaged catalog is set aside."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING

from tablerag.tools.errors import ChangesLost, StoreDamaged
from tablerag.tools.services import Services
from tablerag.tools.stores.chroma_graph import check_files
from tablerag.tools.stores.window_store import collection_name

if TYPE_CHECKING:  # their libraries
    from tablerag.tools.linking.large import LargeValues
    from tablerag.tools.stores.lexical_index import LexicalIndex
    from tablerag.tools.stores.vector_store import VectorStore

__all__ = ["check_indexes", "damage"]

MOST_NAMED = 20
"""Folders that the advice about a catalog lists."""


def damage(services: Services, corpora: Sequence[str] = ()) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield what is wrong with each store whose files are damaged, and the function that makes it usable again.

    Indexes are looked at only if the catalog is sound, as it tells which there are.
    """
    try:
        services.database.backend.check()
        names = sorted({*services.catalog.corpora(), *corpora})
        for name in names:
            services.catalog.tables(name)
            services.catalog.documents(name)
        services.catalog.unfinished()
    except ChangesLost as error:
        yield str(error), partial(_accepted, services)
        return
    except StoreDamaged as error:
        yield str(error), partial(_set_aside, services)
        return
    stores: list[LargeValues | LexicalIndex | VectorStore] = [services.large_values]
    for name in names:
        stores += [services.own_lexical_index(name), services.vector_store(name)]
    for store in stores:
        try:
            store.check()
        except StoreDamaged as error:
            yield str(error), partial(_discarded, store)


def check_indexes(services: Services, corpus: str) -> None:
    """Raise StoreDamaged if an index of a corpus evidently cannot be used; takes milliseconds."""
    services.lexical_index(corpus).count()
    services.large_values.columns()
    if services.settings.vector_store_of(corpus) == "chroma":  # without its library, which takes half a second to load
        check_files(services.settings.home / "chroma", collection_name(corpus))


def _discarded(store: "LargeValues | LexicalIndex | VectorStore") -> str:
    store.discard()
    return "deleted a damaged index, to build it again"


def _accepted(services: Services) -> str:
    """Use the catalog without its last changes; return which folders are left to ingest."""
    folders = services.database.backend.accept_loss()
    return f"the catalog is used as it is: run `{_ingest(folders)}`, in each of your corpora, which reads what is lost"


def _set_aside(services: Services) -> str:
    """Set the catalog aside; return which folders are left to ingest."""
    backend = services.database.backend
    services.close()
    aside, folders = backend.set_aside()
    return (
        f"the damaged catalog is now {aside}: run `{_ingest(folders)}`, in each of your corpora, which writes "
        "tables and indexes again"
    )


def _ingest(folders: Sequence[str]) -> str:
    return f"tablerag ingest {' '.join(map(quote, folders[:MOST_NAMED])) or 'PATH...'}"
