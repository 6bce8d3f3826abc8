"""Checks a knowledge file against a corpus: every entry for a table must resolve, and run."""

from tablerag.tools.errors import SqlProblem
from tablerag.tools.evidence import result_of
from tablerag.tools.knowledge.entries import Knowledge
from tablerag.tools.knowledge.resolving import Problem, problems_of, with_rules
from tablerag.tools.services import Services

__all__ = ["failures"]


def failures(services: Services, corpus: str, known: Knowledge) -> list[Problem]:
    """Return the entries that do not resolve, and those whose SQL fails when it runs."""
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
    return sorted(found, key=lambda p: int(p.where.rpartition(" ")[2]))
