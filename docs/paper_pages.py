"""The parts of the papers' pages that are made from evaluation/papers: commands, published figures, and ours.

    python -m docs.paper_pages    # after a change of evaluation/papers, or of docs/papers/measured

Ours are read from docs/papers/measured/PAPER-FIGURE.csv, which is a file that `tablerag eval paper` wrote.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tablerag.evaluation.papers.listing import PAPERS, paper_of
from tablerag.evaluation.papers.paper import Cell, Figure, Paper

__all__ = ["MEASURED", "measured_rows", "page_of", "with_tables"]

MEASURED = Path(__file__).parent / "papers" / "measured"
Rows = Mapping[tuple[str, str], Mapping[str, str]]
"""The lines of a measured table by row and column."""


BEGIN, END = "<!-- made by python -m docs.paper_pages -->", "<!-- end of what is made -->"


def page_of(name: str) -> Path:
    """Return the page of a paper."""
    return Path(__file__).parent / "papers" / f"{name.replace('_', '-')}.md"


def with_tables(name: str) -> str:
    """Return the text of a paper's page with the part that is made."""
    text = page_of(name).read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{_paper_part(name)}\n\n{END}{rest.partition(END)[2]}"


def _paper_part(name: str) -> str:
    """Describe every table and figure of a paper."""
    paper = paper_of(name)
    listed = [(f"[{f.name}](#{_anchor(f)})", f.title, _state(f, measured_rows(paper, f))) for f in paper.figures]
    parts = [_table(("table or figure", "what it shows", "state"), listed)]
    parts += [part for figure in paper.figures for part in _figure(paper, figure)]
    return "\n\n".join(parts)


def measured_rows(paper: Paper, figure: Figure) -> Rows:
    """Read what was measured of a figure; empty if nothing was."""
    path = MEASURED / f"{paper.name}-{figure.name}.csv"
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["row"], row["column"]): row for row in csv.DictReader(file)}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *rows))


def _heading(figure: Figure) -> str:
    return f"{figure.name.replace('-', ' ').capitalize()}: {figure.title}"


def _anchor(figure: Figure) -> str:
    kept = "".join(c for c in _heading(figure).lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _state(figure: Figure, ours: Rows) -> str:
    some = next((row for row in ours.values() if row["ours"]), None)
    if some is None:
        return figure.state
    left_out = any(not row["ours"] and (row["row"], row["column"]) in _runnable(figure) for row in ours.values())
    return f"measured{' in part' if left_out else ''} ({some['model']}, {some['questions']}, {some['date']})"


def _runnable(figure: Figure) -> set[tuple[str, str]]:
    return {(cell.row, cell.column) for cell in figure.cells if cell.trial}


def _figure(paper: Paper, figure: Figure) -> Iterator[str]:
    ours = measured_rows(paper, figure)
    yield f"## {_heading(figure)}"
    yield f"State: {_state(figure, ours)}."
    if not figure.cells:
        return
    asked = "" if figure.state == "runnable" else " --model PROVIDER:NAME"
    judged = " --judge PROVIDER:NAME" if figure.judged else ""
    yield f"```sh\ntablerag eval paper {paper.name} --table {figure.name} --data FOLDER{asked}{judged}\n```"
    known = ours or any(cell.published for cell in figure.cells)
    yield _pivoted(figure, ours) if known else _outline(figure)
    yield "\n".join(f"- {note}" for note in figure.notes)


def _outline(figure: Figure) -> str:
    """Return the rows and columns of a figure that has no value yet."""
    rows = "; ".join(dict.fromkeys(cell.row for cell in figure.cells))
    columns = "; ".join(dict.fromkeys(cell.column + (f" by {cell.by}" if cell.by else "") for cell in figure.cells))
    return f"Rows: {rows}. Columns: {columns}. No published value could be found."


def _pivoted(figure: Figure, ours: Rows) -> str:
    """Return a table with a line for each row and group of columns, such as a benchmark's recall at each depth."""
    split = all(", " in cell.column for cell in figure.cells)
    lines: dict[tuple[str, ...], dict[str, str]] = {}
    for cell in figure.cells:
        group, _, last = cell.column.rpartition(", ") if split else ("", "", cell.column)
        by = f" by {cell.by}" if cell.by else ""
        lines.setdefault((cell.row, group) if split else (cell.row,), {})[last + by] = _shown(cell, ours)
    columns = list(dict.fromkeys(column for line in lines.values() for column in line))
    head = ("row", "of", *columns) if split else ("row", *columns)
    return _table(head, [(*key, *(line.get(c, "") for c in columns)) for key, line in lines.items()])


def _shown(cell: Cell, ours: Rows) -> str:
    row = ours.get((cell.row, cell.column))
    parts = [f"**{row['ours']}** ({row['95 % interval']}), n {row['n']}"] if row and row["ours"] else []
    return "; ".join([*parts, *_published(cell.published)])


def _published(published: Mapping[str, float]) -> Sequence[str]:
    return [f"published {value:g}{f' ({label})' if label else ''}" for label, value in published.items()]


if __name__ == "__main__":
    for _name in PAPERS:
        page_of(_name).write_text(with_tables(_name), encoding="utf-8")
