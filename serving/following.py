"""Has a server copy what other hosts have published before somebody asks, and go on answering meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tablerag.tools.errors import TableRagError
from tablerag.tools.services import Services, get_services

__all__ = ["following"]


@contextmanager
def following() -> Iterator[None]:
    """Start to bring this host's indexes up to date; later ones that lack much are brought beside the questions."""
    with suppress(TableRagError):  # a wrong setting is the first question's to tell
        services = get_services()
        services.waits_for_indexes = False
        if services.database.is_server:
            threading.Thread(target=_follow, args=(services,), name="tablerag following", daemon=True).start()
    yield


def _follow(services: Services) -> None:
    with suppress(TableRagError):
        for corpus in services.catalog.corpora():
            services.lexical_index(corpus)
