"""What the last question of a conversation and the message after it name in the tables at hand."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tablerag.agent.offline.reading.facts import Facts
from tablerag.agent.offline.reading.naming import Tag, names_in, taggings, weights_of
from tablerag.agent.offline.reading.periods import Period, periods_in
from tablerag.agent.offline.reading.query import Condition, Query, Ref
from tablerag.agent.offline.reading.reader import Reader, Reading
from tablerag.agent.offline.reading.vocabulary import Language
from tablerag.agent.offline.reading.words import Asked, read
from tablerag.agent.reasoning import ResolveTask
from tablerag.tools.linking.keys import key_of

__all__ = ["Conversation", "Said", "Span", "conversation_of", "header_of"]

LEAST_CONFIDENCE = 0.5
"""Of the last question's reading, to carry over its conditions."""
LAST = 2.0
"""How much more the last question says about which table both are about."""
COUNTERPART = 0.5
"""How much a value of the same column in both messages says about which table they are about, in explained words."""
MOST_ITEMS = 20
LONGEST = 8
"""Most words of a name."""

Span = tuple[int, int]
"""Indexes of words, the last one exclusive."""


@dataclass(eq=False)
class Said:
    """A message with what its words name in one table."""

    asked: Asked
    periods: list[Period]
    tags: tuple[Tag, ...] = ()
    gain: float = 0.0

    def on(self, facts: Facts, task: ResolveTask) -> "Said":
        """Return the message as it is read over one table."""
        hints = (*task.hints, *task.earlier)
        best = taggings(names_in(self.asked, facts, hints, self.periods), weights_of(self.asked))[0]
        return Said(self.asked, self.periods, best.tags, best.gain)

    def text_of(self, first: int, last: int) -> str:
        """Return the words of a span as written."""
        return self.asked.text[self.asked.words[first].start : self.asked.words[last - 1].end] if first < last else ""

    def values(self) -> list[Tag]:
        """Return the tags that filter by a value."""
        return [t for t in self.tags if t.kind == "value" and t.field]

    def columns(self) -> list[Tag]:
        """Return the tags of columns, without those that label a value: "the Production department"."""
        values = self.values()

        def labels(tag: Tag) -> bool:
            return any(
                v.field is tag.field and min(abs(tag.first - v.last), abs(v.first - tag.last)) <= 1 for v in values
            )

        return [t for t in self.tags if t.kind == "column" and t.field and not labels(t)]

    def nouns(self) -> list[Tag]:
        """Return the words for the table's rows."""
        return [t for t in self.tags if t.kind == "noun"]

    def places(self, phrases: Sequence[tuple[str, ...]], start: int = 0) -> Iterator[Span]:
        """Yield where one of some phrases is said, the longest at each word."""
        keys = self.asked.keys
        for first in range(start, len(keys)):
            for phrase in sorted(phrases, key=len, reverse=True):
                if tuple(keys[first : first + len(phrase)]) == phrase:
                    yield first, first + len(phrase)
                    break


