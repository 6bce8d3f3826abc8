"""What a question mentions of a table: stored values, numbers, years and months, each as a condition on a column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.offline.program import Condition
from agent.offline.table_view import ColumnView, TableView
from tools.linking.keys import COMMON, key_of
from tools.linking.matching import best_matches
from tools.records import ValueHint
from tools.text import singular

__all__ = ["Mention", "QuestionWords", "mentions_in", "read_words"]

MONTHS = "january february march april may june july august september october november december".split()
MONTH_OF = {m: i + 1 for i, m in enumerate(MONTHS)} | {m[:3]: i + 1 for i, m in enumerate(MONTHS) if m != "may"}
NUMBER_OF = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
} | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "once": 1, "twice": 2}
ORDINAL_OF = {
    word: number + 1
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split())
}
NUMBER = re.compile(r"(?<![\w.])-?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(st|nd|rd|th)?\b")
OUTCOMES = {
    "won": ("w", "won", "win", "yes", "winner", "1st", "champion", "champions"),
    "win": ("w", "won", "win", "yes", "winner", "1st"),
    "wins": ("w", "won", "win", "yes", "winner", "1st"),
    "winning": ("w", "won", "win", "winner", "1st"),
    "winner": ("w", "won", "win", "winner", "1st"),
    "victory": ("w", "won", "win"),
    "victories": ("w", "won", "win"),
    "lost": ("l", "lost", "loss", "lose", "nominated"),
    "lose": ("l", "lost", "loss"),
    "losses": ("l", "lost", "loss"),
    "loss": ("l", "lost", "loss"),
    "tie": ("t", "d", "tie", "draw", "tied"),
    "tied": ("t", "d", "tie", "draw", "tied"),
    "ties": ("t", "d", "tie", "draw", "tied"),
    "draw": ("t", "d", "draw", "drawn"),
    "draws": ("t", "d", "draw", "drawn"),
    "home": ("h", "home"),
    "away": ("a", "away"),
    "men": ("m", "male", "men"),
    "male": ("m", "male"),
    "women": ("f", "w", "female", "women"),
    "female": ("f", "female"),
    "nominated": ("nominated", "nom"),
    "retired": ("ret", "retired"),
}
"""Words that say a result which tables abbreviate."""
EMPTY_MARKS = ("-", "–", "—", "n/a", "none", "None", "N/A")
DECADE = re.compile(r"\b(1[0-9]|20)?(\d)0'?s\b")
MOST_PHRASE_WORDS = 4
MOST_CONTAINED = 0.9
LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """A question's words, each with the numbers that it says."""

    text: str
    words: tuple[str, ...]
    """As tools.linking.keys.key_of folds them."""
    numbers: tuple[tuple[int, int, float], ...]
    """(first word, word after the last, value) of each number."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of the question that may mean a condition."""

    start: int
    end: int
    condition: Condition
    score: float
    """1 for a value as it stands; less the looser the match."""
    way: str
    """value, part, contains, outcome, number, compare, year, month, decade, filled, empty."""


def read_words(question: str) -> QuestionWords:
    """Fold a question into words and find its numbers."""
    words = tuple(key_of(question).split())
    numbers: list[tuple[int, int, float]] = []
    for found in NUMBER.finditer(question):
        before = len(key_of(question[: found.start()]).split())
        after = before + len(key_of(found.group()).split())
        value = float(found.group(1).replace(",", "") + (found.group(2) or ""))
        scale = {"million": 1e6, "thousand": 1e3, "billion": 1e9}.get(words[after] if after < len(words) else "", 1)
        numbers.append((before, after + (scale > 1), value * scale))
    taken = {i for a, b, _ in numbers for i in range(a, b)}
    for i, word in enumerate(words):
        value = NUMBER_OF.get(word, ORDINAL_OF.get(word))
        if value is not None and i not in taken:
            numbers.append((i, i + 1, float(value)))
    return QuestionWords(question, words, tuple(sorted(numbers)))


