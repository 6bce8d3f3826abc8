"""A question's mentions of stored values, numbers and years, each as a condition on a column."""

from collections.abc import Iterator, Sequence

from tablerag.agent.offline.mention import ORDINAL_OF, Mention, QuestionWords
from tablerag.agent.offline.program import Condition, Operator
from tablerag.agent.offline.table_view import ColumnView, TableView
from tablerag.agent.offline.word_lists import named_words
from tablerag.tools.linking.keys import COMMON
from tablerag.tools.linking.matching import best_matches
from tablerag.tools.number_words import is_year
from tablerag.tools.records import ValueHint

__all__ = ["mentions_in"]

OUTCOMES = named_words("outcomes")
"""Words for results, with the abbreviations that tables use."""
MOST_PHRASE_WORDS = 4
MOST_CONTAINED = 0.9


def mentions_in(question: QuestionWords, view: TableView, hints: Sequence[ValueHint] = ()) -> list[Mention]:
    """Return all mentions, the surest first, without duplicates."""
    found: list[Mention] = []
    for column in view.columns:
        if column.column.type == "text" or column.column.raw:
            found += _values(question, column)
            found += _contained(question, column)
            found += _outcomes(question, column)
        found += _numbers(question, column)
        if column.is_date:
            found += _years(question, column)
    if not view.complete:
        found += _hinted(question, view, hints)
    best: dict[tuple[int, int, Condition], Mention] = {}
    for mention in sorted(found, key=lambda m: (-m.score, m.start - m.end)):
        best.setdefault((mention.start, mention.end, mention.condition), mention)
    return list(best.values())


def _span(words: Sequence[str], phrase: str) -> tuple[int, int] | None:
    parts = phrase.split()
    for start in range(len(words) - len(parts) + 1):
        if list(words[start : start + len(parts)]) == parts:
            return start, start + len(parts)
    return None


def _values(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    grouped: dict[tuple[str, float], list[str]] = {}
    for value, phrase, score in best_matches(" ".join(question.words), column.values):
        grouped.setdefault((phrase, score), []).append(value)
    for (phrase, score), values in grouped.items():
        span = _span(question.words, phrase)
        if span is None or phrase in COMMON:
            continue
        way = "value" if score >= 0.75 else "part"
        yield Mention(*span, Condition(column.shown, "=", tuple(sorted(values))), score, way)


def _contained(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Phrases that occur in longer texts."""
    words, count = question.words, len(column.folded)
    if column.is_number:
        return
    taken: set[int] = set()
    for length in range(MOST_PHRASE_WORDS, 0, -1):
        for start in range(len(words) - length + 1):
            run = words[start : start + length]
            if taken.intersection(range(start, start + length)) or all(w in COMMON or len(w) < 2 for w in run):
                continue
            holding = [column.by_word.get(w) for w in run]
            if None in holding:
                continue
            rows = set.intersection(*holding)  # type: ignore[arg-type]
            phrase = " ".join(run)
            matched = [i for i in rows if phrase in column.folded[i]]
            texts = {column.folded[i] for i in matched}
            if (
                not matched
                or (len(texts) == 1 and next(iter(texts)) == phrase)
                or len(matched) > MOST_CONTAINED * count > 2
            ):
                continue
            taken.update(range(start, start + length))
            yield Mention(start, start + length, Condition(column.shown, "contains", (phrase,)), 0.6, "contains")


def _outcomes(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    spelled = {text: str(value) for text, value in zip(column.folded, column.texts, strict=True) if text}
    for i, word in enumerate(question.words):
        for short in OUTCOMES.get(word, ()):
            if short in spelled and short != word:
                yield Mention(i, i + 1, Condition(column.shown, "=", (spelled[short],)), 0.75, "outcome")
            elif len(short) == 1 and any(t.startswith(short + " ") for t in spelled):
                yield Mention(i, i + 1, Condition(column.shown, "starts", (short + " ",)), 0.7, "outcome")


def _numbers(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    if column.is_number or (column.measure and not column.is_date):
        name, present = column.measure, set(column.cells) if column.is_number else set()
        for start, end, value in question.numbers:
            if value in present:
                yield Mention(start, end, Condition(name, "=", (value,)), 0.9, "number")
            ordinal = ORDINAL_OF.get(question.words[start]) or question.words[start][-2:] in ("st", "nd", "rd", "th")
            for operator in () if ordinal else (">", "<", ">=", "<="):
                yield Mention(start, end, Condition(name, operator, (value,)), 0.3, "compare")
        for (a, _, low), (_, b, high) in zip(question.numbers, question.numbers[1:], strict=False):
            if low < high:
                yield Mention(a, b, Condition(name, "between", (low, high)), 0.35, "compare")


def _years(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Years in a column of dates, before and after them, and between two."""
    years = [(a, b, int(v)) for a, b, v in question.numbers if is_year(v)]
    for start, end, year in years:
        if year in column.years:
            of_year = ("starts", (str(year),)) if column.is_partial else ("year", (year,))
            yield Mention(start, end, Condition(column.name, *of_year), 0.9, "year")
        bounds: tuple[tuple[Operator, str], ...] = (
            (">", f"{year}-12-31"), ("<", f"{year}-01-01"), (">=", f"{year}-01-01"), ("<=", f"{year}-12-31"),
        )  # fmt: skip
        for operator, day in bounds:
            yield Mention(start, end, Condition(column.name, operator, (day,)), 0.3, "compare")
    for (a, _, low), (_, b, high) in zip(years, years[1:], strict=False):
        if low < high:
            span = (f"{low}-01-01", f"{high}-12-31")
            yield Mention(a, b, Condition(column.name, "between", span), 0.35, "compare")


def _hinted(question: QuestionWords, view: TableView, hints: Sequence[ValueHint]) -> Iterator[Mention]:
    """Values of rows that were not read, from the value index."""
    grouped: dict[tuple[str, str, float], list[str]] = {}
    for hint in hints:
        if hint.table == view.schema.name and hint.column in view.stored:
            grouped.setdefault((hint.column, hint.phrase, hint.score), []).append(hint.value)
    numbers = {c.name for c in view.columns if c.is_number}
    for (column, phrase, score), values in grouped.items():
        span = _span(question.words, phrase)
        if span and phrase not in COMMON:
            known = tuple(map(float, values)) if column in numbers else tuple(sorted(values))
            yield Mention(*span, Condition(column, "=", known), score, "value")
