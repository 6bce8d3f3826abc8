"""One path of names per column from header rows: groups are spread, rows of units are read."""

import re
from collections.abc import Sequence

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.cells import cell_text, is_period
from tablerag.ingestion.tables.typing import Unit, unit_in
from tablerag.ingestion.tables.typing.numbers import is_currency
from tablerag.tools.number_words import MONEY, SCALE_LETTERS, SCALE_WORDS, SPACED_YEAR, any_of
from tablerag.tools.stated_scale import ALONE, UNSCALED

__all__ = [
    "TIME_GROUP",
    "column_paths",
    "has_year",
    "is_unit",
    "is_unit_row",
    "label_unit",
    "table_unit",
    "unit_for",
    "unit_of_row",
    "without_units",
]

UNIT_TEXT = re.compile(
    r"\(?(?:(?:all )?(?:amounts|figures|values|numbers|dollars|expressed|stated|u\.?s\.? ?(?:\$|dollars))?\s*"
    rf"(?:are )?)?\(?in\s.+\)?|\(?in(?:{ALONE})\)?|\(?(?:{ALONE})(?:(?: of |, ).+)?\)?|"
    r"(?:metric )?tonn?e?s?(?: of)? ?co2[- ]?e?|"
    rf"\(?(?:{MONEY})?\s?[’‘']?(?:000[’‘']?s?[’‘']?|(?:{any_of((*SCALE_WORDS, *SCALE_LETTERS))}))?\s?(?:{MONEY})?\)?|"
    rf"\(?(?:{MONEY}|u\.?s\.? ?dollars) in\s.+\)?|t(?:eur|€)|\(?[%‰]\)?|\([^()]{{1,12}}\)|"
    r"（[^（）]{1,8}）|(?:人民币)?[百千十]?[万亿]?[美港欧日]?元|[百千十]?[万亿][人户吨个件台辆套]|单位[：:].+|unaudited",
    re.IGNORECASE,
)
HAS_YEAR = re.compile(rf"(?<!\d){SPACED_YEAR}(?!\d)")
TIME_GROUP = re.compile(
    r"(?:(?:for|the|in|as|at|of|on|and|or|to|end|ended|ending|fiscal|financial|calendar|years?|quarters?|half|halves|"
    r"months?|weeks?|periods?|three|six|nine|twelve|first|second|third|fourth|\d{1,2}|(?:un)?audited|"
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b[\s,.:()-]*)+",
    re.IGNORECASE,
)
"""The name of a group whose years are in the cells below it."""
CHANGE_GROUP = re.compile(r"\b(?:change|variance|difference|increase|growth)\b", re.IGNORECASE)
COUNTED = re.compile(
    r"^(?:number|no\.|count|#)(?: of)?\b|^(?:stores|shops|branches|sites|employees|staff|headcount|fte|customers|users"
    r"|members|people|persons|visitors|orders|items|units|pieces|quantity|age|rank)$",
    re.IGNORECASE,
)
"""Headers of counts, to which a currency does not apply."""
BEHIND_TITLE = re.compile(rf"(?<=[\s,(]){MONEY} in (?:thousands|millions|billions)\)?$", re.IGNORECASE)
BREAKS_OFF = re.compile(r"(?:\b(?:of|and|the|for|in|per|to|from|at|or|by|von|der|und|de|du)|[-/&])$", re.IGNORECASE)
"""The end of a header that continues in the row below."""


def is_unit(text: str) -> bool:
    """Return whether a header cell may state a unit and nothing else."""
    return bool(UNIT_TEXT.fullmatch(text))


def is_unit_row(row: Sequence[RawCell]) -> bool:
    """Return whether a row states only the units or scales of its columns."""
    texts = [t for t in map(cell_text, row) if t and t != "-"]
    if not texts or not all(is_unit(t) or _is_rate(t) for t in texts):
        return False
    return any(unit_in(t) != Unit() for t in texts) and not any(is_period(c) for c in row)


