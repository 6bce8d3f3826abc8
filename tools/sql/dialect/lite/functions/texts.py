"""Texts: search without case, cut, pad, join. The length of every result is limited."""

import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from tablerag.tools.sql.dialect.lite.functions.refusals import Refused
from tablerag.tools.sql.dialect.lite.functions.time_limit import check_time
from tablerag.tools.sql.dialect.lite.functions.values import number_of, text_of, whole_of

__all__ = ["NULLABLE_TEXT_FUNCTIONS", "TEXT_FUNCTIONS", "folded"]

Value = Any
MAX_MADE = 1_000_000
"""Most characters of a result of REPEAT, SPACE, LPAD, RPAD, REPLACE, INSERT and CONCAT_WS."""
STROKES = str.maketrans("øłđħ", "oldh")
"""Letters that a server compares as these; Unicode has no parts of them."""
STEPS = 4_096
"""Steps of a loop between two checks of the time."""


def folded(value: Value) -> str:
    """Return a text without case and accents, for comparisons."""
    text = text_of(value)
    if text.isascii():
        return text.lower()
    kept = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return kept.casefold().translate(STROKES)


def _bounded(length: int) -> None:
    if length > MAX_MADE:
        raise Refused(f"result of a text function too long: at most {MAX_MADE:,} characters")


def _substring_index(text: Value, delimiter: Value, count: Value) -> str:
    mark, n = text_of(delimiter), whole_of(count)
    if not mark or not n:
        return ""
    whole = text_of(text)
    if n > 0:
        end = _end_of(whole, mark, n)
        return whole if end is None else whole[: end - len(mark)]
    # Counted from the left, as rfind() takes time in the square of the length on some texts.
    before = whole.count(mark) + n
    return whole if before < 0 else whole[_end_of(whole, mark, before + 1) or 0 :]


def _end_of(text: str, mark: str, count: int) -> int | None:
    """Return where an occurrence of the mark ends; None if there are fewer."""
    at = 0
    for step in range(count):
        found = text.find(mark, at)
        if found < 0:
            return None
        at = found + len(mark)
        if not step % STEPS:
            check_time()
    return at


def _locate(part: Value, text: Value, start: Value = 1) -> int:
    begin = whole_of(start)
    return folded(text).find(folded(part), begin - 1) + 1 if begin > 0 else 0


def _substring(text: Value, start: Value, length: Value | None = None) -> str:
    whole, begin = text_of(text), whole_of(start)
    count = len(whole) if length is None else whole_of(length)
    at = begin - 1 if begin > 0 else len(whole) + begin
    return whole[at : at + count] if begin and at >= 0 and count > 0 else ""


