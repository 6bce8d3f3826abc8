"""Words that say what to compute: the operation, comparisons, and words that name no column or value."""

from typing import Literal

from tablerag.agent.offline.word_lists import named_words, pattern, words
from tablerag.tools.number_words import CURRENCY, TEXT_SCALE, WORD_SCALE

HIGHEST, LOWEST, PER = (pattern("lexicon", name) for name in ("highest", "lowest", "per"))
MONTHS = words("months")
NUMBER_WORDS = {
    word: number
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_N = rf"(?P<before>{CURRENCY})?\s*(?P<n>(?<![\d,])-?\d[\d,]*+(?:\.\d+)?){TEXT_SCALE}?\s*%?"
COMPARISONS: tuple[tuple[Literal[">=", "<=", ">", "<"], str], ...] = (
    (">=", rf"\b(?:at least|no less than|not less than|minimum of)\s+{_N}"),
    ("<=", rf"\b(?:at most|no more than|not more than|up to|maximum of)\s+{_N}"),
    (">", rf"\b(?:more than|over|above|greater than|higher than|larger than|exceeding|exceed|exceeds|exceeded)\s+{_N}"),
    ("<", rf"\b(?:less than|under|below|fewer than|lower than|smaller than|cheaper than)\s+{_N}"),
    (">=", rf"{_N}\s+or (?:more|above|higher|greater|over)"),
    ("<=", rf"{_N}\s+or (?:less|below|fewer|lower|under)"),
    (">", rf"\bafter\s+{_N}"),
    (">=", rf"\bsince\s+{_N}"),
    ("<", rf"\bbefore\s+{_N}"),
    ("<=", rf"\buntil\s+{_N}"),
)
BETWEEN = (
    rf"\b(?:between|from)\s+{CURRENCY}?\s*(?P<low>-?\d[\d,]*(?:\.\d+)?)(?: ?(?P<low_scale>{WORD_SCALE}))?"
    rf"\s+(?:and|to)\s+{_N}"
)
OPERATION_WORDS = words("operation_words")
FORMS = {form: word for word, forms in named_words("forms").items() for form in forms}
"""Forms of a word that do not begin alike, as headers and questions use them."""
