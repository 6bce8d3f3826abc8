"""Composes questions without a model, from templates: first text hops, if passages are linked, then all kinds."""

from collections import Counter

from tablerag.evaluation.heteqa.bridging import asked_of_passage, described_by_passage
from tablerag.evaluation.heteqa.candidates import Candidate, Hop, Subject, Trial
from tablerag.evaluation.heteqa.kinds import FINDERS, KINDS
from tablerag.evaluation.heteqa.kinds.drawing import Kind
from tablerag.evaluation.heteqa.wording import scoped

__all__ = ["compose_by_grammar"]

BY = "grammar"
DRAWS = 4
"""Attempts at one kind of question before the next one."""
HOP_DRAWS = 20
HOPS = 2
"""Most questions with a text hop per table and direction."""


def compose_by_grammar(subject: Subject, trial: Trial, wanted: int, used: Counter[str]) -> int:
    """Try candidates until ``wanted`` are kept or all kinds are tried; return how many were kept.

    ``used`` counts the kinds kept so far over all tables; rarer kinds come first.
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
    """Keep questions that name a value only by a fact in its passage."""
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
    """Keep questions about the passage of the value that SQL finds; each passage once."""
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
            trial.reject(plain, subject, "no_fact", f"no passage states a fact about {found}")
            continue
        question, fact, passage = hop
        question = scoped(question, subject.table.title, subject.rng)
        trial.keep(Candidate(BY, draft, question, Hop("table to text", passage, fact)), subject, judgement)
        asked.add(found)
