"""Whether a statement answers a question: it ranks or counts as the question does, and has its nouns."""

import re
from dataclasses import replace
from functools import lru_cache

from tablerag.agent.offline.reading.vocabulary import language_of
from tablerag.agent.offline.text.answering import TextAnswer
from tablerag.agent.offline.text.asked import Kind, TextQuestion
from tablerag.agent.offline.text.matching import PRONOUN, loosely_found, word_set
from tablerag.agent.offline.text.others import is_of_another
from tablerag.agent.offline.text.spans import spans_of
from tablerag.agent.offline.text.statements import Statement
from tablerag.agent.offline.text.vocabulary import fold, listed, section, words_in
from tablerag.agent.offline.text.wholes import NUMERIC, is_of_part

__all__ = ["accepted"]

FOUND = 0.5
"""How well a noun must be found."""
NEARLY = 0.8
"""The same for what something is counted by."""
ANYBODY = frozenset("colleague colleagues person people somebody kollege kollegen kollegin collegue".split())
"""Nouns that no sentence needs: "when I swap duty with a colleague"."""
STRICT: tuple[Kind, ...] = ("who", "count")
"""Kinds of which most sentences have one: all nouns must be found."""
BEGINNING = 5
"""Letters of the shortest word that a compound may begin with: "Aufzugvertrag"."""
LIMIT = re.compile(r"\b(?:may|can|must|allowed|permitted|darf|durfen|kann|konnen|muss|peut|peuvent|doit)\b")
"""What asks for a limit: "the most that a trip may cost"."""
WE_HAVE = re.compile(r"\b(?:do we have|have we|haben wir|avons.nous)\b")
OURS = re.compile(r"\b(?:we|our|us|wir|uns|unser\w*|nous|notre|nos)\b")
OPEN = re.compile(r"\b(?:what|how|was|wie|que|quoi|comment|qu.est-ce)\b")
BOUND = (
    r"(?:(?:not? |nicht )?(?:more|less|fewer|later|mehr|weniger|plus|moins) (?:than|als|d['’]|de)"
    r"|up to|at (?:least|most)|over|under|above|below|bis zu|mindestens|höchstens|maximal|über|unter"
    r"|au (?:moins|plus)|jusqu['’]à) ?"
)
RATE = (
    r"(?: (?:(?:a|an|per|each|every|pro|im|par) (?:[^\W\d]+ )?)?"
    r"(?:day|night|week|month|year|Tag|Nacht|Woche|Monat|Jahr|jour|mois|an)\b)?"
)
COMPARES = re.compile(r"(?:which|welche[rsnm]?|quel(?:le)?s?)\b.*\b(?:than|als|que)\b")
OF_DATE = re.compile(r"\b(?:date|day|datum|tag|jour) (?:of|de|der|des) (?:the |la |le )?(\w{3,})")
OWNED = re.compile(r"['’]s (\w{3,})")
DEED = re.compile(r"who (?:has |had )?(\w{3,}ed)\b")
"""What somebody did: "who investigated the accident" is none whom it happened to."""
DONE_TO = re.compile(r"^how many .*\b(?:is|are|was|were|been) (\w{3,}(?:ed|pt|st|nt|ld|de|id|ft))\b")
"""What was done to things that are counted: "how many visits were attended" is no sentence of one visit."""
EXCEPT = re.compile(r"^(?:who|whose|which|wer|welche\w*|qui|quels?|quelles?)\b.*\b(?:not|nicht|pas)\b")
"""What leaves some out: a sentence names the others as well."""
CODE_LIST = re.compile(r"(?:^|(?<=[(,;:] ))[A-Z][A-Z0-9]{0,3}(?: ?[=:–] ?| )(?=[^\W\d_])")
"""An item of "S shipped, C cancelled, R returned": what letters stand for is no fact about anything."""
LEAST_CODES = 3
MEANS = re.compile(r"\b(?:means?|meaning|stands? for|codes?|letters?|bedeut\w+|signif\w+)\b")
EACH = re.compile(r"\b(?:per|pro|je|par) (?!y\w{3}\b|jahr\b)(\w{3,})")


