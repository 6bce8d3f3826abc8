"""A message that is a part of a question, put into the last one: "and in 2024?", "what about Lyon?", "per quarter"."""

from dataclasses import dataclass, field

from tablerag.agent.offline.reading.compose import GRAINS
from tablerag.agent.offline.reading.conversation import Conversation, Said, Span, header_of
from tablerag.agent.offline.reading.naming import Tag, weights_of
from tablerag.agent.offline.reading.periods import Period
from tablerag.agent.offline.reading.words import Phrase

__all__ = ["put_in"]

AGGREGATES = ("sum", "average", "median")
RANKS = ("highest", "lowest", "latest", "earliest", "expensive", "cheap", "often", "seldom")
COMPUTED = ("count", "sum", "average", "median", "share")
TELLING = 0.3
"""Words with at least this weight are about something."""
GRAIN_GROUPS = frozenset(("month", "quarter", "year", "week", "date"))


@dataclass
class Edits:
    """What to exchange in the last question and what to add to it; ``done`` are the message's words that are used."""

    done: set[int]
    changes: list[tuple[Span, str]] = field(default_factory=list)
    added: list[str] = field(default_factory=list)

    def change(self, span: Span, text: str, *used: Span) -> None:
        """Exchange words of the last question."""
        if not any(span[0] < last and first < span[1] for (first, last), _ in self.changes):
            self.changes.append((span, text))
            for one in used:
                self.done |= set(range(*one))


def put_in(conversation: Conversation, start: int) -> str:
    """Return the last question with the message's words from ``start`` on put in; "" if they fit nowhere."""
    last, message = conversation.last, conversation.message
    edits = Edits(set(range(start)))
    _periods(last, message, edits)
    _groups(last, message, edits)
    _values(last, message, edits)
    _operations(conversation, edits)
    if not _columns(conversation, edits):
        return ""
    _rest(conversation, edits)
    if not edits.changes and not edits.added:
        return ""
    text = last.asked.text
    for (first, end), by in sorted(edits.changes, reverse=True):
        words = last.asked.words
        text = text[: words[first].start] + by + text[words[end - 1].end :]
    return " ".join((text.rstrip("?.! "), *edits.added)) + "?"


def _periods(last: Said, message: Said, edits: Edits) -> None:
    """Exchange the last periods of the question; a month without its year keeps the question's."""
    new = [p for p in message.periods if p.first not in edits.done]
    if not new or not last.periods:
        return
    for old, by in zip(last.periods[-len(new) :], new, strict=False):
        text = message.text_of(by.first, by.last)
        if not by.has_year and old.has_year and old.low[:4] == old.high[:4]:
            text = f"{text} {old.year}"
        first = old.first if _leads(message, by) else _bare(last, old)
        edits.change((first, old.last), text, (by.first, by.last))


def _leads(said: Said, period: Period) -> bool:
    """Tell whether a period begins with a word such as "in" or "since"."""
    return _bare(said, period) > period.first


def _bare(said: Said, period: Period) -> int:
    """Return the first word of a period after "in", "since" and the like."""
    known = said.asked.language
    for i in range(period.first, period.last - 1):
        key = said.asked.words[i].key
        if not said.asked.is_ignored(i) and not any((key,) == p and _side(c) for p, c in known.phrases.items()):
            return i
    return period.last - 1


def _side(concepts: tuple[str, ...]) -> bool:
    return bool({"before", "after", "since", "until"} & set(concepts))


def _groups(last: Said, message: Said, edits: Edits) -> None:
    """Exchange or add what to group by; of a question that looks something up, "by phone" is another column."""
    old = _group_spans(last) or _unknown_groups(last)
    for span in _group_spans(message):
        if span[0] in edits.done:
            continue
        if old:
            edits.change(old[0], message.text_of(*span), span)
        elif _looks_up(last) and (tag := next((t for t in message.columns() if t.last == span[1]), None)):
            edits.done |= set(range(span[0], tag.first))
        else:
            edits.added.append(message.text_of(*span))
            edits.done |= set(range(*span))


def _group_spans(said: Said) -> list[Span]:
    found = [(p.first, p.last) for p in said.asked.of(*GRAINS)]
    for phrase in said.asked.of("group"):
        end = next((t.last for t in said.columns() if 0 <= t.first - phrase.last <= 1 and _is_text(t)), 0)
        if not end and phrase.last < len(said.asked.words):
            end = (phrase.last + 1) * bool(said.asked.words[phrase.last].lexeme.groups & GRAIN_GROUPS)
        if end and not any(a < end and phrase.first < b for a, b in found):
            found.append((phrase.first, end))
    return sorted(found)


