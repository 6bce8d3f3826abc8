"""Mentions by a column's header alone: that its cells are filled, true or zero, or that they are not."""

from collections.abc import Iterator

from tablerag.agent.offline.linking import same_word
from tablerag.agent.offline.mention import Mention, QuestionWords
from tablerag.agent.offline.program import Condition
from tablerag.agent.offline.table_view import ColumnView
from tablerag.tools.text import singular

__all__ = ["mentions_of_header"]

EMPTY_MARKS = ("-", "–", "—", "n/a", "none", "None", "N/A")
NEGATING = ("un", "in", "non", "not")
"""Prefixes that negate: "unpaid", "inactive"."""
NONE_OF = ("no", "without", "zero", "out")
COVERED = 0.5
"""Share of a header's words that the question must contain."""


def mentions_of_header(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Yield what a column's name may say about its cells."""
    yield from _emptiness(question, column)
    if column.column.type == "boolean":
        yield from _flags(question, column)
    elif column.is_number and 0 in column.cells:
        yield from _zero(question, column)


def _names(word: str, column: ColumnView) -> bool:
    return any(same_word(singular(word), head) for head in column.words)


def _flags(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Yield mentions of a yes/no column: "shipped", "VIP", "not paid", "unpaid"."""
    words = list(enumerate(question.words))
    named = [i for i, word in words if _names(word, column)]
    prefixed = [(i, word, prefix) for i, word in words for prefix in NEGATING if word.startswith(prefix)]
    turned = [i for i, word, prefix in prefixed if _names(word.removeprefix(prefix), column)]
    spans = [("unflag", i, i + 1) for i in turned if i not in named]
    if len({question.words[i] for i in named}) >= COVERED * len(set(column.words)) and named:
        close = [i for i in named if i - named[0] < len(column.words)]
        spans += [(way, close[0], close[-1] + 1) for way in ("flag", "unflag")]
    for way, start, end in spans:
        meant = tuple(_spelled(column, true=way == "flag"))
        if meant:
            yield Mention(start, end, Condition(column.shown, "=", meant), 0.8, way)


def _spelled(column: ColumnView, *, true: bool) -> list[str | float]:
    """Return the cells' texts for yes or no."""
    cells = zip(column.cells, column.texts, strict=True)
    return sorted({t if isinstance(t, str) else int(true) for c, t in cells if c is not None and bool(c) == true})


def _zero(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Yield mentions of zero: "no fees", "out of stock"."""
    for i, word in enumerate(question.words):
        before = question.words[max(0, i - 2) : i]
        if _names(word, column) and any(w in NONE_OF for w in before):
            yield Mention(i, i + 1, Condition(column.name, "=", (0.0,)), 0.6, "zero")
            return


def _emptiness(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Yield that cells are filled or empty, for a column that has empty cells."""
    dash = next((t for t in column.texts if t in EMPTY_MARKS), None)
    if None not in column.texts and dash is None:
        return
    i = next((i for i, word in enumerate(question.words) if _names(word, column)), None)
    if i is None:
        return
    filled, empty = ("<>", "=") if dash is not None else ("filled", "empty")
    values = (str(dash),) if dash is not None else ()
    yield Mention(i, i + 1, Condition(column.shown, filled, values), 0.35, "filled")
    yield Mention(i, i + 1, Condition(column.shown, empty, values), 0.35, "empty")
