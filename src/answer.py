"""An answer with its SQL, rows, citations and steps."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field

from tablerag.agent.events import Conflict
from tablerag.agent.reasoning import Usage, Verdict
from tablerag.tools.records import Cell, Citation, Receipt, Record, SqlResult, SupportingRows

__all__ = ["Answer", "AnswerEvent", "Step"]


class Step(Record):
    """One iteration: a subquery, its SQL with the result, and the intermediate answer with its verdict."""

    model_config = ConfigDict(extra="ignore")

    iteration: int
    subquery: str
    tables: tuple[str, ...] = ()
    """SQL names of the retrieved tables."""
    sql: str | None = None
    error: str | None = None
    """Why there is no SQL result."""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    """The first 50 rows of the result."""
    truncated: bool = False
    supporting: tuple[SupportingRows, ...] = ()
    receipt: Receipt | None = None
    intermediate_answer: str = ""
    verdict: Verdict
    reason: str = ""
    agreement: str = ""
    """How many of several statements gave the result."""
    approval: str = ""
    """approved | edited | rejected; "" if nobody was asked."""
    cause: str = ""
    cause_detail: str = ""
    conflict_cause: Conflict = Conflict()
    citations: tuple[Citation, ...] = ()

    @property
    def result(self) -> SqlResult | None:
        """The SQL result; None if no statement ran."""
        if not self.sql or self.error is not None:
            return None
        about = {"truncated": self.truncated, "receipt": self.receipt}
        return SqlResult(sql=self.sql, columns=self.columns, rows=self.rows, **about)


class Answer(Record):
    """An answer; ``str()`` gives its text.

    >>> answer = rag.ask("What is the total quantity of all orders?")
    >>> print(answer)
    6577
    >>> answer.value, answer.unit, answer.verdict
    (6577, 'kg', 'sql_only')
    >>> answer.sql
    ('SELECT SUM(`quantity_kg`) AS `result` FROM `orders`',)
    >>> answer.citations[0].source
    'orders.csv'
    """

    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    corpus: str
    question: str
    text: str = Field(alias="answer")
    """The answer, or a sentence that there is none."""
    verdict: Verdict
    """agree | conflict | sql_only | text_only | none: whether the SQL result and the text agree."""
    explanation: str
    cause: str = ""
    """Why there is no answer: table_not_found | value_not_found | sql_failed | no_rows | not_in_tables; "" if there
    is one."""
    conflict_cause: Conflict = Conflict()
    """Why SQL and text differ."""
    sql: tuple[str, ...]
    """The statements that ran, in order, in MySQL's dialect."""
    citations: tuple[Citation, ...]
    steps: tuple[Step, ...]
    iterations: int
    stopped_by: Literal["answered", "iteration_limit", "no_evidence"]
    model: str
    """The reasoner that answered; ``offline`` is the embedded one."""
    usage: Usage
    """Model calls and their tokens."""

    def __str__(self) -> str:
        return self.text

    @property
    def found(self) -> bool:
        """Whether there is an answer; also true for replies to small talk."""
        return self.verdict != "none" or not self.iterations

    @property
    def table(self) -> SqlResult | None:
        """The SQL result behind the answer; None if the answer is from text alone."""
        step = self._last
        return step.result if step and step.verdict != "text_only" else None

    @property
    def value(self) -> Cell:
        """The only cell of ``table``, a number or a text; None if it has more, or the answer is computed from it."""
        table = self.table
        if table is None or len(table.rows) != 1 or len(table.rows[0]) != 1:
            return None
        (cell,) = table.rows[0]
        return cell if _states(self.text, cell) else None

    @property
    def unit(self) -> str:
        """The unit of ``value``, scale first: "kg", "thousands $"; "" if unknown."""
        from tablerag.tools.sql.result_units import result_units

        table, step = self.table, self._last
        if table is None or step is None or self.value is None:
            return ""
        return next(iter(result_units(table.sql, step.supporting)), "")

    @property
    def _last(self) -> Step | None:
        """The step behind the answer."""
        return next((s for s in reversed(self.steps) if s.verdict != "none"), None)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``tablerag ask --json`` prints, as a dict.

        >>> rag.ask("How many orders were placed by Bar Aurora?").to_dict()["answer"]
        '15'
        """
        return self.model_dump(mode="json", by_alias=True)

    def to_json(self) -> str:
        """Return what ``tablerag ask --json`` prints.

        >>> saved = rag.ask("How many orders were placed by Bar Aurora?").to_json()
        >>> Answer.from_json(saved).text
        '15'
        """
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Answer":
        """Read what ``to_json()`` or ``tablerag ask --json`` wrote; raise pydantic's ValidationError for anything else.

        >>> Answer.from_json(rag.ask("How many orders were placed by Bar Aurora?").to_json()).model
        'offline'
        """
        return cls.model_validate_json(text)

    @classmethod
    def of_outcome(cls, outcome: Mapping[str, Any], corpus: str) -> "Answer":
        """Return the answer in the graph's output."""
        return cls.model_validate({**outcome, "corpus": corpus})


class AnswerEvent(Record):
    """The last event of a stream."""

    type: Literal["answer"] = "answer"
    answer: Answer


def _states(text: str, cell: Cell) -> bool:
    """Return whether a text states a cell's number, in digits or, without any number, in words."""
    from tablerag.agent.model.grounding import numbers_in, strays
    from tablerag.agent.stated_numbers import stated_numbers

    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return True
    unknown = strays(text, numbers_in([str(cell)]))
    return len(unknown) < max(1, len(stated_numbers(text)))
