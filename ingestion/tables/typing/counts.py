"""What a column's profile counts: cells by kind, signs that decide how ambiguous cells are read, and odd cells."""

from dataclasses import dataclass, field

__all__ = ["Fits", "Odd", "Signs"]


@dataclass(slots=True)
class Fits:
    """How many cells could be of each kind; a cell may count for several."""

    point: int = 0
    """Numbers with "." as the decimal mark."""
    comma: int = 0
    """Numbers with "," as the decimal mark."""
    year: int = 0
    seconds: int = 0
    """Fractions below 100, as times under a minute are written."""
    date: int = 0
    timed: int = 0
    """Dates with a time of day."""
    partial: int = 0
    """Dates, whole or without a day."""
    yearless: int = 0
    season: int = 0
    """2008/09: a month, or two years."""
    duration: int = 0
    clock: int = 0
    range: int = 0
    score: int = 0
    boolean: int = 0

    def most(self) -> int:
        """Return the count of the most frequent kind."""
        return max(getattr(self, name) for name in self.__slots__)


@dataclass(slots=True)
class Signs:
    """What decides how ambiguous cells are read, and which kind of number they are: cells that show it."""

    point: int = 0
    """Numbers that only a decimal point makes sense of."""
    comma: int = 0
    """Numbers that only a decimal comma makes sense of."""
    grouped: int = 0
    native: int = 0
    """Numbers that do not come as text."""
    id: int = 0
    """Numbers with a leading zero."""
    phone: int = 0
    scaled: int = 0
    """Numbers with a scale word of their own."""
    rounded: int = 0
    """Numbers with more digits than a spreadsheet keeps."""
    money: int = 0
    above_one: int = 0
    minus_behind: int = 0
    plus_behind: int = 0
    long_signed: int = 0
    """Numbers of several digits with a sign behind."""
    told_clock: int = 0
    """Times with a.m. or p.m."""
    told_duration: int = 0
    past_a_day: int = 0
    year_range: int = 0
    fraction_range: int = 0
    slashed: int = 0
    day_first: int = 0
    month_first: int = 0
    short_year: int = 0
    zone: int = 0
    """Times with an offset from UTC."""
    time: int = 0
    """Dates with a time of day other than midnight."""
    microsecond: int = 0


@dataclass(slots=True)
class Odd:
    """The first few cells that do not fit a kind."""

    number: list[str] = field(default_factory=list)
    date: list[str] = field(default_factory=list)
    duration: list[str] = field(default_factory=list)
    with_unit: list[str] = field(default_factory=list)
    """Numbers with a unit."""
