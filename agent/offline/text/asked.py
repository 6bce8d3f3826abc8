"""What a question about text asks for: its kind, its noun and its other words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from tablerag.agent.offline.reading.vocabulary import language_of
from tablerag.agent.offline.text.vocabulary import fold, inflected, listed, pattern, section, words_in

__all__ = ["Kind", "TextQuestion", "read_text_question"]

Kind = Literal[
    "percent", "duration", "frequency", "measure", "count", "amount", "time", "year", "date", "place", "who", "reason",
    "yes_no", "code", "statement",
]  # fmt: skip
"""What an answer must contain; "statement" if any sentence may answer."""
BEGINS = (
    r"(?:\A|[.?!,;:] |\band |\bund |\bet )(?:(?:by|to|within|on|at|from|for|in|of|with|up|above|below|over|since|until"
    r"|under|after|before|an|bis|ab|seit|von|mit|auf|zu|bei|fur|a|de|par|pour|depuis|dans|en|sous|sur|avec) ){0,2}"
)
ALL_KINDS: tuple[Kind, ...] = get_args(Kind)
KINDS: dict[Kind, re.Pattern[str]] = {
    k: re.compile(pattern("asked", k).replace("^", BEGINS)) for k in ALL_KINDS if k in section("asked")
}
OPEN = re.compile(rf"{BEGINS}(?:what|which|was|welche[rsnm]?|quel(?:le)?s?|qu.est-ce que)\b")
FOCUS = re.compile(
    r"\b(?:what|which|who|how (?:many|much|high|large|long|big|tall)|number of|welche[rsnm]?|wer|wie ?viele?"
    r"|wie (?:hoch|gross|lang|lange)|combien d(?:e\b|.)|quel(?:le)?s?|qui)\b"
    r"(?:[ ,]+(?:is|are|was|were|will be|ist|sind|war|waren|est|sont|etait|the|a|an|our|der|die|das|den|le|la|les|l"
    r"|de|du|kind of|type of|name of|names of|amount of|notre|unsere?)\b['’]?)* ?(?P<rest>.*)"
)
INVERTED = re.compile(r"(?<=\w)-(?:t-)?(?:ils?|elles?|on|nous|vous|je|ce)\b")
"""The subject behind a French verb: "a-t-elle"."""
POSSESSED = re.compile(r"\b(my|your|our|his|her|its|their) own\b")
NAME = re.compile(r"(?<![.?!:\"'“‘(] )(?<!^)(?<!^[\"'“‘(])\b[A-ZÀ-Þ][\w&'’-]*")
ACRONYM = re.compile(r"\b[A-Z]{2,5}\b|(?<= )[B-HJ-Z]\b(?![.'’-])")
"""Short names: "IT", "zone D"."""
AMOUNTS = re.compile(r"\b(?:high|large|big|small|hoch|gross|s.eleve|elevee?|grand|warm|stark|strong)\b")
"""What is asked of money and shares too: "how high is the fee"."""
TWICE = re.compile(
    r",? (?:and|und|et) (?=(?:(?:by|to|from|since|at|for|with|until|bis|ab|seit|auf|von|depuis|a|de|par) )?"
    r"(?:when|where|who|why|how|which|what|wann|wo|wer|warum|wie|welche\w?|quand|ou|qui|pourquoi|combien|quel\w*)\b)"
)
SHORTENED = re.compile(r"\b(what|who|where|when|how)s\b")
SMALL_NAMES = frozenset("I I'm I've I'd Eur EUR USD GBP CHF".split())


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """A question about text."""

    text: str
    kinds: tuple[Kind, ...]
    """Kinds of answers that fit, the likeliest first."""
    words: tuple[str, ...]
    """Folded content words in order, each once."""
    light: frozenset[str]
    """Those that say little."""
    focus: str
    """The last word of the phrase, usually the noun asked for: "rent"; "" if there is none."""
    phrase: tuple[str, ...]
    """The words after the question word, up to the next function word: "monthly rent"."""
    compound: tuple[tuple[str, str], ...]
    """Words that stand directly before another one, with it: ("sick", "leave")."""
    names: frozenset[str]
    """Folded words with a capital letter inside the question; none in German, where every noun has one."""
    numbers: frozenset[str]
    """Its numbers and years, as written."""
    nouns: tuple[tuple[str, ...], ...] = ()
    """Its telling nouns with the words before them: words after an article, a preposition or "which"; in German words
    with a capital letter."""
    also: tuple[Kind, ...] = ()
    """If two things are asked, the first kind of each: "From when, and to how much?"."""

    @property
    def kind(self) -> Kind:
        """The likeliest kind."""
        return self.kinds[0]


@lru_cache(maxsize=64)
def read_text_question(text: str) -> TextQuestion:
    """Read what a question asks for."""
    folded = POSSESSED.sub(r"\1", INVERTED.sub("", SHORTENED.sub(r"\1 is", " ".join(fold(text).split()))))
    found = [w.text for w in words_in(folded)]
    acronyms = frozenset(fold(a) for a in ACRONYM.findall(text) if not text.isupper() and a not in SMALL_NAMES)
    content = [w for w in found if w in acronyms or (w not in listed("stop") and (len(w) > 1 or w.isdigit()))]
    phrase = _phrase(folded) if FOCUS.search(folded) else _leading(folded)
    focus = phrase[-1] if phrase else ""
    kinds = _kinds(folded, phrase)
    # A deadline or an interval is what such an answer is, so its sentence need not name it.
    implied = listed("light") if kinds[0] in ("statement", "yes_no") else listed("light") | listed("generic")
    if kinds[0] == "code":
        implied |= listed("contacts") | {"address", "adresse"}
    implied |= {"last"} if kinds[0] == "duration" else frozenset()
    light = frozenset(w for w in content if inflected(w, implied))
    if focus in light and len(light) < len(set(content)) and kinds[0] in ("count", "statement"):
        light -= {focus}
    pairs = {(a, b) for a, b in zip(found, found[1:], strict=False) if {a, b} <= set(content) - light}
    german = language_of(found).code == "de"
    return TextQuestion(
        text=text,
        kinds=kinds,
        words=tuple(dict.fromkeys(content)),
        light=light,
        focus=focus,
        phrase=phrase,
        compound=tuple(sorted(pairs)),
        names=acronyms | (frozenset() if german else _names(text)),
        numbers=frozenset(re.findall(r"\d+(?:[.,]\d+)*", text)),
        nouns=tuple(
            kept
            for group in (((n,) for n in sorted(_names(text))) if german else _nouns(folded))
            if (kept := tuple(w for w in group if w in content and w not in light))
        ),
        also=_also(folded),
    )


def _names(text: str) -> frozenset[str]:
    found = (m[0] for m in NAME.finditer(text.strip()) if m[0] not in SMALL_NAMES)
    return frozenset(
        w.text.removesuffix("'s").removesuffix("’s") for n in found for w in words_in(n) if len(w.text) > 1
    )


def _nouns(folded: str) -> Iterator[list[str]]:
    """Yield the words after an article, a preposition or "which", up to the next function word; no verbs."""
    words = words_in(folded)
    stops = [place for place, w in enumerate(words) if w.text in listed("stop")]
    for place, end in zip([-1, *stops], [*stops, len(words)], strict=True):
        group = [w.text for w in words[place + 1 : end]]
        if place < 0 or words[place].text not in listed("before_nouns"):
            continue
        after = words[end].text if end < len(words) else ""
        # "Which company covers our cars", "Does the bank lend us money": the last word is a verb.
        inverted = words[place].text in listed("asking") or (place and words[place - 1].text in listed("auxiliaries"))
        if inverted and len(group) > 1 and after not in listed("auxiliaries"):
            group.pop()
        yield group


def _also(folded: str) -> tuple[Kind, ...]:
    """Return the kinds of two things that are asked at once; empty if it is one."""
    first, *second = TWICE.split(folded, maxsplit=1)
    if not second:
        return ()
    return tuple(_kinds(part, _phrase(part) if FOCUS.search(part) else ())[0] for part in (first, *second))


def _kinds(folded: str, phrase: tuple[str, ...]) -> tuple[Kind, ...]:
    """Return the kinds by the question word, then by the noun asked for, else by any noun of a short query."""
    by_word: Kind | None = next((k for k, p in KINDS.items() if p.search(folded)), None)
    if by_word == "measure":
        return ("measure", "amount", "percent") if AMOUNTS.search(folded) else ("measure",)
    if by_word == "duration" and re.search(r"\bhow long (?:is|are|was)\b|\bwie lang (?:ist|sind)\b", folded):
        return ("duration", "measure")
    if by_word == "yes_no" and OPEN.search(folded):
        by_word = None
    if by_word is not None:
        return (by_word,)
    nouns = phrase if OPEN.search(folded) else _leading(folded)
    if not listed("contacts").isdisjoint(nouns):
        return ("code",)
    by_noun: tuple[Kind, ...] = tuple(k for w in reversed(nouns) for k in _noun_kinds(w))
    numeric = set(by_noun) <= {"amount", "measure", "duration", "frequency", "percent", "date", "time"}
    # A sentence without a number is no answer to "What is the rent?".
    return tuple(dict.fromkeys(by_noun if by_noun and numeric else (*by_noun, "statement")))


def _leading(folded: str) -> tuple[str, ...]:
    """Return the first words of a query without a question word: "deadline" of "deadline for grant applications"."""
    kept: list[str] = []
    for word in words_in(folded):
        if word.text not in listed("stop"):
            kept.append(word.text)
        elif kept:
            break
    return tuple(kept)


def _noun_kinds(noun: str) -> tuple[Kind, ...]:
    """Return what a noun asks for; amounts last, because most nouns may stand for one."""
    kinds: tuple[Kind, ...] = tuple(
        k for k in ALL_KINDS if k in section("nouns") and _is_listed(noun, listed(k, "nouns"))
    )
    return tuple(sorted(kinds, key=lambda k: k in ("amount", "percent")))


def _is_listed(noun: str, nouns: frozenset[str]) -> bool:
    bare = {noun, noun.removesuffix("s"), noun.removesuffix("es"), noun.removesuffix("en"), noun.removesuffix("n")}
    german = any(len(noun) > len(n) + 3 and len(n) > 4 and noun.endswith(n) for n in nouns)
    return bool(noun) and (bool(bare & nouns) or german)


def _phrase(folded: str) -> tuple[str, ...]:
    """Return the words after the question word, up to the next function word."""
    found = FOCUS.search(folded)
    kept: list[str] = []
    rest = found["rest"] if found else ""
    for word in words_in(rest):
        if word.text in listed("stop") or (kept and rest[: word.start].rstrip().endswith((",", ";"))):
            break
        kept.append(word.text)
    return tuple(kept)
