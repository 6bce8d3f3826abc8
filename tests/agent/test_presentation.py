"""Results as people read them, over tables that were ingested: units, digits, lists, tables and series."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.agent.presentation import Presented, presented

CASES = Path(__file__).parents[1] / "cases" / "presentation.txt"
SHIPMENTS = """Shipment,Order No,Carrier,Sent,Weight (kg),Cost (EUR),Price,Duration,Insured
S-1,10041,DHL,2025-01-03,1500.5,2000,$0.50,2:10:00,yes
S-2,10042,UPS,2025-01-14,733.5,500,$0.1234,1:02:03,no
S-3,10043,UPS,2025-01-20,1000.5,1770000,$12.00,3:00:00,no
S-4,10044,DHL,2025-02-03,1234.5,2000.25,$7.25,2:30:00,yes
"""
YEARS = "Year,Revenue (EUR thousand),Growth\n2023,800,4%\n2024,987,12.5%\n"
INCOME = "Item,Amount (EUR million)\nRevenue,800.5\nNet income per common share,2.79\n"
Show = Callable[[str], Presented]


@pytest.fixture(scope="module")
def show(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Show]:
    folder = tmp_path_factory.mktemp("presentation")
    (folder / "docs").mkdir()
    (folder / "docs" / "shipments.csv").write_text(SHIPMENTS, encoding="utf-8")
    (folder / "docs" / "years.csv").write_text(YEARS, encoding="utf-8")
    (folder / "docs" / "income.csv").write_text(INCOME, encoding="utf-8")
    with TableRAG(folder / "home", model="offline") as rag:
        rag.ingest(folder / "docs")
        yield lambda sql: presented(rag.sql(sql), rag.tables())


def cases() -> list[tuple[str, str]]:
    lines = [line for line in CASES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(sql.strip(), text.strip()) for sql, _, text in (line.partition("=>") for line in lines)]


@pytest.mark.parametrize(("sql", "text"), cases())
def test_a_result_is_written_as_people_read_it(show: Show, sql: str, text: str) -> None:
    assert show(sql).text == text


def test_a_value_is_kept_as_it_is_stored_beside_its_unit_and_scale(show: Show) -> None:
    found = show("SELECT SUM(revenue_eur_thousand) FROM years")
    assert (found.value, found.unit, found.scale, found.plain) == (1787, "EUR", "thousand", "1787")


@pytest.mark.parametrize(
    ("item", "text"), [("Revenue", "EUR 800.5 million"), ("Net income per common share", "EUR 2.79")]
)
def test_an_amount_per_share_has_no_scale(show: Show, item: str, text: str) -> None:
    assert show(f"SELECT amount_eur_million FROM income WHERE item = '{item}'").text == text


def test_a_long_sum_is_called_by_its_first_and_last_column(show: Show) -> None:
    parts = ["cost_eur", "price", "cost_eur", "price", "cost_eur", "weight_kg"]
    total = " + ".join(f"COALESCE({p}, 0)" for p in parts)
    assert (
        "Total of Cost (EUR) to Weight (kg)"
        in show(f"SELECT carrier, SUM({total}) AS s FROM shipments GROUP BY carrier").markdown
    )


def test_several_rows_are_a_table_with_the_documents_headers(show: Show) -> None:
    found = show("SELECT carrier AS c, SUM(cost_eur) AS s, COUNT(*) AS n, AVG(price) FROM shipments GROUP BY carrier")
    assert found.markdown == (
        "| Carrier | Total of Cost (EUR) | Number of shipments | Average of Price ($) |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| DHL | 4,000.25 | 2 | 3.88 |\n"
        "| UPS | 1,770,500.00 | 2 | 6.06 |"
    )
    assert found.table is not None and found.table.rows[0][:3] == ("DHL", 4000.25, 2)
    assert found.plain.startswith("DHL: 4000.25: 2: 3.875, UPS: ")


def test_ten_rows_are_shown_and_all_are_counted(show: Show) -> None:
    found = show("SELECT a.shipment, b.shipment AS other, a.cost_eur FROM shipments a, shipments b")
    assert found.markdown.splitlines()[-2:] == ["", "10 of 16 rows"]
    assert len(found.markdown.splitlines()) == 14
    assert found.table is not None and len(found.table.rows) == found.table.row_count == 16


def test_a_series_has_chart_data(show: Show) -> None:
    chart = show("SELECT sent, SUM(cost_eur) FROM shipments GROUP BY sent ORDER BY sent DESC").chart
    assert chart is not None and (chart.kind, chart.label, chart.labels[0]) == ("line", "Sent", "2025-01-03")
    assert (chart.series[0].name, chart.series[0].unit) == ("Total of Cost (EUR)", "EUR")
    assert chart.series[0].values == (2000, 500, 1770000, 2000.25)
    bars = show("SELECT shipment, weight_kg FROM shipments").chart
    assert bars is not None and (bars.kind, bars.at) == ("bar", ())
    assert show("SELECT shipment, carrier FROM shipments").chart is None
    assert show("SELECT carrier, COUNT(*) FROM shipments GROUP BY carrier").chart is None, "two values are no series"


def test_a_cell_cannot_end_its_row(show: Show) -> None:
    found = show("SELECT 'a|b' AS one_text, shipment, 'c' AS other FROM shipments")
    assert "| a\\|b | S-1 | c |" in found.markdown


def test_the_parts_of_a_union_over_columns_share_a_header(show: Show) -> None:
    found = show(
        "SELECT 'A' AS period, SUM(cost_eur) AS result FROM shipments "
        "UNION ALL SELECT 'B' AS period, SUM(price) AS result FROM shipments"
    )
    assert found.table is not None and found.table.columns == ("Period", "Total")
