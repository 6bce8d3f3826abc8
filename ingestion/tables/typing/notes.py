"""What the ingest report says of a column: why it stays text, what became empty or NULL, what was converted."""

from dataclasses import replace

from tablerag.ingestion.tables.typing.profile import ColumnProfile
from tablerag.ingestion.tables.typing.typed_column import REWRITTEN, TypedColumn
from tablerag.tools.number_words import SCALE_NAMES

__all__ = ["ENOUGH", "enough", "named_units", "why_text", "with_notes", "with_own_scales"]

ENOUGH, ENOUGH_FROM = 0.95, 20
NEARLY = 0.8
"""Share of cells that fit a type from which a column of text is worth a warning."""
SHOWN_CHARS = 60
"""The most characters of a cell that a warning shows."""


def enough(fitting: int, profile: ColumnProfile) -> bool:
    """Return whether all cells fit a type, or 19 of 20 in a column of at least 20."""
    n = profile.filled
    return fitting == n or (n >= ENOUGH_FROM and fitting >= ENOUGH * n)


def named_units(profile: ColumnProfile) -> dict[str, int]:
    """Return how many numbers have each unit, those without one left out."""
    return {k: n for k, n in profile.units.items() if k}


def why_text(profile: ColumnProfile, *, are_dates_undecided: bool) -> tuple[int, str]:
    """Return how many cells kept a nearly typed column from its type, and why it stays text; "" if nothing is odd."""
    n, numbers, dates = profile.filled, profile.fits.point, profile.fits.date
    units = [profile.unit_names[k] for k in list(named_units(profile))[:4]]
    if profile.is_graded and numbers == n:
        return 0, "numbers with + or - behind them may be grades"
    if len(units) > 1 and enough(numbers, profile):
        return 0, f"its numbers have different units, such as {_shown(units)}"
    if n > numbers >= NEARLY * n and numbers:
        odd = _shown(profile.odd.number[:3])
        return n - numbers, f"{n - numbers} of {n} cells could not be read as numbers, such as {odd}"
    if n and are_dates_undecided and dates == n:
        return 0, "its dates may be day first or month first"
    if n and profile.signs.zone and enough(dates, profile):
        return 0, "its times are in other time zones than UTC"
    if NEARLY * n <= dates < n:
        return n - dates, f"{n - dates} of {n} cells could not be read as dates, such as {_shown(profile.odd.date[:3])}"
    if numbers == n and n and profile.units[""] and profile.units["%"]:
        return 0, "some of its numbers have a % sign, others have none"
    return 0, ""


def with_own_scales(column: TypedColumn, profile: ColumnProfile) -> TypedColumn:
    """Make room for numbers with a scale of their own in a column that has another: 1.5bn among millions."""
    if not profile.signs.scaled or column.scale not in SCALE_NAMES:
        return column
    whole, after = column.digits
    note = (
        f"column {column.header!r}: {profile.signs.scaled} of {profile.filled} cells, with scales of their own, "
        f"were converted to {column.scale}"
    )
    return replace(column, type="decimal", digits=(whole, max(after, 6)), warnings=(*column.warnings, note))


def with_notes(column: TypedColumn, profile: ColumnProfile) -> TypedColumn:
    """Add what was read as empty or does not fit, and whether the raw text is kept."""
    is_typed = column.type != "text" or column.kind in REWRITTEN
    column.filled += profile.labels
    column.unfit += profile.labels if column.type != "text" else 0
    lettered = any(any(c.isalnum() or c in "?…" for c in m) for m in profile.missing)
    column.keeps_raw = is_typed and bool(column.coerced or column.unfit or lettered)
    notes = _notes(column, profile) if is_typed else []
    column.warnings = (*column.warnings, *(f"column {column.header!r}: {note}" for note in notes))
    return column


def _notes(column: TypedColumn, profile: ColumnProfile) -> list[str]:
    notes = []
    if column.type != "text" and profile.labels:
        of_rows = "a total row is" if profile.labels == 1 else f"{profile.labels} total rows is"
        notes.append(f"the label of {of_rows} NULL and kept in the raw text only")
    if profile.missing:
        marks = _shown(sorted(list(profile.missing)[:6]))
        notes.append(f"{marks} in {column.missing} of {profile.filled + column.missing} cells was read as empty")
    if column.type != "text" and column.unfit > profile.labels:
        is_date = column.type in ("date", "datetime")
        odd = profile.odd.duration if column.kind == "duration" else profile.odd.date if is_date else profile.odd.number
        odd = [*odd, *(profile.odd.with_unit if column.unit_key == "" else [])]
        such = f", such as {_shown(odd[:3])}" if odd else ""
        count = column.unfit - profile.labels
        notes.append(f"{count} of {profile.filled} cells did not fit {column.type} and became NULL{such}")
    if column.type == "integer" and profile.signs.rounded:
        said = f"{profile.signs.rounded} of {profile.filled} cells have more digits than a spreadsheet keeps"
        notes.append(f"{said}: their last digits are rounded")
    return notes


def _shown(texts: list[str]) -> str:
    return ", ".join(repr(t if len(t) <= SHOWN_CHARS else f"{t[:SHOWN_CHARS]}…") for t in texts)
