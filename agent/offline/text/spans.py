"""The parts of a sentence that may be an answer: never part of a number, name, date or abbreviation."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablerag.agent.offline.text.asked import Kind, TextQuestion
from tablerag.agent.offline.text.clauses import is_denied
from tablerag.agent.offline.text.dates import (
    AFTER,
    CLOCK,
    DATE,
    DATES,
    NTH_DAY,
    NUMBER,
    NUMBER_WORD,
    PERIOD,
    RECURRING,
    TO,
    YEAR,
)
from tablerag.agent.offline.text.names import names_in_text, places_in, roles_in
from tablerag.agent.offline.text.vocabulary import fold, listed, pattern, related, same_form, section, words_in
from tablerag.tools.number_words import CURRENCY_WORDS, MONEY, WORD_SCALE, any_of

__all__ = ["CODE", "MONEY_SUM", "PERCENT", "Span", "spans_of"]


def _units(name: str) -> str:
    units = sorted(section("units")[name].split(), key=len, reverse=True)
    return "|".join(re.escape(u).replace("_", "[ -]") for u in units)


WORD_NUMBER = rf"(?i:\b{NUMBER_WORD}\b)"
DIGITS = rf"(?<![\w.,/])(?<!\d[-–:/’'])(?:[±+−-] ?)?{NUMBER}(?![\w]*\d)"
SCALE = rf"(?:[ \u00a0-]?{WORD_SCALE}|[kKmMbB](?![\w])| [mkbMK](?![\w]))?"
PER = pattern("patterns", "per_unit")
NAMED_MONEY = rf"(?:{MONEY}|(?i:{any_of(CURRENCY_WORDS)})|{pattern('patterns', 'money_word')})"
MONEY_SUM = re.compile(
    rf"(?<!\w)(?:{MONEY})[ \u00a0]?{NUMBER}(?:\.?[–-]{{1,2}}(?!\d))?{SCALE}(?!\w){PER}"
    rf"|{DIGITS}{SCALE}[ \u00a0]?{NAMED_MONEY}(?!\w){PER}"
)
PERCENT = re.compile(
    rf"(?:{DIGITS}|{WORD_NUMBER})[ \u00a0]?(?:%|‰|(?:per ?cent|Prozent|pour ?cent|percentage points?|bps)\b)"
)
MEASURE = re.compile(
    rf"(?:(?:between |from )?{DIGITS}(?:{TO}{NUMBER})?{SCALE}|{WORD_NUMBER})[ \u00a0-]?"
    rf"(?i:{_units('measures')})(?![\w²³]){PER}"
)
PLAIN = re.compile(rf"{DIGITS}{SCALE}|{WORD_NUMBER}")
PHRASED = re.compile(rf"{WORD_NUMBER}(?: [a-zà-ÿ-]+)? (?:[a-zà-ÿ]+s|[A-Z][a-zà-ÿ]+)\b(?! of)")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
LINK = re.compile(r"\b(?:https?://|www\.)[^\s,;)]+")
PHONE = re.compile(r"(?<![\w.])(?:\+\d{1,3}|\(?0\d{1,5}\)?)(?:[ /()-]*\d{2,}){2,}|(?<![\w.])\d{3,5} \d{3,5}(?![\w.])")
CODE = re.compile(r"\b(?=[\w/.-]*\d)(?:[A-Z]{1,6}[-/ ]?)?[A-Z0-9][\w/.-]*\w\b|\b\d+\b|\b[A-Z]+\d+\b")
REASON, THEREFORE, WHEN_CLAUSE = (
    re.compile(pattern("patterns", name)) for name in ("reason", "therefore", "when_clause")
)
UNIT_AFTER = re.compile(
    r"[ -](?:days?|hours?|weeks?|months?|years?|tagen?|stunden?|wochen?|jours?|heures?)\b", re.IGNORECASE
)
PAST = re.compile(r"\b(?:when|wann|quand) (?:was|were|did|war|waren|wurden?|etait|etaient)\b")
OF_THE = frozenset("of the our der unserer des".split())
"""Words between a number and what it counts: "three of the employees"."""
COUNTED_WITHIN = 4
"""How many words after a number its noun may be."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a sentence."""

    text: str
    start: int
    end: int
    fit: float = 1.0
    """How well its kind fits, up to 1."""


