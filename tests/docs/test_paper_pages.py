"""The papers' pages show the tables, commands and published figures of evaluation/papers, and what was measured."""

import csv

import pytest

from docs.paper_pages import MEASURED, measured_rows, page_of, with_tables
from tablerag.evaluation.papers.listing import PAPERS, paper_of


@pytest.mark.parametrize("name", PAPERS)
def test_a_page_has_every_table_with_its_command_and_published_figures(name: str) -> None:
    text = page_of(name).read_text(encoding="utf-8")
    assert text == with_tables(name), "run python -m docs.paper_pages"
    for figure in paper_of(name).figures:
        assert f"| {figure.title} |" in text
        assert not figure.cells or f"tablerag eval paper {name} --table {figure.name} --data" in text
        for cell in figure.cells:
            assert all(f"published {value:g}" in text for value in cell.published.values())


def test_what_was_measured_belongs_to_a_cell_and_stands_beside_the_same_published_figure() -> None:
    """A cell that is renamed, or whose published figure is corrected, has to be measured or written again."""
    known = {f"{name}-{f.name}.csv": (paper_of(name), f) for name in PAPERS for f in paper_of(name).figures}
    for path in MEASURED.glob("*.csv"):
        paper, figure = known[path.name]
        cells = {(cell.row, cell.column): cell for cell in figure.cells if not cell.by}
        rows = measured_rows(paper, figure)
        assert rows and set(cells) <= set(rows)
        for (row, column), cell in cells.items():
            for label, value in cell.published.items():
                header = f"published ({label})" if label else "published"
                assert rows[row, column][header] == f"{value:g}"
        for measured in rows.values():
            assert not measured["ours"] or (measured["model"] and measured["date"] and measured["95 % interval"])
        with path.open(encoding="utf-8", newline="") as file:
            assert len(list(csv.reader(file))) == len(rows) + 1, "each cell has one line"
