"""Readings of a question over one table: what it may mean, the likeliest first, with how sure that is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tablerag.agent.offline.alignment import Alignment, Embed
from tablerag.agent.offline.candidates import candidates_for
from tablerag.agent.offline.confidence import RulesSay, chance_of_right, signs_of
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

__all__ = ["ReadRows", "Reading", "likeliest", "readings_of"]

ReadRows = Callable[[TableSchema, Sequence[ValueHint]], TableRows]
"""Gives the rows of a table to read; raises SqlProblem where it cannot."""
KEPT = 3


AGREED = 0.3
"""Share of the doubt that is gone where sure rules come to the same result. The confidence in one table among several
was fitted on hundreds of tables that speak of sports and places; a person's few tables are told apart more easily."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a question."""

    program: Program
    schema: TableSchema
    likelihood: float
    """Of its result among all candidates of this table."""
    confidence: float
    """The chance that it is right; of the likeliest reading only, 0 for others."""


def readings_of(
    question: str,
    schema: TableSchema,
    rows: TableRows,
    embed: Embed | None = None,
    hints: Sequence[ValueHint] = (),
    *,
    place: int = 0,
    alone: bool = True,
    by_rules: Program | None = None,
) -> list[Reading]:
    """Return up to KEPT readings with different results; none when the table says nothing to the question.

    ``place`` is the table's among those that were retrieved, 0 for the best, ``alone`` whether it is the only one;
    ``by_rules`` is what sure rules make of it.
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
    said = results.get(evaluator.run(by_rules), -1) if by_rules else None
    found = []
    for rank, (best, groups) in enumerate(likeliest(likely, of)[:KEPT]):
        sure = 0.0
        if rank == 0:
            agrees: RulesSay = "nothing" if said is None else "the same" if said == of[best] else "otherwise"
            agreeing = int((of == of[best]).sum())
            signs = signs_of(groups, float(likely[best]), agreeing, numbers[best], place, agrees)
            sure = chance_of_right(signs, ranker.confidence, alone=alone)
            sure += AGREED * (1 - sure) if agrees == "the same" and not alone else 0
        found.append(Reading(candidates[best].program, schema, float(groups[rank]), sure))
    return found


def likeliest(likely: np.ndarray, of: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Return the best candidate of each result, the likeliest result first, beside the results' chances in that order.

    ``likely`` are the candidates' chances (n,), ``of`` numbers their results (n,).
    """
    groups = np.bincount(of, likely)
    order = np.argsort(-groups, kind="stable")
    members = [np.flatnonzero(of == group) for group in order]
    return [(int(m[likely[m].argmax()]), groups[order]) for m in members[: KEPT + 1]]
