"""What a run may use: nothing but the corpora of the API key that started it, where the deployment has keys.

This is the check that counts: contexts reach a run by many ways (its own, its assistant's, its thread's), and a
thread's state can be rewritten by its owner, tables to be read included.
"""

from collections.abc import Sequence

from langgraph.runtime import get_runtime

from tablerag.tools.access.api_keys import ANY_CORPUS
from tablerag.tools.catalog import Catalog
from tablerag.tools.errors import AccessDenied
from tablerag.tools.records import TableSchema
from tablerag.tools.settings import Settings
from tablerag.tools.uniting import united

__all__ = ["checked_corpus", "checked_schemas"]


def checked_corpus(corpus: str, settings: Settings) -> str:
    """Return a corpus that the run may use; raise AccessDenied for another."""
    allowed = _allowed(settings)
    if allowed is not None and corpus not in allowed:
        raise AccessDenied(f"this API key may not use the corpus {corpus!r}: name one of its own in the run's context")
    return corpus


def checked_schemas(schemas: Sequence[TableSchema], settings: Settings, catalog: Catalog) -> Sequence[TableSchema]:
    """Return the schemas of a run's state, as the catalog knows them where the run may not use every corpus.

    Raises AccessDenied for a table of none of its corpora.
    """
    allowed = _allowed(settings)
    if allowed is None:
        return schemas
    known: dict[str, TableSchema] = {}
    for corpus in sorted(allowed):
        stored = catalog.schemas(corpus)
        known |= {s.name: s for s in (*stored, *united(stored, (s.name for s in stored)))}
    foreign = next((s.name for s in schemas if s.name not in known), None)
    if foreign is not None:
        raise AccessDenied(f"this API key may not use the table {foreign!r}: it is in none of its corpora")
    return [known[s.name] for s in schemas]


def _allowed(settings: Settings) -> frozenset[str] | None:
    """Return the corpora that the run may use; None for all."""
    if not settings.api_keys:
        return None
    try:
        served = get_runtime().server_info
    except RuntimeError:  # not in a run
        return None
    if served is None:
        return None
    corpora = settings.api_keys.corpora_of(served.user.identity if served.user else "")
    return None if ANY_CORPUS in corpora else corpora
