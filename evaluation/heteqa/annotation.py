"""Records the annotator's decisions: accept, fix or discard, each logged and saved at once; they can be undone."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tablerag.evaluation.heteqa.records import QUESTIONS, Decision, HeteQuestion, Status, read_questions, write_lines
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Cell

__all__ = ["Annotations"]

BY, UNDID = "annotator", "undid"


def _now() -> str:
    return datetime.now(UTC).isoformat()


class Annotations:
    """The questions of one build folder; every decision is saved immediately."""

    def __init__(self, folder: Path, now: Callable[[], str] = _now) -> None:
        self._path = folder / QUESTIONS
        self._now = now
        self._questions = read_questions(self._path)
        if not self._questions:
            raise ConfigError(f"{self._path}: contains no questions: build again with more tables")

    @property
    def questions(self) -> Sequence[HeteQuestion]:
        """All questions, in the file's order."""
        return self._questions

    def counts(self) -> dict[Status, int]:
        """Return the number of questions by status."""
        counted = Counter(q.status for q in self._questions)
        return {s: counted[s] for s in ("pending", "accepted", "fixed", "discarded")}

    def next_pending(self, after: int = -1) -> int | None:
        """Return the index of the first undecided question after an index, or None."""
        found = (i for i, q in enumerate(self._questions) if i > after and q.status == "pending")
        return next(found, None)

    def accept(self, place: int) -> None:
        """Keep a question as it is."""
        self._decide(place, "accepted")

    def fix(self, place: int, question: str, answer: str, sql: str = "", found: Cell = None) -> None:
        """Keep a question with a changed text or answer; neither may be blank.

        ``sql`` replaces its SQL, whose result is ``found``; the pandas program stays as it is.
        """
        if not question.strip() or not answer.strip():
            raise ConfigError("question and answer must not be blank: enter both, or discard the question")
        program = {"sql": sql, "sql_result": found} if sql else {}
        self._decide(place, "fixed", question=question.strip(), answer=answer.strip(), **program)

    def discard(self, place: int, reason: str = "") -> None:
        """Remove a question from the benchmark."""
        self._decide(place, "discarded", detail=reason)

    def undo(self) -> int | None:
        """Undo the last decision, also of an earlier session; return its question's index, or None."""
        stacks = {i: s for i, q in enumerate(self._questions) if (s := _standing(q))}
        if not stacks:
            return None
        place = max(stacks, key=lambda i: stacks[i][-1].at)
        last = stacks[place][-1]
        undone = Decision(by=BY, did=UNDID, detail=last.did, at=self._now())
        self._replace(place, (last.was or {}) | {"log": (*self._questions[place].log, undone)})
        return place

    def _decide(self, place: int, status: Status, detail: str = "", **changed: Cell) -> None:
        before = self._questions[place]
        was = {k: getattr(before, k) for k in dict.fromkeys(("status", "question", "answer", *changed))}
        decision = Decision(by=BY, did=status, detail=detail, at=self._now(), was=was)
        self._replace(place, changed | {"status": status, "log": (*before.log, decision)})

    def _replace(self, place: int, changed: Mapping[str, object]) -> None:
        self._questions[place] = self._questions[place].model_copy(update=changed)
        write_lines(self._path, self._questions)


def _standing(question: HeteQuestion) -> list[Decision]:
    """Return the decisions on a question that have not been undone, oldest first."""
    stack: list[Decision] = []
    for decision in question.log:
        if decision.by != BY:
            continue
        if decision.did == UNDID and stack:
            stack.pop()
        elif decision.did != UNDID:
            stack.append(decision)
    return stack
