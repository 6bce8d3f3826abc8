import pytest

from agent.row_citations import row_citations
from tests.support.fakes import SALES
from tools.records import SqlResult, SupportingRows

RESULT = SqlResult(sql="SELECT SUM(`amount`) FROM `sales`", columns=("s",), rows=((30,),))


def supporting(ids: tuple[int, ...], total: int) -> SupportingRows:
    rows = tuple(("North", i) for i in ids)
    return SupportingRows(table="sales", columns=("region", "amount"), rows=rows, row_ids=ids, total=total)


@pytest.mark.parametrize(
    ("ids", "total", "locator"),
    [((1,), 1, "rows 2"), ((1, 2), 2, "rows 2-3"), ((1, 3), 2, "rows 2, 4"), ((1, 2, 3), 3, "rows 1-4")],
)
def test_rows_are_named_in_the_sources_own_count(ids: tuple[int, ...], total: int, locator: str) -> None:
    (citation,) = row_citations(RESULT, [supporting(ids, total)], [SALES])
    assert citation.locator == locator


def test_rows_beyond_those_shown_are_counted() -> None:
    schema = SALES.model_copy(update={"row_count": 100, "locator": "sheet S, rows 1-101"})
    (citation,) = row_citations(RESULT, [supporting((1, 2), 40)], [schema])
    assert citation.locator == "sheet S, rows 2-3 and 38 more"
    assert citation.quote == "40 rows of sales"


def test_whole_table_when_rows_are_unknown() -> None:
    other = SALES.model_copy(update={"name": "other", "table_id": "x"})
    (citation,) = row_citations(RESULT, [], [SALES, other])
    assert (citation.source, citation.quote) == ("sales.csv", "3 rows of sales")
