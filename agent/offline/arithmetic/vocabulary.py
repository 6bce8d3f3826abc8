"""The words of a document, and those of a question that it does not contain."""

import re
from collections.abc import Iterable, Sequence

from tablerag.agent.offline.arithmetic.question import ArithmeticQuestion
from tablerag.tools.number_words import MONEY, currency_code
from tablerag.tools.text import tokens
from tablerag.tools.whole_documents import WholeTable

__all__ = ["Vocabulary"]

STEM = 5
"""Words that share this many first letters count as one: "operating" and "operation"."""
MONEY_OF = re.compile(rf"(?<!\w){MONEY}|\b(?:pounds?|francs?)\b", re.IGNORECASE)
AS_MONEY = {"pound": "GBP", "pounds": "GBP", "franc": "CHF", "francs": "CHF"}
"""What these mean in a report of amounts."""


class Vocabulary:
    """All words of a document: of its tables, headers, titles, source and texts."""

    def __init__(self, tables: Sequence[WholeTable], texts: Iterable[str] | None) -> None:
        """``texts`` is None if the document's texts were not read."""
        known = [*_of_tables(tables), *(texts or ())]
        self._stems = {w[:STEM] for text in known for w in tokens(text)}
        self._currencies = _currencies(" ".join(known))
        self._whole = texts is not None

    def lacking(self, question: ArithmeticQuestion) -> list[str]:
        """Return the question's words, in alphabetical order, and currencies that the document does not contain.

        Without the document's texts, only check names. A document without any currency lacks none.
        """
        asked = _currencies(question.text)
        looked_for = question.words if self._whole else question.names
        words = sorted(w for w in looked_for if w[:STEM] not in self._stems and not _currencies(w))
        return words + sorted(asked - self._currencies if self._currencies else ())


def _currencies(text: str) -> set[str]:
    found = {m[0].casefold() for m in MONEY_OF.finditer(text)}
    return {AS_MONEY.get(word) or currency_code(word) for word in found}


def _of_tables(tables: Sequence[WholeTable]) -> Iterable[str]:
    for table in tables:
        schema = table.table_schema
        yield f"{schema.title} {schema.source} {schema.locator}"
        yield from (part for c in schema.columns for part in (*c.path, c.header, c.unit, c.scale))
        yield from (cell for row in table.printed for cell in row)
