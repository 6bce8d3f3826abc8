"""Follow-ups rewritten by rules: "and in 2013?", "what about the South?", "which of those ...", "and its price?"."""

import re
from collections.abc import Sequence

from tablerag.agent.offline import lexicon
from tablerag.agent.offline.linking import link_columns
from tablerag.agent.reasoning import ResolveTask
from tablerag.tools.number_words import YEAR
from tablerag.tools.records import ValueHint
from tablerag.tools.text import tokens

__all__ = ["spelled_out"]

LEAD = re.compile(
    r"^(?:(?:and|but|or|so|then|now|ok|okay)\b[\s,]*)?(?:(?:what|how) about\b|what of\b|same (?:thing )?for\b)?\s*",
    re.IGNORECASE,
)
OWN_QUESTION = re.compile(
    r"^(?:who|whom|whose|when|where|which|what|how|why|is|are|was|were|did|do|does|list|show|name|give|count|compare|tell)\b",
    re.IGNORECASE,
)
"""How a complete question begins; anything else after a lead-in is a part to insert in the last question."""
SHORT = 5
"""A message with fewer words may be a part of a question even without a lead-in."""
PERIOD = re.compile(
    rf"\b(?:{YEAR}|q[1-4]|(?:{'|'.join(sorted((m for m in lexicon.MONTHS if len(m) > 3), key=len))}))\b",
    re.IGNORECASE,
)
PREPOSITION = re.compile(
    r"^(?:in|for|of|by|from|at|on|during|with|within|among|per|before|after|since|under|over)\b", re.IGNORECASE
)
OPPOSITES = (
    re.compile(rf"{lexicon.HIGHEST}|{lexicon.LOWEST}", re.IGNORECASE),
    re.compile(rf"{lexicon.SUM}|{lexicon.AVERAGE}", re.IGNORECASE),
)
"""Words that can replace each other."""
FILLERS = frozenset("the a an in for of by from at on during with its their his her there".split())
MANY = re.compile(r"\b(?:those|these|them)\b", re.IGNORECASE)
ONE = re.compile(r"\b(?:(?P<own>its|his|her|their)|it|he|she|him|they|that one|this one|there)\b", re.IGNORECASE)
MOST_ITEMS = 20


def spelled_out(task: ResolveTask) -> str:
    """Return the message as a complete question; unchanged if no rule applies."""
    message = " ".join(task.question.split())
    last = task.history[-1]
    body = LEAD.sub("", message, count=1).rstrip("?.! ")
    led = len(body) < len(message.rstrip("?.! "))
    if body and not OWN_QUESTION.match(body) and (led or len(body.split()) < SHORT):
        return _put_into(last.question, body, task) or message
    return _referring(message, last.answer, task.earlier)


def _put_into(question: str, body: str, task: ResolveTask) -> str:
    """Return the last question with a part replaced or added; "" if the part fits nowhere."""
    changed, rest = _replaced_parts(question, body, task)
    if changed == question:
        changed = _other_column(question, body, task)
        rest = "" if changed else body
    if not set(tokens(rest)) - FILLERS:
        return changed
    if not (task.hints or PERIOD.search(rest)):
        return changed if changed != question else ""
    added = " ".join(rest.split())
    joined = added if PREPOSITION.match(added) else f"for {added}"
    return f"{(changed or question).rstrip('?.! ')} {joined}?"


def _replaced_parts(question: str, body: str, task: ResolveTask) -> tuple[str, str]:
    """Replace periods, superlatives and stored values; return the question and the rest of the part."""
    rest = body
    for pattern in (PERIOD, *OPPOSITES):
        now = pattern.search(body)
        if now and len(pattern.findall(question)) == 1:
            question = pattern.sub(lambda _, by=now: by[0], question, count=1)
            rest = rest.replace(now[0], " ")
    for hint in task.hints:
        earlier = next((e for e in task.earlier if (e.table, e.column) == (hint.table, hint.column)), None)
        if earlier and hint.phrase.casefold() != earlier.phrase.casefold() and _has(question, earlier.phrase):
            question = _replaced(question, re.escape(earlier.phrase), _as_written(hint.phrase, body))
            rest = _replaced(rest, re.escape(hint.phrase), " ")
    return question, rest


def _other_column(question: str, body: str, task: ResolveTask) -> str:
    """Replace the column that the question asks for with the one that the part names; "" if there is none."""
    for schema in task.schemas:
        wanted = link_columns(tokens(body), schema)
        asked = [k for k in link_columns(tokens(question), schema) if not wanted or k.column != wanted[0].column]
        if wanted and asked:
            word = max(asked[0].words, key=len)
            named = re.sub(r"^(?:the|its|their)\s+", "", body)
            return _replaced(question, rf"\w*{re.escape(word)}\w*", named)
    return ""


def _referring(message: str, answer: str, earlier: Sequence[ValueHint]) -> str:
    """Replace "those" and "it" with the subject of the last turn."""
    items = [i.partition(": ")[0].strip() for i in answer.split(", ")]
    named = [i for i in items if re.search(r"[^\W\d]", i)]
    if MANY.search(message) and 1 < len(named) == len(items) <= MOST_ITEMS:
        return MANY.sub(lambda _: ", ".join(items), message, count=1)
    phrases = list(dict.fromkeys(h.phrase for h in earlier if re.search(r"[^\W\d]", h.phrase)))
    if MANY.search(message) and phrases:
        return MANY.sub(lambda _: ", ".join(phrases), message, count=1)
    meant = named if len(items) == 1 and named else phrases
    if len(meant) == 1 and ONE.search(message):
        return ONE.sub(lambda m: f"{meant[0]}'s" if m["own"] else meant[0], message, count=1)
    return message


def _has(text: str, phrase: str) -> bool:
    return phrase.casefold() in text.casefold()


def _as_written(phrase: str, text: str) -> str:
    """Return the phrase with the text's capitals."""
    found = re.search(re.escape(phrase), text, re.IGNORECASE)
    return found[0] if found else phrase


def _replaced(text: str, pattern: str, by: str) -> str:
    return re.sub(pattern, lambda _: by, text, count=1, flags=re.IGNORECASE)
