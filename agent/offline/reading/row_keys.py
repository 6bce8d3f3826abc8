"""What counts the things that a question is about: rows or, where each thing has several of them, its numbers."""

from collections.abc import Iterator, Sequence

from tablerag.agent.offline.reading.facts import AMOUNTS, Facts, Field
from tablerag.agent.offline.reading.query import Measure
from tablerag.agent.offline.reading.tag import Tag
from tablerag.agent.offline.reading.vocabulary import likeness
from tablerag.agent.offline.reading.words import Asked

__all__ = ["averaged_key", "row_count"]

SAME_NOUN = 0.95
REPEATED = 0.9
"""A number is of fewer things than rows if it has at most this share of different values."""
WHOLE_NAME = 0.8
"""A noun that is surer is the whole name of a table, of which only the first column numbers the rows."""
NEAR = 2
"""Words between "how many" and what is counted, at most."""


def row_count(asked: Asked, facts: Facts, tags: Sequence[Tag]) -> Measure:
    """Return the count of what words name: of "order lines" the rows, of orders the different values of Order No.

    Args:
        asked: The question.
        facts: The table.
        tags: Words for its rows, and for its columns of numbers, codes and dates.
    """
    for place in _counted(asked, tags):
        if key := _key_of(asked, facts, place):
            return Measure("distinct", key.shown)
    return Measure("count")


def averaged_key(asked: Asked, facts: Facts) -> tuple[Field, int] | None:
    """Return the column that numbers what an average is of, of which each has several rows, and the words that say so.

    The "average order value" of a table of lines is that of orders. None if each row is one, or none is named.
    """
    for phrase in asked.of("average"):
        if not phrase.last < len(asked.words) - 1 or not asked.words[phrase.last + 1].lexeme.groups & AMOUNTS:
            continue
        word = asked.words[phrase.last].lexeme
        if any(likeness(word, w) >= SAME_NOUN for f in facts.fields if f.is_measure for w in f.words):
            continue  # "the average line amount"
        for f in facts.fields:
            numbers = f.schema is facts.schema and (f.is_code or f.is_id or f.is_text) and len(f.core) == 1
            named = numbers and likeness(word, f.words[next(iter(f.core))]) >= SAME_NOUN
            if named and f.distinct < REPEATED * f.filled:
                return f, 0b11 << phrase.last
    return None


def _counted(asked: Asked, tags: Sequence[Tag]) -> Iterator[int]:
    """Yield the place of what is counted: the last word of "order lines"; else of all words for the rows."""
    places = sorted({t.first for t in tags if not t.foreign and t.last - t.first == 1})
    ends = [i for i in places if i + 1 not in places]
    if phrase := next(iter(asked.of("count")), None):
        yield from [i for i in ends if i >= phrase.last and places[0] <= phrase.last + NEAR][:1]
        return
    rows = {t.first for t in tags if t.kind == "noun" or (t.field and (t.field.is_date or not t.field.index))}
    yield from (i for i in ends if i in rows)


def _key_of(asked: Asked, facts: Facts, place: int) -> Field | None:
    """Return the column that numbers what a word names, if its values repeat."""
    word = asked.words[place].lexeme
    whole = any(sure > WHOLE_NAME and likeness(word, n) >= SAME_NOUN for n, sure in facts.nouns)
    for f in facts.fields:
        # The lines of orders are numbered within each order.
        numbers = f.index == 0 and (f.is_code or f.is_id) if whole else f.is_code or f.is_id or f.is_text
        if f.schema is not facts.schema or not numbers or f.is_foreign or len(f.core) != 1:
            continue
        named = likeness(word, f.words[next(iter(f.core))]) >= SAME_NOUN
        if named and f.distinct < REPEATED * f.filled:
            return f
    return None