def _is_rate(text: str) -> bool:
    """Return whether a text is one unit per another: N/mm², J/cm ²."""
    parts = text.replace(" ²", "²").replace(" ³", "³").split("/")
    return len(parts) == 2 and all(unit_in(f"({p})") != Unit() for p in parts)


def has_year(text: str) -> bool:
    """Return whether a text contains a year."""
    return bool(HAS_YEAR.search(text))


def unit_of_row(rows: Sequence[Sequence[RawCell]], paths: Sequence[tuple[str, ...]]) -> list[Unit]:
    """Return the unit of each column from rows of units.

    A lone cell applies to all columns, and a scale beside the row labels to those of money: "(in thousands)", "$", "$".
    """
    width = len(paths)
    units = [Unit()] * width
    for row in rows:
        texts = [cell_text(c) for c in row]
        filled = [t for t in texts if t]
        for i in range(width):
            if len(filled) == 1:
                stated = unit_for(paths[i], unit_in(filled[0]))
            else:
                stated = Unit(texts[i]) if _is_rate(texts[i]) else unit_in(texts[i]) if filled else Unit()
                general = unit_for(paths[i], unit_in(texts[0]))
                stated = Unit(stated.unit, stated.scale or general.scale * is_currency(stated.unit))
            units[i] = Unit(stated.unit or units[i].unit, stated.scale or units[i].scale)
    return units


def unit_for(path: Sequence[str], stated: Unit) -> Unit:
    """Return the part of a table's unit that applies to a column.

    Amounts per share, average prices and lives are not scaled; a currency does not apply to counts.
    """
    if is_currency(stated.unit) and path and COUNTED.search(path[-1]):
        return Unit()
    return Unit(stated.unit, "") if stated.scale and any(map(UNSCALED.search, path)) else stated


def without_units(paths: list[tuple[str, ...]], units: Sequence[Unit]) -> tuple[list[tuple[str, ...]], list[Unit]]:
    """Remove units from the ends of paths that stay distinct without them; return paths and units.

    The path of the row labels keeps its unit.
    """
    bare = [p[:-1] if i and len(p) > 1 and table_unit(p[-1]) != Unit() else p for i, p in enumerate(paths)]
    alone = [bare.count(b) == 1 and p and table_unit(p[-1]) != Unit("%") for b, p in zip(bare, paths, strict=True)]
    kept = [b if a else p for a, b, p in zip(alone, bare, paths, strict=True)]
    stated = [table_unit(p[-1]) if k != p else Unit() for k, p in zip(kept, paths, strict=True)]
    known = units or [Unit()] * len(paths)
    return kept, [Unit(s.unit or u.unit, s.scale or u.scale) for s, u in zip(stated, known, strict=True)]


def label_unit(label: str) -> Unit:
    """Return the unit or scale that the header of the row labels states for all columns, maybe after a title.

    "Statements of operations - USD ($) $ in Millions" is how the SEC's viewer titles a statement.
    """
    behind = BEHIND_TITLE.search(label)
    return unit_in(behind[0]) if behind else table_unit(label)


def table_unit(label: str) -> Unit:
    """Return the unit or scale that the header of the row labels states for all columns: "(In thousands)"."""
    stated = unit_in(label) if is_unit(label) else Unit()
    return stated if stated.scale or stated.unit == "%" or is_currency(stated.unit) else Unit()


def column_paths(
    rows: Sequence[Sequence[RawCell]], unit_rows: Sequence[Sequence[RawCell]], typed: Sequence[bool]
) -> list[tuple[str, ...]]:
    """Return the header cells of each column as a path, outermost first, without repeated parts.

    Rows that are also in ``unit_rows`` do not name columns, but distinguish those of one group; ``typed`` marks the
    columns of numbers or dates.
    """
    units = [[cell_text(c) for c in row] for row in unit_rows]
    texts = [[cell_text(c) for c in row] for row in rows]
    naming = [row for row in texts if row not in units]
    # A lone unit applies to all columns.
    telling = [row for row in units if sum(map(bool, row)) > 1]
    spread: list[list[str]] = []
    for i, row in reversed(list(enumerate(naming))):
        above = naming[i - 1] if i else [""] * len(row)
        spread.insert(0, _spread(row, above, naming[i + 1 :] + telling, spread, typed))
    paths = []
    for column in range(len(typed)):
        parts: list[str] = []
        for row in spread:
            if not row[column] or (parts and parts[-1] == row[column]):
                continue
            if parts and BREAKS_OFF.search(parts[-1]):
                parts[-1] = f"{parts[-1]} {row[column]}"
            else:
                parts.append(row[column])
        paths.append(tuple(dict.fromkeys(parts)))
    for row in telling:
        same = {p for p in paths if p and len({row[i] for i, q in enumerate(paths) if q == p}) > 1}
        paths = [(*p, row[i]) if p in same and row[i] else p for i, p in enumerate(paths)]
    return paths


