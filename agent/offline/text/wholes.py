"""Whether a sentence gives the figure of a part, or of one of many, where the question asks for all of them."""

import re

from tablerag.agent.offline.text.asked import Kind, TextQuestion
from tablerag.agent.offline.text.matching import loosely_found, word_set
from tablerag.agent.offline.text.spans import PERCENT
from tablerag.agent.offline.text.statements import Statement
from tablerag.agent.offline.text.synonyms import numeral
from tablerag.agent.offline.text.vocabulary import fold, listed, pattern, words_in

__all__ = ["NUMERIC", "ONE_OF_MANY", "TOTAL", "is_of_part"]

NUMERIC: tuple[Kind, ...] = ("count", "amount", "percent", "measure", "duration")
ONE_OF_MANY = re.compile(
    r"\b(?:average|mean|median|durchschnitt\w*|moyenne?|per|each|every|pro|je|par|chaque|jede\w*)\b"
)
"""Words of a sentence about one of many, whose figure is no total and no count."""
TOTAL = re.compile(
    r"\b(?:total\w*|sum|overall|altogether|combined|gesamt\w*|insgesamt|summe|zusammen|somme|au total|en tout)\b"
)
ALL = re.compile(r"\b(?:all|every|alle[rn]?|samtliche\w*|tou(?:te)?s)\b")
WHERE = re.compile(
    r" (?:at|in|from|near|of|bei|aus|von|à|dans|chez) (?:the |der |dem |la |le )?(?P<name>[A-ZÀ-Þ][\w'’-]*)"
)
NEUTRAL = frozenset("different other full new whole calendar working business consecutive".split())
"""Words beside a counted noun that do not make a part of it."""
WHOLE = frozenset(
    """company companies group firm business organisation organization association year years month quarter period all
    entire annual yearly unternehmen firma gruppe verein jahr jahres gesellschaft entreprise groupe annee""".split()
)
"""Words beside a figure's noun that name all there is of it: "expenses of the company"."""
BEFORE = re.compile(r"(?P<word>[^\W\d_][\w'’-]*) $")
AFTER = re.compile(
    r"\w* (?:for|of|in|on|at|from|by|fur|von|bei|aus|im|pour|de|du|des) "
    r"(?:(?:the|our|its|this|der|die|das|den|dem|unsere\w*|la|le|les|notre) )?(?P<word>[^\W\d_][\w'’-]*)(?! ?\d)"
)
VERB = re.compile(r"\w+ed$")
BEYOND = re.compile(pattern("patterns", "beyond"), re.IGNORECASE)


def is_of_part(asked: TextQuestion, kind: Kind, part: str, statement: Statement) -> bool:
    """Tell whether a figure is that of a part, or of one of many, where all of them are asked for."""
    if kind == "count" and _counts_a_part(asked, statement, part):
        return True
    return kind in NUMERIC and (_is_of_one(asked, kind, part, statement) or _is_narrower(asked, statement))


def _is_narrower(asked: TextQuestion, statement: Statement) -> bool:
    """Tell whether a sentence names a part of what is totalled that the question does not: "maintenance expenses"."""
    question, said = fold(asked.text), fold(statement.text)
    if not TOTAL.search(question):
        return False
    known = word_set(f"{asked.text} {statement.heading} {statement.document}")
    idle = NEUTRAL | WHOLE | listed("stop")
    for noun in {w for w in asked.words if w.isalpha()} - asked.light:
        for place in re.finditer(rf"\b{re.escape(noun)}", said):
            beside = BEFORE.search(said[: place.start()]), AFTER.match(said[place.end() :])
            for word in (m["word"] for m in beside if m):
                if word not in idle and not (TOTAL.match(word) or VERB.match(word) or loosely_found(word, known)):
                    return True
    return False


def _counts_a_part(asked: TextQuestion, statement: Statement, counted: str) -> bool:
    """Tell whether a count is of a part that the question does not name: "two flats at Elm House", "for over 90 days".

    Or of one kind: "two sheltered flats". ``counted`` is the number with its noun, as in the statement.
    """
    rest = re.split(r"[,.;:()](?=\s|$)", statement.text.partition(counted)[2])[0]
    known = word_set(f"{asked.text} {statement.heading} {statement.document}")
    where = WHERE.match(rest)
    if where and not any(loosely_found(w.text, known) for w in words_in(where["name"])):
        return True
    kinds = {w.text for w in words_in(counted)[1:-1] if not numeral(w.text)} - NEUTRAL - listed("stop")
    if any(w[0].isalpha() and not loosely_found(w, known) for w in kinds):
        return True
    return bool(BEYOND.search(rest)) and not asked.numbers


def _is_of_one(asked: TextQuestion, kind: Kind, part: str, statement: Statement) -> bool:
    """Tell whether a figure is of one of many, or a rate, where a total is asked for."""
    question, said = fold(asked.text), fold(statement.text)
    if not TOTAL.search(question) or ONE_OF_MANY.search(question):
        return False
    if ONE_OF_MANY.search(said) or (kind == "amount" and PERCENT.fullmatch(part)):
        return True
    return bool(ALL.search(question)) and not (TOTAL.search(said) or ALL.search(said))
