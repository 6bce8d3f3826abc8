"""Texts that MySQL reads as dates: parsed where a statement holds them, so that it reads plain dates."""

import re
from datetime import datetime

__all__ = ["ORDER", "read_moment", "written"]

LONGEST = 40
"""Most characters of a date."""
DELIMITED = re.compile(
    r"\s*(\d{1,4})[^\w\s](\d{1,2})[^\w\s](\d{1,2})(?:[T\s]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(\.\d{0,6})?)?)?)?"
)
RUN_TOGETHER = re.compile(r"\s*(\d{14}|\d{12}|\d{8}|\d{6})(\.\d{0,6})?$")
ORDER = ("DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND")


def read_moment(text: str) -> datetime | None:
    """Parse a date or a datetime; None if the text is neither."""
    if len(text) > LONGEST:
        return None
    found = DELIMITED.match(text)
    try:
        if found:
            year, month, day, hour, minute, second = (int(g or 0) for g in found.groups()[:6])
            year += century(year) if len(found[1]) <= 2 else 0
            fraction = found[7] or ""
        else:
            run = RUN_TOGETHER.match(text)
            if not run:
                return None
            digits = run[1] if len(run[1]) in (8, 14) else str(20 if run[1] < "7" else 19) + run[1]
            year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:8])
            hour, minute, second = (int(digits[i : i + 2] or 0) for i in (8, 10, 12))
            fraction = run[2] or ""
        return datetime(year, month, day, hour, minute, second, int(f"{fraction[1:]:0<6}"))
    except ValueError:
        return None


def century(year: int) -> int:
    """Return the century of a year of two digits."""
    return 2000 if year < 70 else 1900


def written(moment: datetime, *, timed: bool) -> str:
    """Return a date in ISO format, with its time if ``timed``."""
    if timed:
        return moment.isoformat(" ", "microseconds" if moment.microsecond else "seconds")
    return moment.date().isoformat()
