"""Tries candidates: runs their programs and records each as a question or a rejection."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tablerag.evaluation.heteqa.agreement import Judgement, judge, shown
from tablerag.evaluation.heteqa.draft import Draft
from tablerag.evaluation.heteqa.executing import Executor
from tablerag.evaluation.heteqa.facts import Fact
from tablerag.evaluation.heteqa.records import (
    BridgeRecord,
    Decision,
    HeteQuestion,
    HopDirection,
    Rejection,
    TableRecord,
)
from tablerag.evaluation.heteqa.roles import Roles
from tablerag.evaluation.heteqa.sources import Passage
from tablerag.evaluation.heteqa.tables import ChosenTable
from tablerag.tools.records import Cell, TableSchema

__all__ = ["Hop", "Candidate", "Subject", "Trial"]

DECIMALS = 2
SAID_DECIMALS = re.compile(r"\b(one|two|three|four|[0-4]) decimal|\b(whole|integer|round)", re.IGNORECASE)
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4}


@dataclass(frozen=True, slots=True)
class Hop:
    """A text hop: its direction, the passage, and the fact in it."""

    direction: HopDirection
    passage: Passage
    fact: Fact


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft with its full question, and its text hop if it has one."""

    by: str
    draft: Draft
    question: str
    hop: Hop | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """The table that questions are about, and its linked passages by cell."""

    table: ChosenTable
    record: TableRecord
    schema: TableSchema
    cells: Mapping[str, Sequence[Cell]]
    """The stored columns by SQL name, in the document's row order."""
    roles: Roles
    domain: str
    linked: dict[str, Passage]
    rng: random.Random


@dataclass(slots=True)
class Trial:
    """Tries candidates and collects the kept questions and the rejections."""

    executor: Executor
    kept: list[HeteQuestion] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    passages: dict[str, Passage] = field(default_factory=dict)
    """The passages that kept questions need, by title."""
    _asked: set[tuple[str, str]] = field(default_factory=set)

    def judged(self, draft: Draft, subject: Subject) -> Judgement:
        """Run a draft's programs and judge their results; too few rows and repeated SQL are rejected as well."""
        key = (subject.schema.name, draft.sql)
        if key in self._asked:
            return Judgement(reason="twice")
        self._asked.add(key)
        if any(self.executor.rows_of(rows) < 2 for rows in draft.over):
            return Judgement(reason="few")
        return judge(self.executor.execute(draft.sql, draft.pandas))

    def reject(self, candidate: Candidate, subject: Subject, reason: str, detail: str = "") -> None:
        """Log a rejected candidate."""
        draft = candidate.draft
        about = {"kind": draft.kind, "question": candidate.question, "sql": draft.sql, "pandas": draft.pandas}
        self.rejected.append(Rejection(table=subject.record.source, **about, reason=reason, detail=detail))

    def keep(self, candidate: Candidate, subject: Subject, judgement: Judgement) -> None:
        """Record a candidate whose programs agree."""
        draft, hop = candidate.draft, candidate.hop
        question = candidate.question
        decimals = _decimals(question)
        found = shown(judgement.value, DECIMALS if decimals is None else decimals)
        answer = hop.fact.value if hop and hop.direction == "table to text" else found
        is_rounded = isinstance(judgement.value, float) and not judgement.value.is_integer()
        if is_rounded and answer == found and decimals is None:
            question = f"{question.rstrip('?')}, rounded to two decimals?"
        log = [
            Decision(by=candidate.by, did="composed", detail=draft.kind),
            Decision(by="executions", did="agreed", detail=f"SQL and pandas both found {found}; unique, not tied"),
        ]
        if hop:
            self.passages[hop.passage.title] = hop.passage
            log.append(Decision(by=candidate.by, did="linked", detail=f"{hop.direction}: {hop.passage.title}"))
        self.kept.append(
            HeteQuestion(
                id=f"heteqa-{len(self.kept) + 1:04d}",
                question=question,
                answer=answer,
                operations=draft.operations,
                kind=draft.kind,
                domain=subject.domain,
                tables=(subject.record,),
                bridge=_bridge_record(hop),
                sql=draft.sql,
                pandas=draft.pandas,
                sql_result=judgement.value,
                pandas_result=judgement.by_pandas,
                log=tuple(log),
            )
        )


def _decimals(question: str) -> int | None:
    """Return the number of decimals that a question asks for; None if it does not say."""
    said = SAID_DECIMALS.search(question)
    if said is None:
        return None
    if said[1] is None:
        return DECIMALS if said[2].casefold() == "round" else 0
    return NUMBERS.get(said[1].casefold()) or int(said[1])


def _bridge_record(hop: Hop | None) -> BridgeRecord | None:
    if hop is None:
        return None
    fact = hop.fact
    # The passage's document is only known once all passages are written.
    return BridgeRecord(
        direction=hop.direction, passage="", title=hop.passage.title, fact=fact.kind, value=fact.value, quote=fact.quote
    )
