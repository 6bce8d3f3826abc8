import pytest

from tablerag.agent.row_citations import row_citations
from tablerag.tools.records import Member, Receipt, SqlResult, SupportingRows
from tests.support.fakes import SALES

RESULT = SqlResult(sql="SELECT SUM(`amount`) FROM `sales`", columns=("s",), rows=((30,),))


def supporting(ids: tuple[int, ...], total: int) -> SupportingRows:
    rows = tuple(("North", i) for i in ids)
    return SupportingRows(
        table="sales",
        columns=("region", "amount"),
        rows=rows,
        row_ids=ids,
        source_rows=tuple(i + 1 for i in ids),
        total=total,
    )


@pytest.mark.parametrize(
    ("ids", "total", "locator"),
    [((1,), 1, "rows 2"), ((1, 2), 2, "rows 2-3"), ((1, 3), 2, "rows 2, 4"), ((1, 2, 3), 3, "rows 1-4")],
)
def test_rows_are_named_in_the_sources_own_count(ids: tuple[int, ...], total: int, locator: str) -> None:
    (citation,) = row_citations(RESULT, [supporting(ids, total)], [SALES])
    assert citation.locator == locator


def test_rows_beyond_those_shown_are_counted() -> None:
    schema = SALES.model_copy(update={"row_count": 100, "locator": "sheet S, rows 1-101", "within": "sheet S"})
    (citation,) = row_citations(RESULT, [supporting((1, 2), 40)], [schema])
    assert citation.locator == "sheet S, rows 2-3 and 38 more rows"
    assert citation.quote == "40 rows of sales"


def test_whole_table_when_rows_are_unknown() -> None:
    other = SALES.model_copy(update={"name": "other", "table_id": "x"})
    (citation,) = row_citations(RESULT, [], [SALES, other])
    assert (citation.source, citation.quote) == ("sales.csv", "3 rows of sales")
    assert (citation.table, citation.row_ids, citation.columns) == ("sales", (), ())


def test_a_citation_names_the_table_rows_and_columns_that_it_is_opened_by() -> None:
    rows = supporting((1, 3), 2).model_copy(update={"used": ("amount",)})
    (citation,) = row_citations(RESULT, [rows], [SALES])
    assert (citation.table, citation.row_ids, citation.columns) == ("sales", (1, 3), ("amount",))


def test_a_row_is_quoted_by_the_headers_of_the_document() -> None:
    headers = {"region": "Region\nof sale", "amount": "Total (EUR)"}
    columns = tuple(c.model_copy(update={"header": headers.get(c.name, c.header)}) for c in SALES.columns)
    (citation,) = row_citations(RESULT, [supporting((1,), 1)], [SALES.model_copy(update={"columns": columns})])
    assert citation.quote == "Region of sale: North; Total (EUR): 1"


def test_whole_table_beside_one_whose_rows_are_known() -> None:
    other = SALES.model_copy(update={"name": "other", "source": "other.csv", "table_id": "x"})
    receipt = Receipt(sql="S", tables=("other", "sales"), sources=("other.csv", "sales.csv"), result_hash="0")
    cited = row_citations(RESULT.model_copy(update={"receipt": receipt}), [supporting((1,), 1)], [SALES, other])
    assert [(c.source, c.quote) for c in cited] == [
        ("sales.csv", "Region: North; Amount: 1"),
        ("other.csv", "3 rows of other"),
    ]


def test_cells_are_named_where_the_source_letters_its_columns() -> None:
    columns = tuple(c.model_copy(update={"place": p}) for c, p in zip(SALES.columns, (2, 28), strict=True))
    schema = SALES.model_copy(
        update={"columns": columns, "row_count": 9, "locator": "sheet S, cells B1:AB10", "within": "sheet S"}
    )
    rows = supporting((1, 2, 4), 3).model_copy(update={"used": ("region", "amount")})
    (citation,) = row_citations(RESULT, [rows], [schema])
    assert citation.locator == "sheet S, cells B2:B3, AB2:AB3, B5, AB5"
    (citation,) = row_citations(RESULT, [rows.model_copy(update={"used": ()})], [schema])
    assert citation.locator == "sheet S, rows 2-3, 5"


def test_rows_on_several_pages_are_cited_by_page() -> None:
    schema = SALES.model_copy(update={"row_count": 9, "locator": "pages 3-5", "within": ""})
    rows = supporting((1, 2, 4), 3).model_copy(update={"source_rows": (), "pages": (3, 3, 5)})
    (citation,) = row_citations(RESULT, [rows], [schema])
    assert citation.locator == "pages 3, 5, data rows 1-2, 4"


def test_rows_of_united_tables_are_cited_by_member() -> None:
    members = tuple(
        Member(name=n, stored_as=n, source=f"{n}.csv", columns={"region": "area", "amount": "amount"}, row_count=50)
        for n in ("a", "b")
    )
    schema = SALES.model_copy(update={"members": members, "row_count": 100})
    rows = supporting((1, 2, 7), 3).model_copy(update={"members": ("a", "a", "b"), "used": ("region", "amount")})
    cited = row_citations(RESULT, [rows], [schema])
    assert [(c.source, c.locator) for c in cited] == [("a.csv", "rows 2-3"), ("b.csv", "rows 8")]
    assert [(c.table, c.row_ids) for c in cited] == [("a", (1, 2)), ("b", (7,))]
    assert cited[0].columns == ("area", "amount")
    (first, second) = row_citations(RESULT, [rows.model_copy(update={"total": 33})], [schema])
    assert first.quote == "2 rows of a among the first 3 of 33"
    assert second.quote == "1 row of b among the first 3 of 33"


def test_all_files_are_cited_where_all_rows_of_a_union_were_read() -> None:
    members = tuple(Member(name=n, stored_as=n, source=f"{n}.csv", columns={}, row_count=50) for n in ("a", "b"))
    schema = SALES.model_copy(update={"members": members, "row_count": 100})
    rows = supporting((1, 2), 100).model_copy(update={"members": ("a", "a")})
    cited = row_citations(RESULT, [rows], [schema])
    assert [(c.source, c.quote) for c in cited] == [("a.csv", "50 rows of a"), ("b.csv", "50 rows of b")]