@dataclass(eq=False)
class Conversation:
    """The last question, its answer, and the message after it."""

    last: Said
    message: Said
    answer: str
    alone: Said
    """The message as it is read over the table that fits it best by itself."""
    read: Callable[[], Reading | None]
    """Reads the last question."""
    tables: Sequence[Facts] = ()

    @property
    def language(self) -> Language:
        """The message's language."""
        return self.message.asked.language

    @cached_property
    def reading(self) -> Reading | None:
        """The likeliest reading of the last question, if it is likely."""
        found = self.read()
        return found if found is not None and found.confidence >= LEAST_CONFIDENCE else None

    def rows_meant(self) -> str:
        """Return what "those" are, in words: "employees with Office Lyon"; "" if unknown."""
        reading = self.reading
        if reading is None or not isinstance(reading.query, Query):
            items = self._named_items()
            return _listed(items, self.language) if 1 < len(items) <= MOST_ITEMS else ""
        noun = next((self.last.text_of(t.first, t.last) for t in self.last.nouns()), "")
        noun = noun or reading.query.source.noun.replace("rows", self.language.said["rows"])
        if reading.query.limit:
            items = [str(row[0]) for row in reading.result.rows]
            return f"{noun} {_listed(items, self.language)}" if len(items) <= MOST_ITEMS else ""
        return " ".join((noun, *dict.fromkeys(_in_words(c, self.language) for c in reading.query.where)))

    def one_meant(self) -> str:
        """Return what "it" is: the answer if it names a row, else the only thing that the last question names."""
        items, values = self._named_items(), self.last.values()
        if len(items) == 1 and (len(values) != 1 or self._names_row(items[0])):
            return items[0]
        return self.last.text_of(values[0].first, values[0].last) if len(values) == 1 else ""

    def _names_row(self, item: str) -> bool:
        key = key_of(item)
        fields = [f for facts in self.tables for f in facts.fields if f.is_text and key in f.values]
        return any(f.is_unique or f.is_name for f in fields)

    def _named_items(self) -> list[str]:
        """Return the answer's items if all are names: not figures, addresses, sentences or tables."""
        if "\n" in self.answer or "|" in self.answer or "@" in self.answer:
            return []
        pairs = [i.partition(": ") for i in self.answer.split(", ")]
        if any(re.search(r"[^\W\d]", value) for _, _, value in pairs):
            return []  # first and last names
        items = [name.strip() for name, _, _ in pairs]
        stored = {key for facts in self.tables for f in facts.fields if f.is_text for key in f.values}
        named = all(
            re.search(r"[^\W\d]", i) and (key_of(i) in stored or not re.search(r"\d", i)) and len(i.split()) <= LONGEST
            for i in items
        )
        return items if named else []


def conversation_of(task: ResolveTask, reader: Reader | None) -> Conversation:
    """Read the last turn and the message over the table that both name most of."""
    turn = task.history[-1]
    last = read(turn.question)
    message = read(" ".join(task.question.split()), last.language.code)
    said = (Said(last, periods_in(last)), Said(message, periods_in(message)))
    tables = reader.facts_of(task.schemas, task.hints) if reader else []
    best, score, alone = said, 0.0, said[1]
    for facts in tables:
        one, two = (s.on(facts, task) for s in said)
        alone = max(alone, two, key=lambda s: s.gain)
        shared = sum(v.field is w.field for v in one.values() for w in two.values())
        if (total := LAST * one.gain + two.gain + COUNTERPART * shared) > score:
            best, score = (one, two), total

    def reading() -> Reading | None:
        found = reader.readings(turn.question, task.schemas, task.earlier) if reader else []
        return found[0] if found else None

    return Conversation(*best, turn.answer, alone, reading, tables)


def _listed(items: Sequence[str], language: Language) -> str:
    return language.said["or"].join(x for x in (", ".join(items[:-1]), items[-1]) if x)


def _in_words(condition: Condition, language: Language) -> str:
    """Return a condition as a question says it: "with Office Lyon"."""
    said, values = language.said, [_value(v) for v in condition.values]
    header = header_of(condition.ref) if isinstance(condition.ref, Ref) else condition.ref.words()
    if condition.label:
        return f"{header} {condition.label}"
    if condition.other is not None:
        values = [UNIT.sub("", condition.other.words())]
    match condition.operator:
        case "yes" | "filled":
            return said["with_flag"].format(header)
        case "no" | "empty":
            return said["without"].format(header)
        case "between":
            return said["between"].format(header, *values)
        case "<>":
            return said["not"].format(header, _listed(values, language))
        case "=" | "contains" | "starts":
            return said["with"].format(header, _listed(values, language))
        case _:
            return said[ORDERS.get(condition.operator, "with")].format(header, values[0])


UNIT = re.compile(r"(?:(?<!\s)\s+)?[(\[][^()\[\]]*[)\]]")


def header_of(column: Ref) -> str:
    """Return a column's header without its unit."""
    return UNIT.sub("", column.header)


ORDERS = {">": "above", "<": "below", ">=": "at_least", "<=": "at_most"}


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.10g}"
