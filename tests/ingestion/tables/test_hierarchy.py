"""Section rows and the paths over data rows, from a file of tables."""

import pytest

from tablerag.ingestion.document import Locator, TableBlock
from tablerag.ingestion.tables.hierarchy import row_paths
from tests.support.table_cases import Case, read_cases


@pytest.mark.parametrize("case", read_cases("hierarchy.txt"), ids=str)
def test_sections(case: Case) -> None:
    table = case.built()
    found = ["" for _ in case.grid]
    for row in table.rows():
        found[row.index] = " > ".join(str(c) for c in row.cells[: table.path_depth] if c)
    for i in table.sections:
        found[i] = "#"
    assert found == case.marks


def test_indented_totals_and_changes_are_inside_no_row_of_values() -> None:
    def paths(*rows: tuple[int, str, str]) -> list[tuple[str, ...]]:
        grid = [[label, value] for _, label, value in rows]
        block = TableBlock(grid, Locator(), indents=[indent for indent, _, _ in rows])
        return row_paths(block, list(enumerate(grid))).paths

    inside = ((0, "Data", "$900"), (1, "Compute", "700"), (1, "Network", "200"), (0, "Games", "50"))
    assert paths(*inside) == [(), ("Data",), ("Data",), ()]
    assert paths((0, "Data", "900"), (0, "Games", "50"), (1, "Total sales", "950"), (0, "Costs", "8")) == [()] * 4
    assert paths((0, "State taxes", "12"), (0, "Other", "10"), (1, "Provision", "$22"), (1, "Rate", "24%")) == [()] * 4
    assert paths((0, "Shares, beginning balance", "90"), (1, "Granted", "9"), (0, "Balance", "99")) == [()] * 3
