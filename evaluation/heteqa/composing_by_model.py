"""Composes questions with a chat model; its programs are run, and its quotes are checked word for word."""

import logging
import re
from collections import Counter
from collections.abc import Callable

from pydantic import ValidationError

from tablerag.agent.model.replies import read_reply
from tablerag.evaluation.heteqa.building import Composer
from tablerag.evaluation.heteqa.candidates import Candidate, Hop, Subject, Trial
from tablerag.evaluation.heteqa.draft import OPERATIONS, Draft, Operation
from tablerag.evaluation.heteqa.facts import Fact, facts_of
from tablerag.evaluation.heteqa.prompts import ComposedQuestion, ComposedReply, compose_prompt
from tablerag.evaluation.heteqa.sources import Passage
from tablerag.tools.errors import ReplyInvalid

__all__ = ["by_model"]

LOG = logging.getLogger(__name__)
SHOWN_PASSAGES = 6
TRIES = 2
KIND = "model"
PRESUMES = re.compile(r"\bhow (?:much|many)\b", re.IGNORECASE)
LEAST_STEPS = 2
"""Operations and text hop together; a single one is a look-up."""


def by_model(name: str, ask: Callable[[str], str]) -> Composer:
    """Return a composer that asks a model; ``ask`` sends one prompt and returns the reply, or raises ModelUnavailable.

    After two unreadable replies, the table is skipped with a warning.
    """

    def compose(subject: Subject, trial: Trial, wanted: int, used: Counter[str]) -> int:
        before = len(trial.kept)
        passages = _shown(subject)
        prompt = compose_prompt(subject.schema, subject.table.title, subject.cells, passages, wanted)
        for entry in _questions(name, ask, prompt, subject):
            try:
                composed = ComposedQuestion.model_validate(entry)
            except ValidationError as error:
                _reject_form(entry, name, subject, trial, str(error.errors()[0]["msg"]))
                continue
            _try(composed, name, subject, trial, passages)
        used[KIND] += len(trial.kept) - before
        return len(trial.kept) - before

    return compose


def _shown(subject: Subject) -> list[Passage]:
    """Draw the passages to show, first those with recognized facts."""
    passages = sorted(subject.linked.values(), key=lambda p: p.title)
    subject.rng.shuffle(passages)
    return sorted(passages, key=lambda p: not facts_of(p))[:SHOWN_PASSAGES]


def _questions(name: str, ask: Callable[[str], str], prompt: str, subject: Subject) -> list[dict[str, object]]:
    problem: ReplyInvalid | None = None
    for _ in range(TRIES):
        asked = prompt if problem is None else f"{prompt}\n\nYour last reply could not be read: {problem}"
        try:
            return read_reply(ask(asked), ComposedReply).questions
        except ReplyInvalid as error:
            problem = error
    LOG.warning("skipped %s: no readable reply from %s: %s", subject.record.source, name, problem)
    return []


def _reject_form(entry: dict[str, object], name: str, subject: Subject, trial: Trial, detail: str) -> None:
    texts = {k: str(entry.get(k) or "") for k in ("question", "sql", "pandas")}
    draft = Draft(KIND, texts["question"], (), texts["sql"], texts["pandas"])
    trial.reject(Candidate(name, draft, texts["question"]), subject, "form", detail)


def _try(composed: ComposedQuestion, name: str, subject: Subject, trial: Trial, passages: list[Passage]) -> None:
    operations: tuple[Operation, ...] = tuple(o for o in OPERATIONS if o in {w.lower() for w in composed.operations})
    draft = Draft(KIND, composed.question, operations, composed.sql.rstrip("; \n"), composed.pandas)
    plain = Candidate(name, draft, composed.question)
    if len(operations) + (composed.passage is not None) < LEAST_STEPS:
        given = ", ".join(composed.operations) or "none"
        trial.reject(plain, subject, "form", f"takes only one step (operations: {given}): expected two of {OPERATIONS}")
        return
    judgement = trial.judged(draft, subject)
    if not judgement.kept:
        trial.reject(plain, subject, judgement.reason, judgement.detail)
        return
    if isinstance(judgement.value, (int, float)) and judgement.value < 0 and PRESUMES.search(composed.question):
        trial.reject(plain, subject, "form", f"the question expects a positive number, but finds {judgement.value}")
        return
    if composed.passage is None:
        trial.keep(plain, subject, judgement)
        return
    hop, problem = _hop(composed, passages, str(judgement.value))
    if hop is None:
        trial.reject(plain, subject, "passage", problem)
    else:
        trial.keep(Candidate(name, draft, composed.question, hop), subject, judgement)


def _hop(composed: ComposedQuestion, passages: list[Passage], found: str) -> tuple[Hop | None, str]:
    """Return the text hop, or why it is rejected: what the model says about the passage is checked."""
    passage = next((p for p in passages if p.title.casefold() == str(composed.passage).casefold()), None)
    said = (composed.text_answer or "").strip()
    if passage is None:
        return None, f"no passage has the title {composed.passage!r}"
    if not said or said not in passage.text:
        return None, f"the passage {passage.title!r} does not say {said!r}"
    fact = Fact("quoted", "", said, passage.text[:300])
    if composed.direction == "table to text":
        if found.casefold() != passage.title.casefold():
            return None, f"SQL found {found!r}, but the passage is about {passage.title!r}"
        return Hop("table to text", passage, fact), ""
    if composed.direction == "text to table":
        if passage.title.casefold() in composed.question.casefold():
            return None, "the question contains the name that only the passage should reveal"
        if passage.title.casefold() not in composed.sql.casefold():
            return None, f"the SQL does not filter by {passage.title!r}"
        return Hop("text to table", passage, fact), ""
    return None, f"invalid direction {composed.direction!r}: expected table to text, or text to table"
