"""Checks a knowledge file against a corpus: every entry for a table must resolve, and run."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from tablerag.tools.connections.refreshing import current_tables
from tablerag.tools.errors import SqlProblem
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

    Connected databases that have changed are described again first.
    """
    current_tables(services, corpus)
    schemas = services.catalog.schemas(corpus)
    found = problems_of(schemas, known)
    for schema in with_rules(schemas, known):
        if schema.rules is None:
            continue
        trials = [
            (m.where, f"metric {m.name!r}", f"SELECT {m.expression} FROM `{schema.name}`") for m in schema.rules.metrics
        ]
        if schema.rules.exclude:
            counted = f"SELECT COUNT(*) FROM `{schema.name}` WHERE {schema.rules.exclude}"
            trials.append((schema.rules.exclude_where, f"exclude of table {schema.name}", counted))
        for where, what, statement in trials:
            try:
                result_of(services, statement, [schema])
            except SqlProblem as problem:
                found.append(Problem(where, f"{what} fails: {problem}"))
    for entry in known.confirmed:
        try:
            result_of(services, entry.sql, with_rules(schemas, known))
        except SqlProblem as problem:
            found.append(Problem(known.place(entry.line), f"the answer of {entry.question!r} fails: {problem}"))
            continue
        if changed := _changed(schemas, entry.tables):
            says = f"columns of {', '.join(changed)} changed since {entry.question!r} was confirmed: confirm it again"
            found.append(Problem(known.place(entry.line), says))
    return sorted(found, key=lambda p: int(p.where.rpartition(" ")[2]))
