"""What tells against a table, in words: the signs that lowered its confidence most."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice

from tablerag.ingestion.document import TableBlock
from tablerag.ingestion.tables.cells import cell_text, is_typed
from tablerag.ingestion.tables.confidence import DOUBTED, chance_of, learned_weights
from tablerag.ingestion.tables.signs import SAMPLE_ROWS, is_turned, signs_of
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.tools.counting import counted, shortened
from tablerag.tools.records import Found

__all__ = ["MOST_PARTS", "WARNED", "found_as", "is_set_aside", "with_confidence"]

WARNED = 0.7
"""Below this confidence a table has a warning."""
MOST_DOUBTS = 3
PRINTED_ROWS, PRINTED_COLUMNS, PRINTED_CHARS = 12, 12, 80
MOST_PARTS = 3
"""Parts on pages that people are shown."""
LEAST = 0.3
"""How much a sign must lower the odds, as a logarithm, to be named."""
Says = Callable[[TypedTable, float], str]


def with_confidence(table: TypedTable) -> TypedTable:
    """Return a table with its confidence, what tells against it, and a warning if that is much."""
    signs = signs_of(table)
    chance = round(chance_of(signs), 2)
    doubts = tuple(_doubts(table, signs)) if chance < WARNED else ()
    warnings = table.warnings
    if doubts:
        warnings = (*warnings, f"may be read wrongly (confidence {chance:.0%}): {'; '.join(doubts)}")
    return replace(table, confidence=chance, doubts=doubts, warnings=warnings)


def is_set_aside(table: TypedTable, use: bool | None = None) -> bool:
    """Return whether answers leave a table out; ``use`` is what its rule says."""
    return table.confidence < DOUBTED if use is None else not use


def found_as(block: TableBlock) -> Found:
    """Return where a table is on its pages, or its first cells as printed if it is on none."""
    if block.regions:
        return Found(regions=tuple((r.page, r.x0, r.top, r.x1, r.bottom) for r in block.regions[:MOST_PARTS]))
    rows = islice(block.grid, PRINTED_ROWS)
    return Found(cells=tuple(tuple(cell_text(c)[:PRINTED_CHARS] for c in row[:PRINTED_COLUMNS]) for row in rows))


def _doubts(table: TypedTable, signs: Mapping[str, float]) -> list[str]:
    """Return the reasons of the signs that count most, each once; MOST_DOUBTS at most."""
    weights = learned_weights()
    lowered = {name: weights.get(name, 0.0) * value for name, value in signs.items() if name in SAYS}
    worst = sorted((name for name, by in lowered.items() if by < -LEAST), key=lambda n: (lowered[n], n))
    said = dict.fromkeys(SAYS[name](table, signs[name]) for name in worst)
    return list(islice(said, MOST_DOUBTS))


def _share(says: str) -> Says:
    return lambda _, share: f"{max(share, 0.01):.0%} of {says}"


def _whatever(says: str) -> Says:
    return lambda *_: says


def _mixed(table: TypedTable, _: float) -> str:
    """Name the column of text whose cells are numbers and words by halves."""
    columns = [(i, c) for i, c in enumerate(table.columns) if i >= table.path_depth and c.type == "text"]
    rows = [row.cells for row in islice(table.body, SAMPLE_ROWS)]
    shares = {}
    for i, column in columns:
        cells = [row[i] for row in rows if cell_text(row[i])]
        shares[column.header] = sum(map(is_typed, cells)) / max(1, len(cells))
    header = min(shares, key=lambda h: abs(shares[h] - 0.5))
    return (
        f"the rows may not be divided rightly: {1 - shares[header]:.0%} of the cells under {shortened(header)!r} "
        "are not numbers"
    )


def _turned(table: TypedTable, share: float) -> str:
    names = (path[-1] for path in table.paths if path)
    one = next((n for n in names if any(map(is_turned, n.split()))), "")
    return f"{share:.0%} of the column names look as if they were read backwards, such as {shortened(one)!r}"


def _few_rows(table: TypedTable, _: float) -> str:
    return f"it has only {counted(table.row_count, 'row')}"


SAYS: Mapping[str, Says] = {
    "bare_columns": _share("the columns are almost empty: a column may be cut in two"),
    "figures_glued": _share("the cells hold several numbers: columns may be joined"),
    "figures_in_names": _share("the column names hold several numbers, as cells of data do"),
    "goes_on": _share("the rows look like the rest of the row above"),
    "half_rows": _share("the rows are at least half empty"),
    "header_guess": _whatever("which rows are the header is a guess"),
    "long_names": _share("the column names are very long"),
    "mixed": _mixed,
    "mixed_columns": _mixed,
    "names_like_cells": _share("the column names look like the cells below them"),
    "names_recur": _share("the column names are also cells below them"),
    "no_header": _whatever("no header row was found"),
    "no_label": _share("the rows have no label: a row may be cut in two"),
    "numbers_first": _whatever("its first column holds numbers: the column of labels may be missing"),
    "ocr_unsure": _whatever("OCR is unsure of its words"),
    "prose": _share("the cells hold whole sentences: it may be text in columns"),
    "records_guess": _whatever("which rows are the header is a guess"),
    "ruleless": _whatever("no lines divide its cells, which were found by the places of words"),
    "sections": _share("the rows were taken for headings of sections"),
    "sheet_half_rows": _share("the rows are at least half empty"),
    "sheet_thin_rows": _share("the rows have a single cell"),
    "small": _few_rows,
    "stitched": _whatever("it was joined from parts on several pages"),
    "turned_names": _turned,
    "unnamed": _share("the columns have no name"),
    "words_first": _whatever("words in the first row are above columns of numbers: it may belong to the header"),
}
