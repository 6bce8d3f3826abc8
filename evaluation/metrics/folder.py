"""Score one answer against the gold answer of a question about one's own folder.

A gold answer is one of ``{"number": 12.3, "unit": ""}``, ``{"text": "Lyon", "also": []}``, ``{"items": [...],
"ordered": false}``, ``{"rows": [[key, number], ...]}`` and ``{"none": true}``.
"""

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablerag.tools.number_words import SCALE_WORDS
from tablerag.tools.records import Cell

__all__ = ["Given", "key_of", "matches", "same_number", "written_numbers"]

EXACT = 1e-6
"""Relative tolerance for raw values."""
LEAST_STEP = 5.1e-5
"""Absolute tolerance for raw values: databases round averages to four decimals."""
ROUNDED = 0.005
"""Relative tolerance for numbers that were rounded for display."""
LONGEST_TEXT = 30
"""Words of a text answer; a longer one is a passage, not an answer."""
MOST_KEYS = 3
LETTERS = {"k": 1e3, "m": 1e6, "b": 1e9}
"""Scales that may also be units: "5 m" is five million or five metres."""
SCALES = {word: 10.0**power for word, power in SCALE_WORDS.items()} | LETTERS
UNITS = {
    "g": 1e-3, "kg": 1.0, "t": 1e3, "tonne": 1e3, "tonnes": 1e3, "tons": 1e3, "wh": 1e-3, "kwh": 1.0, "mwh": 1e3,
    "gwh": 1e6, "km": 1e3, "cm": 1e-2, "mm": 1e-3, "metres": 1.0, "meters": 1.0, "l": 1.0, "litres": 1.0, "hl": 1e2,
    "minutes": 1.0, "min": 1.0, "hours": 60.0, "hour": 60.0, "h": 60.0,
}  # fmt: skip
SEPARATORS = ",.'’\u00a0\u202f "
NUMBER = re.compile(
    rf"(?<![\w.])(?P<sign>[-−+]?)"
    rf"(?P<whole>\d{{1,3}}(?:(?P<separator>[{SEPARATORS}])\d{{3}}(?:(?P=separator)\d{{3}})*)(?!\d)|\d+)"
    r"(?:[.,](?P<decimals>\d+))?(?P<exponent>e[-+]?\d+)?(?:[ \u00a0]?(?P<unit>%|[a-z]+\b))?",
    re.IGNORECASE,
)
MONTHS = (
    "january januar janvier", "february februar février fevrier", "march märz maerz mars", "april avril", "may mai",
    "june juni juin", "july juli juillet", "august août aout", "september septembre sept", "october oktober octobre",
    "november novembre", "december dezember décembre decembre",
)  # fmt: skip
DATE = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?:[ T]00:00(?::00)?)?|(?P<d2>\d\d?)[./](?P<m2>\d\d?)[./](?P<y2>\d{4})"
)
NAMED_DATE = re.compile(
    r"(?:(?P<d>\d\d?)\.?(?:st|nd|rd|th)? )?(?P<m>[^\W\d]{3,9})\.?,? (?:(?P<d2>\d\d?),? )?(?P<y>\d{4})"
)


@dataclass(frozen=True, slots=True)
class Given:
    """An answer or a reading: its text, and the columns and rows of its last SQL step; no rows for a text answer."""

    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] | None = None
    unit: str = ""
    """The unit of the only cell, scale first."""
    computed: bool = False
    """The text states a number that was computed from the rows."""

    @property
    def cells(self) -> list[list[Cell]]:
        """The distinct values of each column, and of each two neighbouring text columns joined, in order."""
        columns = [list(c) for c in zip(*self.rows or (), strict=True)]
        pairs = [[f"{a} {b}" for a, b in zip(one, two, strict=True)] for one, two in itertools.pairwise(columns)]
        return [list(dict.fromkeys(c for c in column if c is not None)) for column in columns + pairs]


def matches(given: Given, gold: Mapping[str, Any]) -> bool:
    """Return whether an answer that was given is the gold one."""
    if "number" in gold:
        return _number_matches(given, float(gold["number"]), _decimals(gold["number"]), gold.get("unit", ""))
    if "rows" in gold:
        return _rows_match(given, gold["rows"])
    if "items" in gold:
        return _items_match(given, gold["items"], ordered=bool(gold.get("ordered")))
    if "text" in gold:
        return any(_text_matches(given, str(text)) for text in (gold["text"], *gold.get("also", ())))
    return False


def same_number(value: float, gold: float, decimals: int = 0) -> bool:
    """Return whether a raw value is the gold one, or would be rounded to it where the gold one has decimals."""
    if abs(value - gold) <= max(EXACT * abs(gold), LEAST_STEP if value % 1 or gold % 1 else 0):
        return True
    return 0 < decimals <= 4 and abs(value - gold) <= min(0.5001 * 10**-decimals, ROUNDED * abs(gold))


