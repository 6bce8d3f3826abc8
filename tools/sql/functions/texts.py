"""Texts: search without case, cut, pad, join. The length of every result is limited."""

import math
from collections.abc import Callable
from typing import Any

from tablerag.tools.sql.functions.refusals import Refused
from tablerag.tools.sql.functions.values import number_of, text_of

__all__ = ["NULLABLE_TEXT_FUNCTIONS", "TEXT_FUNCTIONS", "folded"]

Value = Any
MAX_MADE = 1_000_000
"""Most characters of a result of REPEAT, SPACE, LPAD, RPAD and REPLACE."""


def folded(value: Value) -> str:
    """Return a text without case, for comparisons."""
    return text_of(value).casefold()


def _whole(value: Value) -> int:
    return int(math.copysign(int(abs(number_of(value)) + number_of("0.5")), number_of(value)))


def _bounded(length: int) -> None:
    if length > MAX_MADE:
        raise Refused(f"result of a text function too long: at most {MAX_MADE:,} characters")


def _substring_index(text: Value, delimiter: Value, count: Value) -> str:
    mark, n = text_of(delimiter), _whole(count)
    if not mark or not n:
        return ""
    parts = text_of(text).split(mark)
    return mark.join(parts[:n] if n > 0 else parts[n:])


def _locate(part: Value, text: Value, start: Value = 1) -> int:
    begin = _whole(start)
    return folded(text).find(folded(part), begin - 1) + 1 if begin > 0 else 0


def _substring(text: Value, start: Value, length: Value | None = None) -> str:
    whole, begin = text_of(text), _whole(start)
    count = len(whole) if length is None else _whole(length)
    at = begin - 1 if begin > 0 else len(whole) + begin
    return whole[at : at + count] if begin and at >= 0 and count > 0 else ""


def _pad(text: Value, length: Value, fill: Value, *, left: bool) -> str | None:
    text, size, fill = text_of(text), _whole(length), text_of(fill)
    if size < 0 or (not fill and size > len(text)):
        return None
    _bounded(size)
    missing = (fill * (size // max(len(fill), 1) + 1))[: max(size - len(text), 0)]
    return (missing + text if left else text + missing) if missing else text[:size]


def _trim(text: Value, part: Value, side: str) -> str:
    whole, mark = text_of(text), text_of(part)
    begin, end = 0, len(whole)
    while mark and side in ("BOTH", "LEADING") and whole.startswith(mark, begin, end):
        begin += len(mark)
    while mark and side in ("BOTH", "TRAILING") and whole.endswith(mark, begin, end):
        end -= len(mark)
    return whole[begin:end]


def _replace(text: Value, old: Value, new: Value) -> str:
    whole, sought, put = text_of(text), text_of(old), text_of(new)
    if not sought:
        return whole
    _bounded(len(whole) + whole.count(sought) * (len(put) - len(sought)))
    return whole.replace(sought, put)


def _repeat(text: Value, times: Value) -> str:
    whole, count = text_of(text), max(_whole(times), 0)
    _bounded(len(whole) * count)
    return whole * count


def _insert(text: Value, start: Value, length: Value, new: Value) -> str:
    whole, at, count = text_of(text), _whole(start), _whole(length)
    if not 1 <= at <= len(whole):
        return whole
    end = len(whole) if count < 0 else at - 1 + count
    return whole[: at - 1] + text_of(new) + whole[end:]


def _find_in_set(part: Value, texts: Value) -> int:
    items = folded(texts).split(",") if text_of(texts) else []
    return items.index(folded(part)) + 1 if folded(part) in items else 0


def _compare(a: Value, b: Value) -> int:
    return (folded(a) > folded(b)) - (folded(a) < folded(b))


def _like(text: Value, pattern: Value, escape: Value) -> bool:
    """Match % and _ without case; linear in the text for each %."""
    pieces = _like_pieces(folded(pattern), text_of(escape))
    if len(pieces) > MAX_LIKE:
        raise Refused(f"LIKE pattern too long: at most {MAX_LIKE} characters")
    whole, at, i, back, star = folded(text), 0, 0, 0, -1
    while at < len(whole):
        if i < len(pieces) and pieces[i] is MANY:
            star, back, i = i, at, i + 1
        elif i < len(pieces) and (pieces[i] is ONE or pieces[i] == whole[at]):
            i, at = i + 1, at + 1
        elif star >= 0:
            back, at, i = back + 1, back + 1, star + 1
        else:
            return False
    return all(p is MANY for p in pieces[i:])


MANY, ONE = object(), object()
MAX_LIKE = 200


def _like_pieces(pattern: str, escape: str) -> list[object]:
    pieces: list[object] = []
    rest = iter(pattern)
    for character in rest:
        if escape and character == escape:
            pieces.append(next(rest, escape))
        else:
            pieces.append({"%": MANY, "_": ONE}.get(character, character))
    return pieces


def _concat_ws(*args: Value) -> str | None:
    if not args or args[0] is None:
        return None
    return text_of(args[0]).join(text_of(a) for a in args[1:] if a is not None)


def _field(*args: Value) -> int:
    if not args or args[0] is None:
        return 0
    given = [a for a in args if a is not None]
    texts = all(isinstance(a, str) for a in given)
    read: Callable[[Value], Any] = folded if texts else number_of
    wanted = read(args[0])
    return next((i for i, a in enumerate(args[1:], 1) if a is not None and read(a) == wanted), 0)


def _elt(*args: Value) -> str | None:
    place = _whole(args[0]) if args[0] is not None else 0
    found = args[place] if 0 < place < len(args) else None
    return None if found is None else text_of(found)


TEXT_FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "m_folded": (1, folded),
    "m_lower": (1, lambda t: text_of(t).lower()),
    "m_upper": (1, lambda t: text_of(t).upper()),
    "m_left": (2, lambda t, n: text_of(t)[: max(_whole(n), 0)]),
    "m_right": (2, lambda t, n: text_of(t)[-_whole(n) :] if _whole(n) > 0 else ""),
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
