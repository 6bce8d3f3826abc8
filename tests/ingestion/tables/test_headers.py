"""Header rows, titles, header paths and units, from a file of tables."""

import pytest

from tests.support.table_cases import Case, read_cases


@pytest.mark.parametrize("case", read_cases("headers.txt"), ids=str)
def test_headers(case: Case) -> None:
    table = case.built()
    says = {"header": str(table.header_rows)}
    if "title" in case.says:
        says["title"] = table.title
    if "paths" in case.says:
        says["paths"] = " | ".join(" > ".join(p) or "-" for p in table.paths[table.path_depth :])
    if "units" in case.says:
        says["units"] = " | ".join(f"{c.unit} {c.scale}".strip() or "-" for c in table.columns)
    assert says == case.says
