"""Section rows and the paths over data rows, from a file of tables."""

import pytest

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
