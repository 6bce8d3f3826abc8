"""The part of a statement that answers: of the kind asked for and nearest to the words that it shares."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tablerag.agent.offline.text.asked import Kind, TextQuestion
from tablerag.agent.offline.text.clauses import of_clause
from tablerag.agent.offline.text.dates import NUMBER_WORD, WEEKDAY
from tablerag.agent.offline.text.matching import key_is_asked, loosely_found, word_set, word_weight
from tablerag.agent.offline.text.names import names_in_text
from tablerag.agent.offline.text.spans import CODE, MONEY_SUM, PERCENT, Span, spans_of
from tablerag.agent.offline.text.statements import Statement
from tablerag.agent.offline.text.synonyms import VAGUE, meanings_of
from tablerag.agent.offline.text.vocabulary import fold, listed, pattern, same_form, words_in

__all__ = ["Part", "fits", "part_of", "ranked"]

UNTIL, SINCE, BEFORE_UNTIL, BEFORE_SINCE = (
    re.compile(pattern("patterns", name)) for name in ("until", "since", "before_until", "before_since")
)
ROLE_ASKED = re.compile(
    r"\b(?:who|wer|qui)(?:'s| is| are| was| were| ist| sind| war| est| sont| etait)(?: now| currently| derzeit)?"
    r" (?:the|a|an|our|your|der|die|unser|unsere|le|la|l|notre)\b"
)
IN_PLACE = re.compile(r"(?:[\"“„«]|\b(?:in|outside|near|at|to|into|nach|bei|aus|dans|hors) |, )$")
AGGREGATE = re.compile(
    r"\b(?:total|sum|average|mean|number|count|list|highest|lowest|top|per|summe|durchschnitt\w*|anzahl|liste|total\w*"
    r"|somme|moyenne|nombre)\b"
)
"""Words of a query for which a whole sentence is no answer."""
DIMENSIONS = frozenset(
    "tall high height deep depth wide width long length heavy weight old age hot cold warm loud thick hoch tief breit"
    " lang schwer alt dick weit haut profond large lourd".split()
)
CLAUSE = 8
"""How many words the end of a clause counts for."""
RATE = re.compile(r"\b(?:per|pro|par|je) $")
"""What stands between an amount and what it is for: "0.42 EUR per kilometre"."""
TOGETHER = 0.9
"""How well both words of a pair must be found."""
CUED = 1.6
"""How much more a date counts after the preposition that the question has."""
ABSTRACT = re.compile(r"(?:[^A-Z]s|ure|tion|sion|ment|ness|ing|ance|ence|phy|logy|ity)$")
ACRONYM, BY = re.compile(r"[A-Z]{3,5}"), re.compile(r"(?:^|[.;:,] |\b(?:by|to|from|durch|von|bei|an|par|de|chez) )$")
CLAUSES = re.compile(r"[,;] | (?:and|und|et) ")
WITH = re.compile(r"\b(?i:with|for|of|mit|für|avec|pour) $")
NUMBER_WORDS = re.compile(rf"(?i:{NUMBER_WORD})")
GERMAN = re.compile(r"\b(?:der|die|das|dem|den|und|ist|sind|wird|werden|wurde|im|am|von|mit|vom|zum|zur|ein|eine)\b")


@dataclass(frozen=True, slots=True)
class Part:
    """The part part, how well it fits, and how many others it was part from."""

    text: str
    kind: Kind
    fit: float
    near: float
    """How near it is to the words shared, up to 1."""
    rivals: int
    cued: float = 0.5
    """1 if it follows the preposition that the question has, 0 if it does not; else 0.5."""


def part_of(asked: TextQuestion, statement: Statement) -> Part | None:
    """Return the part of a statement that answers best; None if it has none of the kinds asked for."""
    for rank, kind in enumerate(asked.kinds):
        if kind in ("statement", "yes_no"):
            if len(statement.value.split()) < 3 or AGGREGATE.search(fold(asked.text)):
                return None
            return Part(statement.value if kind == "statement" else statement.text, kind, 0.97**rank, 0.5, 1)
        start = len(statement.key) + 1 if statement.key else 0
        spans = [s for s in spans_of(kind, asked, statement.text) if s.start >= start]
        scored = ranked(spans, kind, asked, statement.text)
        if scored:
            value, best = scored[0]
            rivals = sum(v > 0.5 * value for v, _ in scored)
            cued = _cued(best, asked, statement.text)
            share = 0.5 if cued is None else float(cued > 1)
            return Part(best.text, kind, best.fit * 0.97**rank, min(value, 1.0), rivals, share)
    return None


def ranked(spans: Sequence[Span], kind: Kind, asked: TextQuestion, text: str) -> list[tuple[float, Span]]:
    """Return the parts of a text by how near they are to the question's words, the nearest first."""
    if kind == "who":
        spans = _named([s for s in spans if _is_name(s, text)], text)
    places, spans = _places(asked, text), of_clause(_of_ordinal(spans, asked, text), asked, text)
    found = [
        (
            _near(s, places, text)
            * (_cued(s, asked, text) or 1.0)
            * (CUED if _modified(s, asked, text) else 1.0)
            * s.fit,
            s,
        )
        for s in spans
    ]
    return sorted(found, key=lambda f: (-f[0], f[1].start))


