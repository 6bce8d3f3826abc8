"""Tokens of a text, estimated without a model's tokenizer: the same on every machine."""

import re

__all__ = ["count_tokens"]

WORDS = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
CHARS_PER_TOKEN = 6
"""Longer words count as several tokens, as in the tokenizers of current models."""


def count_tokens(text: str) -> int:
    """Estimate how many tokens a text has."""
    return sum(_word_tokens(word) for word in WORDS.findall(text))


def _word_tokens(word: str) -> int:
    if ord(word[0]) > 0x2E80:  # scripts without spaces: about one token a character
        return len(word)
    return -(-len(word) // CHARS_PER_TOKEN)
