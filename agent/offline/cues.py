"""Cues: words that suggest a kind of computation. They only limit which programs are tried; the ranker decides."""

import re
from typing import Literal, get_args

from tablerag.agent.offline.word_lists import pattern

__all__ = ["CHOICES", "Cue", "cues_of"]

Cue = Literal[
    "superlative", "beside", "counted", "compared", "summed", "alike", "negated", "grouped", "alternative", "yes_no",
    "bounded",
]  # fmt: skip
PATTERNS = {cue: re.compile(pattern("cues", cue)) for cue in get_args(Cue)}
CHOICES = (
    ("more", "less"), ("before", "after"), ("above", "below"), ("higher", "lower"), ("more", "fewer"), ("yes", "no"),
)  # fmt: skip


def cues_of(folded: str) -> frozenset[Cue]:
    """Return the cues in a question's folded words."""
    return frozenset(cue for cue, found in PATTERNS.items() if found.search(folded))
