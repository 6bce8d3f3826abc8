"""The listing of a corpus's tables, of which nothing is read but what it shows."""

from collections.abc import Sequence

from tablerag.cli.printing import cell_text
from tablerag.cli.tables import FittingTable
from tablerag.tools.access.corpora import known_corpus
from tablerag.tools.catalog_listing import ListedTable
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services

__all__ = ["listed_tables", "tables_view"]


def listed_tables(services: Services, corpus: str = "") -> list[ListedTable]:
    """Return the tables of a corpus; raise ConfigError if there are none."""
    name = known_corpus(corpus or services.settings.corpus, services.settings, services.catalog)
    if not (found := services.catalog.listed_tables(name)):
        raise ConfigError(f"corpus {name!r} has no tables: run `tablerag ingest PATH` first")
    return found


def tables_view(tables: Sequence[ListedTable]) -> FittingTable:
    """Draw the tables of a corpus."""
    rows = [
        (t.name, f"{t.row_count:,}", str(t.column_count), cell_text(t.source), cell_text(t.locator)) for t in tables
    ]
    titles, right, caption = ("table", "rows", "columns", "source", "place"), (False, True, True, False, False), ""
    if any(t.set_aside for t in tables):
        rows = [(*row, "set aside" * t.set_aside) for row, t in zip(rows, tables, strict=True)]
        titles, right = (*titles, "answers"), (*right, False)
        caption = "Answers do not use tables that are set aside: `tablerag describe TABLE` says why and what to do."
    return FittingTable(titles, rows, right=right, caption=caption)
