"""What a passage states: its sentences, "Key: value" entries and list items, each with its heading and surroundings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath

from tablerag.agent.offline.text.vocabulary import fold, listed
from tablerag.tools.records import Chunk

__all__ = ["Statement", "sentences_of", "statements_of"]

ABBREVIATIONS = frozenset(
    "dr prof mr mrs ms st no nr nos art abs approx ca cf e.g i.e eg ie incl excl vs etc inc ltd co corp dept tel"
    " ext p pp"
    " fig vol ed sec para bzw z.b d.h u.a vgl str hr fr evtl ggf inkl zzgl ing dipl usw max min m mm mme mlle env av bd"
    " resp jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m u.s u.k attn ref st".split()
)
END = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=[\"'“‘„«(\[]*[\wÀ-ÿ(])")
BULLET = re.compile(r"^\s*(?:[-*•–▪◦·‣]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")
NUMBERED = re.compile(r"^\s*(?:\d{1,2}(?:\.\d{1,2})*\.?|\(?[a-z]\)|§ ?\d+[a-z]?|[IVX]+\.)\s+")
MORE_OF_KEY = r"[\w'’/&.-]*(?: [\w'’/&(.-]+\)?){0,5}?"
ENTRY = re.compile(rf"^(?P<key>[^\W\d_]{MORE_OF_KEY}) ?[:：]\s+(?P<value>\S.*)$", re.DOTALL)
NEXT_KEY = re.compile(rf"(?:[.;|,]?\s{{2,}}|\s+[—–|]\s+|(?<=[.;!?])\s+)(?=[A-ZÀ-Þ]{MORE_OF_KEY} ?[:：]\s)")
CELLS = re.compile(r"\s*(?:\t+|\s\|\s|\s{3,})\s*")
HEADING_WORDS = 10
ROLE = re.compile(r"(?P<name>(?:[A-ZÀ-Þ][\w'’.-]*[ ]?){1,5}) \((?P<role>[^()\d]{3,40})\)")
LAST_ROLE = re.compile(r"(?P<name>[A-ZÀ-Þ][\w'’.-]*(?: [A-ZÀ-Þ][\w'’.-]*){1,4}), (?P<role>[^,.;:\d]{3,50})\.?$")
SUBJECTS = frozenset("re subject betreff betrifft objet concerns ref".split())
CLOSING = re.compile(r"^(?:yours|kind regards|best regards|regards|sincerely|mit freundlichen|cordialement|veuillez)\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a passage says."""

    text: str
    chunk: Chunk
    key: str = ""
    """For "Key: value": the key; the text then is "Key: value"."""
    heading: str = ""
    """The nearest heading above it."""
    before: str = ""
    """The previous statement of its section; for a list item, the sentence that introduces the list."""
    after: str = ""
    subject: str = ""
    """What the document is about, by a line such as "Re: ..."."""
    items: tuple[str, ...] = ()
    """For a sentence that introduces a list: the items."""
    line: str = ""
    """The words of the passage, if the text is not one of its sentences."""

    @property
    def quote(self) -> str:
        """The statement in the words of the passage."""
        return self.line or self.text

    @property
    def value(self) -> str:
        """The text without its key."""
        return self.text[len(self.key) + 1 :].strip() if self.key else self.text

    @property
    def document(self) -> str:
        """Titles above the heading, and the name of the file."""
        name = PurePosixPath(self.chunk.source).stem
        return " ".join((self.chunk.title, self.subject, re.sub(r"[_-]+", " ", name)))


def statements_of(chunk: Chunk) -> tuple[Statement, ...]:
    """Return what a text chunk states, in order; headings are no statements."""
    return _statements(chunk)  # type: ignore[arg-type]  # frozen, so hashable


@lru_cache(maxsize=64)
def _statements(chunk: Chunk) -> tuple[Statement, ...]:
    path = [part.strip() for part in chunk.title.split(" > ") if part.strip()]
    heading = path[-1] if path else ""
    found: list[Statement] = []
    lines = list(_lines(chunk.text))
    intro: Statement | None = None
    for place, line in enumerate(lines):
        following = lines[place + 1] if place + 1 < len(lines) else ""
        if _is_heading(line, following, path):
            heading, intro = NUMBERED.sub("", line), None
            continue
        item = BULLET.match(line)
        text = line[item.end() :] if item else line
        if item is None:
            intro = None
        own = [replace(s, heading=heading, before=intro.text if intro and item else "") for s in _of_line(text, chunk)]
        if item and intro and own:
            intro = replace(intro, items=(*intro.items, text))
            found[found.index(next(s for s in found if s.text == intro.text and s.heading == heading))] = intro
        found += own
        if own and own[-1].text.endswith(":") and BULLET.match(following):
            intro = own[-1]
    return tuple(_with_neighbours(found))


