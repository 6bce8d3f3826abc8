"""Statements over tables of a connected database that have changed meanwhile: run once more, over what there is."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from tablerag.tools.connections.patience import waiting_for
from tablerag.tools.connections.registry import connection_of
from tablerag.tools.errors import TableChanged, UnknownName
from tablerag.tools.knowledge.resolving import with_rules
from tablerag.tools.records import TableSchema

if TYPE_CHECKING:
    from tablerag.tools.services import Services

__all__ = ["Refresh", "current_tables", "described_again", "over_current"]

T = TypeVar("T")


class Refresh(Protocol):
    """Describes tables of connections again, new ones with them."""

    def __call__(self, name: str, tables: Sequence[TableSchema], sought: str = "") -> bool:
        """Return whether the catalog now has others; with ``sought``, only if the database has that SQL name now."""
        ...

    def look(self, name: str) -> bool:
        """Return whether the catalog was just given others, as columns of the database have changed."""
        ...


def over_current(
    services: "Services", sql: str, schemas: Sequence[TableSchema], run: Callable[[Sequence[TableSchema]], T]
) -> T:
    """Return what ``run`` does of schemas; if a table has changed, of the schemas that there are now."""
    try:
        return run(schemas)
    except (TableChanged, UnknownName) as problem:
        current = _current(services, sql, schemas, problem)
        if current is None:
            raise
        return run(current)


def described_again(services: "Services", schemas: Sequence[TableSchema]) -> bool:
    """Look whether the databases of schemas have the columns that were described; return whether some had others."""
    if services.refresh is None:
        return False
    names = dict.fromkeys(connection_of(s.stored_as) for s in schemas if s.origin)
    return any([services.refresh.look(name) for name in names])


def current_tables(services: "Services", corpus: str, names: Collection[str] | None = None) -> list[TableSchema]:
    """Return the tables of a corpus after the databases of the named ones, or of all, were looked at."""
    tables = services.catalog.tables(corpus)
    looked_at = [t for t in tables if names is None or t.name in names]
    with waiting_for(looked_at):
        return services.catalog.tables(corpus) if described_again(services, looked_at) else tables


def _current(
    services: "Services", sql: str, schemas: Sequence[TableSchema], problem: TableChanged | UnknownName
) -> list[TableSchema] | None:
    """Return the schemas as they are after the databases were described again; None if nothing has changed."""
    if services.refresh is None:
        return None
    said = set(re.findall(r"\w+", sql.casefold()))
    sought = problem.name if isinstance(problem, UnknownName) else ""
    names = {connection_of(s.stored_as) for s in schemas if s.origin}
    if isinstance(problem, TableChanged):
        names &= {problem.connection}
    concerned = [s for s in schemas if s.origin and s.name.casefold() in said]
    changed = {
        name for name in names
        if services.refresh(name, [s for s in concerned if connection_of(s.stored_as) == name], sought)
    }  # fmt: skip
    if not changed:
        return None
    kept = [s for s in schemas if connection_of(s.stored_as) not in changed]
    for corpus in {services.database.connections.get(name).corpus for name in changed}:
        every = with_rules(services.catalog.schemas(corpus), services.knowledge.of(corpus))
        kept += [s for s in every if connection_of(s.stored_as) in changed]
    return kept
