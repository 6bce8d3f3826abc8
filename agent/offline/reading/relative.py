"""Messages that ask the last question of another time: "and the year before?", "the next quarter?"."""

import re

from tablerag.agent.offline.reading.conversation import Conversation, Said
from tablerag.agent.offline.reading.periods import Period

__all__ = ["at_another_time"]

STEPS = {
    "year_before": ("year", -1),
    "year_after": ("year", 1),
    "quarter_before": ("quarter", -1),
    "quarter_after": ("quarter", 1),
    "month_before": ("month", -1),
    "month_after": ("month", 1),
}
MONTHS = {"quarter": 3, "month": 1}
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def at_another_time(talk: Conversation, start: int) -> str:
    """Return the last question with its period moved; "" if the message from a word on does not ask just for that."""
    asked, periods = talk.message.asked, [p for p in talk.last.periods if p.has_year]
    if len(periods) != 1:
        return ""
    for name, (grain, step) in STEPS.items():
        for first, last in talk.message.places(talk.language.follow_up[name], start):
            left = [i for i in range(start, len(asked.words)) if not first <= i < last]
            if all(asked.is_ignored(i) for i in left):
                return _moved(talk.last, periods[0], grain, step)
    return ""


def _moved(last: Said, period: Period, grain: str, step: int) -> str:
    """Return a question with its period some years, quarters or months later."""
    words = last.asked.words
    start, end = words[period.first].start, words[period.last - 1].end
    text = last.asked.text[start:end]
    if grain == "year":
        moved = YEAR.sub(lambda m: str(int(m[0]) + step), text)
        return f"{last.asked.text[:start]}{moved}{last.asked.text[end:]}" if moved != text else ""
    if period.grain != grain or period.low[:4] != period.high[:4] or not period.low:
        return ""
    month = int(period.low[:4]) * 12 + int(period.low[5:7]) - 1 + step * MONTHS[grain]
    year, place = divmod(month, 12)
    name = f"Q{place // 3 + 1}" if grain == "quarter" else last.asked.language.time["months"][0].split()[place]
    keep = next((w.text for w in words[period.first : period.first + 1] if last.asked.is_ignored(period.first)), "")
    moved = f"{keep} {name.capitalize()} {year}".strip()
    return f"{last.asked.text[:start]}{moved}{last.asked.text[end:]}"
