"""SQL names from headers and titles: readable, safe on every engine, unique without regard to case."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from itertools import count

from tablerag.ingestion.tables.reserved import RESERVED
from tablerag.tools.number_words import SIGNS, currency_code

__all__ = ["TakenNames", "column_names", "sql_name"]

MAX_CHARS = 60
"""Below the 64 of MySQL, so that a suffix fits."""
SYMBOLS = {"%": " pct ", "#": " no ", "&": " and ", "°": " deg "} | {
    sign: f" {currency_code(sign).lower()} " for sign in SIGNS
}


def sql_name(text: str, taken: Collection[str], fallback: str) -> str:
    """Return a snake_case name of at most 60 characters that is not in ``taken``, ignoring case.

    Letters of every script are kept. A reserved word gets ``_value``, a leading digit ``n_``, and a
    name already taken ``_2``, ``_3`` and so on.
    """
    used = {t.casefold() for t in taken}
    return next(name for name in _numbered(_base(text, fallback), 1) if name.casefold() not in used)


class TakenNames:
    """Gives SQL names as sql_name() does, to any number of tables."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._next: dict[str, int] = {}
        """The numbers from which on names may be free."""

    def free(self, text: str, fallback: str) -> str:
        """Return the name that a text gives, which is not taken yet."""
        base = _base(text, fallback)
        start = self._next.get(base, 1)
        number, name = next(
            (n, name) for n, name in enumerate(_numbered(base, start), start) if name.casefold() not in self._used
        )
        self._next[base] = number
        return name

    def take(self, name: str) -> None:
        """Let nothing else have a name."""
        self._used.add(name.casefold())


def _base(text: str, fallback: str) -> str:
    base = _snake(text) or _snake(fallback) or "table"
    if base[0].isdigit():
        base = f"n_{base}"
    return f"{base}_value" if base in RESERVED else base


def _numbered(base: str, start: int) -> Iterator[str]:
    """Yield a name with numbers from ``start`` on after it, without one for 1."""
    for number in count(start):
        suffix = f"_{number}" if number > 1 else ""
        yield base[: MAX_CHARS - len(suffix)] + suffix


def _snake(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    for symbol, word in SYMBOLS.items():
        text = text.replace(symbol, word)
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", " ", text)
    # MySQL names cannot hold characters above the basic plane; \w excludes emoji anyway.
    words = re.findall(r"\w+", "".join(c for c in text if ord(c) < 0x10000))
    joined = re.sub(r"_+", "_", "_".join(words)).strip("_").lower()
    return joined[:MAX_CHARS].strip("_")


def column_names(headers: Sequence[str]) -> list[str]:
    """Return a SQL name for each header, unique within the table."""
    names: list[str] = []
    for position, header in enumerate(headers, start=1):
        names.append(sql_name(header, [*names, "_row_id"], fallback=f"column_{position}"))
    return names
