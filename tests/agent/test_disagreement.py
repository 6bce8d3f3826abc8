"""Why SQL and text differ."""

from pathlib import Path
from typing import get_args

import pytest

from tablerag.agent.disagreement import CONFLICT_CAUSES, NO_CAUSE, ConflictCause, Passage, why_they_differ
from tablerag.tools.records import SqlResult, SupportingRows
from tests.support.fakes import SALES

TABLE = SALES.model_copy(update={"source": "report_2025.xlsx"})


def differ(value, text, *, source="notes.md", unit="", question="What is the total amount?", sql="SUM(`amount`)"):
    """Return why a computed value and a passage differ."""
    statement = f"SELECT {sql} FROM `sales`"
    result = SqlResult(sql=statement, columns=("r",), rows=((value,),))
    rows = SupportingRows(
        table="sales", columns=("region", "amount"), rows=(), row_ids=(), used=("amount",), units=("", unit), total=3
    )
    return why_they_differ(question, result, (rows,), (TABLE,), (Passage(text, source),))


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1774500, "", "The total was 1.8 million EUR."),
        (1774500, "", "The total was 1.7 million EUR."),
        (1774.5, "thousands EUR", "The total was 1.8 million EUR."),
        (1234, "", "The total was 1,200."),
        (12.345, "%", "It came to 12.3 %."),
    ],
)
def test_a_rounded_or_cut_figure_is_named(value, unit, text):
    assert differ(value, text, unit=unit)["cause"] == "rounding"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1774500, "", "The total was 1,774.5."),
        (1774.5, "", "The total was 1,774,500 EUR."),
        (0.125, "", "The share was 12.5 %."),
        (100, "km", "The route is 62.1 miles long."),
        (1774500, "EUR", "The total was $1,774,500."),
        (5, "thousands EUR", "The total was 5 million USD and 5 thousand USD."),
    ],
)
def test_another_unit_is_named(value, unit, text):
    assert differ(value, text, unit=unit)["cause"] == "unit"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The total was 300.", "report_2023.docx"),
        ("The total was 300.", "report_2027.docx"),
        ("The preliminary total was 300.", "notes.md"),
        ("As of June the total was 300.", "notes.md"),
        ("The total was 300.", "draft_report.docx"),
    ],
)
def test_an_older_version_is_named(text, source):
    assert differ(40, text, source=source)["cause"] == "older_version"


@pytest.mark.parametrize(
    ("text", "question", "sql"),
    [
        ("The total of 2023 was 300.", "What was the total of 2024?", "SUM(`amount`)"),
        ("The total, excluding the North, was 300.", "What is the total?", "SUM(`amount`)"),
        ("The total was 300.", "What is the North's total?", "SUM(CASE WHEN `region` = 'North' THEN `amount` END)"),
    ],
)
def test_another_scope_is_named(text, question, sql):
    assert differ(40, text, question=question, sql=sql)["cause"] == "scope"


@pytest.mark.parametrize(
    ("value", "text"),
    [(40, "The total was 300."), (40, "No figure."), ("North", "It was the South.")],
)
def test_what_nothing_explains_stays_unnamed(value, text):
    assert differ(value, text) == NO_CAUSE


def test_versions_in_names_are_compared_as_numbers():
    table = SALES.model_copy(update={"source": "plan_v10.xlsx"})
    result = SqlResult(sql="SELECT SUM(`amount`) FROM `sales`", columns=("r",), rows=((40,),))
    found = why_they_differ(
        "What is the total?", result, (), (table,), (Passage("The total was 300.", "plan_v9.docx"),)
    )
    assert found == {
        "cause": "older_version",
        "says": "the text is from plan_v9.docx, the table from the later plan_v10.xlsx",
    }


def test_causes_are_listed_in_one_file_alone() -> None:
    assert {*CONFLICT_CAUSES, ""} == {*get_args(ConflictCause)}
    root = Path(__file__).resolve().parents[2]
    rooms = ("agent", "cli", "docs", "evaluation", "graphs", "ingestion", "serving", "src", "tools")
    files = [p for r in rooms for kind in ("py", "js", "md") for p in (root / r).rglob(f"*.{kind}")]
    naming = [p.relative_to(root).as_posix() for p in files if "older_version" in p.read_text(encoding="utf-8")]
    assert naming == ["agent/disagreement.py"]


@pytest.mark.parametrize(
    "condition", ["BETWEEN '2025-01-01' AND '2025-12-31'", ">= '2025-01-01' AND `day` < '2026-01-01'"]
)
def test_the_ends_of_a_year_that_the_text_names_are_no_other_scope(condition):
    sql = f"SUM(`amount`) FROM `sales` WHERE `day` {condition}"
    assert differ(40, "Sales were 61 in 2025.", question="What were the sales in 2025?", sql=sql) == NO_CAUSE
    part = sql.replace("12-31", "06-30").replace("2026-01-01", "2025-07-01")
    assert differ(40, "Sales were 61 in 2025.", question="Sales?", sql=part)["cause"] == "scope"
