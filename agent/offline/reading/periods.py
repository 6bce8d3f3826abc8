"""Periods in a question: years, quarters, months, days and ranges of them, as first and last days."""

import re
import unicodedata
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from tablerag.agent.offline.reading.vocabulary import Language
from tablerag.agent.offline.reading.words import Asked

__all__ = ["Period", "part_of_year", "periods_in", "points_in"]

Grain = Literal["season", "year", "half", "quarter", "month", "day"]
ORDINAL = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "last": 0,
    "final": 0,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
MONTHS_OF: dict[Grain, int] = {"year": 12, "half": 6, "quarter": 3, "month": 1}


@dataclass(frozen=True, slots=True)
class Period:
    """Days from ``low`` to ``high``, both inclusive; "" is open."""

    first: int
    last: int
    """Indexes of words, the last one exclusive."""
    low: str
    """ISO 8601; without a year, "--03-01"."""
    high: str
    grain: Grain
    label: str
    """As in the question: "in March 2025"."""

    @property
    def has_year(self) -> bool:
        """Whether the year is stated."""
        return not (self.low or self.high).startswith("--")

    @property
    def year(self) -> int:
        """The year of its first day, or of its last; 0 if unknown."""
        return int((self.low or self.high)[:4]) if self.has_year else 0

    @property
    def whole_year(self) -> bool:
        """Whether it is one calendar year."""
        return self.grain == "year" and self.low[:4] == self.high[:4]


@dataclass(frozen=True, slots=True)
class _Point:
    start: int
    end: int
    low: str
    high: str
    grain: Grain


def periods_in(asked: Asked) -> list[Period]:
    """Return the periods that a question states, in order, without overlaps."""
    text = _plain(asked.text)
    points = _points(text, asked)
    found, i = [], 0
    while i < len(points):
        point, reach = points[i], 1
        if i + 1 < len(points) and (joined := _joined(point, points[i + 1], text, asked)):
            point, reach = joined, 2
        while i + reach < len(points) and (both := _adjoining(point, points[i + reach], text, asked)):
            point, reach = both, reach + 1
        found.append(_placed(point, text, asked))
        i += reach
    return found


SEASON = re.compile(r"\b((?:19|20)\d\d)[/–-](?:20)?(\d\d)\b(?![/\d-])")
"""A school or fiscal year: 2023/24."""


def points_in(asked: Asked) -> list[Period]:
    """Return each period by itself, without the words before it: "from 2023 to 2024" has two.

    A school or fiscal year such as 2023/24 counts as September to August; it is meant for headers, not for dates.
    """
    text = _plain(asked.text)
    seasons = [
        _Point(m.start(), m.end(), f"{m[1]}-09-01", f"{int(m[1]) + 1}-08-31", "season")
        for m in SEASON.finditer(text)
        if int(m[2]) == (int(m[1]) + 1) % 100
    ]
    points = [p for p in _points(text, asked) if not any(s.start < p.end and p.start < s.end for s in seasons)]
    return [_as_period(p, asked) for p in sorted([*points, *seasons], key=lambda p: p.start)]


def _as_period(point: _Point, asked: Asked) -> Period:
    first, last = asked.place_of(point.start), asked.place_of(point.end - 1) + 1
    return Period(first, last, point.low, point.high, point.grain, asked.text[point.start : point.end])


def _plain(text: str) -> str:
    """Return text without case and accents, character by character, so that offsets stay those of the text."""
    return "".join(_plain_character(c) for c in text)


@lru_cache(maxsize=1024)
def _plain_character(character: str) -> str:
    if character in "’‘`´":
        return "'"
    plain = unicodedata.normalize("NFKD", character)[0].lower() if character.isalpha() else character
    return plain if len(plain) == 1 else character


