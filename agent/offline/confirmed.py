"""Finds the confirmed question that another question asks again, perhaps of another value or period.

Two questions are the same if they compute the same, speak of the same things, and their values and periods are those
of the confirmed statement, or can take their place in it. When in doubt they are not: a confirmed statement that
answers another question is wrong and looks right.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from tablerag.agent.offline.adapting import Hints, adapted
from tablerag.agent.offline.alignment import Embed
from tablerag.agent.offline.reading.vocabulary import likeness
from tablerag.agent.offline.reading.words import Word
from tablerag.agent.reasoning import Confirmed
from tablerag.tools.knowledge.entries import ConfirmedEntry, Knowledge
from tablerag.tools.linking.keys import key_of
from tablerag.tools.records import ValueHint

__all__ = [
    "LIKE",
    "MOST_TABLES",
    "SameQuestion",
    "confirmed_tables",
    "is_about",
    "near",
    "nearest",
    "same_question",
    "tables_read",
]

LIKE = 0.5
"""How like a confirmed question must be to be offered."""
ALIKE, LEAST = 0.72, 0.3
"""How alike the words of both questions must be on average, and the least that each must be like another."""
SURELY = 0.6
"""The same where the statement has a condition that its question says in words of its own: "web" for channel = 'W'."""
MOST_NEAR = 20
"""How many are shown to a model. A small embedding ranks them: of 30 blind paraphrases in other words, 28 had theirs
among the first 8 of 15, and all among the first 12."""
MOST_TABLES = 12
"""Of how many the tables are shown."""
NAMES = re.compile(r"'([^']*)'|([A-Za-z_]{3,})")


@dataclass(frozen=True, slots=True)
class SameQuestion:
    """A confirmed question, and its statement for the question asked."""

    entry: ConfirmedEntry
    sql: str
    score: float


def nearest(
    question: str, entries: Sequence[ConfirmedEntry], embed: Embed, most: int = MOST_NEAR
) -> list[ConfirmedEntry]:
    """Return the confirmed questions that are nearest in meaning, nearest first.

    The names and texts of their statements count too: they are the documents' words for what people call otherwise.
    """
    if not entries:
        return []
    vectors = embed([question, *(f"{e.question} {_names(e.sql)}" for e in entries)])
    order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:most]
    return [entries[int(i)] for i in order]


def _names(sql: str) -> str:
    """Return the words of a statement that are names or texts."""
    found = (quoted or name for quoted, name in NAMES.findall(sql) if quoted or name.islower())
    return " ".join(dict.fromkeys(word.replace("_", " ") for word in found))


def near(question: str, known: Knowledge, hints: Hints, embed: Embed) -> list[Confirmed]:
    """Return the MOST_NEAR confirmed questions nearest to one, the one that is the same question first."""
    same = same_question(question, known.confirmed, hints, embed)
    found = [Confirmed(same.entry.question, same.sql, True, _note(same.entry, known), same.score)] if same else []
    others = [e for e in nearest(question, known.confirmed, embed) if same is None or e is not same.entry]
    vectors = embed([question, *(e.question for e in others)])
    mine = hints(question) if others else ()
    for entry, score in zip(others, vectors[1:] @ vectors[0], strict=True):
        fitted = adapted(question, mine, entry, hints) if score >= LIKE else None
        moved = fitted.sql if fitted and fitted.sql != entry.sql else ""
        found.append(Confirmed(entry.question, entry.sql, False, _note(entry, known), float(score), moved))
    return found[:MOST_NEAR]


def _note(entry: ConfirmedEntry, known: Knowledge) -> str:
    by = f" by {entry.by}" if entry.by else ""
    by += f" with the key “{entry.key}”" if entry.key else ""
    at = f" on {entry.at}" if entry.at else ""
    return f"As confirmed{by}{at} for “{entry.question}” ({known.place(entry.line)})."


def tables_read(entries: Sequence[ConfirmedEntry]) -> list[str]:
    """Return the names of the tables that confirmed statements read."""
    return list(dict.fromkeys(n for e in entries for n in _tables(e.sql)))


def is_about(confirmed: Confirmed, question: str) -> bool:
    """Tell whether a question mentions all texts of a confirmed statement: it may mean that one."""
    try:
        literals = sqlglot.parse_one(confirmed.sql, read="mysql").find_all(exp.Literal)
    except SqlglotError:
        return False
    asked = key_of(question)
    said = {key_of(v.name) for v in literals if v.is_string and key_of(v.name) in key_of(confirmed.question)}
    return all(text in asked for text in said)


def confirmed_tables(found: Sequence[Confirmed], *, same: bool) -> set[str]:
    """Return the tables of the confirmed questions that are, or are not, the one asked."""
    return {n for c in found if c.is_same == same for n in _tables(c.sql)}


@lru_cache(maxsize=1_024)
def _tables(sql: str) -> tuple[str, ...]:
    try:
        return tuple(t.name for t in sqlglot.parse_one(sql, read="mysql").find_all(exp.Table))
    except SqlglotError:
        return ()


def same_question(question: str, entries: Sequence[ConfirmedEntry], hints: Hints, embed: Embed) -> SameQuestion | None:
    """Return the confirmed question that is asked again, with its statement for this one's values; None if none is."""
    exact = next((e for e in entries if key_of(e.question) == key_of(question)), None)
    if exact is not None:
        return SameQuestion(exact, exact.sql, 1.0)
    mine = hints(question) if entries else ()
    found = [s for e in nearest(question, entries, embed) if (s := _same(question, mine, e, hints, embed))]
    return max(found, key=lambda s: s.score, default=None)


def _same(
    question: str, mine: Sequence[ValueHint], entry: ConfirmedEntry, hints: Hints, embed: Embed
) -> SameQuestion | None:
    fitted = adapted(question, mine, entry, hints)
    if fitted is None or fitted.own.concepts != fitted.other.concepts:
        return None
    least = LEAST if fitted.says_all else SURELY
    alike = _likeness(fitted.own.words, fitted.other.words, embed, least)
    return SameQuestion(entry, fitted.sql, alike) if alike >= ALIKE else None


def _likeness(own: Sequence[Word], other: Sequence[Word], embed: Embed, least: float) -> float:
    """Return how alike the words of two questions are: each compared with the most alike of the other question.

    0 if a word is less than ``least`` like any other.
    """
    if not own and not other:
        return 1.0
    if not own or not other:
        return 0.0
    vectors = embed([w.key for w in (*own, *other)])
    meant = np.clip(vectors[: len(own)] @ vectors[len(own) :].T, 0.0, 1.0)
    alike = np.array([[likeness(a.lexeme, b.lexeme) for b in other] for a in own])
    both = np.maximum(meant, alike)
    best = np.concatenate([both.max(axis=1), both.max(axis=0)])
    return float(best.mean()) if best.min() >= least else 0.0
