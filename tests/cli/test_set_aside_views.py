"""What the command line says of tables that are set aside: in the list, in the description, and in the report."""

from io import StringIO

from rich.console import Console, RenderableType

from tablerag.cli.listing import tables_view
from tablerag.cli.report_views import report_view
from tablerag.cli.views import schema_view
from tablerag.ingestion.pipeline import Entry
from tablerag.tools.catalog_listing import ListedTable
from tablerag.tools.records import Column, TableSchema

SURE = TableSchema(table_id="d:t0", name="sure", columns=(Column(name="a", header="A", type="text"),), row_count=2,
                   source="a.pdf", locator="page 1", confidence=0.95)  # fmt: skip
DOUBTFUL = SURE.model_copy(
    update={"table_id": "d:t1", "name": "odd", "confidence": 0.31, "doubts": ("no header row was found",),
            "set_aside": True}
)  # fmt: skip


def text_of(shown: RenderableType) -> str:
    console = Console(file=StringIO(), width=160)
    console.print(shown)
    return " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]


def test_the_list_marks_them_and_says_where_to_look() -> None:
    listed = [ListedTable(s.name, 2, 1, s.source, s.locator, s.set_aside) for s in (SURE, DOUBTFUL)]
    shown = text_of(tables_view(listed))
    assert "odd 2 1 a.pdf page 1 set aside" in shown and "`tablerag describe TABLE` says why" in shown
    assert "answers" not in text_of(tables_view(listed[:1])), "nothing is said where there are none"


def test_the_description_has_the_rule() -> None:
    shown = text_of(schema_view(DOUBTFUL))
    assert "confidence 31%" in shown and 'tables: - source: "a.pdf" table: "odd" use: true' in shown
    assert "set aside" not in text_of(schema_view(SURE))


def test_the_report_has_them_first() -> None:
    entry = Entry("a.pdf", "added", tables=2, rows=4, schemas=(SURE, DOUBTFUL))
    assert "1 table set aside" in text_of(report_view([entry]))
    shown = text_of(report_view([entry], verbose=True))
    assert shown.index("odd") < shown.index("sure") and "31%, set aside" in shown
