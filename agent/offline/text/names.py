"""Names of people, organisations and places in a sentence, and roles such as "the finance director"."""

import re
from collections.abc import Iterator

from tablerag.agent.offline.text.dates import DATE
from tablerag.agent.offline.text.vocabulary import fold, listed, pattern

__all__ = ["names_in_text", "places_in", "roles_in"]

TITLE, PARTICLE, DETERMINER, OF_ROLE, NO_PLACE = (
    pattern("patterns", name) for name in ("title", "particle", "determiner", "of_role", "no_place")
)
PART = r"[A-ZÀ-Þ](?:[\w'’]|-(?=\w))*"
INITIAL = r"[A-ZÀ-Þ]\.(?:-?[A-ZÀ-Þ]\.)*"
NAME = re.compile(
    rf"(?:{TITLE})*(?:{INITIAL} ?|{PART})"
    # A number may follow, "Room 3", but never the beginning of one: "EUR 1,250".
    rf"(?:(?: {PARTICLE})? ?(?:(?<= ){TITLE}|(?<= ){INITIAL}|(?<= ){PART}|(?<= )\d+(?![\d.,]\d)\b))*"
)
COMPANY = re.compile(r"\b(?:Ltd|Inc|LLC|LLP|PLC|plc|GmbH|AG|KG|SE|SA|SAS|SARL|BV|NV|Oy|SpA|Corp|Co|Limited)\b\.?")
GERMAN = re.compile(
    r"\b(?:der|die|das|dem|den|und|ist|sind|wird|werden|wurde|von|mit|durch|nach|beim|vom|zum|zur|ein|eine|im|am"
    r"|jeden|beiden|alle|für|auf|aus|sich|nicht)\b"
)
AFTER_FIRM = re.compile(r"\b(?:Firma|company|firm|société|Herrn?|Frau|Familie) $")
SPLIT = re.compile(r" (?:and|und|et|for|für|pour) ")
BEFORE_ROLE = re.compile(rf"\b{DETERMINER}", re.IGNORECASE)
BEFORE_PLACE = re.compile(pattern("patterns", "before_place"), re.IGNORECASE)
BESIDE = re.compile(pattern("patterns", "beside"), re.IGNORECASE)
"""Prepositions that only places follow, and that belong to the place: "behind the blue panel"."""
END_OF_PLACE = re.compile(pattern("patterns", "end_of_place"))
ROLE_WORDS = 4
"""How many words after "the" a role's noun may be."""


def names_in_text(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield where names are: runs of capitalised words that are no sentence's opening, month, day or currency."""
    # "Februar 2025 von Frau Vogt" is no name.
    undated = DATE.sub(lambda m: "." * len(m[0]), sentence)
    for found in NAME.finditer(undated):
        if found.start() and (sentence[found.start() - 1].isalnum() or sentence[found.start() - 1] in "@-_/'’"):
            continue
        yield from _trimmed(sentence, found.start(), found.end())


def _trimmed(sentence: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a run without opening words and roles before the name; parts that "and" joins are names of their own."""
    text = sentence[start:end]
    joined = None if COMPANY.search(text) or "&" in text else SPLIT.search(text)
    if joined:
        yield from _trimmed(sentence, start, start + joined.start())
        yield from _trimmed(sentence, start + joined.end(), end)
        return
    words = [(m.start(), m[0]) for m in re.finditer(r"\S+", text)]
    while words and _is_no_name(words[0][1]):
        words.pop(0)
    while words and (not words[-1][1][0].isalnum() or words[-1][1].islower()):
        words.pop()
    if not words or all(w.isdigit() for _, w in words):
        return
    first, (last, word) = words[0][0], words[-1]
    if fold(word) in listed("places") and re.search(r"\d ?$", sentence[: start + first]):
        return  # the street of an address
    if len(words) == 1 and _is_common(sentence, start + first, word):
        return
    if fold(words[0][1]) in listed("places") and re.fullmatch(r"\d+|\w", word):
        return  # "Hall 2"
    yield start + first, start + last + len(word)


def _is_common(sentence: str, start: int, word: str) -> bool:
    """Tell whether a single capitalised word is no name: after an article, and in German, where all nouns have one."""
    if (word.isupper() and len(word) > 1) or AFTER_FIRM.search(sentence[:start]):
        return False
    return bool(re.search(rf"\b{DETERMINER}$", sentence[:start], re.IGNORECASE) or len(GERMAN.findall(sentence)) > 1)


def _is_no_name(word: str) -> bool:
    bare = fold(word.rstrip(".,:'’"))
    if bare in listed("titles") and word[0].isupper():
        return False
    german_role = re.search(r"(?:leiter|leiterin|fuhrer|fuhrerin|beauftragter?|meister|firma|abteilung)$", bare)
    known = bare in listed("opening") | listed("months") | listed("roles") or bare.isdigit()
    return known or bool(german_role) or not word[:1].isupper()


def roles_in(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield where roles are: "the head of department", "the service desk"."""
    for before in BEFORE_ROLE.finditer(sentence):
        end = 0
        for place, word in enumerate(re.finditer(r"[\w'’-]+", sentence[before.end() : before.end() + 80])):
            if place >= ROLE_WORDS or fold(word[0]) in listed("stop"):
                break
            if fold(word[0]) in listed("roles"):
                end = before.end() + word.end()
        if end:
            of = re.compile(OF_ROLE).match(sentence, end)
            yield before.start(), of.end() if of else end


def places_in(sentence: str, *, copula: bool) -> Iterator[tuple[int, int]]:
    """Yield where places are: a name, a room or a building after "in", "at" and the like; after "is" if ``copula``."""
    sentence = DATE.sub(lambda m: ";" * len(m[0]), sentence)
    for before in BEFORE_PLACE.finditer(sentence):
        is_verb = before[0].strip().casefold() in ("is", "are", "was", "were", "ist", "est")
        rest = sentence[before.end() :]
        if is_verb and not (copula and re.match(rf"{DETERMINER}|[A-ZÀ-Þ]", rest)):
            continue
        stop = END_OF_PLACE.search(rest)
        phrase = (rest[: stop.start()] if stop else rest).rstrip(" .!?")
        phrase = re.sub(r"(?: (?:in|at|on|im|am|au|en|à|of|since|seit|depuis))+$", "", phrase)
        determined = re.match(DETERMINER, phrase, re.IGNORECASE)
        beside = BESIDE.match(before[0]) and determined
        if re.match(NO_PLACE, phrase) or len(phrase.split()) > 9 or not phrase or not (beside or _is_place(phrase)):
            continue
        start = before.start() if beside else before.end() + (determined.end() if determined else 0)
        end = before.end() + len(phrase)
        address = re.match(r",? \d+[^.;:]*|, [A-ZÀ-Þ]\w+(?= ?[.,]|$)", sentence[end:])
        yield start, end + (address.end() if address else 0)


def _is_place(phrase: str) -> bool:
    words = phrase.split()
    folded = [fold(w.strip(".,'’\"")) for w in words]
    if any(w in listed("months") or re.fullmatch(r"[a-z]+(?:day|days|tags?)", w) for w in folded):
        return False
    if not listed("places").isdisjoint(folded):
        return True
    named = [w for w in words if w[:1].isupper() and not _is_no_name(w)]
    return bool(named) and words.index(named[0]) <= 2
