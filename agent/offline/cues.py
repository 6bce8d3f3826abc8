"""Cues: words by which a question shows what may be computed. They only bound what is tried; the ranker decides."""

import re
from dataclasses import dataclass

__all__ = ["CHOICES", "Cues", "cues_of"]

SUPERLATIVE = re.compile(
    r"\b(\w+est|most|least|first|last|top|best|worst|max\w*|min\w*|final|bottom|latest|more|less|fewer|only|ever|"
    r"before|after|earlier|later|\w+er|since|start|begin|began|open\w*|initial|record|end|ended|debut|up)\b"
)
BESIDE = re.compile(
    r"\b(next|after|before|prior|previous\w*|follow\w*|preced\w*|succe\w+|above|below|behind|ahead|beside|besides|"
    r"immediately|directly|consecutive|came|come|comes|right|then|under|underneath|later|earlier|beat|replaced)\b"
)
COUNTED = re.compile(r"\b(how many|how often|number|count|total|amount|times|how much|many|numbers|much|quantity)\b")
COMPARED = re.compile(
    r"\b(than|difference|differ\w*|between|from|how long|more|less|fewer|longer|\w+er|separate\w*|apart|exceed\w*|gap|"
    r"span\w*|range|passed|elapsed|margin|beat|over|lead|years|days|compared|last|long)\b"
)
SUMMED = re.compile(
    r"\b(total|sum|combined|altogether|overall|average|mean|together|all|how many|how much|number|amount|avg|both|"
    r"per)\b"
)
ALIKE = re.compile(r"\b(same|also|other|another|else|besides|share\w*|tied?|equal|as|too|similar)\b")
NEGATED = re.compile(
    r"\b(not|n't|t|never|other|besides|except|without|no|excluding|else|outside|aside|apart|did|none|non)\b"
)
EMPTINESS = re.compile(
    r"\b(no|not|without|never|none|blank|empty|missing|unknown|any|have|has|had|with|received|were|did|n't|t)\b"
)
BOUNDED = re.compile(
    r"\b(more|less|fewer|over|under|above|below|after|before|than|since|until|between|from|least|most|up|exceed\w*|"
    r"\w+er|within|through|to|beyond|past|or|prior|minimum|maximum|by|during|not|no|top|only)\b"
)
GROUPED = re.compile(
    r"\b(most|least|more than|only|at least|multiple|twice|once|each|every|per|times|several|fewest|common|one|two|"
    r"three|both|ever|highest|lowest|frequent\w*|repeat\w*)\b"
)
ALTERNATIVE = re.compile(r"\b(or|and|between|versus|vs|compared|than|both|either)\b")
SHARE = re.compile(r"\b(percent\w*|share|proportion|ratio|fraction|times as)\b")
EACH = re.compile(r"\b(per|by|each|every)\b")
AVERAGED = re.compile(r"\b(average|averaged|mean|avg|typical)\b")
YES_NO = re.compile(r"^(is|are|was|were|do|does|did|has|have|had|can|could|will|true)\b")
LENGTH = re.compile(r"\b(how long|how many years|years|time)\b")
TOP = re.compile(r"\b(top|first|last|bottom|highest|lowest|largest|smallest|best|most|least)\b")
CHOICES = (
    ("more", "less"), ("before", "after"), ("above", "below"), ("higher", "lower"), ("more", "fewer"), ("yes", "no"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cues:
    """Which cues a question has."""

    superlative: bool
    beside: bool
    counted: bool
    compared: bool
    summed: bool
    alike: bool
    negated: bool
    grouped: bool
    alternative: bool
    share: bool
    yes_no: bool
    length: bool
    top: bool
    emptiness: bool
    bounded: bool
    each: bool
    averaged: bool


def cues_of(folded: str) -> Cues:
    """Look for the cues in a question's folded words."""
    patterns = (
        SUPERLATIVE, BESIDE, COUNTED, COMPARED, SUMMED, ALIKE, NEGATED,
        GROUPED, ALTERNATIVE, SHARE, YES_NO, LENGTH, TOP, EMPTINESS, BOUNDED, EACH, AVERAGED,
    )  # fmt: skip
    return Cues(*(pattern.search(folded) is not None for pattern in patterns))