def _unknown_groups(last: Said) -> list[Span]:
    """Return what the last question groups by if it is a column of another table."""
    asked, weights = last.asked, weights_of(last.asked)
    for phrase in asked.of("group"):
        end = phrase.last
        while end < len(weights) and (weights[end] > TELLING or asked.keys[end] in asked.language.set_of("of_units")):
            end += 1
        if end > phrase.last:
            return [(phrase.first, end)]
    return []


def _is_text(tag: Tag) -> bool:
    return tag.field is not None and not tag.field.is_measure


def _looks_up(last: Said) -> bool:
    """Tell whether the last question asks for a cell: of a column with names, and to compute nothing."""
    return bool(last.columns()) and all(map(_is_text, last.columns())) and not last.asked.has(*COMPUTED)


def _values(last: Said, message: Said, edits: Edits) -> None:
    """Exchange the values of the same column."""
    for tag in message.values():
        if tag.first in edits.done:
            continue
        same = [v for v in last.values() if v.field is tag.field]
        if same:
            labels = [t for t in message.tags if t.kind == "column" and t.field is tag.field]
            spans = [(t.first, t.last) for t in (tag, *labels)]
            edits.change((same[0].first, _end(last, same)), message.text_of(tag.first, tag.last), *spans)


def _end(last: Said, values: list[Tag]) -> int:
    """Return where a list of values ends: "Cold store or Dock 4"."""
    end = values[0].last
    for value in values[1:]:
        if all(last.asked.is_ignored(i) for i in range(end, value.first)):
            end = value.last
    return end


def _columns(conversation: Conversation, edits: Edits) -> bool:
    """Exchange the column that is asked for; False if the message's column fits nowhere."""
    last, message = conversation.last, conversation.message
    if message.asked.of("more", "less", "at_least", "at_most", "between"):
        return True  # a bound, which is added
    taken = {i for span in _group_spans(last) for i in range(*span)}
    for tag in message.columns():
        if tag.first in edits.done or tag.field is None or tag.field.is_date:
            continue
        asked = [t for t in last.columns() if t.first not in taken and t.field is not tag.field]
        alike = [t for t in asked if t.field and t.field.is_measure == tag.field.is_measure] or asked
        if not alike:
            return False
        edits.change((alike[0].first, alike[0].last), message.text_of(tag.first, tag.last), (tag.first, tag.last))
    return True


def _operations(conversation: Conversation, edits: Edits) -> None:
    """Exchange what to compute; else add it."""
    last, message = conversation.last.asked, conversation.message
    for phrase in message.asked.of(*AGGREGATES, *RANKS):
        if phrase.first in edits.done:
            continue
        like, other = (AGGREGATES, RANKS) if phrase.concept in AGGREGATES else (RANKS, AGGREGATES)
        old = _said(conversation, like) or _said(conversation, other)
        span = (phrase.first, phrase.last)
        said = conversation.language.said.get(phrase.concept, message.text_of(*span))
        if old and old.concept != phrase.concept:
            text = conversation.last.text_of(old.first, old.last)
            adverb = text.casefold() == conversation.language.said.get(old.concept, "").casefold()
            edits.change((old.first, old.last), said if adverb else message.text_of(*span), span)
        elif not old and not last.has(phrase.concept):
            edits.added.append(said)
        edits.done |= set(range(*span))


def _said(conversation: Conversation, concepts: tuple[str, ...]) -> Phrase | None:
    """Return the last question's word for what to compute, unless it opens the question: "how much"."""
    asked = conversation.last.asked
    return next((p for p in asked.of(*concepts) if p.first or asked.keys[0] not in OPENERS), None)


OPENERS = frozenset(("how", "wie", "wieviel", "combien"))


def _rest(conversation: Conversation, edits: Edits) -> None:
    """Add the words that name something and were not exchanged, with the words before them that mean nothing."""
    asked, weights = conversation.message.asked, weights_of(conversation.message.asked)
    fillers = asked.language.follow_up["fillers"]
    known = {i for t in conversation.message.tags for i in range(t.first, t.last)}
    known |= {i for p in conversation.message.periods for i in range(p.first, p.last)}
    known |= {i for p in asked.of("more", "less", "at_least", "at_most", "between") for i in range(p.first, p.last)}
    left = [i for i in range(len(asked.words)) if i not in edits.done and (asked.keys[i],) not in fillers]
    telling = [i for i in left if (i in known and not asked.is_ignored(i)) or weights[i] > TELLING]
    if not any(i in known for i in telling):
        return
    first, end = telling[0], telling[-1] + 1
    while first - 1 in left and asked.is_ignored(first - 1):
        first -= 1
    text = " ".join(asked.words[i].text for i in range(first, end) if i in left)
    value = next((t for t in conversation.message.values() if t.first == first and t.field), None)
    if value and value.field:
        text = conversation.language.said["with"].format(header_of(value.field.ref), text)
    edits.added.append(text)
