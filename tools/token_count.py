"""Estimate the number of tokens of a text without a tokenizer, the same on every machine."""

import re

__all__ = ["count_tokens"]

WORDS = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
CHARS_PER_TOKEN = 6
"""Longer words count as several tokens, as in the tokenizers of current models."""


def count_tokens(text: str) -> int:
    """Return the estimated number of tokens of a text."""
    return sum(_word_tokens(word) for word in WORDS.findall(text))


def _word_tokens(word: str) -> int:
    if ord(word[0]) > 0x2E80:  # scripts without spaces: about one token per character
        return len(word)
    return -(-len(word) // CHARS_PER_TOKEN)
