"""A question's mentions of years, decades, months, days and periods in a date column."""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence

from tablerag.agent.offline.mention import Mention, QuestionWords
from tablerag.agent.offline.program import Condition
from tablerag.agent.offline.table_view import ColumnView
from tablerag.tools.linking.keys import key_of
from tablerag.tools.number_words import is_year

__all__ = ["days_in", "decades"]

MONTHS = "january february march april may june july august september october november december".split()
MONTH_OF = {m: i + 1 for i, m in enumerate(MONTHS)} | {m[:3]: i + 1 for i, m in enumerate(MONTHS) if m != "may"}
DECADE = re.compile(r"\b(1[0-9]|20)?(\d)0'?s\b")


def days_in(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Yield the mentions of a date column."""
    yield from _years(question, column)
    if not column.is_partial:
        yield from _months(question, column)
        yield from _spans(question, column)


def _years(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    yield from decades(question, column, column.name)
    for start, end, value in question.numbers:
        year = int(value)
        if is_year(value):
            if year in column.years:
                of_year = ("starts", (str(year),)) if column.is_partial else ("year", (year,))
                yield Mention(start, end, Condition(column.name, *of_year), 0.9, "year")
            yield Mention(start, end, Condition(column.name, ">", (f"{year}-12-31",)), 0.3, "compare")
            yield Mention(start, end, Condition(column.name, "<", (f"{year}-01-01",)), 0.3, "compare")
            yield Mention(start, end, Condition(column.name, ">=", (f"{year}-01-01",)), 0.3, "compare")
            yield Mention(start, end, Condition(column.name, "<=", (f"{year}-12-31",)), 0.3, "compare")
    years = [(a, b, int(v)) for a, b, v in question.numbers if is_year(v)]
    for (a, _, low), (_, b, high) in zip(years, years[1:], strict=False):
        if low < high:
            span = (f"{low}-01-01", f"{high}-12-31")
            yield Mention(a, b, Condition(column.name, "between", span), 0.35, "compare")


def decades(question: QuestionWords, column: ColumnView, name: str) -> Iterator[Mention]:
    """Yield decades and centuries: "the 1990s", "the 80s", "the 1800s"."""
    for found in DECADE.finditer(question.text):
        start = len(key_of(question.text[: found.start()]).split())
        low = int((found[1] or "19") + found[2] + "0")
        high = low + (99 if found[1] and found[2] == "0" and low < 2000 else 9)
        ends: tuple[str | float, ...] = (f"{low}-01-01", f"{high}-12-31") if column.is_date else (low, high)
        yield Mention(start, start + 1, Condition(name, "between", ends), 0.8, "decade")


def _months(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    texts = [str(v) for v in column.cells if v is not None]
    present = {int(v[5:7]) for v in texts}
    for i, word in enumerate(question.words):
        month = MONTH_OF.get(word)
        if month and (word != "may" or i and question.words[i - 1] in ("in", "of", "during", "since")):
            if month in present:
                yield Mention(i, i + 1, Condition(column.name, "month", (month,)), 0.8, "month")
            yield from _days(question, column, i, month, texts)


def _days(
    question: QuestionWords, column: ColumnView, place: int, month: int, texts: Sequence[str]
) -> Iterator[Mention]:
    """Yield days beside a month's name, as in "after July 6": of the year mentioned, else the column's only year."""
    near = [(a, b, int(v)) for a, b, v in question.numbers if v <= 31 and (a == place + 1 or b == place)]
    years = [(a, b, int(v)) for a, b, v in question.numbers if is_year(v)]
    if not near or len(column.years) > 1 and not years:
        return
    start, end, day = near[0]
    year = years[0][2] if years else next(iter(column.years), 0)
    iso = f"{year:04}-{month:02}-{day:02}"
    low, high = min(start, place), max(end, place + 1)
    if iso in texts:
        yield Mention(low, high, Condition(column.name, "=", (iso,)), 0.95, "number")
    for operator in (">", "<", ">=", "<="):
        yield Mention(low, high, Condition(column.name, operator, (iso,)), 0.3, "compare")


def _spans(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Yield periods of whole months: "between March and May", "from June to August 2023"."""
    months = [(i, MONTH_OF[w]) for i, w in enumerate(question.words) if w in MONTH_OF]
    years = [(a, b, int(v)) for a, b, v in question.numbers if is_year(v)]
    if not column.years or len(column.years) > 1 and not years:
        return
    latest = "23:59:59" if column.column.type == "datetime" else ""
    for (start, first), (end, last) in zip(months, months[1:], strict=False):
        low = high = years[0][2] if years else next(iter(column.years))
        if len(years) > 1:
            high = years[1][2]
        if (low, first) >= (high, last):
            continue
        begun, ended = f"{low}-{first:02}-01", f"{high}-{last:02}-{monthrange(high, last)[1]} {latest}".strip()
        stop = max([end + 1, *(b for a, b, _ in years if a == end + 1)])
        yield Mention(start, stop, Condition(column.name, "between", (begun, ended)), 0.85, "month")
