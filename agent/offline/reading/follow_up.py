"""Messages that continue a conversation, as complete questions: "and in 2024?", "which of those ...", "its price?"."""

from tablerag.agent.offline.reading.conversation import Conversation, Said, Span, conversation_of
from tablerag.agent.offline.reading.fragments import AGGREGATES, RANKS, put_in
from tablerag.agent.offline.reading.naming import Tag
from tablerag.agent.offline.reading.reader import Reader
from tablerag.agent.offline.reading.relative import at_another_time
from tablerag.agent.reasoning import ResolveTask

__all__ = ["standalone"]

SHORT = 5
"""A message with at most so many words may be a part of a question even if no word says so."""


def standalone(task: ResolveTask, reader: Reader | None = None) -> str:
    """Return the message as a complete question; unchanged if it is one, or continues nothing that is known."""
    message = " ".join(task.question.split())
    if not message or not task.history:
        return message
    talk = conversation_of(task, reader)
    start = _lead(talk.message)
    led = start > 0
    if start >= len(talk.message.asked.words):
        return _referring(talk, 0) or message
    if (percent := _in_percent(talk, start)) is not None:
        return percent or message
    if moved := at_another_time(talk, start):
        return moved
    if pronoun := _referring(talk, start):
        return pronoun
    opened = next(talk.message.places(talk.language.follow_up["open"], start), None)
    if opened and opened[0] == start:
        return _elliptical(talk, start, led=led) or message
    if not led and not _is_part(talk):
        return message
    return put_in(talk, start) or _another_column(talk, start) or message


def _lead(message: Said) -> int:
    """Return the first word after "and", "what about", "please" and the like."""
    known, start = message.asked.language.follow_up, 0
    polite = 0
    for phrases in (known["polite"], known["lead"], known["lead"], known["lead"]):
        found = next(message.places(phrases, start), None)
        if found and found[0] == start:
            start = found[1]
            polite = start if phrases is known["polite"] else polite
    return 0 if start == polite else start


def _is_part(talk: Conversation) -> bool:
    """Tell whether a short message without a word such as "and" names only a value, a period or a group."""
    message = talk.alone
    if len(message.asked.words) > SHORT or message.nouns() or message.asked.has("count"):
        return False
    return not any(t.field and (t.field.is_measure or t.first == 0) for t in _asked_columns(message))


def _asked_columns(message: Said) -> list[Tag]:
    """Return the columns that are named by more than a word such as "total"."""
    computed = {i for p in message.asked.of(*AGGREGATES, *RANKS) for i in range(p.first, p.last)}
    return [t for t in message.columns() if not set(range(t.first, t.last)) <= computed]


def _in_percent(talk: Conversation, start: int) -> str | None:
    """Return the last question as one for a percentage; None if the message does not ask just for that."""
    asked, fillers = talk.message.asked, {w for p in talk.language.follow_up["fillers"] for w in p}
    said = {i for p in asked.of("percent", "share") for i in range(p.first, p.last)}
    left = [i for i in range(start, len(asked.words)) if i not in said and asked.keys[i] not in fillers]
    if not said or any(not asked.is_ignored(i) for i in left) or talk.message.tags:
        return None
    question = talk.last.asked.text.rstrip("?.! ")
    if talk.last.asked.has("change", "percent", "share"):
        return "" if talk.last.asked.has("percent", "share") else f"{question} {talk.language.said['percent']}?"
    rows = talk.rows_meant()
    counted = next((p for p in talk.last.asked.of("count") if p.first == 0), None)
    if counted:
        rest = question[talk.last.asked.words[counted.last - 1].end :].strip()
        return f"{talk.language.said['share'].format(rest)}?"
    measured = next((t for t in talk.last.columns() if t.field and t.field.is_measure), None)
    if measured is None or not rows:
        return ""
    column = talk.last.text_of(measured.first, measured.last)
    measure = f"{column} {talk.language.said['of'].format(rows)}"
    return f"{talk.language.said['share'].format(measure)}?"


def _elliptical(talk: Conversation, start: int, *, led: bool) -> str:
    """Return a question without a noun with that of the last one: "and how many in 2024?", "how many are open?"."""
    message = talk.message
    if message.nouns() or any(
        t.field and t.field.is_measure and not _bounded(talk, t.first) for t in message.columns()
    ):
        return ""
    if not led and any(t.field and t.field.is_measure for t in _asked_columns(talk.alone)):
        return ""  # of another table
    values = message.values()
    if not led and (values or not (message.periods or message.asked.has("average", "sum", "highest", "lowest"))):
        return ""
    opener = next((s for s in message.places(talk.language.follow_up["count"], start) if s[0] == start), None)
    if opener is None:
        return put_in(talk, start) if led and values else ""
    if message.asked.has(*AGGREGATES[1:], *RANKS):
        return put_in(talk, opener[1])
    fields = {id(t.field) for t in talk.last.values()}
    if any(id(t.field) in fields for t in values) or (message.periods and talk.last.periods):
        return put_in(talk, opener[1])
    rows = talk.rows_meant() if led else ""
    return _exchanged(message, (opener[1], opener[1]), talk.language.said["of"].format(rows), start) if rows else ""


