"""Question words by language, from ``question_words.toml``: searches ignore them.

They are rare in tables, so a lexical score would give them a high weight.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path

__all__ = ["language_of", "question_words"]

_LISTS = tomllib.loads(Path(__file__).with_name("question_words.toml").read_text(encoding="utf-8"))
_WORDS = {language: frozenset(words.split()) for language, words in _LISTS.items()}
UNSPACED = _WORDS.pop("zh") | _WORDS.pop("ja")
SPACED = _WORDS


def question_words(words: Sequence[str]) -> frozenset[str]:
    """Return the question words of the language with most of the words of a query, English at a tie.

    Only of one language: German ``war`` and French ``son`` are nouns in an English question.
    """
    return SPACED[language_of(words)] | UNSPACED


def language_of(words: Sequence[str]) -> str:
    """Return the language with most of the words, as in question_words.toml; "en" at a tie."""
    present = set(words)
    return max(SPACED, key=lambda name: (len(SPACED[name] & present), name == "en"))