def written_numbers(text: str) -> Iterator[tuple[float, float, str]]:
    """Yield the numbers of a text, each with the value of one in its last digit, and its unit in lower case.

    Scales that are written as words count: 1.8 million is 1800000, with a step of 100000. A number that can be read in
    two ways, such as 1.774 or 5 m, is yielded twice, as it is read in English first.
    """
    for found in NUMBER.finditer(text):
        word = (found["unit"] or "").casefold()
        scale = SCALES.get(word, 1.0)
        for plain in _plain_numbers(found):
            step = 10.0 ** -_decimals(plain)
            yield float(plain) * scale, step * scale, "" if scale != 1 else word
            if word in LETTERS:
                yield float(plain), step, word


def _plain_numbers(found: re.Match[str]) -> list[str]:
    """Return the readings of a number, whose separators may be German, French or Swiss."""
    sign, whole, separator = found["sign"].replace("−", "-"), found["whole"], found["separator"]
    tail = found["exponent"] or ""
    if found["decimals"] or separator is None or separator not in ",.":
        decimals = f".{found['decimals']}" if found["decimals"] else ""
        return [sign + re.sub(f"[{SEPARATORS}]", "", whole) + decimals + tail]
    grouped, decimal = whole.replace(separator, ""), whole.replace(separator, ".")
    if whole.startswith("0"):
        return [f"{sign}{decimal}{tail}"]
    if whole.count(separator) > 1:
        return [f"{sign}{grouped}{tail}"]
    both = [f"{sign}{grouped}{tail}", f"{sign}{decimal}{tail}"]
    return both if separator == "," else both[::-1]


def key_of(cell: object) -> str:
    """Return a key or item in one form: lower case, whole numbers without decimals, dates and months in ISO 8601."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    text = " ".join(str(cell).split()).casefold()
    if found := DATE.fullmatch(text):
        year, month, day = (found[k] or found[f"{k}2"] for k in "ymd")
        if int(month) > 12:  # 03/25/2025
            month, day = day, month
        return f"{year}-{int(month):02}-{int(day):02}"
    if (found := NAMED_DATE.fullmatch(text)) and (month := _month(found["m"])):
        day = found["d"] or found["d2"]
        return f"{found['y']}-{month:02}" + (f"-{int(day):02}" if day else "")
    if found := re.fullmatch(r"(?:q(?P<q>[1-4])[ -/]*(?P<y>\d{4})|(?P<y2>\d{4})[ -/]*q(?P<q2>[1-4]))", text):
        return f"{found['y'] or found['y2']}-q{found['q'] or found['q2']}"
    return f"month {month}" if (month := _month(text)) else text.rstrip(".")


def _month(word: str) -> int:
    """Return the number of a month's name or abbreviation, or 0."""
    start = word.rstrip(".")
    named = (n for n, names in enumerate(MONTHS, 1) if any(name.startswith(start) for name in names.split()))
    return next(named, 0) if len(start) >= 3 else 0


def _same_key(one: str, two: str) -> bool:
    """Return whether two keys name the same; March is March 2025, and month 3, in a result that has only one March."""
    if one == two:
        return True
    for a, b in ((one, two), (two, one)):
        if a.startswith("month ") and (b == a[6:] or re.fullmatch(rf"\d{{4}}-0?{a[6:]}", b)):
            return True
        if re.fullmatch(r"q[1-4]", a) and (b.endswith(f"-{a}") or b == a[1:]):
            return True
        if re.fullmatch(r"\d{4} \d\d?", a) and b in (f"{a[:4]}-{int(a[5:]):02}", f"{a[:4]}-q{a[5:]}"):
            return True
        if re.fullmatch(r"\d{4}-\d\d-01", a) and b == a[:7]:
            return True
    return False


def _decimals(number: object) -> int:
    return len(str(number).partition(".")[2]) if "e" not in str(number).casefold() else 0


