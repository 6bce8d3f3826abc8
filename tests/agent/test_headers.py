"""Messages name columns by the headers that the document writes."""

from tablerag.agent.causes import cause_of
from tablerag.agent.headers import headers_of, in_headers
from tablerag.tools.records import Column, EmptyReason, SqlResult
from tests.support.fakes import SALES

TOTAL = Column(name="total_eur", header="Total\n(EUR)", type="integer")
UNNAMED = Column(name="column_2", header="", type="text")
ORDERS = SALES.model_copy(update={"name": "orders", "columns": (TOTAL, UNNAMED)})


def test_headers_are_on_one_line_and_replace_quoted_names_only() -> None:
    assert headers_of([ORDERS]) == {"total_eur": "Total (EUR)", "column_2": "column_2"}
    message = "no row of `orders` has `total_eur` > 9, total_eur"
    assert in_headers(message, [ORDERS]) == 'no row of `orders` has "Total (EUR)" > 9, total_eur'


def test_the_cause_of_no_answer_names_headers() -> None:
    state = {"schemas": [ORDERS.model_dump(mode="json")], "missing": None, "sql_error": None}
    empty = EmptyReason(says="no row of `orders` has `total_eur` > 9")
    result = SqlResult(sql="S", columns=("s",), rows=(), empty=empty)
    assert cause_of(state, result)["cause_detail"] == 'no row of `orders` has "Total (EUR)" > 9'
    assert cause_of(state | {"missing": "no row has `total_eur` = 'x'"}, None) == {
        "cause": "value_not_found",
        "cause_detail": "no row has \"Total (EUR)\" = 'x'",
    }
