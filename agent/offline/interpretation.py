"""Interpretations of a question over one table, the likeliest first, and how sure the first is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tablerag.agent.offline.alignment import Alignment, Embed
from tablerag.agent.offline.candidates import candidates_for
from tablerag.agent.offline.confidence import chance_of_right, signs_of
from tablerag.agent.offline.execution import Evaluator
from tablerag.agent.offline.features import CandidateNumbers
from tablerag.agent.offline.mention import read_words
from tablerag.agent.offline.mentions import mentions_in
from tablerag.agent.offline.program import Program
from tablerag.agent.offline.ranker import hashed, load_ranker
from tablerag.agent.offline.table_view import TableView
from tablerag.agent.offline.tags import phrases_of, tags_of
from tablerag.tools.records import TableSchema, ValueHint
from tablerag.tools.table_rows import TableRows

__all__ = ["Interpretation", "ReadRows", "interpretations_of", "likeliest"]

ReadRows = Callable[[TableSchema, Sequence[ValueHint]], TableRows]
"""Returns the rows of a table; raises SqlProblem if they cannot be read."""
KEPT = 3


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One meaning of a question."""

    program: Program
    schema: TableSchema
    likelihood: float
    """Of its result, among all candidates of this table."""
    confidence: float
    """The chance that the likeliest interpretation is right; 0 for others."""


def interpretations_of(
    question: str,
    schema: TableSchema,
    rows: TableRows,
    embed: Embed | None = None,
    hints: Sequence[ValueHint] = (),
    *,
    place: int = 0,
    alone: bool = True,
) -> list[Interpretation]:
    """Return up to KEPT interpretations with different results; none if the question is not about the table.

    ``place`` is the table's rank among those retrieved, from 0; ``alone`` whether it is the only one.
    """
    view, words, ranker = TableView.of(schema, rows), read_words(question), load_ranker()
    evaluator = Evaluator(view)
    mentions = mentions_in(words, view, hints)
    candidates = candidates_for(words, view, mentions, evaluator)
    if not candidates:
        return []
    features = CandidateNumbers(Alignment(words, view, mentions, embed))
    numbers = np.array([features.of(c, len(evaluator.rows(c.program.rows))) for c in candidates])
    tags = hashed([tags_of(c, view) for c in candidates])
    likely = ranker.probabilities(hashed([phrases_of(words, mentions)])[0], tags, numbers)
    results: dict[object, int] = {}
    of = np.array([results.setdefault(c.result, len(results)) for c in candidates])
    found = []
    for rank, (best, groups) in enumerate(likeliest(likely, of)[:KEPT]):
        sure = 0.0
        if rank == 0:
            agreeing = int((of == of[best]).sum())
            signs = signs_of(groups, float(likely[best]), agreeing, numbers[best], place)
            sure = chance_of_right(signs, ranker.confidence, alone=alone)
        found.append(Interpretation(candidates[best].program, schema, float(groups[rank]), sure))
    return found


def likeliest(likely: np.ndarray, of: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Return the best candidate of each result with the results' chances, the likeliest first.

    ``likely`` holds the candidates' chances (n,), ``of`` the numbers of their results (n,).
    """
    groups = np.bincount(of, likely)
    order = np.argsort(-groups, kind="stable")
    members = [np.flatnonzero(of == group) for group in order]
    return [(int(m[likely[m].argmax()]), groups[order]) for m in members[: KEPT + 1]]
