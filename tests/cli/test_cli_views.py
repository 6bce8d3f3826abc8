"""What the command line shows of an answer's rows."""

import io
from typing import Any

from rich.console import Console

from tablerag.cli.report_views import report_view
from tablerag.cli.views import answer_view, show_usage
from tablerag.ingestion.pipeline import Entry
from tablerag.tools.records import ContributingRows, Receipt, SupportingRows
from tests.support.fakes import SALES


def shown(receipt: dict[str, Any] | None) -> str:
    rows = SupportingRows(table="sales", columns=("region", "amount"), rows=(("North", 10),), row_ids=(1,), total=1)
    step = {"sql": "S", "error": "", "supporting": [rows.model_dump()], "receipt": receipt, "columns": [], "rows": []}
    outcome = {
        "verdict": "sql_only",
        "iterations": 1,
        "answer": "10",
        "explanation": "",
        "steps": [step],
        "sql": ["S"],
        "citations": [],
    }
    console = Console(width=120, file=io.StringIO())
    with console.capture() as captured:
        console.print(answer_view(outcome))
    return captured.get()


def test_the_cost_says_how_much_of_it_was_cached() -> None:
    console = Console(width=120, file=io.StringIO())
    usage = {"calls": 2, "input_tokens": 4200, "output_tokens": 90, "cached_tokens": 3000}
    with console.capture() as captured:
        show_usage(console, {"model": "openai:m", "usage": usage})
    assert captured.get() == "openai:m: 2 model calls, 4,200 (3,000 cached) + 90 tokens\n"


def test_rows_that_cannot_be_told_are_said_to_be() -> None:
    tables = (SALES.name, "stores")
    told = ContributingRows(table=SALES.name, row_count=1, row_ids=(1,), rows_hash="0")
    untold = ContributingRows(table="stores", untold="EXCEPT is not traced")
    receipt = Receipt(sql="S", tables=tables, sources=("sales.csv",), result_hash="0", rows=(told, untold))
    text = shown(receipt.model_dump())
    assert "computed from 1 row of sales" in " ".join(text.split())
    assert "rows of stores are not shown: EXCEPT is not traced" in text
    assert "are not shown" not in shown(None)


def test_rows_that_are_computed_when_opened_are_said_to_be() -> None:
    later = ContributingRows(table="stores", untold="computed when opened", deferred=True)
    receipt = Receipt(sql="S", tables=("stores",), sources=("sales.csv",), result_hash="0", rows=(later,))
    assert "rows of stores: computed when opened, by `tablerag verify`" in shown(receipt.model_dump())


def test_a_table_that_is_kept_as_text_says_so_in_its_line() -> None:
    entry = Entry("wide.csv", "added", chunks=11, warnings=("200 columns, more than the 190: kept as text only",))
    console = Console(record=True, width=80)
    console.print(report_view([entry]))
    assert "11 chunks, kept as text only, 1 note" in console.export_text()
