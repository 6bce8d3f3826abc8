"""The words that a document holds anywhere, and those of a question that it does not."""

import re
from collections.abc import Iterable, Sequence

from agent.offline.arithmetic.question import ArithmeticQuestion
from tools.text import tokens
from tools.whole_documents import WholeTable

__all__ = ["Vocabulary"]

STEM = 5
"""First letters that make two words alike: "operating" and "operation"."""
CURRENCIES = {
    "EUR": r"€|\beur(?:os?)?\b",
    "USD": r"\$|\busd|\bdollars?\b",
    "GBP": r"£|\bgbp|\bpounds?\b|\bsterling\b",
    "JPY": r"¥|\bjpy|\byen\b",
    "CHF": r"\bchf|\bfrancs?\b",
}
"""How each is written; a dollar may be any."""


class Vocabulary:
    """All words of a document: its tables with headers, titles and source, and its texts."""

    def __init__(self, tables: Sequence[WholeTable], texts: Iterable[str]) -> None:
        known = [*_of_tables(tables), *texts]
        self._stems = {w[:STEM] for text in known for w in tokens(text)}
        self._currencies = _currencies(" ".join(known))

    def lacking(self, question: ArithmeticQuestion) -> list[str]:
        """Return the words of a question, in alphabetical order, and the currencies that the document holds nowhere.

        A document without any currency lacks none.
        """
        asked = _currencies(question.text)
        written = {w for w in question.words if _currencies(w)}
        words = sorted(w for w in question.words - written if w[:STEM] not in self._stems)
        return words + sorted(asked - self._currencies if self._currencies else ())


def _currencies(text: str) -> set[str]:
    return {code for code, written in CURRENCIES.items() if re.search(written, text, re.IGNORECASE)}


def _of_tables(tables: Sequence[WholeTable]) -> Iterable[str]:
    for table in tables:
        schema = table.table_schema
        yield f"{schema.title} {schema.source}"
        yield from (part for c in schema.columns for part in (*c.path, c.header, c.unit, c.scale))
        yield from (cell for row in table.printed for cell in row)
