"""An answer with its SQL, rows, citations and steps."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field

from tablerag.agent.events import Conflict
from tablerag.agent.presentation import Presented
from tablerag.agent.presenting.series import Chart
from tablerag.agent.presenting.table import AnswerTable
from tablerag.agent.reasoning import Usage, Verdict
from tablerag.tools.records import Cell, Citation, Receipt, Record, SqlResult, SupportingRows

__all__ = ["Answer", "AnswerEvent", "Reading", "Step"]


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
    presented: Presented | None = None
    """The result as it is shown: with headers, units and chart data."""
    intermediate_answer: str = ""
    verdict: Verdict
    reason: str = ""
    agreement: str = ""
    """How many of several statements gave the result."""
    doubt: str = ""
    """What the statement seems to leave out of the question; "" if nothing."""
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


class Reading(Record):
    """One way to read a question without a sure answer; ``str()`` gives what it computes and its result.

    >>> answer = rag.ask("What is the total?")
    >>> answer.readings[0].meaning
    'Total of Revenue (EUR) over 4 rows of "Revenue and cost by quarter"'
    """

    model_config = ConfigDict(extra="ignore")

    meaning: str
    """What it computes, in the document's words."""
    sql: str
    text: str
    """Its result: a value with its unit, or the first rows."""
    value: Cell = None
    """The only cell of the result; None if it has more."""
    unit: str = ""
    scale: str = ""
    columns: tuple[str, ...] = ()
    """The document's headers, with units."""
    rows: tuple[tuple[Cell, ...], ...] = ()
    """The first 10 rows of the result, as they are stored."""
    texts: tuple[tuple[str, ...], ...] = ()
    """The same as people read them."""
    numeric: tuple[bool, ...] = ()
    row_count: int = 0
    listed: bool = True
    """Whether ``text`` has all values."""
    citation: Citation | None = None
    """The sentence, if the reading is of text; ``sql`` is "" then."""

    def __str__(self) -> str:
        return f"{self.meaning}: {self.text}"


class Alternative(Record):
    """What the statement of an answer gives over another table."""

    model_config = ConfigDict(extra="ignore")

    table: str
    title: str
    source: str
    answer: str
    sql: str


class AskBack(Record):
    """A question back to the user, with what it may be answered by."""

    question: str
    choices: tuple[str, ...] = ()


class Answer(Record):
    """An answer; ``str()`` gives its text.

    >>> answer = rag.ask("What is the total quantity of all orders?")
    >>> print(answer)
    6,577 kg
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
    """The answer as people read it: "EUR 1,774,500", a Markdown table of several rows, or a sentence that there is
    none."""
    verdict: Verdict
    """agree | conflict | sql_only | text_only | none: whether the SQL result and the text agree."""
    explanation: str
    cause: str = ""
    """Why there is no answer: table_not_found | value_not_found | sql_failed | no_rows | empty_table |
    text_column | table_lost | unsure | not_in_tables; "" if there is one."""
    conflict_cause: Conflict = Conflict()
    """Why SQL and text differ."""
    assumption: str = ""
    """Which of several readings the answer takes; "" if there is only one."""
    alternatives: tuple[Alternative, ...] = ()
    """What the same statement gives over other tables that have its columns."""
    ask: AskBack | None = None
    """A question back to the user, if there is no answer before it is answered."""
    readings: tuple[Reading, ...] = ()
    """What the question may mean if there is no answer, likeliest first, at most three: ``rag.choose()`` runs one."""
    value: Cell = None
    """The computed value that the answer states, a number or a text; None if there are several, or it is from text."""
    unit: str = ""
    """The unit of ``value``: "EUR", "kg", "%"; "" if unknown."""
    scale: str = ""
    """What ``value`` is counted in: "thousand", "million"; "" for ones."""
    table: AnswerTable | None = None
    """The SQL result behind the answer; None if the answer is from text alone."""
    chart: Chart | None = None
    """The result as chart data, if it is a series."""
    sql: tuple[str, ...]
    """The statements that ran, in order, in MySQL's dialect."""
    citations: tuple[Citation, ...]
    steps: tuple[Step, ...]
    iterations: int
    stopped_by: Literal["answered", "iteration_limit", "budget", "no_evidence"]
    model: str
    """The reasoner that answered; ``offline`` is the embedded one."""
    usage: Usage
    """Model calls and their tokens."""

    def __str__(self) -> str:
        return self.text

    @property
    def found(self) -> bool:
        """Whether there is an answer; also true for replies to small talk."""
        return self.verdict != "none" or (not self.iterations and self.stopped_by == "answered")

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
