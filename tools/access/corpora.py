"""Which corpora a run may use, which exist, and what a new one may be called.

A run is checked here in addition to its request: its context can come from the run, its assistant or its thread, and
the owner of a thread can rewrite its state, including the tables to read.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING

from tablerag.tools.access.rights import FULL
from tablerag.tools.catalog import Catalog
from tablerag.tools.errors import AccessDenied, ConfigError
from tablerag.tools.records import TableSchema
from tablerag.tools.settings import Settings

if TYPE_CHECKING:
    from tablerag.tools.services import Services

__all__ = [
    "OWNER_OF_REQUEST",
    "checked_corpus",
    "checked_schemas",
    "current_owner",
    "known_corpora",
    "known_corpus",
    "new_corpus",
    "services_of_run",
]

MAX_NAME_CHARS = 60
OWNER_OF_REQUEST: ContextVar[str | None] = ContextVar("OWNER_OF_REQUEST", default=None)
"""The owner of the key of the HTTP request that is being answered, "" for an unknown key; None outside a request.

Servers other than LangGraph's do not tell a graph whose run it is, but start the run's task in the request's context.
"""


def known_corpora(settings: Settings, catalog: Catalog, owner: str | None = None) -> list[str]:
    """Return the corpora that hold documents, and the default one, in order; only the owner's if one is given."""
    names = sorted({settings.corpus, *catalog.corpora()})
    return names if owner is None else [n for n in names if settings.api_keys.may_use(owner, n)]


def known_corpus(corpus: str, settings: Settings, catalog: Catalog) -> str:
    """Return a corpus that exists, the default one for "".

    Raises ConfigError for an unknown one; its message lists the corpora that the current run may use.
    """
    if not corpus or corpus == settings.corpus:
        return settings.corpus
    known = known_corpora(settings, catalog, current_owner(settings))
    if corpus not in known:
        raise ConfigError(f"unknown corpus {corpus[:MAX_NAME_CHARS]!r}: expected one of {', '.join(map(repr, known))}")
    return corpus


def new_corpus(corpus: str, settings: Settings, catalog: Catalog) -> str:
    """Return a corpus to write to, which need not exist yet. Raises ConfigError if a new one's name is invalid."""
    known = corpus == settings.corpus or corpus in catalog.corpora()
    bad = len(corpus) > MAX_NAME_CHARS or corpus != corpus.strip() or not corpus.isprintable() or {*corpus} & {*"/\\~"}
    if not corpus or (bad and not known):
        raise ConfigError(
            f"invalid corpus name {corpus[:MAX_NAME_CHARS]!r}: use up to {MAX_NAME_CHARS} printable characters, "
            "without /, \\ and ~ and without spaces at the ends"
        )
    return corpus


def checked_corpus(corpus: str, settings: Settings, catalog: Catalog) -> str:
    """Return a corpus that the current run may use; raise AccessDenied otherwise, ConfigError for an unknown one."""
    owner = current_owner(settings)
    if owner is not None:
        settings.api_keys.require(owner, corpus)
    return known_corpus(corpus, settings, catalog)


def services_of_run(whole: "Services") -> "Services":
    """Return a deployment's services as the key of the current run may see them."""
    if not whole.settings.api_keys:
        return whole
    from tablerag.tools.access.restricted import services_for  # slow to import, and most deployments have no keys

    return services_for(whole, current_owner(whole.settings))


def checked_schemas(schemas: Sequence[TableSchema], settings: Settings, catalog: Catalog) -> Sequence[TableSchema]:
    """Return the schemas of a run's state, read from the catalog again if its key may not see everything.

    Raises AccessDenied for a table that is in none of the key's corpora.
    """
    owner = current_owner(settings)
    if owner is None:
        return schemas
    allowed = settings.api_keys.corpora_of(owner)
    if allowed is None and settings.api_keys.rights_of(owner) == FULL:
        return schemas
    known: dict[str, TableSchema] = {}
    for corpus in sorted(allowed or catalog.corpora()):
        known |= {s.name: s for s in catalog.named(corpus, [s.name for s in schemas])}
    foreign = next((s.name for s in schemas if s.name not in known), None)
    if foreign is not None:
        raise AccessDenied(f"this API key has no access to table {foreign!r}: it is in none of the key's corpora")
    return [known[s.name] for s in schemas]


def current_owner(settings: Settings) -> str | None:
    """Return whose key started the current run; None if no key is needed or the code runs outside a server."""
    if not settings.api_keys:
        return None
    from langgraph.runtime import get_runtime  # slow to import, and the command line does without it

    try:
        served = get_runtime().server_info
    except RuntimeError:  # not in a run
        return None
    if served is None:
        return OWNER_OF_REQUEST.get()
    return served.user.identity if served.user else ""
