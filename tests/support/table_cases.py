"""Tables written as text, with what is to be found in them.

A case begins with "## " and its title. Its rows follow, cells divided by "|"; spaces before the first cell are
kept, they indent. What a row is goes behind "=>", what the table is goes into lines "@name value".
"""

from dataclasses import dataclass, field
from pathlib import Path

from tablerag.ingestion.document import Locator, TableBlock
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable

CASES = Path(__file__).parents[1] / "cases"


@dataclass
class Case:
    title: str
    grid: list[list[str]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    """What is said of each row."""
    says: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.title

    def built(self) -> TypedTable:
        table = build_table(TableBlock(self.grid, Locator()))
        assert table is not None
        return table


def read_cases(name: str) -> list[Case]:
    cases: list[Case] = []
    for line in (CASES / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            cases.append(Case(line[3:]))
        elif line.startswith("@"):
            key, _, value = line[1:].partition(" ")
            cases[-1].says[key] = value.strip()
        elif line.strip() and not line.startswith("# "):
            row, _, mark = line.partition("=>")
            first, *others = row.split("|")
            cases[-1].grid.append([first.rstrip(), *(c.strip() for c in others)])
            cases[-1].marks.append(mark.strip())
    assert len({c.title for c in cases}) == len(cases)
    for case in cases:
        assert len({len(row) for row in case.grid}) == 1, case.title
    return cases