def mentions_in(question: QuestionWords, view: TableView, hints: Sequence[ValueHint] = ()) -> list[Mention]:
    """Return all mentions, the surest first; those of one span and column once."""
    found: list[Mention] = []
    for column in view.columns:
        if column.column.type == "text" or column.column.raw:
            found += _values(question, column)
            found += _contained(question, column)
            found += _outcomes(question, column)
        found += _numbers(question, column)
        found += _emptiness(question, column)
        if column.is_date and not column.is_partial:
            found += _months(question, column)
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
    """Phrases that stand in several longer texts."""
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
        yield from _decades(question, column, name)
    elif column.is_date:
        yield from _decades(question, column, column.name)
        for start, end, value in question.numbers:
            year = int(value)
            if 1000 <= year <= 2999 and value == year:
                if year in column.years:
                    of_year = ("starts", (str(year),)) if column.is_partial else ("year", (year,))
                    yield Mention(start, end, Condition(column.name, *of_year), 0.9, "year")
                yield Mention(start, end, Condition(column.name, ">", (f"{year}-12-31",)), 0.3, "compare")
                yield Mention(start, end, Condition(column.name, "<", (f"{year}-01-01",)), 0.3, "compare")
                yield Mention(start, end, Condition(column.name, ">=", (f"{year}-01-01",)), 0.3, "compare")
                yield Mention(start, end, Condition(column.name, "<=", (f"{year}-12-31",)), 0.3, "compare")
        years = [(a, b, int(v)) for a, b, v in question.numbers if 1000 <= v <= 2999 and v == int(v)]
        for (a, _, low), (_, b, high) in zip(years, years[1:], strict=False):
            if low < high:
                span = (f"{low}-01-01", f"{high}-12-31")
                yield Mention(a, b, Condition(column.name, "between", span), 0.35, "compare")


def _decades(question: QuestionWords, column: ColumnView, name: str) -> Iterator[Mention]:
    """ "the 1990s", "the 80s", "the 1800s": the years from the first to the last."""
    for found in DECADE.finditer(question.text):
        start = len(key_of(question.text[: found.start()]).split())
        low = int((found[1] or "19") + found[2] + "0")
        high = low + (99 if found[1] and found[2] == "0" and low < 2000 else 9)
        ends: tuple[str | float, ...] = (f"{low}-01-01", f"{high}-12-31") if column.is_date else (low, high)
        yield Mention(start, start + 1, Condition(name, "between", ends), 0.8, "decade")


def _emptiness(question: QuestionWords, column: ColumnView) -> Iterator[Mention]:
    """Whether a cell is filled, where a header is named whose column has empty cells."""
    dash = next((t for t in column.texts if t in EMPTY_MARKS), None)
    if None not in column.texts and dash is None:
        return
    for i, word in enumerate(question.words):
        if any(singular(word) == head or (len(head) > 4 and word[:5] == head[:5]) for head in column.words):
            if dash is not None:
                yield Mention(i, i + 1, Condition(column.shown, "<>", (str(dash),)), 0.35, "filled")
                yield Mention(i, i + 1, Condition(column.shown, "=", (str(dash),)), 0.35, "empty")
            else:
                yield Mention(i, i + 1, Condition(column.shown, "filled", ()), 0.35, "filled")
                yield Mention(i, i + 1, Condition(column.shown, "empty", ()), 0.35, "empty")
            return


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
    """ "after July 6": the day beside a month's name, in the year that is said, or the only one that the column has."""
    near = [(a, b, int(v)) for a, b, v in question.numbers if v <= 31 and (a == place + 1 or b == place)]
    years = [(a, b, int(v)) for a, b, v in question.numbers if 1000 <= v <= 2999]
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


def _hinted(question: QuestionWords, view: TableView, hints: Sequence[ValueHint]) -> Iterator[Mention]:
    """What the value index knows of rows that were not read."""
    grouped: dict[tuple[str, str, float], list[str]] = {}
    for hint in hints:
        if hint.table == view.schema.name and hint.column in view.stored:
            grouped.setdefault((hint.column, hint.phrase, hint.score), []).append(hint.value)
    for (column, phrase, score), values in grouped.items():
        span = _span(question.words, phrase)
        if span and phrase not in COMMON:
            yield Mention(*span, Condition(column, "=", tuple(sorted(values))), score, "value")
