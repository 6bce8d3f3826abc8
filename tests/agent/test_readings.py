"""Readings as state keeps them, and as text for terminals and chats."""

from tablerag.agent.answer_text import answer_markdown
from tablerag.agent.readings import dumped_readings, unsure_answer
from tablerag.agent.reasoning import Reading
from tablerag.tools.records import SqlResult
from tests.support.fakes import SALES

PRICED = SALES.model_copy(update={"columns": (SALES.columns[0], SALES.columns[1].model_copy(update={"unit": "EUR"}))})


def reading(meaning: str, sql: str, *rows: tuple, columns: tuple[str, ...] = ("result",)) -> Reading:
    return Reading(meaning, sql, SqlResult(sql=sql, columns=columns, rows=rows))


TOTAL = reading("Total of Amount", "SELECT SUM(`amount`) AS `result` FROM `sales`", (1774500,))
BY_REGION = reading(
    "Total of Amount for each Region",
    "SELECT `region`, SUM(`amount`) AS `result` FROM `sales` GROUP BY `region`",
    *((f"R{i}|", i * 1000) for i in range(12)),
    columns=("region", "result"),
)


def test_a_value_is_kept_with_its_unit_and_text() -> None:
    (kept,) = dumped_readings([TOTAL], [PRICED])
    assert (kept["meaning"], kept["value"], kept["unit"]) == ("Total of Amount", 1774500, "EUR")
    assert "1,774,500" in kept["text"] and "EUR" in kept["text"]


def test_at_most_three_different_readings_with_a_result_are_kept() -> None:
    empty = reading("Nothing", "SELECT 1")
    more = [reading(f"m{i}", f"SELECT {i}", (i,)) for i in range(4)]
    assert [r["meaning"] for r in dumped_readings([empty, TOTAL, TOTAL, *more], [SALES])] == [
        "Total of Amount", "m0", "m1",
    ]  # fmt: skip


def test_several_rows_are_kept_by_header_and_counted() -> None:
    (kept,) = dumped_readings([BY_REGION], [SALES])
    assert (kept["columns"], kept["row_count"], len(kept["rows"])) == (["Region", "Total of Amount"], 12, 10)
    assert kept["value"] is None


def test_the_reply_lists_readings_as_unsure() -> None:
    lines = unsure_answer(dumped_readings([TOTAL, BY_REGION], [PRICED])).splitlines()
    assert lines[0] == "Not sure which you mean:"
    assert lines[1].startswith("1. Total of Amount: ") and lines[1].endswith("(unsure)")
    assert lines[2].startswith("2. Total of Amount for each Region: ") and "9 more rows" in lines[2]


def test_a_chat_shows_several_rows_as_a_table() -> None:
    readings = dumped_readings([TOTAL, BY_REGION], [PRICED])
    outcome = {"answer": "", "iterations": 1, "explanation": "", "verdict": "none", "sql": [], "citations": []}
    shown = answer_markdown(outcome | {"readings": readings}, model="offline")
    assert "1. Total of Amount: **EUR 1,774,500" in shown
    assert "   | Region | Total of Amount (EUR) |\n   | --- | ---: |\n   | R0\\| | 0 |" in shown
    assert "10 of 12 rows" in shown
    assert "**Verdict:** not sure" in shown
