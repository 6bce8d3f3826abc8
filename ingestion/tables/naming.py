"""SQL names from headers and titles: readable, safe on every engine, unique without regard to case."""

import re
import unicodedata
from collections.abc import Collection, Sequence

from tablerag.ingestion.tables.reserved import RESERVED
from tablerag.tools.number_words import SIGNS, currency_code

__all__ = ["column_names", "sql_name"]

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
    base = _snake(text) or _snake(fallback) or "table"
    if base[0].isdigit():
        base = f"n_{base}"
    if base in RESERVED:
        base = f"{base}_value"
    used = {t.casefold() for t in taken}
    name, number = base, 1
    while name.casefold() in used:
        number += 1
        suffix = f"_{number}"
        name = base[: MAX_CHARS - len(suffix)] + suffix
    return name


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