AND = r"\s*(?:and|und|et)\s+(?:the |dem |den |der |le |la |l'|en )?"
TO = (
    r"\s*(?:up to and including|to and including|up to|to|until|till|through|thru|and|bis|und|a|au|et|"
    r"jusqu'a|jusqu'au|jusqu'en)\s+"
    r"(?:zum |einschlie(?:ss|ß)lich |the |dem |den |der |le |la |l'|end of |ende |in |en |fin )*"
)
RANGE_BEFORE = re.compile(
    r"\b(?:(?P<both>between|zwischen|entre)|from|von|vom|de|du|d')\s*(?:the |dem |den |der |le |la |l'|in )?$"
)
ORDINAL_END = r"(?:st|nd|rd|th|er|\.)?"
THE_YEAR = r"(?:,? (?:of |in |im |de |des |von )?(?:the year |jahr(?:es)? |l'annee )?(?P<y>(?:19|20)\d\d))?"


@lru_cache(maxsize=8)
def _patterns(code: str, months: str) -> list[tuple[str, re.Pattern[str]]]:
    year = r"(?P<y>(?:19|20)\d\d)"
    day, day2 = rf"(?P<d>\d{{1,2}}){ORDINAL_END}", rf"(?P<d2>\d{{1,2}}){ORDINAL_END}"
    of_month = rf"(?: of| de)? (?P<mon>{months})\b\.?,?(?: {year}\b)?"
    quarter = r"(?:quarter|quartal|trimestre)"
    q = "[qt]" if code == "fr" else "q"
    week = r"(?:kw|cw|wk|(?:calendar |kalender)?(?:week|woche)|semaine)"
    half = r"(?:half(?:[ -]year)?|halbjahr(?:es)?|(?:jahres)?halfte|semestre|moitie)"
    some = r"(?P<n>\d+|[^\W\d]+)"
    return [
        ("iso", re.compile(r"\b(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)\b")),
        ("iso", re.compile(r"\b(?P<d>\d{1,2})[./](?P<m>\d{1,2})[./](?P<y>(?:19|20)\d\d)\b")),
        ("iso", re.compile(r"\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<yy>\d\d)\b")),
        ("days", re.compile(rf"\b{day}(?:{TO}|\s*[-–]\s*){day2}{of_month}")),
        ("day", re.compile(rf"\b{day}{of_month}")),
        ("day", re.compile(rf"\b(?P<mon>{months})\b\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,? {year}\b)?")),
        ("month", re.compile(rf"\b(?P<mon>{months})\b\.?(?: of| de|,|-|/)? ?{year}\b")),
        ("month", re.compile(r"\b(?P<y>(?:19|20)\d\d)[-/](?P<m>0[1-9]|1[0-2])\b(?![-/\d])")),
        ("month", re.compile(r"(?<![\d.])(?P<m>0?[1-9]|1[0-2])\.(?P<y>(?:19|20)\d\d)\b")),
        ("month", re.compile(r"\b(?P<m>0[1-9]|1[0-2])/(?P<y>(?:19|20)\d\d)\b")),
        ("week", re.compile(rf"\b{year}-?w(?P<w>\d{{1,2}})\b")),
        ("week", re.compile(rf"\b(?:{week}|w) ?(?P<w>\d{{1,2}})(?: of| in| de|[/,-])? ?{year}\b")),
        ("quarter", re.compile(rf"(?<!q\d )(?<!q\d/)(?<!q\d-)\b{year}[ /-]?{q}(?P<q>[1-4])\b")),
        ("quarter", re.compile(rf"\b{q}(?P<q>[1-4])(?:(?: of| in|/|-|,)? ?{year})?\b")),
        ("quarter", re.compile(rf"(?P<o>\w+)\.? (?:quarter|qtr|quartal|trimestre)(?:s|e|n|en)?{THE_YEAR}\b")),
        ("quarter", re.compile(rf"\b{quarter} (?P<q>[1-4])(?: of| in| im| von| de|,)? ?(?:{year})?\b")),
        ("half", re.compile(rf"\bh(?P<h>[12])(?:(?: of| in|/|-|,)? ?{year})?\b")),
        ("half", re.compile(rf"(?P<o>\w+)\.? {half}{THE_YEAR}\b")),
        ("months of", re.compile(rf"\b(?P<o>first|last|ersten|letzten) {some} (?:months|monaten?){THE_YEAR[:-1]}\b")),
        ("months of", re.compile(rf"\b{some} (?P<o>premiers|derniers) mois{THE_YEAR[:-1]}\b")),
        ("decade", re.compile(r"\b(?P<y>(?:19|20)\d0)(?:'?s|er(?: jahren?)?)\b|\bannees (?P<y2>(?:19|20)\d0)\b")),
        ("year", re.compile(rf"(?<!\d[./])\b(?:fy ?)?{year}\b(?![.,]\d|/\d)")),
        ("bare month", re.compile(rf"\b(?P<mon>{months})\b")),
    ]  # fmt: skip


