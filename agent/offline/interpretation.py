"""The likeliest interpretation of a question over one table, and how sure it is."""

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

__all__ = ["Interpretation", "ReadRows", "interpretation_of", "likeliest"]

ReadRows = Callable[[TableSchema, Sequence[ValueHint]], TableRows]
"""Returns the rows of a table; raises SqlProblem if they cannot be read."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One meaning of a question."""

    program: Program
    schema: TableSchema
    confidence: float
    """The chance that it is right."""


def interpretation_of(
    question: str,
    schema: TableSchema,
    rows: TableRows,
    embed: Embed | None = None,
    hints: Sequence[ValueHint] = (),
    *,
    place: int = 0,
    alone: bool = True,
) -> Interpretation | None:
    """Return the likeliest interpretation; None if the question is not about the table.

    ``place`` is the table's rank among those retrieved, from 0; ``alone`` whether it is the only one.
    """
    view, words, ranker = TableView.of(schema, rows), read_words(question), load_ranker()
    evaluator = Evaluator(view)
    mentions = mentions_in(words, view, hints)
    candidates = candidates_for(words, view, mentions, evaluator)
    if not candidates:
        return None
    features = CandidateNumbers(Alignment(words, view, mentions, embed))
    numbers = np.array([features.of(c, len(evaluator.rows(c.program.rows))) for c in candidates])
    tags = hashed([tags_of(c, view) for c in candidates])
    likely = ranker.probabilities(hashed([phrases_of(words, mentions)])[0], tags, numbers)
    results: dict[object, int] = {}
    of = np.array([results.setdefault(c.result, len(results)) for c in candidates])
    best, groups = likeliest(likely, of)
    agreeing = int((of == of[best]).sum())
    signs = signs_of(groups, float(likely[best]), agreeing, numbers[best], place)
    return Interpretation(candidates[best].program, schema, chance_of_right(signs, ranker.confidence, alone=alone))


def likeliest(likely: np.ndarray, of: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the best candidate of the likeliest result, and the results' chances, greatest first.

    ``likely`` holds the candidates' chances (n,), ``of`` the numbers of their results (n,).
    """
    groups = np.bincount(of, likely)
    members = np.flatnonzero(of == groups.argmax())
    return int(members[likely[members].argmax()]), np.sort(groups)[::-1]
