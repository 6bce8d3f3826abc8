"""Questions for one table by the grammar: text hops first, where passages are linked, then the other kinds."""

from collections import Counter

from tablerag.evaluation.heteqa.bridging import asked_of_passage, described_by_passage
from tablerag.evaluation.heteqa.candidates import Candidate, Hop, Subject, Trial
from tablerag.evaluation.heteqa.grammar import FINDERS, KINDS
from tablerag.evaluation.heteqa.kinds.drawing import Kind
from tablerag.evaluation.heteqa.wording import scoped

__all__ = ["compose_by_grammar"]

BY = "grammar"
DRAWS = 4
"""How often a kind is tried on one table before another one is."""
HOP_DRAWS = 20
HOPS = 2
"""How many questions with a text hop a table gets in each direction, at most."""


def compose_by_grammar(subject: Subject, trial: Trial, wanted: int, used: Counter[str]) -> int:
    """Try candidates until ``wanted`` are kept or the grammar has no more; return how many were kept.

    ``used`` counts the kinds kept so far, over all tables: rarer kinds come first.
    """
    before = len(trial.kept)
    if subject.linked:
        _from_text(subject, trial, min(HOPS, wanted))
        _to_text(subject, trial, min(HOPS, wanted - (len(trial.kept) - before)))
    kinds = list(KINDS)
    subject.rng.shuffle(kinds)
    for kind in sorted(kinds, key=lambda k: used[k.__name__]):
        if len(trial.kept) - before >= wanted:
            break
        if _try_kind(kind, subject, trial):
            used[kind.__name__] += 1
    return len(trial.kept) - before


def _try_kind(kind: Kind, subject: Subject, trial: Trial) -> bool:
    for _ in range(DRAWS):
        draft = kind(subject.roles, subject.rng)
        if draft is None:
            return False
        candidate = Candidate(BY, draft, scoped(draft.question, subject.table.title, subject.rng))
        judgement = trial.judged(draft, subject)
        if judgement.kept:
            trial.keep(candidate, subject, judgement)
            return True
        trial.reject(candidate, subject, judgement.reason, judgement.detail)
    return False


def _from_text(subject: Subject, trial: Trial, most: int) -> None:
    """Keep questions that name a value only by what its passage says."""
    before = len(trial.kept)
    for _ in range(DRAWS):
        described = described_by_passage(subject.roles, subject.linked, subject.rng)
        if described is None or len(trial.kept) - before >= most:
            return
        draft, fact, passage = described
        question = scoped(draft.question, subject.table.title, subject.rng)
        candidate = Candidate(BY, draft, question, Hop("text to table", passage, fact))
        judgement = trial.judged(draft, subject)
        if judgement.kept:
            trial.keep(candidate, subject, judgement)
        else:
            trial.reject(candidate, subject, judgement.reason, judgement.detail)


def _to_text(subject: Subject, trial: Trial, most: int) -> None:
    """Keep questions that ask the passage of what SQL finds; each passage once."""
    asked: set[str] = set()
    for _ in range(HOP_DRAWS):
        if len(asked) >= most:
            return
        draft = subject.rng.choice(FINDERS)(subject.roles, subject.rng)
        if draft is None or draft.finds is None or not set(draft.finds.values) & set(subject.linked):
            continue
        plain = Candidate(BY, draft, scoped(draft.question, subject.table.title, subject.rng))
        judgement = trial.judged(draft, subject)
        if not judgement.kept:
            trial.reject(plain, subject, judgement.reason, judgement.detail)
            continue
        found = str(judgement.value)
        hop = asked_of_passage(draft, found, subject.linked, subject.rng) if found not in asked else None
        if hop is None:
            trial.reject(plain, subject, "no_fact", f"no passage states a plain fact of {found}")
            continue
        question, fact, passage = hop
        question = scoped(question, subject.table.title, subject.rng)
        trial.keep(Candidate(BY, draft, question, Hop("table to text", passage, fact)), subject, judgement)
        asked.add(found)