def _with_neighbours(found: Sequence[Statement]) -> Iterator[Statement]:
    subject = next((s.value for s in found if fold(s.key) in SUBJECTS), "")
    for place, statement in enumerate(found):
        before = found[place - 1] if place else None
        after = found[place + 1] if place + 1 < len(found) else None
        yield replace(
            statement,
            before=statement.before or (before.text if before and before.heading == statement.heading else ""),
            subject=subject,
            after=after.text if after and after.heading == statement.heading else "",
        )


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, those that only continue a sentence joined."""
    current = ""
    for raw in text.splitlines():
        line = raw.strip()
        if current and line and _continues(current, line):
            # A hyphen at the end of a line divides a word unless it follows a space.
            divided = re.search(r"[^\W\d_]-$", current) and line[0].islower()
            current = current[:-1] + line if divided else f"{current} {line}"
            continue
        if current:
            yield current
        current = line
    if current:
        yield current


def _continues(above: str, line: str) -> bool:
    """Tell whether a line goes on with the sentence above; chunks have no other line breaks inside sentences."""
    return line[0].islower() and not BULLET.match(line) and not re.search(r"[.!?:;]$", above)


def _is_heading(line: str, following: str, path: Sequence[str]) -> bool:
    """Tell whether a line is a heading: a title of the document, or a few words without an end above something."""
    if line in path:
        return True
    words = line.split()
    if BULLET.match(line) and not NUMBERED.match(line):
        return False
    if re.search(r"[.!?:;,…]$", line) or len(words) > HEADING_WORDS or ENTRY.match(line) or CELLS.search(line):
        return False
    return bool(following) and not re.search(r"\d{3}|@", line) and not CLOSING.match(fold(line))


def _of_line(line: str, chunk: Chunk) -> Iterator[Statement]:
    """Yield the entries and sentences of one line."""
    for part in NEXT_KEY.split(line):
        entry = ENTRY.match(part)
        cells = [c for c in CELLS.split(part.strip("| ")) if c]
        if entry and _is_key(entry["key"]):
            yield from _entry(entry["key"], entry["value"].strip(), chunk)
        elif len(cells) == 2 and not part.endswith((".", "!", "?")) and len(cells[0].split()) <= HEADING_WORDS:
            yield Statement(f"{cells[0]}: {cells[1]}", chunk, key=cells[0], line=part.strip())
        else:
            for sentence in sentences_of(part):
                yield Statement(sentence, chunk)
            if not re.search(r"[.!?]$", part):
                yield from _roles(part, part.strip(), chunk)


def _is_key(key: str) -> bool:
    return len(key.split()) <= 6 and not re.search(r"[.!?](?=\s)", key)


def _entry(key: str, value: str, chunk: Chunk) -> Iterator[Statement]:
    """Yield "Key: value", its roles in brackets as entries of their own, and the sentences after a short value."""
    first, *rest = sentences_of(value)
    if len(first) < len(value) and len(first.split()) > 2 * HEADING_WORDS:
        first, rest = value, []
    yield Statement(f"{key}: {first}", chunk, key=key)
    yield from _roles(first, f"{key}: {first}", chunk)
    for sentence in rest:
        yield from _of_line(sentence, chunk)


def _roles(text: str, line: str, chunk: Chunk) -> Iterator[Statement]:
    """Yield "role: name" for "Name (role)", and for "Name, role" at the end of a line."""
    for role in ROLE.finditer(text):
        yield Statement(f"{role['role']}: {role['name'].strip()}", chunk, key=role["role"], line=line)
    last = LAST_ROLE.search(text)
    if last and any(fold(word) in listed("roles") for word in re.findall(r"\w+", last["role"])):
        yield Statement(f"{last['role']}: {last['name']}", chunk, key=last["role"], line=line)


def sentences_of(text: str) -> list[str]:
    """Split running text into sentences; abbreviations, initials, dates and numbers do not end one."""
    found: list[str] = []
    start = 0
    for end in END.finditer(text):
        if _ends(text[start : end.start()], text[end.end() :]):
            found.append(text[start : end.start()].strip() + text[end.start() : end.end()].strip())
            start = end.end()
    return [s for s in (*found, text[start:].strip()) if s]


def _ends(before: str, after: str) -> bool:
    """Tell whether the full stop between two texts ends a sentence."""
    if not before.endswith("."):
        return True
    last = re.split(r"[\s(]", before[:-1])[-1]
    if re.fullmatch(r"[^\W\d_]", last) or fold(last) in ABBREVIATIONS:
        # "Novasafe Inc. The ..." ends, "Dr. Anna" does not.
        return fold(last) in ("etc", "inc", "ltd", "co", "corp", "a.m", "p.m", "usw") and after[:1].isupper()
    if re.fullmatch(r"\d{1,2}", last):
        following = fold(re.split(r"\W", after)[0])
        ordinal = re.search(r"\b(?:am|vom|zum|der|die|das|den|dem|bis|ab|im|und|seit) \d{1,2}\.$", before)
        return not (following in listed("months") or ordinal or after[:1].islower() or len(before.split()) == 1)
    return not after[:1].islower()
