"""What a person wants otherwise, in tablerag.yaml: applied, kept on re-ingest, and checked."""

from pathlib import Path

import pytest

from tablerag.ingestion.overrides import load_overrides
from tablerag.ingestion.pipeline import IngestReport, ingest
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services
from tests.tools.stored import stored_rows

SALES = "Region,Amount,Code,Notes\nNorth,10,1,a\nSouth,x,2,b\nEast,30,3,c\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    (docs / "2024").mkdir(parents=True)
    (docs / "2024" / "sales.csv").write_text(SALES, encoding="utf-8")
    (docs / "draft.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    return docs


def ingested(folder: Path, services: Services, rules: str) -> IngestReport:
    (folder / "tablerag.yaml").write_text(rules, encoding="utf-8")
    return ingest([folder], services, "default")


def schema(services: Services, name: str) -> TableSchema:
    return next(s for s in services.catalog.schemas("default") if s.name == name)


RULES = """
tables:
  - source: "*/sales.csv"
    name: revenue
    columns:
      Amount: {type: decimal, unit: EUR, scale: thousands, name: amount_keur}
      code: {type: text}
      Notes: {skip: true}
  - source: draft.csv
    skip: true
"""


def test_types_names_units_and_skips_are_applied(folder: Path, services: Services) -> None:
    report = ingested(folder, services, RULES)
    assert {e.source: e.status for e in report.entries} == {"2024/sales.csv": "added", "draft.csv": "skipped"}
    revenue = schema(services, "revenue")
    found = [(c.name, c.type, c.unit, c.scale) for c in revenue.columns]
    assert found == [
        ("region", "text", "", ""),
        ("amount_keur", "decimal", "EUR", "thousands"),
        ("code", "text", "", ""),
    ]
    amount = revenue.columns[1]
    rows = stored_rows(services.database, revenue.stored_as, "amount_keur", amount.raw, "code")
    assert rows == [
        (10, "10", "1"),
        (None, "x", "2"),
        (30, "30", "3"),
    ]
    assert any("by the overrides" in w for e in report.entries for w in e.warnings)


def test_they_survive_a_second_ingest_of_the_folder_and_of_the_file_alone(folder: Path, services: Services) -> None:
    ingested(folder, services, RULES)
    assert {e.status for e in ingest([folder], services, "default").entries} == {"unchanged", "skipped"}
    (folder / "2024" / "sales.csv").write_text(SALES + "West,40,4,d\n", encoding="utf-8")
    (entry,) = ingest([folder / "2024" / "sales.csv"], services, "default").entries
    assert (entry.source, entry.status) == ("2024/sales.csv", "replaced")
    assert (schema(services, "revenue").row_count, schema(services, "revenue").columns[1].unit) == (4, "EUR")


def test_a_changed_rule_reads_only_what_it_is_for_again(folder: Path, services: Services) -> None:
    ingested(folder, services, "")
    report = ingested(folder, services, "tables:\n  - {source: draft.csv, header_rows: 0}\n")
    assert {e.source: e.status for e in report.entries} == {"2024/sales.csv": "unchanged", "draft.csv": "replaced"}
    assert [c.header for c in schema(services, "draft").columns] == ["column_1", "column_2"]
    report = ingested(folder, services, "tables:\n  - {source: draft.csv, skip: true}\n")
    assert {e.source: e.status for e in report.entries} == {"2024/sales.csv": "unchanged", "draft.csv": "removed"}
    assert [s.name for s in services.catalog.schemas("default")] == ["sales"]


def test_a_rule_for_a_column_that_is_not_there_is_told(folder: Path, services: Services) -> None:
    report = ingested(folder, services, "tables:\n  - {source: draft.csv, columns: {Price: {unit: EUR}}}\n")
    warnings = next(e.warnings for e in report.entries if e.source == "draft.csv")
    assert warnings == ("tablerag.yaml names a column 'Price' that no table of this document has",)


def test_a_rule_for_a_table_that_is_not_there_is_told(folder: Path, services: Services) -> None:
    report = ingested(folder, services, "tables:\n  - {source: draft.csv, table: prices, name: x}\n")
    warnings = next(e.warnings for e in report.entries if e.source == "draft.csv")
    assert warnings == ("tablerag.yaml names a table 'prices' that this document does not have; it has: draft",)


def test_a_decimal_mark_is_applied_to_all_numbers_or_to_one_column(folder: Path, services: Services) -> None:
    (folder / "draft.csv").write_text("a,b\n1.234,2.345\n3.456,4.567\n", encoding="utf-8")
    ingested(folder, services, "tables:\n  - {source: draft.csv, decimal: ',', columns: {b: {decimal: .}}}\n")
    assert [c.type for c in schema(services, "draft").columns] == ["integer", "decimal"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("tables: [", "not valid YAML"),
        ("tables:\n  - {name: x}", "tables.0.source: Field required"),
        ("tables:\n  - {source: a, header_rows: -1}", "tables.0.header_rows"),
        ("tables:\n  - {source: a, colour: red}", "tables.0.colour: Extra inputs"),
        ("tables:\n  - {source: a, columns: {b: {type: money}}}", "tables.0.columns.b.type"),
        ("- a", "the file: Input should be"),
        ("!!python/object/apply:os.system ['true']", "not valid YAML"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "a: Extra inputs"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "tablerag.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        load_overrides([tmp_path])
    message = str(raised.value)
    assert says in message and "tablerag.yaml" in message
    assert "\n" not in message


def test_cells_that_a_wanted_type_does_not_fit_are_counted(folder: Path, services: Services) -> None:
    report = ingested(folder, services, "tables:\n  - {source: 2024/*, columns: {Amount: {type: decimal}}}\n")
    amount = schema(services, "sales").column("amount")
    assert (amount.type, amount.unfit) == ("decimal", 1)
    assert any("1 of 3 cells did not fit and became NULL" in w for e in report.entries for w in e.warnings)


def test_comma_decimals_can_be_asked_for(folder: Path, services: Services) -> None:
    (folder / "draft.csv").write_text("Item;Price\nA;411,50\nB;10,00\nC;see below\n", encoding="utf-8")
    ingested(folder, services, "tables:\n  - {source: draft.csv, columns: {Price: {type: decimal}}}\n")
    draft = schema(services, "draft")
    rows = stored_rows(services.database, draft.stored_as, "price", "price_raw")
    assert rows == [
        (411.5, "411,50"),
        (10, "10,00"),
        (None, "see below"),
    ]


def test_a_rule_that_fits_no_document_is_told(folder: Path, services: Services) -> None:
    report = ingested(folder, services, "tables:\n  - {source: nosuch.csv, name: x}\n")
    (told,) = (e for e in report.entries if e.source == "tablerag.yaml")
    assert told.status == "skipped" and "'nosuch.csv' matches no document" in told.error
    assert ingest([folder / "draft.csv"], services, "default").entries[0].source == "draft.csv"


def test_totals_and_sections_can_be_denied(folder: Path, services: Services) -> None:
    rows = "item,2023,2024\nEurope:,,\nRome,1,2\nOslo,3,4\nTotal,4,6\n"
    (folder / "draft.csv").write_text(rows, encoding="utf-8")
    ingested(folder, services, "")
    assert [c.name for c in schema(services, "draft").columns][0] == "section"
    assert "_total" in schema(services, "draft").hidden_columns
    ingested(folder, services, "tables:\n  - {source: draft.csv, totals: false, sections: false}\n")
    found = schema(services, "draft")
    assert (found.columns[0].name, found.row_count) == ("item", 4)
    assert "_total" not in found.hidden_columns
