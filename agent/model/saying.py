"""Whether an answer says in its own words what was computed: "North had the highest revenue, at EUR 1.2 million".

Its figures must be figures of the results and the question's own ones, each with a value of its row if it names one.
Its other words are those of the evidence, or words that claim nothing, or a direction that the figures have.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from tablerag.agent.model.claims import BOUNDS, Figure
from tablerag.agent.stated_numbers import StatedNumber, signed_numbers
from tablerag.tools.linking.keys import COMMON, DECIDED, key_of
from tablerag.tools.number_words import currency_code
from tablerag.tools.records import Cell, SqlResult
from tablerag.tools.text import singular

__all__ = ["CLAIMLESS", "COUNTED", "FALLS", "RISES", "names_own_rows", "plain_answer", "says_figures"]

Row = Sequence[Cell]
COUNTED = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
"""Numbers that an answer may spell out."""
CLAIMLESS = frozenset(
    """
    about account accounts accounted across against amount amounted amounts approximately around came change comes
    difference equal equals followed however make makes roughly sold stood total totalled totals vs versus were while
    am bei betrug beträgt betragen bis das dem den der des die ein eine einen es etwa gab gibt im insgesamt ist liegt
    rund sind und von vom war waren zwischen
    au aux d de des du en entre environ est et il l la le les s sont sur total un une y à était étaient
    """.split()
)
"""Words of sentences about figures, which claim nothing of them."""
RISES = frozenset("grew gain gained growth increase increased rise risen rose".split())
FALLS = frozenset("decline declined decrease decreased drop dropped fall fallen fell".split())
ABOVE = frozenset("above exceeded exceeding exceeds over".split())
BELOW = frozenset("below under".split())
"""Words between two figures of which the first is the higher, or the lower, one."""
COMPARED = re.compile(rf"\b(?:{'|'.join(sorted(ABOVE | BELOW))})\b", re.IGNORECASE)
LIMITS = (BOUNDS | frozenset("higher lower greater fewer".split())) - {"at", "to"}
"""Words that make another claim of a figure, if the question does not have them."""
EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)([^*_`]+)\1")
RANGE = re.compile(r"(?<![\d–/.,-])(\d[\d.,]*)\s?[-–]\s?(?=\d[\d.,]*(?![\d.,]*[-–/]))")
"""Two numbers with a dash between them."""
MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    )
    for number, name in enumerate(names.split(), 1)
}
MONTH = "|".join(MONTHS)
DATE = re.compile(
    rf"(?<![\w.,/-])(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+)?(?P<month>{MONTH}),?\s+(?P<year>\d{{4}})"
    rf"|(?P<month2>{MONTH})(?:\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?)?\s+(?P<year2>\d{{4}})"
    r"|(?P<one>\d{1,2})(?P<mark>[./])(?P<other>\d{1,2})(?P=mark)(?P<year3>\d{4}))(?!\w)",
    re.IGNORECASE,
)


def plain_answer(answer: str, cells: Sequence[str]) -> str:
    """Return an answer without emphasis, and with the dates of cells as the cells have them."""
    said = " ".join(cells)

    def stored(match: re.Match[str]) -> str:
        return next((d for d in _spellings(match) if re.search(rf"(?<!\d){d}(?!\d)", said)), match[0])

    return DATE.sub(stored, EMPHASIS.sub(r"\2", answer))


def _spellings(match: re.Match[str]) -> list[str]:
    """Return the ISO dates, or the month, that a date may mean."""
    year = int(match["year"] or match["year2"] or match["year3"])
    if match["one"]:
        one, other = int(match["one"]), int(match["other"])
        days = [(other, one)] if match["mark"] == "." else [(one, other), (other, one)]
    else:
        month, day = MONTHS[(match["month"] or match["month2"]).casefold()], match["day"] or match["day2"]
        if not day:
            return [f"{year}-{month:02}"]
        days = [(month, int(day))]
    return [f"{year}-{month:02}-{day:02}" for month, day in days]


def says_figures(answer: str, figures: Sequence[Figure], question: str, told: str) -> bool:
    """Return whether an answer has figures of results and says nothing else of them than ``told`` has: evidence."""
    text = _unranged(answer)
    own = _own(text, question)
    if not all(any(f.fits(n) for f in figures) for n in own):
        return False
    rest = text
    for number in sorted(signed_numbers(text), key=lambda n: -len(n.text)):
        rest = rest.replace(number.text, " ", 1)
    known = {*map(singular, key_of(f"{question} {told}").split())}
    said = [w for w in key_of(rest).split() if w not in ABOVE | BELOW or not _compares(text, own)]
    if own and LIMITS & {*said, *(w for n in own for w in key_of(n.text).split())} - known:
        return False
    units = {f.unit for f in figures}
    neutral = DECIDED | COMMON | {key_of(w) for w in CLAIMLESS}
    return all(
        singular(w) in known
        or w in neutral
        or currency_code(w) in units - {""}
        or (w in COUNTED and any(f.value == COUNTED.index(w) for f in figures))
        or (w in RISES | FALLS and _directed(w in FALLS, own, figures))
        for w in said
    )


def _unranged(answer: str) -> str:
    return RANGE.sub(r"\1 to ", " ".join(answer.split()))


def _own(text: str, question: str) -> list[StatedNumber]:
    """Return the numbers of a text that its question does not have."""
    asked = {n.value for n in signed_numbers(question)}
    return [n for n in signed_numbers(text) if n.value not in asked]


def _compares(text: str, own: Sequence[StatedNumber]) -> bool:
    """Return whether each word of comparison stands between two figures of which it says what is so."""
    ends: dict[str, int] = {}
    places = []
    for number in own:
        at = text.find(number.text, ends.get(number.text, 0))
        ends[number.text] = at + len(number.text)
        places.append((at, number.value))
    for match in COMPARED.finditer(text):
        before = [value for at, value in places if at < match.start()]
        after = [value for at, value in places if at > match.start()]
        if not before or not after or before[-1] == after[0]:
            return False
        if (before[-1] > after[0]) != (match[0].casefold() in ABOVE):
            return False
    return True


def _directed(falls: bool, numbers: Sequence[StatedNumber], figures: Sequence[Figure]) -> bool:
    """Return whether figures fall or rise: a single one by its sign, several one after the other."""
    if len(numbers) == 1:
        return any(f.fits(numbers[0]) and f.value and (f.value < 0) == falls for f in figures)
    return len(numbers) > 1 and all((b.value < a.value) == falls for a, b in pairwise(numbers))


def names_own_rows(answer: str, results: Sequence[SqlResult], question: str) -> bool:
    """Return whether each number of a row stands beside a name of it: after it, or before it throughout."""
    text = _unranged(answer)
    rows = [row for r in results if len(r.rows) > 1 for row in r.rows]
    of: dict[str, list[Row]] = {}
    for row in rows:
        for cell in row:
            if isinstance(cell, str) and key_of(cell):
                of.setdefault(key_of(cell), []).append(row)
    if not of:
        return True
    named = re.compile("|".join(_pattern(name) for name in sorted(of, key=len, reverse=True)), re.IGNORECASE)
    places = [(m.start(), of.get(key_of(m[0]), [])) for m in named.finditer(text)]
    if len({key_of(m[0]) for m in named.finditer(text)}) < 2:
        return True
    ends: dict[str, int] = {}
    numbers = []
    for number in _own(text, question):
        at = text.find(number.text, ends.get(number.text, 0))
        ends[number.text] = at + len(number.text)
        if owners := [row for row in rows if _has(row, number)]:
            numbers.append((at, owners))

    def holds(after: bool) -> bool:
        for at, owners in numbers:
            near = [beside for p, beside in places if (p < at) is after]
            if not near or not any(row in owners for row in near[-1 if after else 0]):
                return False
        return True

    return holds(after=True) or holds(after=False)


def _pattern(name: str) -> str:
    return r"\b" + r"\W+".join(map(re.escape, name.split())) + r"\b"


def _has(row: Row, number: StatedNumber) -> bool:
    return number.is_in([Decimal(str(c + 0)) for c in row if isinstance(c, int | float)])
