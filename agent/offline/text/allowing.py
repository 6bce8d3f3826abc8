"""Sentences that answer whether something is allowed: "A bicycle in the flat needs written permission." """

import re
from collections.abc import Sequence

from tablerag.agent.offline.text.answering import TextAnswer
from tablerag.agent.offline.text.asked import read_text_question
from tablerag.agent.offline.text.matching import loosely_found, word_set
from tablerag.agent.offline.text.statements import Statement, statements_of
from tablerag.agent.offline.text.vocabulary import fold, listed, pattern, words_in
from tablerag.tools.records import Chunk

__all__ = ["allowing", "is_no_rule"]

ASKED, RULES, PAST, WHERE = (re.compile(pattern("allowing", name)) for name in ("asked", "rules", "past", "where"))
"""Of the past is no rule: "Ms Hill was not allowed to speak"."""
FOUND = 0.8
"""How well a word must be found."""
SURE = 0.7
"""The score of a rule about the thing."""


def allowing(question: str, chunks: Sequence[Chunk]) -> TextAnswer | None:
    """Return the only rule on the thing that a question asks to be allowed; None if there is none or are several."""
    if not ASKED.search(fold(question)):
        return None
    found = {
        s.text: s for c in chunks if c.kind == "text" for s in statements_of(c) if _is_rule_on(question, s)
    }  # a passage may be stored twice
    if len(found) != 1:
        return None
    statement = next(iter(found.values()))
    return TextAnswer(statement.text, statement, SURE, "yes_no")


def is_no_rule(question: str, text: str) -> bool:
    """Tell whether a question asks what is allowed, and a sentence is no rule."""
    said = fold(text)
    return bool(ASKED.search(fold(question))) and (not RULES.search(said) or bool(PAST.search(said)))


def _is_rule_on(question: str, statement: Statement) -> bool:
    """Tell whether a statement is a rule that has the thing asked about, for the same people and no other place."""
    asked = read_text_question(question)
    said = fold(statement.text)
    if is_no_rule(question, statement.text) or statement.text.endswith("?"):
        return False
    people, own = listed("people", "allowing"), word_set(said)
    things = [w for w in asked.words if w not in asked.light | listed("acts", "allowing") and not _among(w, people)]
    if not things or not all(loosely_found(w, own) >= FOUND for w in things):
        return False
    known = word_set(fold(question))
    others = [w.text for w in words_in(said) if _among(w.text, people)]
    if others and any(_among(w, people) for w in asked.words) and not any(loosely_found(w, known) for w in others):
        return False  # visitors may not what tenants may
    return all(loosely_found(place["noun"], known) >= FOUND for place in WHERE.finditer(said))


def _among(word: str, words: frozenset[str]) -> bool:
    return word in words or word.removesuffix("s") in words or word.removesuffix("en") in words
