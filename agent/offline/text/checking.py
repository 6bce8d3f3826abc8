"""Figures of a SQL result that text states too: the same one, or another one for the same thing."""

import re
from collections.abc import Iterator, Sequence

from tablerag.agent.denials import denies
from tablerag.agent.offline.text.answering import is_about
from tablerag.agent.offline.text.asked import Kind, TextQuestion, read_text_question
from tablerag.agent.offline.text.matching import Coverage, coverage_of
from tablerag.agent.offline.text.spans import Span, spans_of
from tablerag.agent.offline.text.statements import Statement, statements_of
from tablerag.agent.offline.text.vocabulary import fold
from tablerag.agent.offline.text.wholes import NUMERIC, ONE_OF_MANY, TOTAL, is_of_part
from tablerag.agent.stated_numbers import StatedNumber, signed_numbers, stated_numbers, years_in
from tablerag.tools.records import Chunk

__all__ = ["contradicts", "may_differ", "other_figure", "stating"]

SAME_THING = 0.9
"""Least coverage of a question by a sentence whose figure contradicts a computed one."""
STATES = 0.6
"""The same, for a sentence with the very value that was computed."""
IN_TEXT = 0.75
"""How well every word of the question must be found for a contradiction: in the sentence or its headings."""
GIVES = re.compile(
    r"(?:\b(?:is|are|was|were|be|to|of|at|reached|totall?ed|ist|sind|war|waren|betragt|betrug(?:en)?|auf|von"
    r"|est|sont|etai(?:en)?t|de|a)(?: (?:about|around|roughly|etwa|rund|environ))?|[:=]) *$"
)
"""What stands before the figure that a sentence gives, but not before that of "listed in section 4"."""


def stating(value: str, question: str, chunks: Sequence[Chunk], *, unit: str = "", power: int = 0) -> Statement | None:
    """Return a statement with a value that is about the question's thing; None if there is none.

    A number is in the unit and scale (a power of ten) of its column, as far as that says any.
    """
    number = _number(value)
    asked = read_text_question(question)
    for statement, covered in _covered(asked, chunks):
        if (
            covered.share < STATES
            or not covered.has(asked.names & set(asked.words), 0.5)
            or _other_year(asked, statement)
        ):
            continue
        if denies(statement.text):
            continue
        if number is None and re.search(rf"(?<!\w){re.escape(fold(value))}(?!\w)", fold(statement.text)):
            return statement
        if number is not None and any(_is_same(number, n, unit, power) for n in signed_numbers(statement.text)):
            return statement
    return None


def _is_same(number: float, stated: StatedNumber, unit: str, power: int) -> bool:
    scales = (0, power) if unit or power else (0, stated.scale)
    other_unit = unit and stated.unit and stated.unit not in (unit, *unit.split())
    is_other = other_unit or stated.beyond
    return not is_other and any(float(stated.value.scaleb(-p)) == number for p in scales)


def other_figure(
    question: str, chunks: Sequence[Chunk], *, fittest: bool = False
) -> tuple[Statement, StatedNumber] | None:
    """Return the sentence that gives the figure asked for, with its only such number; None if there is none.

    The sentence must be about the same thing: it has the question's noun, names, years and all its other words. With
    ``fittest``, it may have other numbers that fit the question less: "the five sites used 490,789 kWh".
    """
    asked = read_text_question(question)
    strict = set(asked.words) - asked.light
    found: list[tuple[float, Statement, StatedNumber]] = []
    for statement, covered in _covered(asked, chunks):
        same = is_about(asked, statement, covered) and covered.share >= SAME_THING and covered.has(strict, IN_TEXT)
        if (
            not same
            or _other_year(asked, statement)
            or denies(statement.text) != denies(question)
            or ONE_OF_MANY.search(fold(statement.text))
            and not ONE_OF_MANY.search(fold(question))
        ):
            continue
        spans = [s for s in _figures(asked, statement.text) if not is_of_part(asked, asked.kind, s.text, statement)]
        if fittest and spans:
            spans = [s for s in spans if s.fit == max(t.fit for t in spans)]
        numbers = [n for s in spans for n in stated_numbers(s.text)]
        if len(spans) == len(numbers) == 1:
            found.append((covered.share, statement, _with_about(numbers[0], statement.text[: spans[0].end])))
    best = max(found, key=lambda f: f[0], default=None)
    return best[1:] if best else None


def may_differ(value: str, question: str, chunks: Sequence[Chunk]) -> bool:
    """Tell whether a sentence gives the figure that a question asks for, and it is not the value."""
    number = _number(value)
    found = other_figure(question, chunks, fittest=True) if number is not None else None
    return found is not None and float(found[1].value) != number


def contradicts(statement: Statement, stated: StatedNumber) -> bool:
    """Tell whether a figure that differs is another one for the same thing: "about 500" may be that of one of many."""
    return not stated.about or bool(TOTAL.search(fold(statement.text)))


def _figures(asked: TextQuestion, sentence: str) -> list[Span]:
    """Return the figures of the kind asked for; the total of a thing that no word tells the kind of may be any."""
    kinds: list[Kind] = [k for k in asked.kinds if k in NUMERIC]
    if kinds or not TOTAL.search(fold(asked.text)):
        spans = next((s for k in kinds if (s := spans_of(k, asked, sentence))), [])
        return [s for s in spans if not _is_of_unit(s, asked, sentence)] if kinds[:1] == ["count"] else spans
    if counted := spans_of("count", asked, sentence):
        return counted
    numbers = [n.text for n in stated_numbers(sentence)]
    start = sentence.find(numbers[0]) if len(numbers) == 1 else -1
    gives = start > 0 and GIVES.search(fold(sentence[:start]))
    return [Span(numbers[0], start, start + len(numbers[0]))] if gives else []


def _is_of_unit(count: Span, asked: TextQuestion, sentence: str) -> bool:
    """Tell whether a number counts days or money: "within 21 days" is no number of suppliers."""
    united = (s for kind in NUMERIC[1:] for s in spans_of(kind, asked, sentence))
    return any(s.start <= count.start < s.end for s in united)


def _with_about(number: StatedNumber, until: str) -> StatedNumber:
    """Return a number as the sentence states it, with the "about" in front of it."""
    stated = stated_numbers(until)
    return stated[-1] if stated and stated[-1].about and stated[-1].value == number.value else number


def _covered(asked: TextQuestion, chunks: Sequence[Chunk]) -> Iterator[tuple[Statement, Coverage]]:
    for chunk in chunks:
        if chunk.kind == "text":
            for statement in statements_of(chunk):
                yield statement, coverage_of(asked, statement)


def _other_year(asked: TextQuestion, statement: Statement) -> bool:
    years, stated = years_in(asked.text), years_in(statement.text)
    return bool(stated) and not years & stated


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").rstrip("%"))
    except ValueError:
        return None