ORDINALS_OF = {
    "erste": 1, "ersten": 1, "erster": 1, "erstes": 1, "premier": 1, "premiere": 1, "1": 1, "1er": 1,
    "zweite": 2, "zweiten": 2, "zweiter": 2, "zweites": 2, "deuxieme": 2, "second": 2, "seconde": 2,
    "2": 2, "2e": 2, "2eme": 2,
    "dritte": 3, "dritten": 3, "dritter": 3, "drittes": 3, "troisieme": 3, "3": 3, "3e": 3, "3eme": 3,
    "vierte": 4, "vierten": 4, "vierter": 4, "viertes": 4, "quatrieme": 4, "4": 4, "4e": 4, "4eme": 4,
    "letzte": 0, "letzten": 0, "letztes": 0, "dernier": 0, "derniere": 0,
} | ORDINAL  # fmt: skip


def _points(text: str, asked: Asked) -> list[_Point]:
    months = "|".join(sorted(asked.language.months, key=len, reverse=True))
    found: list[_Point] = []
    for kind, pattern in _patterns(asked.language.code, months):
        for m in pattern.finditer(text):
            inside = any(p.start < m.end() and m.start() < p.end for p in found)
            point = None if inside else _point(kind, m, asked)
            if point:
                found.append(point)
    return sorted(found, key=lambda p: p.start)


def _point(kind: str, m: re.Match[str], asked: Asked) -> _Point | None:
    parts = m.groupdict()
    year = parts.get("y") or parts.get("y2") or (f"20{parts['yy']}" if parts.get("yy") else "")
    y = f"{year}-" if year else "--"
    month = _month(parts.get("mon"), asked.language) or int(parts.get("m") or 0)
    match kind:
        case "iso" | "day":
            day = int(parts["d"] or 0)
            if not _is_day(year, month, day):
                return None
            iso = f"{y}{month:02}-{day:02}"
            return _Point(m.start(), m.end(), iso, iso, "day")
        case "days":
            one, two = int(parts["d"]), int(parts["d2"])
            return (
                _Point(m.start(), m.end(), f"{y}{month:02}-{one:02}", f"{y}{month:02}-{two:02}", "day")
                if one <= two and _is_day(year, month, one) and _is_day(year, month, two)
                else None
            )
        case "week":
            return _week(m, int(year), int(parts["w"]))
        case "month":
            return _span(m, y, year, month, "month")
        case "bare month":
            word = asked.text[m.start() : m.end()]
            if m[0] in UNSURE_MONTHS[asked.language.code] and not _is_month(word, m, asked):
                return None
            return _span(m, y, year, month, "month")
        case "quarter":
            number = int(parts["q"]) if parts.get("q") else _ordinal(parts.get("o"), 4)
            return _span(m, y, year, 3 * number - 2, "quarter", parts.get("o")) if number else None
        case "half":
            number = int(parts["h"]) if parts.get("h") else _ordinal(parts.get("o"), 2)
            return _span(m, y, year, 6 * number - 5, "half", parts.get("o")) if number else None
        case "months of":
            count = int(parts["n"]) if parts["n"].isdigit() else int(asked.language.numbers.get(parts["n"], 0))
            if not 1 <= count <= 12:
                return None
            start = 1 if parts["o"] in ("first", "ersten", "premiers") else 13 - count
            end = start + count - 1
            high = f"{y}{end:02}-{monthrange(int(year), end)[1]:02}"
            return _Point(m.start(), m.end(), f"{y}{start:02}-01", high, "month")
        case "decade":
            return _Point(m.start(), m.end(), f"{year}-01-01", f"{int(year) + 9}-12-31", "year")
        case _:
            return _span(m, y, year, 1, "year")


