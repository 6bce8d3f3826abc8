"""From a SQL row back to file, sheet and cell, or page: real files, real stores."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from tablerag.agent.row_citations import row_citations
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import run_sql
from tablerag.tools.services import Services


@pytest.fixture
def book(tmp_path: Path) -> Path:
    workbook = Workbook()
    sheet = workbook.active
    sheet.title = "Q1, 'north' rows 1-9"
    sheet["B2"] = "Orders of the north"
    rows = [("Order", "Item", "Amount"), ("A1", "pens", 10), ("A2", "ink", 20), ("A3", "pens", 30), ("Total", None, 60)]
    for number, row in enumerate(rows, start=4):
        for column, value in enumerate(row, start=2):
            sheet.cell(number, column, value)
    sheet.row_dimensions[6].hidden = True
    other = workbook.create_sheet("Plan")
    other.sheet_state = "hidden"
    for row in (("Region", "Goal"), ("North", 100), ("South", 200)):
        other.append(row)
    path = tmp_path / "book.xlsx"
    workbook.save(path)
    return path


@pytest.mark.parametrize(
    ("statement", "cells", "value"),
    [
        ("SELECT amount FROM {t} WHERE `order` = 'A2'", "cells B6, D6", 20),
        ("SELECT SUM(amount) FROM {t} WHERE item = 'pens'", "cells C5:D5, C7:D7", 40),
        ("SELECT SUM(amount) FROM {t} WHERE NOT _total", "cells D5:D7", 60),
        ("SELECT COUNT(*) FROM {t} WHERE _hidden", "rows 6", 1),
        ("SELECT amount FROM {t} WHERE _total", "cells D8", 60),
    ],
)
def test_a_number_leads_back_to_its_cells(
    book: Path, services: Services, statement: str, cells: str, value: int
) -> None:
    ingest([book], services, "default")
    schemas = services.catalog.schemas("default")
    orders = next(s for s in schemas if "order" in [c.name for c in s.columns])
    result, rows = run_sql(services, statement.format(t=orders.name), schemas)
    assert result.rows == ((value,),)
    (citation,) = row_citations(result, rows, schemas)
    assert (citation.source, citation.locator) == ("book.xlsx", f"sheet Q1, 'north' rows 1-9, {cells}")


@pytest.mark.parametrize(
    ("statement", "cells"),
    [
        (
            "SELECT o.amount * g.goal FROM {orders} o JOIN {plan} g ON g.goal / 10 = o.amount WHERE o.item = 'pens'",
            ["sheet Q1, 'north' rows 1-9, cells C5:D5", "sheet Plan, cells B2"],
        ),
        (
            "SELECT (SELECT SUM(amount) FROM {orders} WHERE NOT _total) / "
            "(SELECT goal FROM {plan} WHERE region = 'South')",
            ["sheet Q1, 'north' rows 1-9, cells D5:D7", "sheet Plan, cells A3:B3"],
        ),
        (
            "SELECT SUM(amount) FROM {orders} WHERE amount * 10 > (SELECT goal FROM {plan} WHERE region = 'South')",
            ["sheet Q1, 'north' rows 1-9, cells D7:D8", "sheet Plan, cells A3:B3"],
        ),
    ],
)
def test_cells_of_every_table_are_cited(book: Path, services: Services, statement: str, cells: list[str]) -> None:
    ingest([book], services, "default")
    schemas = services.catalog.schemas("default")
    orders, plan = sorted(schemas, key=lambda s: "order" not in [c.name for c in s.columns])
    result, rows = run_sql(services, statement.format(orders=orders.name, plan=plan.name), schemas)
    assert [c.locator for c in row_citations(result, rows, schemas)] == cells


def test_a_hidden_sheet_is_kept_and_told(book: Path, services: Services) -> None:
    (entry,) = ingest([book], services, "default").entries
    assert "sheet Plan is hidden" in entry.warnings
    plan = next(s for s in entry.schemas if s.locator.startswith("sheet Plan"))
    assert "the sheet is hidden in the source" in plan.warnings
    result, rows = run_sql(services, f"SELECT goal FROM {plan.name} WHERE region = 'South'", [plan])
    (citation,) = row_citations(result, rows, [plan])
    assert citation.locator == "sheet Plan, cells A3:B3"


def test_a_row_of_a_csv_file_is_cited_by_its_record(tmp_path: Path, services: Services) -> None:
    (tmp_path / "log.csv").write_text('day,note\n\n1,"two\nlines"\n2,plain\n', encoding="utf-8")
    ingest([tmp_path / "log.csv"], services, "default")
    schemas = services.catalog.schemas("default")
    result, rows = run_sql(services, "SELECT note FROM log WHERE day = 2", schemas)
    (citation,) = row_citations(result, rows, schemas)
    assert citation.locator == "rows 4"


def test_sections_do_not_hide_the_cells(tmp_path: Path, services: Services) -> None:
    workbook = Workbook()
    rows = [("Item", "Plan"), ("Schools:", None), ("Staff", 1200), ("Books", 80), ("Roads:", None), ("Repair", 400)]
    for row in rows:
        workbook.active.append(row)
    workbook.save(tmp_path / "budget.xlsx")
    ingest([tmp_path / "budget.xlsx"], services, "default")
    schemas = services.catalog.schemas("default")
    result, found = run_sql(services, "SELECT SUM(plan) FROM budget WHERE section = 'Schools'", schemas)
    assert result.rows == ((1280,),)
    (citation,) = row_citations(result, found, schemas)
    assert citation.locator == "sheet Sheet, cells B3:B4"