def spans_of(kind: Kind, question: TextQuestion, sentence: str, *, copula: bool = False) -> list[Span]:
    """Return the parts of a sentence that are of a kind and say more than the question; best kinds first.

    ``copula``: whether a place may follow "is".
    """
    found = _of_kind(kind, question, sentence, copula)
    kept: list[Span] = []
    for span in found:
        apart = not any(k.start < span.end and span.start < k.end for k in kept)
        if apart and _is_new(span, question) and not is_denied(sentence, span.start):
            kept.append(span)
    return kept


def _of_kind(kind: Kind, question: TextQuestion, sentence: str, copula: bool) -> Iterator[Span]:
    match kind:
        case "who":
            yield from _spans(sentence, names_in_text(sentence), 1.0)
            yield from _spans(sentence, roles_in(sentence), 0.5)
        case "place":
            yield from _spans(sentence, places_in(sentence, copula=copula), 1.0)
        case "count":
            yield from _counted(question, sentence)
        case "year":
            yield from _matches(re.compile(rf"(?<![\w.,]){YEAR}(?!\w|[.,]\d)"), sentence, 1.0)
        case "reason":
            yield from _reasons(sentence)
        case "code":
            dated = [d.span() for d in DATE.finditer(sentence)]
            for code in _codes(question):
                spans = _matches(code, sentence, 1.0)
                yield from (s for s in spans if not any(a <= s.start and s.end <= b for a, b in dated))
        case _:
            past = kind == "date" and bool(PAST.search(fold(question.text)))
            once = past or (kind == "date" and not listed("nth").isdisjoint(question.words))
            for found, fit in PATTERNS.get(kind, ()):
                if not (once and found is RECURRING) and not (past and found in (AFTER, CLOCK)):
                    spans = _matches(found, sentence, fit)
                    yield from (s for s in spans if found is not PERCENT or not _of_focus(s, question, sentence))


PATTERNS: dict[str, Sequence[tuple[re.Pattern[str], float]]] = {
    "percent": ((PERCENT, 1.0),),
    "duration": ((PERIOD, 1.0), (DATES, 0.9)),
    "frequency": ((RECURRING, 1.0), (PERIOD, 0.7)),
    "measure": ((MEASURE, 1.0), (PERIOD, 0.8)),
    "amount": ((MONEY_SUM, 1.0), (PERCENT, 0.95), (MEASURE, 0.9), (PHRASED, 0.7)),
    "time": ((CLOCK, 1.0),),
    "date": ((CLOCK, 0.9), (NTH_DAY, 0.95), (DATE, 1.0), (AFTER, 0.9), (RECURRING, 0.85), (WHEN_CLAUSE, 0.7)),
}  # fmt: skip


def _of_focus(share: Span, question: TextQuestion, sentence: str) -> bool:
    """Tell whether a percentage is a share of the amount asked for, not the amount: "10 % of the annual fee"."""
    of = re.match(r" (?:of|der|des|du|de la|de) [^.,;]*", sentence[share.end :])
    asked = question.kind in ("amount", "measure") and not question.text.lower().startswith(("how much of", "by how"))
    return bool(of and asked and question.focus and any(same_form(w.text, question.focus) for w in words_in(of[0])))


def _spans(sentence: str, places: Iterator[tuple[int, int]], fit: float) -> Iterator[Span]:
    for start, end in places:
        yield Span(sentence[start:end], start, end, fit)