UNSURE_MONTHS = {
    "en": ("may", "mar", "march", "sept", "dec", "jan", "second"),
    "de": ("jan", "mar"),
    "fr": ("jan", "mar"),
}


def _is_month(word: str, m: re.Match[str], asked: Asked) -> bool:
    """Tell "in May" from "may": by its capital inside the sentence, or the word before."""
    before, after = (
        asked.text[: m.start()].split(),
        re.match(r"\s*(?:-|–|to|bis|through)\s*(\w+)", asked.text[m.end() :]),
    )
    if after and _month(_plain(after[1]), asked.language):
        return True  # "March-May"
    return bool(before) and (
        word[:1].isupper() or before[-1].casefold() in ("in", "since", "until", "from", "to", "and", "im", "en", "de")
    )


def _is_day(year: str, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(int(year or 2024), month)[1]


def _week(m: re.Match[str], year: int, week: int) -> _Point | None:
    """Return a week of ISO 8601, Monday to Sunday."""
    if not 1 <= week <= date(year, 12, 28).isocalendar().week:
        return None
    low, high = (date.fromisocalendar(year, week, day).isoformat() for day in (1, 7))
    return _Point(m.start(), m.end(), low, high, "day")


def _month(word: str | None, language: Language) -> int:
    return language.months.get(word or "", 0)


def _ordinal(word: str | None, last: int) -> int:
    number = ORDINALS_OF.get((word or "").casefold(), -1)
    return last if number == 0 else number if 1 <= number <= last else 0


def part_of_year(word: str, grain: Grain, year: int) -> tuple[str, str] | None:
    """Return the first and last day of the half or quarter that an ordinal names; None for another word."""
    months = MONTHS_OF[grain]
    number = _ordinal(word, 12 // months)
    end = number * months
    return (f"{year}-{end - months + 1:02}-01", f"{year}-{end:02}-{monthrange(year, end)[1]:02}") if number else None


def _span(m: re.Match[str], y: str, year: str, month: int, grain: Grain, skipped: str | None = None) -> _Point:
    end = month + MONTHS_OF[grain] - 1
    days = monthrange(int(year or 2024), end)[1]
    return _Point(m.start(), m.end(), f"{y}{month:02}-01", f"{y}{end:02}-{days:02}", grain)


def _joined(one: _Point, two: _Point, text: str, asked: Asked) -> _Point | None:
    """Return two points as one range: "from June to August 2025", "between 2020 and 2022"."""
    between = text[one.end : two.start]
    ranged = RANGE_BEFORE.search(text[: one.start])
    dashed = re.fullmatch(r"\s*[-–]\s*", between) or (re.fullmatch(TO, between) and not re.fullmatch(AND, between))
    if not dashed and not (re.fullmatch(TO, between) and ranged and ranged["both"]):
        return None  # "from January and March" is two months
    if asked.has("change") and one.grain == two.grain == "year":
        return None  # "from 2023 to 2024" names what to compare
    low, high = one.low, two.high
    if low.startswith("--") and not high.startswith("--"):
        low = high[:4] + low[1:]
    if high.startswith("--") != low.startswith("--") or low > high:
        return None
    start = ranged.start() if ranged else one.start
    return _Point(start, two.end, low, high, "month" if one.grain == "month" else one.grain)


def _adjoining(one: _Point, two: _Point, text: str, asked: Asked) -> _Point | None:
    """Return periods that follow each other as one range: "May and June 2025", "Q1, Q2 and Q3", "2024 and 2025"."""
    if one.grain not in ("month", "quarter", "year") or one.grain != two.grain or asked.has(*COMPARED):
        return None
    if one.grain == "year" and (asked.has(*ALTERED) or asked.language.set_of("both") & set(asked.keys)):
        return None  # prices that were the same in 2024 and 2025
    if not re.fullmatch(LISTED, text[one.end : two.start]):
        return None
    low, high, two_low = one.low, two.high, two.low
    if low.startswith("--") and not high.startswith("--"):
        low, end = high[:4] + low[1:], high[:4] + one.high[1:]
    else:
        end = one.high
    if high.startswith("--") != low.startswith("--") or _day_after(end) != two_low:
        return None
    return _Point(one.start, two.end, low, high, one.grain)


COMPARED = ("change", "much_more", "much_less")
ALTERED = ("added", "removed", "raised", "lowered", "altered", "kept", "margin")
LISTED = r"\s*(?:,|and|und|et|or|oder|ou|&|\+)\s*(?:in |im |en |the )?"
START = (
    r"(?:the |dem |den |der |le |la |l'|year |jahr |annee |anfang |beginn |beginning of |start of |debut (?:de |du )?)*"
)
END = r"(?:the end of |end of |ende |fin (?:de |du )?|la fin (?:de |du )?|the |dem |le |la |l')?"
BEFORE = re.compile(rf"\b(before|prior to|earlier than|vor|avant)\s+{START}$")
AFTER = re.compile(rf"\b(after|later than|following|nach|apres)\s+{END}$")
SINCE = re.compile(
    rf"\b(no earlier than|not before|not earlier than|fruhestens|au plus tot(?: en)?|"
    rf"at least|mindestens|au moins|"
    rf"since|starting from|starting|as of|as from|seit|ab|depuis|a partir d[eu]|a compter d[eu])\s+{START}$"
)
UNTIL = re.compile(
    rf"\b(no later than|not later than|spatestens|au plus tard(?: en)?|up to and including|"
    rf"at most|hochstens|au plus|until|till|up to|by the end of|by|through|"
    rf"bis(?: einschlie(?:ss|ß)lich| inklusive| spatestens)?(?: zum)?|jusqu'(?:a|au|en)|"
    rf"d'ici(?: a)?|(?:before|vor|avant)(?= the end| end| ende| fin| la fin))\s+{END}$"
)
IN = re.compile(
    r"\b(?:in|during|of|for|on|im|am|en|au|le|within)\s+(?:the |year |month of |jahr |dem jahr |mois d[e'] ?)?$"
)


LATER = re.compile(
    r"\s*(?:(?:or|and|oder|und|ou|et) (?:later|after|newer|more recent|spater|danach|neuer|apres|plus tard)|onwards?)\b"
)
EARLIER = re.compile(r"\s*(?:or|and|oder|und|ou|et) (?:earlier|before|older|fruher|davor|alter|avant|plus tot)\b")


def _placed(point: _Point, text: str, asked: Asked) -> Period:
    """Return a point with the words before it that say before, after, since or until."""
    before, low, high, start = text[: point.start], point.low, point.high, point.start
    label = asked.text[point.start : point.end]
    end = point.end
    if later := LATER.match(text, point.end):
        high, end = "", later.end()
    elif earlier := EARLIER.match(text, point.end):
        low, end = "", earlier.end()
    for pattern, side in ((SINCE, "since"), (UNTIL, "until"), (BEFORE, "before"), (AFTER, "after"), (IN, "in")):
        found = pattern.search(before)
        if found:
            start = found.start()
            low, high = _sided(side, low, high)
            break
    first, last = asked.place_of(start), asked.place_of(end - 1) + 1
    label = label if start == point.start and end == point.end else asked.text[start:end]
    return Period(first, last, low, high, point.grain, label)


def _sided(side: str, low: str, high: str) -> tuple[str, str]:
    match side:
        case "before":
            return "", _day_before(low)
        case "after":
            return _day_after(high), ""
        case "since":
            return low, ""
        case "until":
            return "", high
        case _:
            return low, high


def _day_before(iso: str) -> str:
    return _moved(iso, -1)


def _day_after(iso: str) -> str:
    return _moved(iso, 1)


def _moved(iso: str, days: int) -> str:
    if iso.startswith("--"):
        moved = date(2024, int(iso[2:4]), int(iso[5:7])) + timedelta(days)
        return f"--{moved:%m-%d}"
    return (date.fromisoformat(iso) + timedelta(days)).isoformat()
