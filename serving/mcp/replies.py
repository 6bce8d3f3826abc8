"""What the MCP tools return; the docstrings of the fields are the descriptions in the output schemas."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from tablerag.agent.reasoning import Verdict
from tablerag.tools.records import Cell, ColumnType

__all__ = [
    "AskReply",
    "AskedBack",
    "DescribedColumn",
    "DescribedTable",
    "FoundPassage",
    "ListedTable",
    "OtherTable",
    "Passages",
    "Quote",
    "ReadingOffered",
    "Reply",
    "ReplyTable",
    "SqlRows",
    "Tables",
    "schema",
]


class Reply(BaseModel):
    """A part of a tool's result."""

    model_config = ConfigDict(extra="ignore", use_attribute_docstrings=True)


class Quote(Reply):
    """The source of a part of an answer."""

    source: str
    """The document."""
    locator: str
    """The place in it: a page, a sheet with its cells, a heading."""
    quote: str
    table: str
    """The SQL name of the table; "" for text."""
    row_ids: list[int]
    """_row_id of the first rows cited; empty for a whole table and for text."""


class ReplyTable(Reply):
    """The rows behind an answer."""

    columns: list[str]
    """The document's headers with units."""
    rows: list[list[Cell]]
    """At most 50 rows."""
    row_count: int
    truncated: bool
    """Whether there are more rows than row_count."""


class ReadingOffered(Reply):
    """One thing that the question may mean, with its result."""

    meaning: str
    text: str
    """The result as people read it."""
    value: Cell
    unit: str
    scale: str
    sql: str
    """The statement; "" if the result is from text."""


class OtherTable(Reply):
    """What the statement of an answer gives over another table that has its columns."""

    table: str
    title: str
    source: str
    answer: str
    sql: str


class AskedBack(Reply):
    """A question to the user."""

    question: str
    choices: list[str]


class AskReply(Reply):
    """An answer, or why there is none."""

    corpus: str
    answer: str
    """The answer as people read it, or a sentence that there is none."""
    found: bool
    """False if there is no sure answer: see readings, ask and cause."""
    verdict: Verdict
    """agree or conflict: whether the SQL result and the text say the same; sql_only, text_only; none: no answer."""
    value: Cell
    """The computed value; null if there are several, or if the answer is from text."""
    unit: str
    """The unit of value, such as EUR or %."""
    scale: str
    """What value is counted in, such as thousand; "" for ones."""
    explanation: str
    assumption: str
    """Which of several readings the answer takes; "" if there is only one."""
    alternatives: list[OtherTable]
    """What the same statement gives over other tables that have its columns."""
    cause: str
    """Why there is no answer: table_not_found, value_not_found, no_rows, unsure and others; "" if there is one."""
    sql: list[str]
    """The statements that ran."""
    table: ReplyTable | None
    citations: list[Quote]
    readings: list[ReadingOffered]
    """If not sure which is meant: what the question may mean, likeliest first. Show them to the user, and ask again in
    the words of the one chosen."""
    ask: AskedBack | None
    """A question for the user, whose reply has to be part of the next call's question."""
    model: str
    """Who answered; offline is the embedded reasoner."""


class ListedTable(Reply):
    """A table in a list."""

    name: str
    """The SQL name."""
    title: str
    source: str
    """The document."""
    locator: str
    rows: int
    columns: int


class Tables(Reply):
    """A page of the tables of a corpus."""

    corpus: str
    corpora: list[str]
    """The sets of documents that corpus may name."""
    total: int
    """The number of matching tables."""
    offset: int
    tables: list[ListedTable]
    next_offset: int | None
    """The offset of the next page; null at the end."""


class DescribedColumn(Reply):
    """A column of a table."""

    name: str
    """The SQL name."""
    header: str
    """The header in the document."""
    type: ColumnType
    kind: str
    """What its cells are, such as money, percent or year; "" for other numbers and texts."""
    unit: str
    scale: str
    """What its numbers are counted in: they are stored as printed."""
    description: str
    """What it means, if anybody or a model has said so."""
    examples: list[str]
    """Values as they are stored."""
    unfit: int
    """Cells that do not match the type."""
    companions: list[str]
    """Columns with its original text, or the ends of its ranges."""


class DescribedTable(Reply):
    """A table with its columns."""

    corpus: str
    name: str
    title: str
    source: str
    locator: str
    row_count: int
    columns: list[DescribedColumn]
    hidden_columns: list[str]
    """Further columns that a statement may name; * omits them."""
    members: list[str]
    """The tables that it unites; empty for others."""
    warnings: list[str]


class SqlRows(Reply):
    """The result of a statement."""

    corpus: str
    sql: str
    """The statement that ran."""
    columns: list[str]
    rows: list[list[Cell]]
    """Dates are ISO 8601 texts, integers beyond 2^53 are texts."""
    truncated: bool
    """Whether there are more rows than these."""
    cut: list[str]
    """What was left out, one sentence each; empty if nothing."""
    empty_because: str
    """Why it found nothing; "" if it found something."""
    tables: list[str]
    sources: list[str]
    """The documents of these tables."""


class FoundPassage(Reply):
    """A passage of a document."""

    source: str
    """The document."""
    locator: str
    title: str
    text: str
    """Text, or a part of a table as Markdown."""
    table: str
    """The SQL name of its table; "" for text."""
    cut: bool
    """Whether the text is longer."""


class Passages(Reply):
    """Passages, best first."""

    corpus: str
    passages: list[FoundPassage]


def schema(kind: type[BaseModel], *, replies: bool) -> dict[str, Any]:
    """Return the JSON schema of arguments or of replies, without pydantic's titles."""
    return _untitled(kind.model_json_schema(mode="serialization" if replies else "validation"))


def _untitled(node: Any) -> Any:
    if isinstance(node, dict):
        return {k: _untitled(v) for k, v in node.items() if not (k == "title" and isinstance(v, str))}
    return [_untitled(n) for n in node] if isinstance(node, list) else node
