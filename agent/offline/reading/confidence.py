"""The chance that the likeliest reading is right, from the spread of the candidates and what the best one assumes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tablerag.agent.offline.reading.agreement import rounded
from tablerag.agent.offline.reading.compose import Draft
from tablerag.agent.offline.reading.costs import Costs
from tablerag.agent.offline.reading.facts import Facts
from tablerag.agent.offline.reading.learned import learned_weights
from tablerag.agent.offline.reading.query import Contrast, Ref
from tablerag.tools.records import Cell, SqlResult

__all__ = ["Candidate", "Group", "chance_of", "groups_of", "signs_of"]

AGREEING = 0.3
"""Share of the log-odds that further candidates with the same result add."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft with its score and, if it was run, its statement and result."""

    score: float
    draft: Draft
    facts: Facts
    costs: Costs
    sql: str = ""
    result: SqlResult | None = None

    @property
    def tables(self) -> frozenset[str]:
        """The names of the tables that it reads, those of a union's members too."""
        query = self.draft.query
        compared = (query.one.source.table, query.two.source.table) if isinstance(query, Contrast) else ()
        read = (self.facts, *self.facts.joined)
        wheres = (c.other for c in getattr(query, "where", ()) if c.operator == "absent")
        absent = (other.table for other in wheres if isinstance(other, Ref))
        return frozenset((*compared, *absent, *(t.name for f in read for t in (f.schema, *f.schema.members))))


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates with the same result, the best first."""

    candidates: tuple[Candidate, ...]
    score: float
    """The logarithm of the sum of their chances."""
    likelihood: float
    """Among all groups."""


def groups_of(candidates: Sequence[Candidate]) -> list[Group]:
    """Add up the candidates with the same result; of those with the same statement the best counts.

    The likeliest group is first.
    """
    statements: dict[str, Candidate] = {}
    for one in sorted(candidates, key=lambda c: -c.score):
        statements.setdefault(one.sql, one)
    found: dict[object, list[Candidate]] = {}
    for one in statements.values():
        if one.result is not None:
            found.setdefault(denotation(one.result.rows), []).append(one)
    scores = [_together([c.score for c in members]) for members in found.values()]
    whole = np.logaddexp.reduce(scores) if scores else 0.0
    groups = [
        Group(tuple(members), score, float(np.exp(score - whole)))
        for members, score in zip(found.values(), scores, strict=True)
    ]
    return sorted(groups, key=lambda g: -g.score)


def _together(scores: Sequence[float]) -> float:
    """Return the score of candidates with one result: hardly more than the best, as most differ in words only."""
    best = max(scores)
    return best + AGREEING * float(np.logaddexp.reduce(list(scores)) - best)


def denotation(rows: Sequence[Sequence[Cell]]) -> object:
    """Return what makes two results the same: their rows in any order, numbers rounded."""
    return frozenset(tuple(map(rounded, row)) for row in rows)


def signs_of(groups: Sequence[Group]) -> dict[str, float]:
    """Return the inputs of the chance that the first group is right, by name."""
    likely = groups[0].likelihood
    odds = float(np.log((likely + 1e-3) / (1 - likely + 1e-3)))
    return {"bias": 1.0, "odds": odds, "score": groups[0].candidates[0].score}


def chance_of(signs: Mapping[str, float]) -> float:
    """Return the calibrated chance, 0 to 1."""
    learned = learned_weights()
    return float(1 / (1 + np.exp(-sum(learned.get(name, 0.0) * value for name, value in signs.items()))))