def _of_ordinal(spans: Sequence[Span], asked: TextQuestion, text: str) -> Sequence[Span]:
    """Return the parts after the ordinal that is asked for: of "the first EUR 5, the second EUR 12" the second."""
    wanted = {w.text for w in words_in(fold(asked.text))} & listed("nth")
    said = [w for w in words_in(text) if w.text in listed("nth")]
    if len({w.text for w in said}) < 2 or len(wanted) != 1:
        return spans
    after = [(w.start, next((n.start for n in said if n.start > w.start), len(text))) for w in said if w.text in wanted]
    return [s for s in spans if any(low < s.start < high for low, high in after)] or spans


def _places(asked: TextQuestion, text: str) -> list[tuple[int, int, float]]:
    found = []
    for word in words_in(text):
        if word.text in listed("stop"):
            continue
        alone = frozenset((word.text,))
        weight = max((word_weight(q, asked) * loosely_found(q, alone) for q in asked.words), default=0.0)
        if weight:
            found.append((word.start, word.end, weight))
    return found


def _near(span: Span, places: list[tuple[int, int, float]], text: str) -> float:
    nearest: dict[str, float] = {}
    inside: dict[str, float] = {}
    for start, end, weight in places:
        if start < span.end and span.start < end:
            if RATE.search(fold(text[span.start : start])):
                inside[fold(text[start:end])] = weight / 2
            continue
        left, right = sorted(((start, end), (span.start, span.end)))
        gap = text[left[1] : right[0]]
        distance = len(gap.split()) + CLAUSE * len(
            re.findall(r"[,;:](?=\s)|\b(?:and|but|while|und|aber|et|mais)\b", gap)
        )
        word = fold(text[start:end])
        nearest[word] = max(nearest.get(word, 0.0), weight / (2 + distance))
    return 0.01 + sum((nearest | inside).values())


def _modified(span: Span, asked: TextQuestion, text: str) -> bool:
    """Tell whether two words that belong together stand so in the clause: "monthly backups for 13 months"."""
    before, after = CLAUSES.split(text[: span.start])[-1], CLAUSES.split(text[span.end :])[0]
    words = [frozenset((w.text,)) for w in words_in(f"{before} {after}")]
    return any(
        min(loosely_found(a, x), loosely_found(b, y)) >= TOGETHER
        for a, b in asked.compound
        for x, y in zip(words, words[1:], strict=False)
    )


def _cued(span: Span, asked: TextQuestion, text: str) -> float | None:
    """Return more than 1 for a date after "by" or "until" if the question asks for such a one; None if it does not."""
    if asked.kind not in ("date", "time"):
        return None
    question, before = fold(asked.text), fold(text[max(0, span.start - 20) : span.start])
    if UNTIL.search(question):
        return CUED if BEFORE_UNTIL.search(before) else 1.0
    if SINCE.search(question):
        return CUED if BEFORE_SINCE.search(before) else 1.0
    return None


