"""Tokens of texts, the same for the lexical index, the embedded embedding and the reranker."""

import re
import unicodedata
from functools import lru_cache

from tablerag.tools.question_words import question_words

__all__ = ["SENTENCE_END", "content_tokens", "singular", "tokens", "total_of", "words"]

SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")
# A pattern that begins with a character is looked for several times as fast as one that begins with a look around it.
CAMEL = re.compile(r"[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])")
GROUPED = re.compile(r"[,' \u202f](?<=\d.)(?=\d{3}(?!\d))")
NOISE = re.compile(r"\|?[ :]*-{3,}[ :|-]*|\bnan\b|\bUnnamed: \d+\b|\bcolumn_\d+\b")
NOISY = ("---", "nan", "Unnamed: ", "column_")
"""What a text with noise contains."""
RUN = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
KEPT_WORDS = 20_000
"""Words whose singular is kept: those of a corpus's tables and questions are looked up again and again."""
UNSPACED = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff\uf900-\ufaff]+")


@lru_cache(maxsize=KEPT_WORDS)
def singular(word: str) -> str:
    """Return an English noun without its plural ending, by a rough but stable rule."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def total_of(header: str) -> str:
    """Return what the sum of a column is called: "Total of Quantity", "Sum of Total (EUR)"."""
    return f"{'Sum' if 'total' in tokens(header) else 'Total'} of {header}"


def words(text: str) -> list[str]:
    """Return lower-case words without accents; names are split at case changes, scripts without spaces into bigrams."""
    if any(mark in text for mark in NOISY):
        text = NOISE.sub(" ", text)
    if text.isascii():
        return RUN.findall(CAMEL.sub(r"\g<0> ", GROUPED.sub("", text)).lower())
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = CAMEL.sub(r"\g<0> ", GROUPED.sub("", text)).casefold()
    found: list[str] = []
    for run in RUN.findall(text):
        if UNSPACED.fullmatch(run):
            found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        else:
            found.append(run)
    return found


def tokens(text: str) -> list[str]:
    """Return the words of a text, without plural endings."""
    return [singular(w) for w in words(text)]


def content_tokens(query: str) -> list[str]:
    """Return the tokens of a query without question words of its language, unless nothing would be left."""
    found = words(query)
    asking = question_words(found)
    return [singular(w) for w in found if w not in asking] or [singular(w) for w in found]
