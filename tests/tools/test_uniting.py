"""Tables of one schema offered as one, over real SQLite, Chroma and tantivy, and over a MySQL-compatible server."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import run_sql, search
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.uniting import united


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    for region, rows in {"north": "Ada,1\nBo,2\nTotal,3\n", "south": "Cy,2.5\nDee,10\n"}.items():
        (docs / f"sales_{region}.csv").write_text(f"Seller,Amount (EUR)\n{rows}", encoding="utf-8")
    book = Workbook()
    for year in ("2023", "2024"):
        sheet = book.create_sheet(year)
        for row in [["Item", "Cost"], ["pens", int(year) * 3], ["ink", 5]]:
            sheet.append(row)
    book.remove(book["Sheet"])
    book.save(docs / "costs.xlsx")
    return docs


def test_files_and_sheets_of_one_schema_are_one_table(folder: Path, both: Services) -> None:
    ingest([folder], both, "default")
    schemas = both.catalog.schemas("default")
    costs, sales = united(schemas)
    assert (sales.name, sales.row_count, [m.name for m in sales.members]) == (
        "all_sales",
        5,
        ["sales_north", "sales_south"],
    )
    assert [(c.name, c.type, c.unit) for c in sales.columns[2:]] == [
        ("seller", "text", ""),
        ("amount_eur", "decimal", "EUR"),
    ]
    result, (rows,) = run_sql(both, "SELECT SUM(amount_eur) FROM all_sales WHERE NOT _total", [*schemas, sales])
    assert result.rows == ((15.5,),)
    assert (rows.total, rows.members) == (4, ("sales_north", "sales_north", "sales_south", "sales_south"))
    assert rows.source_rows == (2, 3, 2, 3)
    result, _ = run_sql(both, "SELECT source_place, cost FROM all_costs WHERE item = 'pens' ORDER BY 1", [costs])
    assert result.rows == (("sheet 2023", 6069), ("sheet 2024", 6072))
    result, _ = run_sql(both, "SELECT * FROM all_sales ORDER BY seller LIMIT 1", [sales])
    assert result.columns == ("source_file", "source_place", "seller", "amount_eur")


def test_what_was_found_of_a_member_brings_the_union(folder: Path, services: Services) -> None:
    ingest([folder], services, "default")
    _, schemas = search(services, "What did Cy sell in the south?", corpus="default", recall_n=20, top_k=1)
    assert [s.name for s in schemas] == ["all_sales", "sales_south"]
    hints = services.value_linker.hints("What did Cy sell?", schemas)
    assert {(h.table, h.column, h.value) for h in hints} >= {
        ("all_sales", "seller", "Cy"),
        ("sales_south", "seller", "Cy"),
    }
    assert services.catalog.with_unions("default", []) == []


def test_a_union_has_one_name_whatever_was_asked(tmp_path: Path, both: Services) -> None:
    headers = {"2023": "Item,Cost", "2024": "Item,Cost", "north": "Site,Power", "south": "Site,Power"}
    for name, header in headers.items():
        (tmp_path / f"costs_{name}.csv").write_text(f"{header}\npens,1\nink,2\n", encoding="utf-8")
    ingest([tmp_path], both, "default")
    named = {m.name: s.name for s in both.catalog.tables("default") for m in s.members}
    assert set(named.values()) == {"all_costs", "all_costs_2"}
    for schema in both.catalog.schemas("default"):
        union, _ = both.catalog.with_unions("default", [schema])
        assert union.name == named[schema.name]


def table(name: str, source: str, *headers: str, unit: str = "", type_: str = "integer") -> TableSchema:
    columns = tuple(Column(name=h.lower(), header=h, type=type_, unit=unit) for h in headers)
    return TableSchema(table_id=f"id {source} {name}", name=name, columns=columns, row_count=1, source=source)


@pytest.mark.parametrize(
    ("first", "second", "belong"),
    [
        ("sales_2023.csv", "sales_2024.csv", True),
        ("sales-jan.csv", "sales-feb.csv", True),
        ("2023.csv", "2024.csv", True),
        ("a/sales_2023.csv", "b/sales_2023.csv", False),
        ("sales_2023.csv", "sales_2023.xlsx", False),
        ("17.csv", "23.csv", False),
        ("20155.csv", "20166.csv", False),
        ("Ada Birch.html", "Bo Cole.html", False),
        ("report_north.csv", "report_south.csv", True),
    ],
)
def test_files_belong_together_by_their_names(first: str, second: str, belong: bool) -> None:
    found = united([table("a", first, "Year", "Title"), table("b", second, "year", "title")])
    assert len(found) == belong


def test_other_units_or_headers_are_not_united() -> None:
    euros = table("a", "x_1.csv", "Year", "Price", unit="EUR")
    assert not united([euros, table("b", "x_2.csv", "Year", "Price", unit="USD")])
    assert not united([euros, table("b", "x_2.csv", "Year", "Cost", unit="EUR")])


def test_a_name_that_is_taken_is_not_given_twice() -> None:
    pair = [table("sales_1", "sales_1.csv", "Year"), table("sales_2", "sales_2.csv", "Year", type_="text")]
    (union,) = united(pair, ["ALL_sales"])
    assert union.name == "all_sales_2"
    assert union.columns[2].type == "text"
    assert union.members[0].as_text == ("year",)
    years = [table("t_2023", "2023.csv", "Year"), table("t_2024", "2024.csv", "Year")]
    assert united(years)[0].name == "all_t_2023"


def test_columns_in_another_order_are_united_by_their_names() -> None:
    plain, turned = (
        table("sales_1", "sales_1.csv", "Region", "Amount"),
        table("sales_2", "sales_2.csv", "Amount", "Region"),
    )
    (union,) = united([plain, turned])
    assert [m.columns for m in union.members] == [{"region": "region", "amount": "amount"}] * 2
    assert [c.name for c in union.columns[2:]] == ["region", "amount"]
