"""The entries of a knowledge file, each with its line."""

from tablerag.tools.records import Record

__all__ = ["ConfirmedEntry", "Knowledge", "MetricEntry", "TableEntry", "WordEntry"]


class WordEntry(Record):
    """A word or phrase and what it means: an abbreviation, or other words for the same."""

    word: str
    means: tuple[str, ...]
    is_term: bool
    """Whether it was listed under ``terms``: its meaning explains it, and is not only another word."""
    line: int


class MetricEntry(Record):
    """A figure that is computed in one way only: an expression over aggregates of one table."""

    name: str
    table: str
    """The name of the table, its title, or the name of its file."""
    expression: str
    """SQL in MySQL's dialect; columns by name or by header."""
    unit: str = ""
    line: int


class TableEntry(Record):
    """What is to be known of one table."""

    table: str
    description: str = ""
    default_date: str = ""
    """The column of dates that a question means if it names none."""
    columns: dict[str, str] = {}
    """What columns and their codes mean, by name or by header."""
    exclude: str = ""
    """A condition; rows that meet it do not count unless a question is about its columns."""
    line: int
    lines: dict[str, int] = {}
    """The line of each field, and of each column as "columns NAME"."""


class ConfirmedEntry(Record):
    """A question, and the statement that a person has confirmed to answer it."""

    question: str
    sql: str
    """A SELECT in MySQL's dialect."""
    answer: str = ""
    """Its answer when it was confirmed."""
    tables: dict[str, str] = {}
    """The fingerprints of the tables that it read then, by SQL name."""
    excluded: dict[str, str] = {}
    """The conditions for rows of these tables that did not count then."""
    by: str = ""
    key: str = ""
    """The name of the API key that it was confirmed with, if it is not that of who did."""
    at: str = ""
    """The day, ISO 8601."""
    line: int


class Knowledge(Record):
    """All entries of one file; an empty one if the corpus has none."""

    file: str = ""
    words: tuple[WordEntry, ...] = ()
    metrics: tuple[MetricEntry, ...] = ()
    tables: tuple[TableEntry, ...] = ()
    confirmed: tuple[ConfirmedEntry, ...] = ()

    def place(self, line: int) -> str:
        """Return where an entry is: "knowledge.yaml, line 4"; a confirmed answer may only be in the corpus's copy."""
        is_confirmed = any(entry.line == line for entry in self.confirmed)
        return f"{self.file}{' as exported' * is_confirmed}, line {line}"

    def lacking(self, other: "Knowledge") -> list[str]:
        """Return what other knowledge has and this has not, as a person names it: "metric 'margin'"."""
        own, others = set(self._named()), other._named()
        return [f"{kind} {name!r}" for kind, name in dict.fromkeys(others) if (kind, name) not in own]

    def _named(self) -> list[tuple[str, str]]:
        named = [("term" if w.is_term else "synonym", w.word) for w in self.words]
        named += [("metric", m.name) for m in self.metrics]
        for table in self.tables:
            fields = [f"{table.table}: {field.removeprefix('columns ')}" for field in table.lines]
            named += [("entry of table", field) for field in fields] or [("table", table.table)]
        return named + [("confirmed answer", c.question) for c in self.confirmed]

    def __bool__(self) -> bool:
        return bool(self.words or self.metrics or self.tables or self.confirmed)