def _spread(
    row: list[str],
    above: list[str],
    below: Sequence[list[str]],
    spread_below: Sequence[list[str]],
    typed: Sequence[bool],
) -> list[str]:
    """Return a header row with each group's name in all columns that it spans.

    A row that repeats names over neighbouring columns was merged and is complete. A cell that repeats the one above was
    merged downwards, and names its own column.
    """
    filled = [i for i, text in enumerate(row) if text]
    named_below = [any(lower[i] for lower in below) for i in range(len(row))]
    is_merged = any(row[i] == row[i - 1] != "" for i in range(1, len(row)))
    if is_merged or not any(named_below[i] and not row[i] for i in range(len(row))):
        return row
    groups = [i for i in filled if named_below[i] and row[i] != above[i] and not BREAKS_OFF.search(row[i])]
    if not groups:
        return row
    # Columns of numbers that have a name of their own below, from the first such to the last.
    under = [i for i in range(len(row)) if named_below[i] and typed[i]] or groups
    taken = [i for i in filled if i not in groups]
    parts = _equal_parts(groups, [i for i in range(under[0], under[-1] + 1) if i not in taken])
    if _is_wrapped(row, parts, below):
        return row
    spread = list(row)
    for group, columns in parts.items():
        for column in _of_years(row[group], columns, spread_below):
            spread[column] = spread[column] or row[group]
    return spread


def _is_wrapped(row: list[str], parts: dict[int, list[int]], below: Sequence[list[str]]) -> bool:
    """Return whether a row names single columns: years, or words continued below (First, Second over Quarter)."""
    sizes = list(map(len, parts.values()))
    if len(set(sizes)) > 1 and set(sizes[:-1]) == {1} and all(is_period(row[g]) for g in parts):
        return True
    if len(parts) < 3 or len(set(sizes)) == 1:
        return False
    under = [tuple(lower[g] for lower in below) for g in parts]
    others = [tuple(lower[c] for lower in below) for g, columns in parts.items() for c in columns if c != g]
    return len(set(under)) == 1 and any(under[0]) and not set(under) & set(others)


def _of_years(name: str, columns: list[int], below: Sequence[list[str]]) -> list[int]:
    """Return the columns of a group that its name can apply to.

    "Years ended June 30," applies to years only, "Change" to the columns that are not years.
    """
    if has_year(name) or not (TIME_GROUP.fullmatch(name) or CHANGE_GROUP.search(name)):
        return columns
    dated = [c for c in columns if any(has_year(lower[c]) and is_period(lower[c]) for lower in below)]
    if CHANGE_GROUP.search(name):
        return [c for c in columns if c not in dated] or columns
    return dated or columns


def _equal_parts(groups: list[int], columns: list[int]) -> dict[int, list[int]]:
    """Divide columns among groups: equally if each part holds one name, else from each name rightwards."""
    size, rest = divmod(len(columns), len(groups))
    if size and not rest:
        parts = [columns[i : i + size] for i in range(0, len(columns), size)]
        if all(group in part for group, part in zip(groups, parts, strict=True)):
            return dict(zip(groups, parts, strict=True))
    ends = [*groups[1:], len(columns) + max([*columns, *groups]) + 1]
    return {g: [c for c in columns if g <= c < end] for g, end in zip(groups, ends, strict=True)}
