"""Gold answers as people write them (a number, a text, a list, or none), and whether an answer's values are right.

A number may be rounded, to 0.5 % of its value at most, and written with any unit, scale and separators. A text is right
without regard to case, accents, punctuation and the form of a date, also within a sentence. A list is a set.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tablerag.evaluation.metrics.denotation import normalise
from tablerag.evaluation.metrics.folder import LETTERS, LONGEST_TEXT, NUMBER, Given, key_of, matches, written_numbers
from tablerag.evaluation.metrics.spans import span_scores
from tablerag.tools.number_words import MONEY, SCALE_WORDS

__all__ = ["GoldAnswer", "GoldValue", "is_right", "read_gold", "scores_of"]

Value = str | int | float
AMOUNT = re.compile(rf"(?:{MONEY}\s?)?(?P<number>{NUMBER.pattern})\.?(?:\s?{MONEY})?", re.IGNORECASE)
APART = re.compile(r"\s*(?:,(?!\d)|\n|•)\s*")
JOINED = re.compile(r"\s*(?:,(?!\d)|\n|•|\b(?:and|und|et)\b|&)\s*")
DASHES = str.maketrans("‐‑‒–—−", "------")
COUNTS = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d+[.)]\s+)", re.MULTILINE)
"""What a line of a written list begins with."""


@dataclass(frozen=True, slots=True)
class GoldValue:
    """One value, as it was written and as a number."""

    text: str
    number: str = ""
    """"" if the value is a text."""
    unit: str = ""
    step: float = 0.0
    """What one in the last digit is worth where a scale was written: 100000 for 1.2 million."""


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """The values of a gold answer; without values, the documents have no answer."""

    values: tuple[GoldValue, ...]
    is_list: bool = False


def read_gold(answer: Value | Sequence[Value] | None) -> GoldAnswer:
    """Read a gold answer: a list is a set of values, None says that the documents have no answer."""
    if answer is None:
        return GoldAnswer(())
    if isinstance(answer, str | int | float):
        return GoldAnswer((_gold_value(answer),))
    return GoldAnswer(tuple(map(_gold_value, answer)), is_list=True)


def _gold_value(value: Value) -> GoldValue:
    if not isinstance(value, str):
        return GoldValue(str(value), repr(value))
    text = " ".join(value.split())
    # A date is a text; "12 March" would be an amount of Marches.
    if re.search(r"\d{4}-\d\d|month \d", f"{key_of(text)} {key_of(text.lstrip('0123456789. '))}"):
        return GoldValue(text)
    found = AMOUNT.fullmatch(text.rstrip("²³"))
    if found is None or re.match(r"0\d", found["whole"]):  # 007 is a code
        return GoldValue(text)
    readings = list(written_numbers(found["number"]))
    metres = (found["unit"] or "").casefold() in LETTERS and found["number"] == text and " " in text
    number, step, unit = readings[-1 if metres else 0]
    decimals = len(found["decimals"] or "")
    scaled = (found["unit"] or "").casefold() != unit
    plain = f"{number:.{0 if scaled else decimals}f}"
    return GoldValue(text, plain if float(plain) == number else repr(number), unit, step if scaled else 0.0)


def scores_of(gold: GoldAnswer, values: Sequence[str]) -> dict[str, float]:
    """Return ``right`` (0 or 1) and ``f1`` over words; where there is no answer, only no values are right."""
    if not gold.values:
        return {"right": float(not values), "f1": float(not values)}
    f1 = span_scores(["; ".join(g.text for g in gold.values)], "; ".join(values))["f1"]
    right = is_right(gold, values)
    return {"right": float(right), "f1": 1.0 if right else f1}


def is_right(gold: GoldAnswer, values: Sequence[str]) -> bool:
    """Return whether the values of an answer are the gold ones."""
    if not values or not gold.values:
        return not values and not gold.values
    if gold.is_list:
        return any(_same_set(gold.values, reading) for reading in _readings(values))
    wanted, joined = gold.values[0], "; ".join(values)
    return _same_words(wanted.text, joined) or (len(values) == 1 and _states(wanted, joined))


def _states(gold: GoldValue, text: str) -> bool:
    """Return whether a short text states the value."""
    given = Given(text)
    if not gold.number:
        if matches(given, {"text": gold.text}):
            return True
        short = len(text.split()) <= LONGEST_TEXT
        return short and f" {_words(gold.text)} " in f" {_words(text)} "
    unit = gold.unit if gold.unit not in LETTERS else ""  # 5 m is not 5 million here
    if matches(given, {"number": gold.number, "unit": unit}):
        return True
    wanted = float(gold.number)
    if not re.search(r"\d", text) and wanted in range(len(COUNTS)):
        words = re.findall(r"[\w-]+", text.casefold())
        return len(words) <= LONGEST_TEXT and COUNTS[int(wanted)] in words and not SCALE_WORDS.keys() & set(words)
    for value, _, counted in written_numbers(text):
        if gold.step and abs(value - wanted) <= 0.5001 * gold.step:
            return True
        share = {("%", ""): value * 100, ("", "%"): value / 100}.get((gold.unit, counted))
        if share is not None and abs(share - wanted) <= 1e-4 * abs(wanted):
            return True
    return False


def _same_set(gold: Sequence[GoldValue], values: Sequence[str]) -> bool:
    wanted = list({_words(g.text): g for g in gold}.values())
    given = list({_words(v): v for v in values}.values())
    return (
        len(wanted) == len(given)
        and all(any(_same_item(g, v) for v in given) for g in wanted)
        and all(any(_same_item(g, v) for g in wanted) for v in given)
    )


def _same_item(gold: GoldValue, value: str) -> bool:
    """Return whether an item of a list is the gold one, which may be followed by a detail in brackets."""
    if gold.number:
        return _states(gold, value)
    return _same_words(gold.text, value) or normalise(gold.text) == normalise(value)


def _readings(values: Sequence[str]) -> list[list[str]]:
    """Return the ways to split an answer into items: by its semicolons, also by lines and commas, also by "and"."""
    texts = [BULLET.sub("", value) for value in values]
    split = [[part.strip(" .") for text in texts for part in by.split(text)] for by in (APART, JOINED)]
    return [[t.strip() for t in texts], *([p for p in parts if p] for parts in split)]


def _same_words(one: str, two: str) -> bool:
    return key_of(one) == key_of(two) or (bool(_words(one)) and _words(one) == _words(two))


def _words(text: str) -> str:
    """Return the words of a text in lower case, without accents, articles and punctuation; decimals stay."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(DASHES))
    plain = "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
    words = re.findall(r"\d+(?:[.,]\d+)+|\w+|[+-](?=\d)|[%€$£]", plain)
    return " ".join(w.replace(",", "") for w in words if w not in ("a", "an", "the"))