def _matches(pattern: re.Pattern[str], sentence: str, fit: float) -> Iterator[Span]:
    for found in pattern.finditer(sentence):
        text = re.sub(r"(?<=\w{3})\.$", "", found[0].rstrip(" ,;"))  # "EUR 1.8 million."
        lead = len(text) - len(text.lstrip(" ,"))
        if text.strip() and not (pattern is PHRASED and fold(text.split()[-1]) in listed("stop")):
            yield Span(text.strip(" ,"), found.start() + lead, found.start() + len(text), fit)


def _reasons(sentence: str) -> Iterator[Span]:
    """Yield what follows "because" and the like, up to the end of the clause, and what precedes "which is why"."""
    for so in THEREFORE.finditer(sentence):
        yield Span(sentence[: so.start()].strip(" ,;"), 0, so.start(), 0.8)
    for cue in REASON.finditer(sentence):
        stop = re.search(r";(?=\s)|\.$", sentence[cue.end() :])
        end = cue.end() + (stop.start() if stop else len(sentence) - cue.end())
        if cue.start() == 0 and "," in sentence[:end] and cue[0].split()[0] not in ("The", "Der", "La"):
            end = sentence.index(",", cue.end()) if "," in sentence[cue.end() : end] else end
        if end - cue.end() > 3:
            yield Span(sentence[cue.end() : end].strip(), cue.start(), end)


def _codes(question: TextQuestion) -> Sequence[re.Pattern[str]]:
    asked = set(question.words)
    if asked & {"email", "e-mail", "mail", "courriel"}:
        return (EMAIL,)
    if asked & {"website", "url", "internet"}:
        return (LINK,)
    if asked & {"phone", "telephone", "telefon", "telefonnummer", "rufnummer", "fax", "call"}:
        return (PHONE,)
    return (CODE,)


def _counted(question: TextQuestion, sentence: str) -> Iterator[Span]:
    """Yield numbers of the noun asked for, with the noun if it follows: "27 days", "1,340 people"."""
    if re.search(r"[ -]times?$", question.focus):
        yield from _matches(RECURRING, sentence, 1.0)
    for found in PLAIN.finditer(sentence):
        after = re.match(r" ([a-zà-ÿ]+)", sentence[found.end() :])
        if re.fullmatch(YEAR, found[0]) and (after is None or fold(after[1]) in listed("stop")):
            continue
        if MONEY_SUM.match(sentence, found.start()) or PERCENT.match(sentence, found.start()):
            continue
        end = _noun_after(question, sentence, found.end())
        if end and UNIT_AFTER.match(sentence, end):
            continue  # "5 working days" are no five people who work
        if end:
            yield Span(sentence[found.start() : end], found.start(), end)


def _noun_after(question: TextQuestion, sentence: str, start: int) -> int:
    """Return the end of the counted noun after a number; 0 if another noun is counted."""
    for place, word in enumerate(words_in(sentence[start:])):
        gap = sentence[start : start + word.start]
        if place >= COUNTED_WITHIN or re.search(r"[,;:.()]", gap) or re.search(r"\d", word.text):
            return 0
        if _is_counted(word.text, question):
            return start + word.end
        if word.text in listed("stop") and word.text not in OF_THE:
            return 0
    return 0


def _is_counted(word: str, question: TextQuestion) -> bool:
    nouns = [w for w in question.phrase if w not in listed("stop")] or [question.focus]
    return any(same_form(word, n) or any(same_form(word, r) for r in related(n)) for n in nouns if n)


def _is_new(span: Span, question: TextQuestion) -> bool:
    """Tell whether a span has a word or number that the question does not have."""
    words = [w.text for w in words_in(span.text)]
    if re.search(r"\d", span.text):
        return not set(re.findall(r"\d+(?:[.,]\d+)*", span.text)) <= question.numbers
    own = [w for w in words if w not in listed("stop") and w not in listed("titles")]
    return any(not any(same_form(w, q) for q in question.words) for w in own)
