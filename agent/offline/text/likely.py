"""Answers that are likely meant though their statement says it in other words than the question.

Each statement with a part of the kind asked for is a candidate. Its chance of being right is learned from what it
shares with the question: how rare the shared words are, which of the question's words other statements have, and how
clearly the part belongs to the shared words. ``python -m training.text_answers`` learns the weights.
"""

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from tablerag.agent.offline.text.accepting import accepted
from tablerag.agent.offline.text.allowing import allowing, is_no_rule
from tablerag.agent.offline.text.answering import MOST_CHARACTERS, MOST_WORDS, TextAnswer, answers_in
from tablerag.agent.offline.text.asked import TextQuestion, read_text_question
from tablerag.agent.offline.text.others import is_of_another
from tablerag.agent.offline.text.parts import Part, fits, part_of
from tablerag.agent.offline.text.sharing import Shared, shared_of
from tablerag.agent.offline.text.statements import statements_of
from tablerag.agent.offline.text.wholes import is_of_part
from tablerag.tools.records import Chunk

__all__ = ["FEATURES", "SURE_TEXT", "Candidate", "candidates_of", "likely_answers", "text_answer"]

SURE_TEXT = 0.55
"""The chance of being right that an answer needs."""
SURE_WHOLE = 0.8
"""The same for a whole sentence, which nothing but its words shows to be the answer."""
MANY, LEAST_FOUND = 3, 2
"""Of so many telling words, so many must be found for a sure answer."""
NAMED_FOUND = 0.25
"""How well each name and number of the question must be found, if only elsewhere in the passage."""
MOSTLY = 0.5
"""Share of the question's words from which on, if no text has them, a sentence shares words only by chance."""
CHANCE = 0.05
SECOND = 0.97
"""Factor for each place of the passage after the first."""
LAST = 4
"""The last place that counts: passages in another language often come late."""
FEATURES = (
    "share", "missed", "unknown", "names", "all_found", "fit", "only", "near", "later", "ahead", "lead", "reason",
    "split", "cued", "whole", "light",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer with what speaks for it, in the order of FEATURES."""

    answer: TextAnswer
    features: tuple[float, ...]
    little: bool = False
    """Whether only one of several telling words is found."""


def likely_answers(question: str, chunks: Sequence[Chunk]) -> list[TextAnswer]:
    """Return the answers that text chunks may give, likeliest first; their scores are chances of being right."""
    found = sorted(candidates_of(question, chunks), key=lambda c: -_chance(c.features))
    different = {c.answer.text.casefold(): c for c in reversed(found)}
    return sorted((_scored(c) for c in different.values()), key=lambda a: -a.score)


def text_answer(question: str, chunks: Sequence[Chunk]) -> TextAnswer | None:
    """Return the answer of a statement that says it in the question's words, or else of one that likely means it."""
    asked = read_text_question(question)
    worded = sorted(answers_in(question, chunks), key=lambda a: -a.score)
    likely = (a for a in likely_answers(question, chunks) if a.score >= SURE_TEXT)
    fit = (a for a in itertools.chain(worded, likely) if a.kind != "yes_no" or not is_no_rule(question, a.text))
    found = next(filter(None, (accepted(asked, a) for a in fit)), None)
    return found or allowing(question, chunks)


def _scored(candidate: Candidate) -> TextAnswer:
    answer = candidate.answer
    chance = _chance(candidate.features)
    if candidate.little or (answer.kind in ("statement", "yes_no") and chance < SURE_WHOLE):
        chance = min(chance, SURE_TEXT - 0.01)
    if chance < SURE_TEXT and _is_chance(candidate):
        chance = min(chance, CHANCE)
    return TextAnswer(answer.text, answer.statement, chance, answer.kind)


def _is_chance(candidate: Candidate) -> bool:
    """Tell whether an unsure answer shares too little with the question to be offered."""
    known = dict(zip(FEATURES, candidate.features, strict=True))
    return known["share"] == 0 or known["unknown"] >= MOSTLY or bool(known["light"] and known["whole"])


def candidates_of(question: str, chunks: Sequence[Chunk]) -> list[Candidate]:
    """Return the possible answers of all statements that share a telling word with a question."""
    texts = [c for c in chunks if c.kind == "text"] if len(question) <= MOST_CHARACTERS else []
    asked = read_text_question(question)
    if not 0 < len(asked.words) <= MOST_WORDS:
        return []
    statements = [(place, s) for place, chunk in enumerate(texts) for s in statements_of(chunk)]
    shared = sorted(shared_of(asked, statements), key=lambda s: -s.total)
    found = []
    for one in shared:
        part = part_of(asked, one.statement) if one.names >= NAMED_FOUND else None
        if part is None or not fits(asked, part, one.statement):
            continue
        if not any(differs(asked, part.kind, part.text, one.statement) for differs in (is_of_part, is_of_another)):
            found.append((one, part))
    many = len(set(asked.words) - asked.light) >= MANY
    return [
        Candidate(
            TextAnswer(p.text, s.statement, 0.0, p.kind),
            _features(asked, s, p, shared, found),
            many and s.found < LEAST_FOUND,
        )
        for s, p in found
    ]


def _features(
    asked: TextQuestion, one: Shared, part: Part, shared: Sequence[Shared], found: Sequence[tuple[Shared, Part]]
) -> tuple[float, ...]:
    """Return what speaks for a candidate; ``shared`` and ``found`` begin with the statements that share most."""
    other = next((s.total for s in shared if s.statement.text != one.statement.text), 0.0)
    rival = next((s.total for s, p in found if p.text != part.text), 0.0)
    values = {
        "share": one.share,
        "missed": one.missed,
        "unknown": one.unknown,
        "names": one.names,
        "all_found": min(one.found, 4) / 4,
        "fit": part.fit,
        "only": 1 / part.rivals,
        "near": part.near,
        "later": SECOND ** min(one.place, LAST),
        "ahead": one.total - other,
        "lead": one.total - rival,
        "reason": float(part.kind == "reason"),
        "split": float(one.split),
        "cued": part.cued,
        "whole": float(part.kind in ("statement", "yes_no")),
        "light": float(len(set(asked.words) - asked.light) < 2),
    }
    return tuple(values[name] for name in FEATURES)


def _chance(features: Sequence[float]) -> float:
    weights = _weights()
    return 1 / (1 + math.exp(-weights[""] - sum(weights[n] * f for n, f in zip(FEATURES, features, strict=True))))


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    text = (files("tablerag.agent.offline.text") / "weights.json").read_text(encoding="utf-8")
    return {str(k): float(v) for k, v in json.loads(text).items()}