def _pad(text: Value, length: Value, fill: Value, *, left: bool) -> str | None:
    text, size, fill = text_of(text), whole_of(length), text_of(fill)
    if size < 0 or (not fill and size > len(text)):
        return None
    _bounded(size)
    missing = (fill * (size // max(len(fill), 1) + 1))[: max(size - len(text), 0)]
    return (missing + text if left else text + missing) if missing else text[:size]


def _trim(text: Value, part: Value, side: str) -> str:
    whole, mark = text_of(text), text_of(part)
    begin, end, step = 0, len(whole), 0
    while mark and side in ("BOTH", "LEADING") and whole.startswith(mark, begin, end):
        begin, step = begin + len(mark), _counted(step)
    while mark and side in ("BOTH", "TRAILING") and whole.endswith(mark, begin, end):
        end, step = end - len(mark), _counted(step)
    return whole[begin:end]


def _counted(step: int) -> int:
    """Count a step of a loop, and check the time every STEPS."""
    if not step % STEPS:
        check_time()
    return step + 1


def _replace(text: Value, old: Value, new: Value) -> str:
    whole, sought, put = text_of(text), text_of(old), text_of(new)
    if not sought:
        return whole
    _bounded(len(whole) + whole.count(sought) * (len(put) - len(sought)))
    return whole.replace(sought, put)


def _repeat(text: Value, times: Value) -> str:
    whole, count = text_of(text), max(whole_of(times), 0)
    _bounded(len(whole) * count)
    return whole * count


def _insert(text: Value, start: Value, length: Value, new: Value) -> str:
    whole, at, count = text_of(text), whole_of(start), whole_of(length)
    if not 1 <= at <= len(whole):
        return whole
    end = len(whole) if count < 0 else at - 1 + count
    put = text_of(new)
    _bounded(len(whole) + len(put))
    return whole[: at - 1] + put + whole[end:]


def _find_in_set(part: Value, texts: Value) -> int:
    sought, items = folded(part), folded(texts)
    if not items or "," in sought:
        return 0
    at = f",{items},".find(f",{sought},")
    return items.count(",", 0, at) + 1 if at >= 0 else 0


def _compare(a: Value, b: Value) -> int:
    return (folded(a) > folded(b)) - (folded(a) < folded(b))


def _like(text: Value, pattern: Value, escape: Value) -> bool:
    """Match % and _ without case: each part between two % at the first place after the part before it."""
    parts = _like_parts(folded(pattern), text_of(escape))
    whole = folded(text)
    first, *middle = parts
    if not middle:
        return len(whole) == len(first) and _fits(whole, 0, first)
    last, at = middle.pop(), len(first)
    if len(whole) < at + len(last) or not _fits(whole, 0, first) or not _fits(whole, len(whole) - len(last), last):
        return False
    end = len(whole) - len(last)
    for part in middle:
        found = _found(whole, part, at, end)
        if found is None:
            return False
        at = found + len(part)
    return True


ONE = ""
"""Stands for any one character in a part of a LIKE pattern."""
MAX_LIKE = 200


def _like_parts(pattern: str, escape: str) -> list[list[str]]:
    """Return the characters between the % of a pattern; raise Refused for a long pattern."""
    if len(pattern) > MAX_LIKE:
        raise Refused(f"LIKE pattern too long: at most {MAX_LIKE} characters")
    parts: list[list[str]] = [[]]
    rest = iter(pattern)
    for character in rest:
        if escape and character == escape:
            parts[-1].append(next(rest, escape))
        elif character == "%":
            parts.append([])
        else:
            parts[-1].append(ONE if character == "_" else character)
    return parts


def _fits(whole: str, at: int, part: Sequence[str]) -> bool:
    return at + len(part) <= len(whole) and all(c in (ONE, whole[at + i]) for i, c in enumerate(part))


def _found(whole: str, part: Sequence[str], begin: int, end: int) -> int | None:
    """Return the first place from ``begin`` where a part fits and ends by ``end``."""
    if ONE not in part:
        at = whole.find("".join(part), begin, end)
        return at if at >= 0 else None
    # The longest run without _ is sought as a text, which is much faster than going through every place.
    gaps = [-1, *(i for i, c in enumerate(part) if c is ONE), len(part)]
    left, right = max(pairwise(gaps), key=lambda gap: gap[1] - gap[0])
    run, ahead = "".join(part[left + 1 : right]), left + 1
    at, step = whole.find(run, begin + ahead, end), 0
    while at >= 0 and at - ahead + len(part) <= end:
        if _fits(whole, at - ahead, part):
            return at - ahead
        at, step = whole.find(run, at + 1, end), _counted(step)
    return None


def _concat_ws(*args: Value) -> str | None:
    if not args or args[0] is None:
        return None
    separator, texts = text_of(args[0]), [text_of(a) for a in args[1:] if a is not None]
    _bounded(sum(map(len, texts)) + len(separator) * max(len(texts) - 1, 0))
    return separator.join(texts)


def _field(*args: Value) -> int:
    if not args or args[0] is None:
        return 0
    given = [a for a in args if a is not None]
    texts = all(isinstance(a, str) for a in given)
    read: Callable[[Value], Any] = folded if texts else number_of
    wanted = read(args[0])
    return next((i for i, a in enumerate(args[1:], 1) if a is not None and read(a) == wanted), 0)


def _elt(*args: Value) -> str | None:
    place = whole_of(args[0]) if args[0] is not None else 0
    found = args[place] if 0 < place < len(args) else None
    return None if found is None else text_of(found)


TEXT_FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "m_folded": (1, folded),
    "m_lower": (1, lambda t: text_of(t).lower()),
    "m_upper": (1, lambda t: text_of(t).upper()),
    "m_left": (2, lambda t, n: text_of(t)[: max(whole_of(n), 0)]),
    "m_right": (2, lambda t, n: text_of(t)[-whole_of(n) :] if whole_of(n) > 0 else ""),
    "m_substring": (-1, _substring),
    "m_substring_index": (3, _substring_index),
    "m_locate": (-1, _locate),
    "m_instr": (2, lambda text, part: _locate(part, text)),
    "m_lpad": (3, lambda t, n, f: _pad(t, n, f, left=True)),
    "m_rpad": (3, lambda t, n, f: _pad(t, n, f, left=False)),
    "m_trim": (3, _trim),
    "m_replace": (3, _replace),
    "m_repeat": (2, _repeat),
    "m_space": (1, lambda n: _repeat(" ", n)),
    "m_insert": (4, _insert),
    "m_reverse": (1, lambda t: text_of(t)[::-1]),
    "m_bytes": (1, lambda t: len(text_of(t).encode())),
    "m_ascii": (1, lambda t: text_of(t).encode()[0] if text_of(t) else 0),
    "m_find_in_set": (2, _find_in_set),
    "m_like": (3, _like),
    "STRCMP": (2, _compare),
    "m_tuple": (-1, lambda *values: "\x1f".join(folded(v) for v in values)),
}
NULLABLE_TEXT_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "m_concat_ws": _concat_ws,
    "FIELD": _field,
    "m_elt": _elt,
}
"""Functions with a result even if an argument is NULL."""