def fits(asked: TextQuestion, part: Part, statement: Statement) -> bool:
    """Tell whether nothing speaks against an answer: another dimension, a place for a person, a role nobody names."""
    text = statement.text
    if part.kind in ("count", "duration", "amount", "percent") and _other_modifier(asked, statement):
        return False
    if part.kind == "amount" and not listed("priced").isdisjoint(asked.words):
        return bool(MONEY_SUM.search(part.text) or PERCENT.search(part.text))
    last = words_in(part.text)[-1:] if part.kind == "amount" and not any(c.isdigit() for c in part.text) else []
    if last and any(same_form(last[0].text, w) for w in asked.words):
        return False  # "two microscopes" is not what microscopes cost
    if part.kind == "date" and not all(loosely_found(w, word_set(text)) for w in asked.words if w in listed("nth")):
        return False
    if part.kind == "measure":
        named = {w.text for w in words_in(text)} & DIMENSIONS
        wanted = set(asked.words) & DIMENSIONS
        return not wanted or not named or any(loosely_found(w, frozenset(named)) for w in wanted)
    if part.kind == "who":
        if statement.key and len(list(names_in_text(statement.value))) > 1 and not key_is_asked(asked, statement):
            return False  # those in attendance did not all sign
        start = text.find(part.text)
        if " " not in part.text and IN_PLACE.search(text[:start]):
            return False
        if fold(part.text.split()[-1]) in listed("places"):
            return False
        if ROLE_ASKED.search(fold(asked.text)) and asked.phrase:
            words = word_set(f"{text} {statement.heading}")
            return any(loosely_found(w, words) >= 0.6 for w in asked.phrase if w not in listed("stop"))
    return True


def _other_modifier(asked: TextQuestion, statement: Statement) -> bool:
    """Tell whether a noun of the question stands beside another word: "paid leave", "sick leave"."""
    words = words_in(statement.text)
    around = word_set(f"{statement.text} {statement.heading}")
    for modifier, noun in asked.compound:
        if loosely_found(modifier, around):
            continue
        for before, word in zip(words, words[1:], strict=False):
            beside = statement.text[before.end : word.start] == " " and before.text not in listed("stop")
            strange = not any(loosely_found(w, frozenset((before.text,))) for w in asked.words)
            if beside and strange and same_form(word.text, noun) and not before.text[0].isdigit():
                return True
    return False


def _named(spans: list[Span], text: str) -> list[Span]:
    """Leave out roles that stand beside a name: "the safety officer, Dr. Hanna Bergström" is one person."""
    names = [s for s in spans if s.fit == 1.0]
    kept = []
    for span in spans:
        beside = any(
            re.fullmatch(r",? (?:is |ist |est )?", text[min(span.end, n.end) : max(span.start, n.start)]) for n in names
        )
        if span.fit == 1.0 or not beside:
            kept.append(span)
    return kept


def _is_name(span: Span, text: str) -> bool:
    """Tell whether a part that may be a name is no common word at the beginning of a sentence."""
    if " " in span.text or span.fit < 1.0:
        return True
    if re.fullmatch(WEEKDAY, span.text) or (re.search(r"-?\d", span.text) and CODE.fullmatch(span.text)):
        return False
    after = re.match(r" ([a-zß-ÿ]+)", text[span.end :])
    modifies = after and fold(after[1]) not in listed("stop") and WITH.search(text[: span.start])
    if (modifies or ACRONYM.fullmatch(span.text)) and not BY.search(text[: span.start]):
        return False  # "Gold customers", "a laptop with VPN access"
    opens = not text[: span.start].strip(" \"'“„«(") or re.search(r"[.:;!?]\s*$", text[: span.start])
    common = (
        fold(span.text) in VAGUE or meanings_of(fold(span.text)) or ABSTRACT.search(span.text) or GERMAN.search(text)
    )
    common = common or span.text.endswith("s") and bool(after)  # "Salaries shown are ..."
    return not (opens and common) and not NUMBER_WORDS.fullmatch(span.text)
