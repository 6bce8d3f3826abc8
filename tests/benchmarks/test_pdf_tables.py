"""The score of PDF tables: what counts as right, and where transcripts and others' results are looked for."""

import sys
from pathlib import Path

import pytest
from reportlab.platypus import Table

from benchmarks.pdf_tables import main, score
from benchmarks.table_readers import our_tables
from benchmarks.table_truths import Grid, headed, truths_of
from tests.ingestion.readers.pdfs import RULED, build

ROWS = [["Depot", "2022", "2023"], ["North", "1,200", "1,300"], ["South", "800", "40"], ["West", "77", "5"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as opendataloader-bench lays it out: a PDF, its transcript, and another system's result."""
    for place in ("pdfs", "ground-truth/markdown", "prediction/other/markdown"):
        (tmp_path / place).mkdir(parents=True)
    build(tmp_path / "pdfs" / "depots.pdf", [Table(ROWS, colWidths=[90, 60, 60], style=RULED)])
    lines = ["".join(f"| {cell} " for cell in row) + "|" for row in ROWS]
    lines.insert(1, "|---|---|---|")
    (tmp_path / "ground-truth" / "markdown" / "depots.md").write_text("\n".join(lines))
    (tmp_path / "prediction" / "other" / "markdown" / "depots.md").write_text("\n".join(lines[:4]))
    return tmp_path


def test_transcripts_in_markdown_are_found(folder: Path) -> None:
    ((pdf, (table,)),) = truths_of(folder)
    assert pdf.name == "depots.pdf"
    assert table == headed(ROWS)
    assert table.headers == ["Depot", "2022", "2023"]


def test_ours_and_others_results_are_scored(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.pdf_tables.READERS", {"tablerag": our_tables})
    monkeypatch.setattr(sys, "argv", ["pdf_tables", str(folder)])
    main()
    counts = {cells[0]: cells[1:7] for line in capsys.readouterr().out.splitlines() if (cells := _cells(line))}
    assert counts["tablerag"] == ["1", "1", "1", "0", "0", "0"]
    assert counts["other"] == ["1", "0", "0", "1", "0", "0"]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("│")[1:-1]]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (headed(ROWS), (1.0, 1.0)),
        (Grid(["Depot", "20 22", "2023"], ROWS[1:]), (1.0, 1.0)),
        (Grid(["Depot", "Sales", "2023"], ROWS[1:]), (1.0, 0.5)),
        (Grid(["Depot", "2022", "2023"], [["North", "1,200 800", "1,300 40"]]), (0.0, 0.0)),
        (Grid(["", "2022", "2023"], [["", *row[1:]] for row in ROWS[1:]]), (0.0, 0.0)),
    ],
    ids=["the same", "divided words", "another header", "rows in one", "no labels"],
)
def test_numbers_need_their_label_and_neighbour(found: Grid, expected: tuple[float, float]) -> None:
    assert score(headed(ROWS), [found]) == expected


def test_words_above_all_columns_name_none() -> None:
    rows = [["Sales", *["Sales"] * 2], *ROWS]
    assert score(headed(rows), [headed(ROWS)]) == (1.0, 1.0)
    assert score(headed(rows), [headed(rows)]) == (1.0, 1.0)
