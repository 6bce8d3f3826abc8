"""Whether the document supports a model's RECAP: its formula's figures, its numbers and its words."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from tablerag.agent.hd_rag.reasoning import Recap, RecapTask
from tablerag.agent.model.grounding import numbers_in, strays, unknown_figures
from tablerag.agent.offline.arithmetic.moments import years_of
from tablerag.agent.offline.lexicon import NUMBER_WORDS
from tablerag.agent.stated_numbers import stated_numbers
from tablerag.tools.calculator import calculate, figures
from tablerag.tools.errors import FormulaRefused
from tablerag.tools.number_words import CURRENCY_SIGNS, CURRENCY_WORDS, MEASURES, SCALE_LETTERS, SCALE_WORDS, SHARES
from tablerag.tools.records import Chunk
from tablerag.tools.text import SENTENCE_END, tokens

__all__ = ["ungrounded"]

BESIDE_NUMBERS = frozenset(
    w
    for words in (SCALE_WORDS, SCALE_LETTERS, CURRENCY_SIGNS, CURRENCY_WORDS, SHARES, MEASURES)
    for word in words
    for w in tokens(word)
) | set(NUMBER_WORDS)
"""Units and scales: they need not be next to the number in the document."""
ARTICLES = frozenset("a an the of in for and or to by on at as".split())
SAYS_SO = frozenset(("yes", "no"))


def ungrounded(recap: Recap, task: RecapTask) -> str:
    """Return what of an answer is not in the document; "" if all is, or there is no answer.

    A computed answer needs only its formula's figures; arithmetic needs a formula unless the document has the number.
    Words must be together in a sentence, row or title; numbers anywhere in the document or question, up to rounding and
    scale. Counts cannot be checked, nor whether the right figure was used.
    """
    if not recap.answer or recap.question_type == "count":
        return ""
    known = _known(task)
    strange = unknown_figures(figures(recap.formula), known)
    computed = _computed(recap)
    if recap.question_type == "arithmetic" and not any(c.isdigit() for a in recap.answer for c in a):
        return f"{'; '.join(recap.answer)} is not a number; arithmetic needs one"
    if computed is not None and recap.question_type == "arithmetic":
        return f"{', '.join(strange)} in the formula is not in the document: use figures from it" if strange else ""
    if computed is not None and not strange and _is_result(recap.answer, computed):
        return ""
    missing = [s for a in recap.answer for s in strays(a, known)]
    if missing and recap.question_type == "arithmetic":
        return f"{', '.join(missing)} is not in the document: give the formula that computes it"
    missing += [a for a in recap.answer if not _supported(a, task)]
    listed = ", ".join(missing)
    return f"{listed} in the answer is not in the document: answer with its words and figures" if missing else ""


def _known(task: RecapTask) -> set[Decimal]:
    """Return the numbers in the document and the question, also in words and as fiscal years ("F18"), and zero."""
    texts = [task.question, *(f"{p.title} {p.text}" for p in task.passages)]
    spelled = {NUMBER_WORDS[w] for text in texts for w in tokens(text) if w in NUMBER_WORDS}
    years = {y for text in texts for y in years_of(text)}
    return numbers_in(texts) | {Decimal(n) for n in (0, *spelled, *years)}


def _computed(recap: Recap) -> Decimal | None:
    """Return the formula's result; None if it has no figures or cannot be computed."""
    try:
        return calculate(recap.formula).value if figures(recap.formula) else None
    except FormulaRefused:
        return None


def _is_result(answer: Sequence[str], computed: Decimal) -> bool:
    """Tell whether an answer is the formula's result."""
    stated = stated_numbers(answer[0]) if len(answer) == 1 else []
    return len(stated) == 1 and not strays(stated[0].text, {abs(computed), abs(computed) * 100})


def _supported(answer: str, task: RecapTask) -> bool:
    """Tell whether some part of the document contains all words of an answer, except units and scales."""
    words = {w for w in tokens(answer) if not w[0].isdigit()} - ARTICLES - BESIDE_NUMBERS
    return words <= SAYS_SO or any(words <= set(tokens(part)) for part in _parts(task))


def _parts(task: RecapTask) -> Iterator[str]:
    """Yield the parts of a document that may contain an answer: rows, pairs of sentences and titles."""
    yield task.question
    for passage in task.passages:
        yield passage.title
        yield from _rows(passage) if passage.kind == "table" else _sentences(passage)


def _rows(passage: Chunk) -> Iterator[str]:
    """Yield a table's rows, each with the header."""
    header, *rows = passage.text.splitlines() or [""]
    yield from (f"{header} {row}" for row in rows)
    yield re.sub(r"\s*\|\s*", " ", header)


def _sentences(passage: Chunk) -> Iterator[str]:
    """Yield a text's sentences, each with the next one."""
    sentences = SENTENCE_END.split(passage.text)
    yield from sentences
    yield from (f"{a} {b}" for a, b in pairwise(sentences))
