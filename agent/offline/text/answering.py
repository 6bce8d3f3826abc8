"""The answer to a question in passages: a span of the kind asked for, in a statement about the same thing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablerag.agent.offline.text.asked import Kind, TextQuestion, read_text_question
from tablerag.agent.offline.text.matching import Coverage, coverage_of, key_is_asked
from tablerag.agent.offline.text.parts import ranked
from tablerag.agent.offline.text.spans import Span, spans_of
from tablerag.agent.offline.text.statements import Statement, statements_of
from tablerag.agent.offline.text.vocabulary import fold, listed
from tablerag.agent.stated_numbers import years_in
from tablerag.tools.records import Chunk

__all__ = ["COVERED", "TextAnswer", "answer_from", "answers_in", "is_about"]

COVERED = 0.64
"""Least coverage of a question by the statement that answers it."""
UNKNOWN = 0.06
"""How much more coverage is needed for each word that neither the statement nor its surroundings have."""
OWN = 0.15
"""Least share of the question in the statement itself, without headings and neighbours."""
MOST_CHARACTERS, MOST_WORDS = 2000, 60
"""Length of the longest question that is answered, and its content words."""
SHORT = 12
"""Most words of the value of "Key: value" that is an answer as it is."""
SECOND = 0.97
"""Share of its score that an answer keeps for each place of its chunk after the first."""
PRONOUN = re.compile(r"(?:It|This|That|They|These|Es|Dies|Das|Sie|Il|Elle|Ils|Elles|Cela|Ce) ")
COPULA = re.compile(r"\b(?:assembly point|address|location|venue|seat|sitz|siege|adresse|standort|lieu|site|where)\b")


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """An answer and the statement that it is from."""

    text: str
    statement: Statement
    score: float
    """The coverage of the question, less for kinds that fit less; comparable for one question."""
    kind: Kind


def answer_from(question: str, chunks: Sequence[Chunk]) -> TextAnswer | None:
    """Return the best answer in text chunks, which are in the order of their relevance; None if there is none."""
    return max(answers_in(question, chunks), key=lambda a: a.score, default=None)


def answers_in(question: str, chunks: Sequence[Chunk]) -> Iterator[TextAnswer]:
    """Yield the answers of all statements that cover enough of the question."""
    texts = [c for c in chunks if c.kind == "text"] if len(question) <= MOST_CHARACTERS else []
    asked = read_text_question(question)
    if not 0 < len(asked.words) <= MOST_WORDS:
        return
    for place, chunk in enumerate(texts):
        for statement in statements_of(chunk):
            covered = coverage_of(asked, statement)
            if is_about(asked, statement, covered):
                yield from _answers(asked, statement, covered, SECOND**place)


def is_about(asked: TextQuestion, statement: Statement, covered: Coverage) -> bool:
    """Tell whether a statement is about the question's thing: its noun, its names, years and numbers."""
    missing = sum(covered.levels[w] == 0 for w in asked.words if w not in asked.light)
    if covered.share < COVERED + UNKNOWN * missing or covered.own < OWN or statement.text.endswith("?"):
        return False
    if asked.focus and asked.focus not in asked.light and not covered.has((asked.focus,), 0.6):
        return False
    if not covered.has(asked.names & set(asked.words), 0.5):
        return False
    years = years_in(asked.text)
    stated = years_in(statement.text) or years_in(statement.heading) or years_in(statement.document)
    if years and stated and not years & stated:
        return False
    return not statement.key or key_is_asked(asked, statement)


def _answers(asked: TextQuestion, statement: Statement, covered: Coverage, place: float) -> Iterator[TextAnswer]:
    """Yield the statement's answer of the first kind that it has."""
    for rank, kind in enumerate(asked.kinds):
        score = covered.share * place * 0.97**rank
        if statement.items and kind in ("who", "statement"):
            yield TextAnswer(", ".join(i.rstrip(";.,") for i in statement.items), statement, score, kind)
            return
        if kind in ("statement", "yes_no"):
            return  # only a likely answer is a whole sentence
        start = len(statement.key) + 1 if statement.key else 0
        copula = bool(COPULA.search(fold(asked.text)))
        spans = [s for s in spans_of(kind, asked, statement.text, copula=copula) if s.start >= start]
        if kind == "place" and not spans and fold(statement.key) in listed("place", "nouns"):
            spans = [Span(statement.value.rstrip(" .;"), start, len(statement.text))]
        if spans:
            found = ranked(spans, kind, asked, statement.text)
            if kind == "who" and not found:
                return  # "Salaries shown are ..." names nobody
            best = found[0][1] if found else spans[0]
            value = re.sub(r"(?<!\.m)[ .;]+$", "", statement.value)
            whole = statement.key and len(value.split()) <= SHORT and (len(spans) > 1 or kind != "who")
            text = f"{statement.before} {best.text}" if PRONOUN.match(best.text) and statement.before else best.text
            yield TextAnswer(value if whole else text, statement, score * (0.8 + 0.2 * best.fit), kind)
            return
