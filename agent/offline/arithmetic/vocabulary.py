"""The words that a document holds anywhere, and those of a question that it does not."""

from collections.abc import Iterable, Sequence

from agent.offline.arithmetic.question import ArithmeticQuestion
from tools.text import tokens
from tools.whole_documents import WholeTable

__all__ = ["Vocabulary"]

STEM = 5
"""First letters that make two words alike: "operating" and "operation"."""


class Vocabulary:
    """All words of a document: its tables with headers, titles and source, and its texts."""

    def __init__(self, tables: Sequence[WholeTable], texts: Iterable[str]) -> None:
        self._stems = {w[:STEM] for text in (*_of_tables(tables), *texts) for w in tokens(text)}

    def lacking(self, question: ArithmeticQuestion) -> list[str]:
        """Return the words of a question, in alphabetical order, that the document holds nowhere."""
        return sorted(w for w in question.words if w[:STEM] not in self._stems)


def _of_tables(tables: Sequence[WholeTable]) -> Iterable[str]:
    for table in tables:
        schema = table.table_schema
        yield f"{schema.title} {schema.source}"
        yield from (part for c in schema.columns for part in (*c.path, c.header, c.unit, c.scale))
        yield from (cell for row in table.printed for cell in row)