def _number(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else None


def _number_matches(given: Given, gold: float, decimals: int, unit: str) -> bool:
    if given.rows is not None and not given.computed:
        values = _single_numbers(given)
        scaled = [v * _factor(given.unit, SCALES) for v in values]
        if any(same_number(v, gold, decimals) for v in values + scaled):
            return True
        if not unit:
            return False
        if any(_same_worth(v, given.unit, gold, unit, 0.0) for v in values):
            return True
    if len(given.text.split()) > LONGEST_TEXT:
        return False
    for value, step, word in written_numbers(given.text):
        near = min(0.5001 * step, ROUNDED * abs(gold)) if step != 1 or value % 1 or gold % 1 else 0.0
        if abs(value - gold) <= max(near, EXACT * abs(gold)) or same_number(value, gold, decimals):
            return True
        if unit and _same_worth(value, word or given.unit, gold, unit, near):
            return True
    return False


def _single_numbers(given: Given) -> list[float]:
    """Return the last number of a result's only row, or the only number of all rows; empty if there are several."""
    cells = given.rows[0] if given.rows and len(given.rows) == 1 else {c for row in given.rows or () for c in row}
    numbers = [n for n in map(_number, cells) if n is not None]
    return numbers[-1:] if given.rows and len(given.rows) == 1 or len(numbers) == 1 == len(cells) else []


def _same_worth(value: float, unit: str, gold: float, gold_unit: str, near: float) -> bool:
    """Compare two amounts in different units of one kind, such as kWh and MWh, or EUR and EUR million."""
    factor, gold_factor = _factor(unit), _factor(gold_unit)
    worth = gold * gold_factor
    return abs(value * factor - worth) <= max(ROUNDED * abs(worth) if near else 0.0, 1e-4 * abs(worth))


def _factor(unit: str, known: Mapping[str, float] = SCALES | UNITS) -> float:
    return math.prod(known.get(word, 1.0) for word in re.findall(r"[^\W\d]+", unit.casefold()))


def _items_match(given: Given, gold: Sequence[object], *, ordered: bool) -> bool:
    wanted = list(dict.fromkeys(map(key_of, gold)))
    if given.rows is not None:
        return any(_same_items([key_of(c) for c in column], wanted, ordered) for column in given.cells)
    parts = re.split(
        r"\s*(?:[,;\n•]|\band\b|\bund\b|\bet\b|^\s*[-*]|^\s*\d+\.)\s*", given.text.strip(" ."), flags=re.MULTILINE
    )
    return _same_items([key_of(p) for p in parts if p], wanted, ordered)


def _same_items(found: list[str], wanted: list[str], ordered: bool) -> bool:
    found = list(dict.fromkeys(found))
    if len(found) != len(wanted):
        return False
    if ordered:
        return all(map(_same_key, found, wanted))
    return all(any(_same_key(f, w) for f in found) for w in wanted)


def _rows_match(given: Given, gold: Sequence[Sequence[Any]]) -> bool:
    """Look for the key columns and the number column among the columns of a result."""
    columns = [list(c) for c in zip(*given.rows or (), strict=True)]
    wanted = [(key_of(" ".join(map(_key_text, _flat(row[:-1])))), row[-1]) for row in gold]
    for width in range(1, min(MOST_KEYS, len(columns))):
        for keys in itertools.permutations(range(len(columns)), width):
            joined = [" ".join(_key_text(columns[k][r]) for k in keys) for r in range(len(columns[0]))]
            for number in (n for n in range(len(columns)) if n not in keys):
                pairs = zip(map(key_of, joined), columns[number], strict=True)
                if _same_pairs([(k, n) for k, n in pairs if k and n is not None], wanted):
                    return True
    return False


def _flat(keys: Sequence[Any]) -> list[Any]:
    """Return the keys of a row, of which several may be given as one list."""
    return [k for key in keys for k in (key if isinstance(key, list) else [key])]


def _key_text(cell: object) -> str:
    if cell is None:
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _same_pairs(found: list[tuple[str, Cell]], wanted: Iterable[tuple[str, Any]]) -> bool:
    wanted = [(k, n) for k, n in wanted if n is not None]
    return len(found) == len(wanted) and all(
        any(_same_key(f, key) and _same_cell(n, number) for f, n in found) for key, number in wanted
    )


def _same_cell(cell: Cell, gold: Any) -> bool:
    value, wanted = _number(cell), _number(gold)
    if value is None or wanted is None:
        return key_of(cell) == key_of(gold)
    return same_number(value, wanted, _decimals(gold))


def _text_matches(given: Given, gold: str) -> bool:
    wanted = key_of(gold)
    if given.rows is not None:
        shown = {key_of(c) for c in given.rows[0]} if len(given.rows) == 1 else set()
        shown |= {key_of(c[0]) for c in given.cells if len(c) == 1}
        if any(_same_key(s, wanted) for s in shown):
            return True
        amount = re.fullmatch(r"(?:[a-z€$£]+ )?([\d.,]+)(?: [a-z€$£%]+)?", wanted)
        if amount and any(
            _number(c) is not None and _number_text(amount[1]) == c for row in given.rows[:1] for c in row
        ):
            return True
    if given.rows is not None and len(given.rows) > 1 or len(given.text.split()) > LONGEST_TEXT:
        return False
    return any(_contains(_plain(given.text), _plain(text)) for text in {gold, wanted})


def _number_text(text: str) -> float:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return float("nan")


def _plain(text: str) -> str:
    """Return a text in lower case, with single spaces, digits without separators, and dates in ISO 8601."""
    text = " ".join(re.sub(r"(?<=\d)[,\u00a0\u202f](?=\d{3}\b)", "", text).split()).casefold()
    for pattern in (DATE, NAMED_DATE):
        text = pattern.sub(lambda found: key_of(found[0]) if re.search(r"\d", key_of(found[0])) else found[0], text)
    return text


def _contains(text: str, part: str) -> bool:
    return bool(part) and bool(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text))
