"""Patterns of dates, times of day and periods in English, German and French texts."""

import re

from tablerag.agent.offline.text.vocabulary import pattern

__all__ = [
    "AFTER", "CLOCK", "DATE", "DATES", "NTH_DAY", "NUMBER", "NUMBER_WORD", "PERIOD", "RECURRING", "TO", "WEEKDAY",
    "YEAR",
]  # fmt: skip

MONTH, WEEKDAY, PART_OF, QUARTER, NUMBER_WORD, TIME_UNIT, TIME, NTH, OF_MONTH = (
    pattern("patterns", name)
    for name in ("month", "weekday", "part_of", "quarter", "number_word", "time_unit", "clock", "nth_day", "of_month")
)
YEAR = r"(?:1[5-9]|20)\d\d"
DAY = r"(?:[0-3]?\d(?:st|nd|rd|th|er|\.)?)"
TO = r" ?(?:to|until|till|–|—|-|bis(?: zum)?|au|and|et|und|à) ?"
FULL = (
    rf"(?:{WEEKDAY},? (?:the |den |dem )?)?(?:{DAY}(?:{TO}{DAY})? (?:of )?{MONTH}(?:,? {YEAR})?"
    rf"|{MONTH} {DAY}(?:{TO}{DAY})?(?:,? {YEAR})?(?!\d))"
)
NUMERIC = rf"{YEAR}-\d\d-\d\d|[0-3]?\d[./][01]?\d[./](?:{YEAR}|\d\d)(?!\d)"
ONE = (
    rf"(?:{FULL}|{PART_OF}(?:the year |{MONTH}(?: {YEAR})?|{YEAR})|{NUMERIC}|{QUARTER}|{MONTH}(?: {YEAR})"
    rf"|(?<=[a-zà-ü,] ){MONTH}(?: and {MONTH})?|{YEAR}(?![\d.,]\d| ?[%€$]))"
)
DATE = re.compile(rf"(?<![\w.,/-]){ONE}(?:{TO}{ONE})?(?![\w])(?!-\d)")
"""A date, month, quarter or year, or a range of them."""
DATES = re.compile(
    rf"(?:(?:from|between|vom|von|zwischen|du|de|entre) )?(?<![\w.,/-])(?:{DAY}(?:{TO}){FULL}|{ONE}(?:{TO}){ONE})(?!\w)"
)
"""A range of dates, with "from" if that stands before."""
NUMBER = r"(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:]\d+)?)"
"""Digits with marks of thousands and decimals."""
QUANTITY = rf"(?:{NUMBER}(?:{TO}{NUMBER})?|(?i:{NUMBER_WORD}(?:{TO}{NUMBER_WORD})?|an?|a few|several))"
DAYS = rf"(?:{WEEKDAY}(?:{TO}{WEEKDAY})?)"
CLOCK = re.compile(
    rf"(?<![\w.,:/])(?:{DAYS},?(?: (?:from|von|de|between|at|um|à))? )?(?:[0-2]?\d{TO})?{TIME}(?:{TO}{TIME})?(?!\w)"
)
"""A time of day or opening hours, with the days of the week before them."""
PERIOD = re.compile(
    rf"(?<![\w.,/-])(?:(?:within|innerhalb von|binnen|dans un délai de|sous) )?{QUANTITY}[ \u00a0-]"
    rf"{TIME_UNIT}(?!\w)[’']?(?: (?:and|und|et) {QUANTITY} {TIME_UNIT}(?!\w))?"
)
"""A number of days, months or other units of time, with "within" if that stands before."""
NTH_DAY = re.compile(
    rf"(?<![\w.,/-]){NTH} (?:{WEEKDAY}(?: (?:of |in |im |de |du |d[’'])?{MONTH}(?: {YEAR})?|{OF_MONTH})?"
    rf"|(?:working |calendar )?(?:day|Tag|jour|Werktag|Arbeitstag){OF_MONTH}?)(?!\w)"
)
"""A day by its place: "the first Thursday of October", "the third day"."""
RELATIVE, AHEAD = (pattern("patterns", name) for name in ("relative", "ahead"))
AFTER = re.compile(
    rf"(?<![\w.,/-])(?:(?i:{AHEAD}) {QUANTITY}[ \u00a0-]{TIME_UNIT}(?!\w)(?:{RELATIVE})?"
    rf"|{QUANTITY}[ \u00a0-]{TIME_UNIT}(?!\w)(?:{RELATIVE}))"
)
"""A moment by its distance from another one: "30 days after receipt", "after 180 days"."""
EACH, ORDINAL, TIMES, PER, ADVERB = (
    pattern("patterns", name) for name in ("each", "ordinal", "times", "per", "adverb")
)
RECURRING = re.compile(
    rf"\b{EACH} (?:(?:{ORDINAL}|{NUMBER}|{NUMBER_WORD})[ -])?(?:{TIME_UNIT}|{WEEKDAY}|{MONTH}|[Kk]ilomet\w+|km)(?!\w)"
    rf"(?: (?:on|by|am|le) (?:the )?{FULL})?"
    rf"|\b(?:{TIMES}|(?i:{NUMBER_WORD}) times)(?: {PER} (?:calendar |working )?[\wà-ü]+)?|\b{ADVERB}\b"
)
"""How often: "every two years", "twice a year", "monthly"."""
