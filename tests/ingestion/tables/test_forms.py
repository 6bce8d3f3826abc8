"""Key-value forms, from a file of tables."""

import pytest

from tests.support.table_cases import Case, read_cases


@pytest.mark.parametrize("case", read_cases("forms.txt"), ids=str)
def test_forms(case: Case) -> None:
    table = case.built()
    pairs = "; ".join(" = ".join(row) for row in table.display_rows())
    assert (pairs if table.is_form else "none") == case.says["form"]
