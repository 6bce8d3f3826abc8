"""Words that mean the same or nearly so: by the lists of words.toml, of the tables' reader, and by WordNet."""

import re
from functools import lru_cache
from importlib.resources import files

from tablerag.agent.offline.reading.vocabulary import STEMMERS, lexeme
from tablerag.agent.offline.text.vocabulary import FORMS

__all__ = ["VAGUE", "meanings_of", "numeral"]

NEGATED = re.compile(r"(?:un|re|dis|de)(?P<rest>\w{5,})")
VAGUE = frozenset(
    "be have do make get take go come give set put hold keep run let bring see say work use thing".split()
)
"""Words with so many meanings that one in common says nothing."""


@lru_cache(maxsize=1)
def _wordnet() -> dict[str, frozenset[int]]:
    """Return the numbers of the meanings of each stem."""
    text = (files("tablerag.agent.offline.text") / "wordnet.txt").read_text(encoding="utf-8")
    found: dict[str, set[int]] = {}
    for number, line in enumerate(text.splitlines()):
        for word in line.split() if not line.startswith("#") else ():
            found.setdefault(_stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return STEMMERS[0].stemWord(FORMS.get(word, word))


@lru_cache(maxsize=50_000)
def meanings_of(word: str) -> frozenset[int | str]:
    """Return what a folded word may mean: numbers of WordNet's meanings and names of groups of nouns."""
    if word in VAGUE or word.isdigit():
        return frozenset()
    found: frozenset[int | str] = frozenset(lexeme(word).groups) | _wordnet().get(_stem(word), frozenset())
    inner = NEGATED.fullmatch(word)
    return found | meanings_of(inner["rest"]) if inner and not found else found


UNITS = {
    word: str(number)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
        "zero un deux trois quatre cinq six sept huit neuf dix onze douze",
    )
    for number, word in enumerate(words.split())
    if number
} | {
    word: str(10 * number)
    for words in (
        "ten twenty thirty forty fifty sixty seventy eighty ninety hundred",
        "zehn zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert",
        "dix vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent",
    )
    for number, word in enumerate(words.split(), 1)
}


@lru_cache(maxsize=50_000)
def numeral(word: str) -> str:
    """Return the digits of a number that is written as a word, up to a hundred; "" for other words."""
    tens, _, ones = word.partition("-")
    if ones and tens in UNITS and ones in UNITS and len(UNITS[tens]) == 2 and len(UNITS[ones]) == 1:
        return str(int(UNITS[tens]) + int(UNITS[ones]))
    return word if word.isdigit() else UNITS.get(word, "")
