"""Checks a knowledge file against a corpus: every entry for a table must resolve, and run."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from tablerag.tools.connections.refreshing import current_tables
from tablerag.tools.errors import SqlProblem, TableAway
from tablerag.tools.evidence import result_of
from tablerag.tools.knowledge.entries import Knowledge
from tablerag.tools.knowledge.resolving import Problem, problems_of, with_rules
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

__all__ = ["failures", "fingerprints"]

LENGTH = 8
"""Hexadecimal digits of a fingerprint."""


def fingerprints(schemas: Sequence[TableSchema], names: Sequence[str]) -> dict[str, str]:
    """Return the fingerprints of tables by SQL name: of the names and types of their columns, in any order."""
    wanted = {s.name: sorted((c.name, c.type, c.unit, c.scale) for c in s.columns) for s in schemas if s.name in names}
    return {name: sha256(repr(columns).encode()).hexdigest()[:LENGTH] for name, columns in wanted.items()}


def _changed(schemas: Sequence[TableSchema], tables: Mapping[str, str]) -> list[str]:
    """Return the tables whose columns are not those of the fingerprints; one that is gone fails by itself."""
    now = fingerprints(schemas, list(tables))
    return [name for name, was in tables.items() if now.get(name, was) != was]


def failures(services: Services, corpus: str, known: Knowledge) -> list[Problem]:
    """Return the entries that do not resolve, and those whose SQL fails when it runs.

    Connected databases that have changed are described again first. An entry over one that is locked or does not answer
    could not be checked; what was waited for in vain before is waited for again.
    """
    services.database.tables.wait_again(tables=True)
    current_tables(services, corpus)
    schemas = services.catalog.schemas(corpus)
    found = problems_of(schemas, known)
    ruled = with_rules(schemas, known)
    for where, what, statement, of in (*_trials(ruled), *_confirmed_trials(known, ruled)):
        services.database.tables.wait_again()
        try:
            result_of(services, statement, of)
        except TableAway as away:
            found.append(Problem(where, f"{what} could not be checked: {away}", unchecked=True))
        except SqlProblem as problem:
            found.append(Problem(where, f"{what} fails: {problem}"))
    failed = {p.where for p in found}
    for entry in known.confirmed:
        changed = _changed(schemas, entry.tables)
        if changed and (where := known.place(entry.line)) not in failed:
            says = f"columns of {', '.join(changed)} changed since {entry.question!r} was confirmed: confirm it again"
            found.append(Problem(where, says))
    return sorted(found, key=lambda p: int(p.where.rpartition(" ")[2]))


Trial = tuple[str, str, str, Sequence[TableSchema]]
"""The place of an entry, what it is, a statement that shows whether it runs, and the tables that this may read."""


def _trials(schemas: Sequence[TableSchema]) -> Iterator[Trial]:
    """Yield the metrics and conditions of tables."""
    for schema in schemas:
        if schema.rules is None:
            continue
        for m in schema.rules.metrics:
            yield m.where, f"metric {m.name!r}", f"SELECT {m.expression} FROM `{schema.name}`", [schema]
        if schema.rules.exclude:
            counted = f"SELECT COUNT(*) FROM `{schema.name}` WHERE {schema.rules.exclude}"
            yield schema.rules.exclude_where, f"exclude of table {schema.name}", counted, [schema]


def _confirmed_trials(known: Knowledge, schemas: Sequence[TableSchema]) -> Iterator[Trial]:
    """Yield the statements of confirmed answers."""
    for entry in known.confirmed:
        yield known.place(entry.line), f"the answer of {entry.question!r}", entry.sql, schemas
