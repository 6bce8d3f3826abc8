"""Which results are series, and what their charts show."""

import pytest

from tablerag.agent.presenting.series import Chart, chart_of
from tablerag.tools.sql.columns.column import ResultColumn


def charted(names: list[str], rows: list[list], *, cut: bool = False) -> Chart | None:
    return chart_of([ResultColumn(name) for name in names], names, rows, truncated=cut)


@pytest.mark.parametrize(
    ("columns", "rows", "kind", "labels", "series"),
    [
        (["region", "sum"], [["N", 1], ["S", 2], ["E", 3]], "bar", ["N", "S", "E"], ["sum"]),
        (["year", "n"], [[2022, 5], [2020, 3], [2021, 4]], "line", ["2020", "2021", "2022"], ["n"]),
        (["m", "a", "b"], [["2025-02", 1, 9], ["2025-01", 2, 8], ["2025-03", 3, 7]], "line", None, ["a", "b"]),
        (["r", "small", "vast"], [["N", 1, 5e6], ["S", 2, 6e6], ["E", 3, 7e6]], "bar", None, ["small"]),
        (["r", "n"], [["N", 1], ["S", None], ["E", -3]], "bar", None, ["n"]),
    ],
)
def test_a_series_is_drawn(columns: list, rows: list, kind: str, labels: list | None, series: list) -> None:
    found = charted(columns, rows)
    assert found is not None and (found.kind, [s.name for s in found.series]) == (kind, series)
    assert labels is None or list(found.labels) == labels


def test_a_series_of_another_size_stands_apart() -> None:
    found = charted(["r", "small", "vast"], [["N", 1, 5e6], ["S", 2, 6e6], ["E", 3, 7e6]])
    assert found is not None and [(s.name, s.values) for s in found.apart] == [("vast", (5e6, 6e6, 7e6))]
    alike = charted(["m", "a", "b"], [["N", 1, 9], ["S", 2, 8], ["E", 3, 7]])
    assert alike is not None and alike.apart == ()


@pytest.mark.parametrize(
    ("columns", "rows", "cut"),
    [
        (["region", "sum"], [["N", 1], ["S", 2]], False),
        (["region", "sum"], [[str(i), i] for i in range(51)], False),
        (["region", "sum"], [["N", 1], ["S", 2], ["E", 3]], True),
        (["region", "city"], [["N", "a"], ["S", "b"], ["E", "c"]], False),
        (["a", "b"], [[1, 2], [3, 4], [5, 6]], False),
        (["a", "b", "c", "d"], [["x", 1, 2, 3]] * 3, False),
        (["region", "sum"], [[None, 1], ["S", 2], ["E", 3]], False),
    ],
)
def test_what_is_no_series_is_not_drawn(columns: list, rows: list, cut: bool) -> None:
    assert charted(columns, rows, cut=cut) is None
