"""Documents of the stress test, the questions that are asked about them, and what a reply to one is."""

import csv
import io
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from openpyxl import Workbook

__all__ = ["ABSENT", "DEPOTS", "FORMATS", "Content", "Document", "Question", "judged", "names"]

DEPOTS = ("Oslo", "Bergen", "Malmo", "Turku")
FORMATS = ("csv", "xlsx", "md", "html")
SYLLABLES = (
    "zor bek mir tis lop wud gan fesh qua nel rop hul dax vim sut pral kij cot yem brun olf ash ung erk itz "
    "pof gre sli tam nix dro ceb fyl jat mok"
).split()
LONG, LONG_ROWS = 0.05, 4000
"""The share of long documents, and their rows."""
ASKED_ROWS = 20
"""Rows that every document has: single ones are asked for among them."""
ABSENT = None
"""The content of a document that was removed, or is not there yet."""


@dataclass(frozen=True)
class Content:
    """One version of a document: the number, depot and weight of each delivery."""

    rows: tuple[tuple[str, str, int], ...]

    @classmethod
    def made(cls, name: str, chance: random.Random) -> "Content":
        """Make rows by chance."""
        count = LONG_ROWS if chance.random() < LONG else chance.randrange(ASKED_ROWS, 200)
        depots = [*DEPOTS, *chance.choices(DEPOTS, k=count - len(DEPOTS))]
        return cls(tuple((number_of(name, i), d, chance.randrange(10, 90_000)) for i, d in enumerate(depots, start=1)))

    def file(self, name: str, suffix: str) -> bytes:
        """Return the document in one of FORMATS."""
        table = [(f"{name} delivery", f"{name} weight (kg)", "Depot"), *((n, w, d) for n, d, w in self.rows)]
        return {"csv": _csv, "xlsx": _xlsx, "md": _md, "html": _html}[suffix](f"{name} deliveries", table)


def number_of(name: str, row: int) -> str:
    """Return the number of a delivery, which no other document has."""
    return f"{name.upper()}-{row:04d}"


Table = list[tuple[Any, ...]]


def _csv(title: str, table: Table) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue().encode()


def _xlsx(title: str, table: Table) -> bytes:
    book, buffer = Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet(title)
    for row in table:
        sheet.append(row)
    book.save(buffer)
    return buffer.getvalue()


def _md(title: str, table: Table) -> bytes:
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in table]
    return "\n".join([f"# {title}\n", lines[0], "|---|---|---|", *lines[1:], ""]).encode()


def _html(title: str, table: Table) -> bytes:
    head, *rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in table)
    lines = "".join(f"<tr>{row}</tr>" for row in (head.replace("td>", "th>"), *rows))
    return f"<html><body><h1>{title}</h1><table>{lines}</table></body></html>".encode()


@dataclass(frozen=True)
class Question:
    """A question, and how its answer is computed from a content."""

    text: str
    answer: Callable[[Content], int]


@dataclass
class Document:
    """A document as its client knows it."""

    name: str
    """A word that no other document has; it is in the headers and the file's name."""
    corpus: str
    suffix: str
    possible: list[Content | None] = field(default_factory=lambda: [ABSENT])
    """What it may hold: one content that the server confirmed, or several while a change is under way or was cut."""

    @property
    def source(self) -> str:
        """Its file name."""
        return f"{self.name.lower()}_deliveries.{self.suffix}"

    @property
    def is_sure(self) -> bool:
        """Whether no change is open."""
        return len(self.possible) == 1

    @property
    def is_present(self) -> bool:
        """Whether it must be listed."""
        return ABSENT not in self.possible

    def values(self, question: Question) -> set[int]:
        """Return the right answers to a question."""
        return {question.answer(content) for content in self.possible if content is not ABSENT}

    def question(self, chance: random.Random) -> Question:
        """Return a question that the embedded reasoner answers."""
        name, depot = self.name, chance.choice(DEPOTS)
        asked = (
            Question(f"What is the total {name} weight?", lambda c: sum(w for _, _, w in c.rows)),
            Question(f"How many {name} deliveries are there?", lambda c: len(c.rows)),
            Question(f"What is the highest {name} weight?", lambda c: max(w for _, _, w in c.rows)),
            Question(
                f"How many {name} deliveries from the depot {depot} are there?",
                lambda c: sum(d == depot for _, d, _ in c.rows),
            ),
            self.total_of(depot),
            self.one_row(chance),
        )
        return chance.choice(asked)

    def total_of(self, depot: str, text: str = "") -> Question:
        """Return the question for the weight of a depot, in full or in other words."""
        text = text or f"What is the total {self.name} weight of the depot {depot}?"
        return Question(text, lambda c: sum(w for _, d, w in c.rows if d == depot))

    def one_row(self, chance: random.Random) -> Question:
        """Return the question for the weight of one delivery, which the stand-in for a model answers too."""
        number = number_of(self.name, chance.randrange(1, ASKED_ROWS))
        return Question(f"What is the {self.name} weight of {number}?", lambda c: {n: w for n, _, w in c.rows}[number])


def names(seed: int, count: int) -> list[str]:
    """Return invented words of three syllables; no two of them share two."""
    chance, pairs, found = random.Random(seed), set[frozenset[str]](), list[str]()
    words = list(combinations(SYLLABLES, 3))
    chance.shuffle(words)
    for word in words:
        own = {frozenset(pair) for pair in combinations(word, 2)}
        if not own & pairs:
            pairs |= own
            found.append("".join(word).capitalize())
    return found[:count]


def judged(
    reply: Any, question: Question, document: Document, gone: Collection[int] = (), before: Collection[int] = ()
) -> tuple[str, str]:
    """Return what a reply is, and why: right, unsure, failed, wrong, or other (a value where none can be expected).

    The values of ``gone`` are those of a removed document: they are wrong. Those of ``before`` are right too.
    """
    if not isinstance(reply, dict):
        return "failed", f"the reply is {type(reply).__name__}"
    if error := reply.get("__error__"):
        return "failed", f"{error.get('error')}: {error.get('message')}"
    value = _number(reply.get("value"))
    if value is None:
        return "unsure", str(reply.get("cause") or reply.get("stopped_by"))
    if value in {*document.values(question), *before}:
        return "right", ""
    if value in gone:
        return "wrong", f"value {value:g} of a removed document"
    if not document.is_present:
        return "other", f"value {value:g}"
    return "wrong", f"value {value:g}, expected {sorted(document.values(question))}"


def _number(value: Any) -> float | None:
    try:
        return None if value is None or isinstance(value, bool) else float(str(value).replace(",", ""))
    except ValueError:
        return None
