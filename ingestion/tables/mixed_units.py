"""Columns whose numbers have different units, such as counts and percentages: one column for each unit."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tablerag.ingestion.document import RawCell
from tablerag.ingestion.tables.companions import MAX_COLUMNS
from tablerag.ingestion.tables.typing import ColumnProfile, decide
from tablerag.ingestion.tables.typing.cell_reading import read_cell
from tablerag.ingestion.tables.typing.cells import cleaned
from tablerag.ingestion.tables.typing.notes import enough, named_units
from tablerag.ingestion.tables.typing.numbers import is_currency, same_unit

__all__ = ["Part", "divided"]

RATES = frozenset({"%", "‰", "pts", "pts.", "bps"})
"""Units of numbers that stand among counts and amounts."""
MOST_CURRENCIES = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A column of a grid, or its cells of one unit."""

    column: int
    profile: ColumnProfile
    unit: str = ""
    """The unit that tells its header from that of the other parts; "" for a whole column, counts and amounts."""
    is_whole: bool = True


def divided(
    columns: Sequence[int],
    profiles: Sequence[ColumnProfile],
    header_of: Callable[[int], str],
    cells_of: Callable[[int], Sequence[RawCell]],
) -> list[Part]:
    """Return the parts of columns: each whole, or one for each unit of its numbers if they have several."""
    whole = [Part(column, profile) for column, profile in zip(columns, profiles, strict=True)]
    units = [_units(header_of(part.column), part.profile) for part in whole]
    if sum(max(1, len(own)) for own in units) > MAX_COLUMNS:
        return whole
    parts: list[Part] = []
    for part, own in zip(whole, units, strict=True):
        parts += _parts(part, own, cells_of(part.column)) if own else [part]
    return parts


def _parts(whole: Part, keys: Sequence[str], cells: Sequence[RawCell]) -> Iterator[Part]:
    held: dict[str, list[RawCell]] = {key: [] for key in keys}
    for cell in cells:
        own = cleaned(cell)
        number = read_cell(own).number if own is not None else None
        key = same_unit(number.unit) if number else ""
        held[key if key in held else keys[0]].append(cell)
    for key in keys:
        profile = ColumnProfile(told_comma=whole.profile.told_comma, beside_commas=whole.profile.beside_commas)
        profile.add_all(held[key])
        is_amount = key not in RATES and any(k in RATES for k in keys)
        yield Part(whole.column, profile, "" if is_amount else whole.profile.unit_names[key], is_whole=False)


def _units(header: str, profile: ColumnProfile) -> list[str]:
    """Return the units to divide by: that of the counts and amounts, then rates; or several currencies; [] for none."""
    named = named_units(profile)
    if not named or len(profile.units) < 2 or not enough(max(profile.fits.point, profile.fits.comma), profile):
        return []
    money = [k for k in named if is_currency(profile.unit_names[k])]
    rates = [k for k in named if k in RATES]
    if len(money) + len(rates) < len(named) or decide(header, profile).type != "text":
        return []
    if rates and len(money) < 2:
        keys = [*(money or [""] * bool(profile.units[""])), *rates]
    else:
        keys = money if not rates and not profile.units[""] and len(money) <= MOST_CURRENCIES else []
    return keys if len(keys) > 1 else []