def accepted(asked: TextQuestion, answer: TextAnswer) -> TextAnswer | None:
    """Return an answer, with the limits of a number, whole if two things are asked; None if it is of another thing."""
    statement = answer.statement
    if not _ranks_alike(asked, statement) or not _has_nouns(asked, answer):
        return None
    if len(CODE_LIST.findall(statement.text)) >= LEAST_CODES and not MEANS.search(fold(asked.text)):
        return None
    if answer.kind == "who" and EXCEPT.search(fold(asked.text)):
        return None
    if answer.kind in NUMERIC and COMPARES.match(fold(asked.text)):
        return None  # "which projects cost more than approved" asks for projects
    if answer.kind == "count" and WE_HAVE.search(fold(asked.text)) and not OURS.search(fold(statement.text)):
        return None  # a supplier's people are not ours
    if is_of_part(asked, answer.kind, answer.text, statement):
        return None
    if is_of_another(asked, answer.kind, answer.text, statement):
        return None
    if answer.kind == "statement" and not (statement.key or statement.items or OPEN.search(fold(asked.text))):
        return None  # "Which projects are late?" and "projects that are late" ask for all of them
    if asked.also:
        whole = all(k in ("statement", "yes_no") or spans_of(k, asked, statement.text) for k in asked.also)
        return replace(answer, text=statement.text) if whole else None
    if answer.kind not in NUMERIC:
        return answer
    bounded = re.search(rf"(?i:\b{BOUND})?(?<!\w){re.escape(answer.text)}{RATE}", statement.text)
    return replace(answer, text=bounded[0]) if bounded else answer


def _ranks_alike(asked: TextQuestion, statement: Statement) -> bool:
    """Tell whether a statement has each word of the question that ranks, or one that stands for it."""
    said = word_set(statement.text)
    question = fold(asked.text)
    return bool(LIMIT.search(question)) or all(said & group for group in _ranks() if word_set(question) & group)


@lru_cache(maxsize=1)
def _ranks() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in section("ranks")["groups"].splitlines() if line)


def _has_nouns(asked: TextQuestion, answer: TextAnswer) -> bool:
    """Tell whether a statement or its headings have the question's nouns, and more than its numbers."""
    statement = answer.statement
    parts = [statement.text, statement.heading, statement.document]
    if PRONOUN.match(statement.text) or statement.before.endswith(":"):
        parts.append(statement.before)
    said = word_set(" ".join(parts))
    foreign = _language(asked.text) != _language(statement.chunk.text)
    if any(loosely_found(w, word_set(statement.text)) < NEARLY for w in EACH.findall(fold(asked.text))):
        return False  # "grants per funder"
    found = {w for w in asked.words if _is_found(w, said)}
    deed = DEED.match(fold(asked.text)) if answer.kind == "who" else None
    if deed and not foreign and deed[1] in asked.words and deed[1] not in found:
        return False
    done = DONE_TO.match(fold(asked.text)) if answer.kind == "count" else None
    if done and not foreign and loosely_found(done[1], said) < FOUND:
        return False
    owned = {w for w in (*OWNED.findall(fold(asked.text)), *OF_DATE.findall(fold(asked.text))) if w in asked.words}
    owned -= asked.light
    if owned - found:
        return False  # another date of hers than "Ann's birthday"
    asks = answer.kind in NUMERIC and asked.focus not in asked.light and OPEN.search(fold(asked.text))
    if asks and not foreign and asked.focus in asked.words and asked.focus not in found:
        return False  # "what notice": twelve months of something else
    if all(w.isdigit() for w in found):
        return False
    if answer.kind in STRICT or not word_set(asked.text).isdisjoint(listed("totals", "ranks")):
        return len({w for group in asked.nouns for w in group} - found - ANYBODY) <= foreign
    heads = {group[-1] for group in asked.nouns}
    if answer.kind in NUMERIC and heads and not foreign and not heads & found:
        return False  # the cost of something else
    return len(heads - found) <= 1 + foreign


def _is_found(word: str, said: frozenset[str]) -> bool:
    if loosely_found(word, said) >= FOUND:
        return True
    return any(len(w) >= BEGINNING and w != word and word.startswith(w) for w in said)


@lru_cache(maxsize=256)
def _language(text: str) -> str:
    return language_of([w.text for w in words_in(text)]).code
