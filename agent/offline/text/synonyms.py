"""Words that mean the same: numbers, and the nouns that the tables' reader has in one group."""

from functools import lru_cache

from tablerag.agent.offline.reading.vocabulary import lexeme

__all__ = ["VAGUE", "meanings_of", "numeral"]

VAGUE = frozenset(
    "be have do make get take go come give set put hold keep run let bring see say work use thing".split()
)
"""Words with so many meanings that one in common says nothing."""


@lru_cache(maxsize=16_384)
def meanings_of(word: str) -> frozenset[str]:
    """Return what a folded word may mean: the groups of nouns that the tables' reader knows it in."""
    return frozenset() if word in VAGUE or word.isdigit() else frozenset(lexeme(word).groups)


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


@lru_cache(maxsize=16_384)
def numeral(word: str) -> str:
    """Return the digits of a number that is written as a word, up to a hundred; "" for other words."""
    tens, _, ones = word.partition("-")
    if ones and tens in UNITS and ones in UNITS and len(UNITS[tens]) == 2 and len(UNITS[ones]) == 1:
        return str(int(UNITS[tens]) + int(UNITS[ones]))
    return word if word.isdigit() else UNITS.get(word, "")
