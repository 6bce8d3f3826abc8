"""Clean tokens, the same for the lexical index, the embedded embedding and the reranker."""

import re
import unicodedata

__all__ = ["QUESTION_WORDS", "content_tokens", "singular", "tokens"]

CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
GROUPED = re.compile(r"(?<=\d)[,' \u202f](?=\d{3}(?!\d))")
NOISE = re.compile(r"\|?[ :]*-{3,}[ :|-]*|\bnan\b|\bUnnamed: \d+\b")
RUN = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
UNSPACED = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff\uf900-\ufaff]+")

QUESTION_WORDS = frozenset(
    """
    a about all also am an and any are as at be been being both but by can could did do does doing each either ever for
    from get give given had has have having he her hers him his how i if in into is it its itself just least less let
    list many may me might more most much must my name neither no nor not of on one only or other our out over per
    please same shall she should show since so some such tell than that the their theirs them then there these they
    this those through to too under until up us very was we were what whats when where whether which while who whom
    whose why will with within without would you your
    """.split()
)
"""Rare in tables, so a lexical score would weigh them heavily; they say how is asked, not about what."""


def singular(word: str) -> str:
    """Return an English noun without its plural ending, a rough but stable rule."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def tokens(text: str) -> list[str]:
    """Return lower-case tokens: names split at case and underscores, plurals cut, unspaced scripts as bigrams."""
    text = NOISE.sub(" ", text)
    text = CAMEL.sub(" ", GROUPED.sub("", unicodedata.normalize("NFKD", text)))
    text = "".join(c for c in text if not unicodedata.combining(c)).casefold()
    found: list[str] = []
    for run in RUN.findall(text):
        if UNSPACED.fullmatch(run):
            found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        else:
            found.append(singular(run))
    return found


def content_tokens(query: str) -> list[str]:
    """Return a query's tokens without question words, unless nothing would be left."""
    all_tokens = tokens(query)
    return [t for t in all_tokens if t not in QUESTION_WORDS] or all_tokens
