"""Readings of a question that has no sure answer: as state keeps them, and as text."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from tablerag.agent.presentation import Presented, presented
from tablerag.agent.presenting.table import SHOWN_ROWS, AnswerTable
from tablerag.agent.reasoning import Reading, TextReading
from tablerag.tools.counting import counted
from tablerag.tools.records import TableSchema

__all__ = [
    "MARK",
    "MOST_READINGS",
    "dumped_readings",
    "heading",
    "reading_table",
    "unsure_answer",
    "with_text",
]

MOST_READINGS = 3
TEXT_ROWS = 3
"""Rows of a reading in a sentence."""
LIKELY = 0.35
"""The chance from which a sentence's answer stands before the readings of tables."""
QUOTED = 160
"""Characters of a sentence in a list of readings."""
UNSURE = "Not sure which you mean:"
UNSURE_OF_ONE = "Not sure that you mean:"
MARK = "(unsure)"


def dumped_readings(readings: Sequence[Reading], schemas: Sequence[TableSchema]) -> list[dict[str, Any]]:
    """Return up to three readings with different meanings as dicts, each with its result as it is shown.

    ``rows`` are the first ten of ``row_count``, ``texts`` the same as people read them; ``value`` is the only cell of a
    result, None if it has more; ``listed`` says whether ``text`` has all values.
    """
    different: dict[str, tuple[Reading, Presented]] = {}
    for reading in readings:
        shown = presented(reading.result, schemas)
        if reading.meaning and shown.table is not None:
            different.setdefault(reading.meaning, (reading, shown))
    return [_dumped(*found) for found in list(different.values())[:MOST_READINGS]]


def _dumped(reading: Reading, shown: Presented) -> dict[str, Any]:
    table = shown.table
    assert table is not None, "readings without rows are left out"
    return {
        "meaning": reading.meaning,
        "sql": reading.sql,
        "text": _text(shown),
        "value": shown.value,
        "unit": shown.unit,
        "scale": shown.scale,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows[:SHOWN_ROWS]],
        "texts": [list(row) for row in table.texts[:SHOWN_ROWS]],
        "numeric": list(table.numeric),
        "row_count": table.row_count,
        "listed": shown.listed,
    }


def with_text(readings: Sequence[dict[str, Any]], found: Sequence[TextReading]) -> list[dict[str, Any]]:
    """Return readings of tables and those of sentences: likely ones first, others after them if there is room."""
    first = [_dumped_text(r) for r in found if r.chance >= LIKELY]
    last = [_dumped_text(r) for r in found if r.chance < LIKELY]
    different: dict[str, dict[str, Any]] = {}
    for reading in (*first, *readings, *last):
        different.setdefault(reading["meaning"], reading)
    return list(different.values())[:MOST_READINGS]


def _dumped_text(reading: TextReading) -> dict[str, Any]:
    """Return a sentence's answer as the readings of tables are dumped, with its citation and without a statement."""
    cited = reading.citation
    quote = cited.quote if len(cited.quote) <= QUOTED else f"{cited.quote[:QUOTED].rsplit(' ', 1)[0]} …"
    whole = len(reading.answer) > len(quote) / 2
    return {
        "meaning": f"{PurePosixPath(cited.source).name} says" + (f" “{quote}”" if not whole else ""),
        "sql": "",
        "text": reading.answer,
        "value": None,
        "unit": "",
        "scale": "",
        "columns": [],
        "rows": [],
        "texts": [],
        "numeric": [],
        "row_count": 0,
        "listed": True,
        "citation": cited.model_dump(mode="json"),
    }


def reading_table(reading: Mapping[str, Any]) -> AnswerTable | None:
    """Return a reading's result as a table; None if its text has all values."""
    if reading["listed"]:
        return None
    known = {k: reading[k] for k in ("columns", "rows", "texts", "numeric", "row_count")}
    return AnswerTable(**known, units=(), scales=())


def unsure_answer(readings: Sequence[Mapping[str, Any]]) -> str:
    """Return the reply that lists the readings with their values, numbered and marked as unsure."""
    lines = [heading(readings)]
    lines += [f"{number}. {r['meaning']}: {r['text']} {MARK}" for number, r in enumerate(readings, start=1)]
    return "\n".join(lines)


def heading(readings: Sequence[Mapping[str, Any]]) -> str:
    """Return the line above a list of readings."""
    return UNSURE if len(readings) > 1 else UNSURE_OF_ONE


def _text(shown: Presented) -> str:
    """Return a reading's result on one line: all values, or the first rows and how many follow."""
    if shown.listed or shown.table is None:
        return shown.text
    left = shown.table.row_count - TEXT_ROWS
    more = f" and {counted(left, 'more row')}" if left > 0 else ""
    return "; ".join(": ".join(t for t in row if t) for row in shown.table.texts[:TEXT_ROWS]) + more