def _bounded(talk: Conversation, place: int) -> bool:
    bounds = talk.message.asked.of("more", "less", "at_least", "at_most", "between")
    return any(abs(place - p.last) <= 4 for p in bounds)


def _another_column(talk: Conversation, start: int) -> str:
    """Return the message's column of the rows that the last question is about."""
    columns, rows = talk.message.columns(), talk.rows_meant()
    if not columns or not rows or not talk.last.tags:
        return ""
    rest = talk.message.asked.text[talk.message.asked.words[start].start :].rstrip("?.! ")
    return f"{rest} {talk.language.said['of'].format(rows)}?"


def _referring(talk: Conversation, start: int) -> str:
    """Return the message with what "those", "their", "it" and "its" mean; "" if it has no such word."""
    known, said = talk.language.follow_up, talk.language.said
    message = talk.message
    many = next(message.places((*known["many"], *known["their"]), start), None)
    if many and _refers(talk, many):
        their = (message.asked.keys[many[0]],) in known["their"] and many[1] - many[0] == 1
        if their and _of_the_same_rows(talk):
            return put_in(talk, many[1])
        rows = talk.rows_meant() or ("" if their else _unsure_rows(talk))
        if not rows:
            return ""
        if their:
            asked = _exchanged(message, many, said["the"].format("").strip(), start)
            return f"{asked.rstrip('?.! ')} {said['of'].format(rows)}?"
        light = talk.language.light  # "of them work": no noun
        after = [t.last for t in message.nouns() if t.first == many[1] and message.asked.keys[t.first] not in light]
        noun = after[0] if after else many[1]
        of = many[1] - many[0] > 1 or (message.asked.keys[many[0]],) in OF_WORDS
        return _exchanged(message, (many[0], noun), said["of" if of else "the"].format(rows), start)
    one = next(message.places((*known["one"], *known["its"], *known["there"]), start), None)
    if one is None or not _refers(talk, one):
        return ""
    if (message.asked.keys[one[0]],) in known["its"] and _of_the_same_rows(talk):
        return put_in(talk, one[1])
    meant = talk.one_meant()
    if not meant:
        return ""
    if (message.asked.keys[one[0]],) not in known["its"]:
        return _exchanged(message, one, meant, start)
    if talk.language.code == "en":
        return _exchanged(message, one, said["own"].format(meant), start)
    asked = _exchanged(message, one, said["the"].format("").strip(), start)
    return f"{asked.rstrip('?.! ')} {said['own'].format(meant)}?"


def _unsure_rows(talk: Conversation) -> str:
    """Return the words of a counting question that was not answered: a part of what it meant is not known either."""
    last = talk.last.asked
    opener = next((p for p in last.of("count") if p.first == 0), None)
    unsure = talk.reading is None and opener is not None and opener.last < len(last.words)
    return last.text[last.words[opener.last].start :].rstrip("?.! ") if unsure and opener else ""


OF_WORDS = frozenset((("davon",), ("denen",), ("ones",)))


def _of_the_same_rows(talk: Conversation) -> bool:
    """Tell whether "and their budget?" follows a question about another measure of the same rows."""
    message, last = talk.message, talk.last
    opened = next(message.places(talk.language.follow_up["open"]), None)
    measured = any(t.field and t.field.is_measure for t in message.columns())
    return (
        measured and any(t.field and t.field.is_measure for t in last.columns()) and (opened is None or opened[0] > 2)
    )


def _refers(talk: Conversation, span: Span) -> bool:
    """Tell whether a pronoun means something of the last turn: nothing before it in its own sentence."""
    message, keys = talk.message, talk.message.asked.keys
    if span[1] - span[0] > 1:
        return True
    if (keys[span[0]],) in talk.language.follow_up["there"]:
        before = {(keys[i],) for i in (span[0] - 1, span[0] + 1) if 0 <= i < len(keys)}
        return not before & set(talk.language.follow_up["not_there"])
    if message.asked.words[span[0]].text.isupper() and len(keys[span[0]]) > 1:
        return False  # IT
    return not any(t.last <= span[0] for t in (*message.nouns(), *message.values()))


def _exchanged(message: Said, span: Span, text: str, start: int) -> str:
    """Return the message from ``start`` on with other words for a span, which may be empty."""
    words, whole = message.asked.words, message.asked.text
    first = words[span[0]].start if span[0] < len(words) else len(whole.rstrip("?.! "))
    last = words[span[1] - 1].end if span[1] > span[0] else first
    gap = "" if span[1] > span[0] else " "
    joined = f"{whole[words[start].start : first]}{text}{gap}{whole[last:]}"
    return " ".join(joined.split())
