"""Questions about people's own spreadsheets: the cases are what they say, and most are answered right."""

from pathlib import Path

import pytest

from benchmarks.business_offline import HALVES, answered, is_right, read_tables
from tablerag.agent.offline.reasoner import CONFIDENT
from tablerag.tools.services import Services

LEAST_RIGHT = 0.8
LEAST_RIGHT_WHEN_SURE = 0.85


def test_both_halves_have_as_many_tables_and_about_as_many_questions() -> None:
    tables = read_tables()
    asked = {half: [q for t in tables if t.half == half for q in t.questions] for half in HALVES}
    assert {half: sum(t.half == half for t in tables) for half in HALVES} == dict.fromkeys(HALVES, 7)
    assert all(len(questions) > 100 for questions in asked.values())
    assert len({q for questions in asked.values() for q, _ in questions}) > 200


def test_rows_are_held_against_answers_in_any_order_and_to_four_decimals() -> None:
    (answer,) = {a for t in read_tables() for q, a in t.questions if q == "average total by region"}
    rows = [("West", 287.5), ("North", 575 / 3), ("South", 680 / 3), ("East", 207.5)]
    assert is_right(answer, rows)
    assert not is_right(answer, rows[1:])
    assert not is_right(answer, [*rows[1:], ("West", 287.4)])
    assert is_right(answer, [(name, 1, value) for name, value in rows])  # further columns may stand beside
    assert not is_right(answer, [(value, name) for name, value in rows])


@pytest.mark.parametrize("half", HALVES)
def test_most_are_answered_right(services: Services, tmp_path: Path, half: str) -> None:
    files = tmp_path / "tables"
    files.mkdir()
    rows = [r for r in answered(services, [t for t in read_tables() if t.half == half], files) if r.answerable]
    sure = [r for r in rows if r.confidence >= CONFIDENT]
    assert sum(r.right for r in rows) >= LEAST_RIGHT * len(rows)
    assert sum(r.right for r in sure) >= LEAST_RIGHT_WHEN_SURE * len(sure) > LEAST_RIGHT_WHEN_SURE * len(rows) / 2
