"""The confidence of tables: high for ordinary ones, low with the reason in words for those that look wrong."""

from collections.abc import Sequence

import pytest

from tablerag.ingestion.document import Locator, RawCell, TableBlock
from tablerag.ingestion.tables.confidence import DOUBTED, chance_of, learned_weights
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable

HEADER = ("Region", "Product", "Amount", "Sold on")
BODY = [
    ("North", "Chairs", "1,200", "2024-03-01"),
    ("South", "Tables", "800", "2024-03-04"),
    ("East", "Lamps", "4,100", "2024-04-11"),
    ("West", "Shelves", "350", "2024-05-20"),
]


def built(rows: Sequence[Sequence[RawCell]], **about: object) -> TypedTable:
    table = build_table(TableBlock([list(row) for row in rows], Locator(page=1), **about))  # type: ignore[arg-type]
    assert table is not None
    return table


@pytest.mark.parametrize(
    "about",
    [
        {"is_records": True},
        {"header_rows": 1},
        {"source_columns": range(1, 5), "source_rows": range(1, 6)},
        {"ruled": True},
    ],
    ids=["file", "marked", "sheet", "ruled"],
)
def test_ordinary_tables_are_sure(about: dict[str, object]) -> None:
    table = built([HEADER, *BODY], **about)
    assert table.confidence > 0.9 and table.doubts == () and table.warnings == ()


def test_names_read_backwards_are_told() -> None:
    table = built([[name[::-1] for name in HEADER], *BODY], ruled=True)
    assert table.header_confidence == 1.0, "words above numbers are a header"
    assert table.confidence < DOUBTED
    assert "read backwards, such as 'noigeR'" in table.doubts[0]
    assert table.warnings[-1].startswith("may be read wrongly (confidence")


def test_a_column_of_numbers_and_words_is_named() -> None:
    mixed = [(*row[:2], row[2] if i % 2 else "see the note on page 4", row[3]) for i, row in enumerate(BODY)]
    table = built([HEADER, *mixed, *((None, None, *row[2:]) for row in mixed)], ruled=False)
    assert table.confidence < 0.7
    told = "the rows may not be divided rightly: 50% of the cells under 'Amount' are not numbers"
    assert told in table.doubts


def test_rows_cut_in_two_are_told() -> None:
    cut = [row for a, b, c, d in BODY for row in ((a, b, c, d), (None, "with oak legs", None, None))]
    table = built([HEADER, *cut], ruled=False)
    assert table.confidence < DOUBTED
    assert any("a row may be cut in two" in doubt for doubt in table.doubts), table.doubts


def test_cells_and_header_that_the_format_states_are_never_set_aside() -> None:
    names = [name[::-1] for name in HEADER]
    table = built([names, *BODY], header_rows=1)
    assert table.confidence == DOUBTED and table.doubts, "it warns"


def test_what_tells_against_a_table_never_counts_for_it() -> None:
    weights = learned_weights()
    helping = {name for name, weight in weights.items() if weight > 0}
    assert helping <= {"bias", "header_marked", "header_ruled_off", "sheet", "form", "ruled"}
    assert chance_of({"bias": 1.0}) > 0.9 > DOUBTED > chance_of({"bias": 1.0, "turned_names": 1.0})
