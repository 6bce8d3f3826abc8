"""Tables with a truth: what the product reads in a document, and whether it is right.

A table is right if its numbers are under the right names in the right rows (its words, where it has hardly a number),
its header is, and its columns of plain numbers are typed as numbers. Each source is a domain of its own, so that some
can be held out whole.
"""

import csv
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.pdf_tables import RIGHT, plain, score
from benchmarks.spreadsheet_headers import expected_header, found_table, matched
from benchmarks.spreadsheets import Book
from benchmarks.table_readers import printed
from benchmarks.table_truths import Grid, headed, icdar_rows, is_number
from benchmarks.tatqa_headers import LABELS, found, labelled
from benchmarks.typing_columns import HERE, SETS, label_of
from benchmarks.wikipages import compared, read_csv
from tablerag.ingestion.document import Locator, RawCell, TableBlock
from tablerag.ingestion.readers import read_document
from tablerag.ingestion.tables.cells import cell_text
from tablerag.ingestion.tables.signs import signs_of
from tablerag.ingestion.tables.table import build_table
from tablerag.ingestion.tables.typed_table import TypedTable
from tablerag.tools.errors import UnreadableDocument
from training.printed_tables import PrintedTable, write_pdf

__all__ = [
    "Labelled",
    "financial_grids",
    "of_books",
    "of_damaged",
    "of_files",
    "of_financial_reports",
    "of_headless",
    "of_pages",
    "of_pdfs",
    "of_printed",
    "of_wikipedia",
]

Rows = Sequence[Sequence[str]]
Cells = list[list[RawCell]]
SEED = 7
FEWEST_NUMBERS = 3
ALIKE = 0.7
"""Share of the letters, three by three, that two spellings of a name have in common."""
ORDINARY = (".csv", ".docx", ".html", ".md", ".pdf", ".xlsx")
MOST_FOREIGN = 0.1
"""Share of a table's cells that its truth does not have above which it is wrong."""
EQUAL = 0.95


@dataclass(frozen=True, slots=True)
class Labelled:
    """A table that the product found, and whether it is right."""

    source: str
    format: str
    place: str
    signs: dict[str, float]
    before: float
    """The confidence of the header's detection, which was the confidence of the table."""
    right: bool


def _labelled(source: str, kind: str, place: str, table: TypedTable, right: bool) -> Labelled:
    return Labelled(source, kind, place, signs_of(table), table.header_confidence, right)


def _tables(path: Path) -> list[TypedTable]:
    try:
        blocks = read_document(path).blocks
    except UnreadableDocument:
        return []
    return [t for t in (build_table(b) for b in blocks if isinstance(b, TableBlock)) if t]


def is_right(expected: Sequence[Rows], table: TypedTable) -> bool:
    """Return whether a table is one of those expected, which are rows of texts with their headers."""
    grid = printed(table)
    return any(_is(truth, grid) and _types_are(truth, table) for truth in expected)


def _is(truth: Rows, grid: Grid) -> bool:
    known = Counter(plain(t) for row in truth for t in row if plain(t))
    own = [plain(t) for row in grid.rows for t in row if plain(t)]
    joined = " ".join(known)  # a merged cell may be repeated, and a cell be divided
    foreign = sum(t not in known and t not in joined for t in own)
    if not own or foreign > MOST_FOREIGN * len(own):
        return False
    # The truth does not say where the header ends: sections and column numbers below the names look like it.
    first = len(truth) - len(headed(truth).rows)
    ends = {1, 2} if first == len(truth) else {max(1, first - 2), max(1, first - 1), first, first + 1}
    return any(_agree(_split(truth, end), grid) for end in sorted(ends) if end < len(truth))


def _split(rows: Rows, end: int) -> Grid:
    width = max(map(len, rows), default=0)
    heads = [dict.fromkeys(row[c] for row in rows[:end] if c < len(row) and row[c]) for c in range(width)]
    return Grid([" ".join(h) for h in heads], rows[end:])


def _agree(truth: Grid, grid: Grid) -> bool:
    """Return whether cells and the names over them are the truth's, whether it has numbers or words."""
    if len(truth.numbers()) >= FEWEST_NUMBERS:
        places = _places(truth, grid)
        return score(truth, [grid])[0] >= RIGHT and all(
            any(_alike(truth.headers[c], grid.headers[i]) for i in those) for c, those in places.items()
        )
    rows = Counter("".join(plain(t) for t in row) for row in truth.rows if any(map(plain, row)))
    ours = Counter("".join(plain(t) for t in row) for row in grid.rows)
    missing = (rows - ours).total()
    names = all(any(_alike(h, own) for own in grid.headers) for h in truth.headers if h)
    return missing <= (1 - RIGHT) * rows.total() and names


def _places(truth: Grid, grid: Grid) -> dict[int, list[int]]:
    """Return the columns of a grid that hold most of the numbers of each column of the truth that has a name."""
    held = [Counter(plain(row[i]) for row in grid.rows) for i in range(len(grid.headers))]
    columns: dict[int, Counter[str]] = {}
    for r, c in truth.numbers():
        columns.setdefault(c, Counter())[plain(truth.rows[r][c])] += 1
    shared = {c: [(own & texts).total() for own in held] for c, texts in columns.items() if truth.headers[c]}
    return {c: [i for i, n in enumerate(counts) if n == max(counts)] for c, counts in shared.items()}


def _alike(wanted: str, found: str) -> bool:
    """Return whether two names have most of their letters in common; the truth often lacks spaces."""
    a, b = ("".join(c for c in t.casefold() if c.isalnum() or c in "%$€£") for t in (wanted, found))
    parts = [Counter(t[i : i + 3] for i in range(max(1, len(t) - 2))) for t in (a, b)]
    return (parts[0] & parts[1]).total() >= ALIKE * max(p.total() for p in parts)


def _types_are(truth: Rows, table: TypedTable) -> bool:
    """Return whether the columns of plain numbers are not text."""
    texts = {
        plain(cell_text(row.cells[i]))
        for i, c in enumerate(table.columns)
        if c.type == "text" and not c.kind and not c.is_part
        for row in table.rows()
        if cell_text(row.cells[i])
    }
    width = max(map(len, truth), default=0)
    for column in range(width):
        cells = [row[column] for row in headed(truth).rows if column < len(row) and row[column].strip()]
        plainly = [plain(c) for c in cells if is_number(c)]
        if (
            len(cells) >= FEWEST_NUMBERS
            and len(plainly) == len(cells)
            and sum(c in texts for c in plainly) > len(cells) / 2
        ):
            return False
    return True


def of_pdfs(folder: Path, source: str) -> Iterator[Labelled]:
    """Yield the tables of PDFs beside their truth in XML (ICDAR 2013)."""
    for pdf in sorted(folder.glob("*.pdf")):
        expected = list(icdar_rows(pdf))
        for number, table in enumerate(_tables(pdf), 1):
            yield _labelled(source, "pdf", f"{pdf.stem} {number}", table, is_right(expected, table))


def of_printed(tables: Sequence[PrintedTable], source: str) -> Iterator[Labelled]:
    """Yield the tables of PDFs that are made of known tables."""
    with tempfile.TemporaryDirectory() as folder:
        for number, one in enumerate(tables):
            path = write_pdf(one, Path(folder) / f"{number}.pdf")
            expected = [one.rows]
            for table in _tables(path):
                yield _labelled(source, "pdf", f"{one.name} {one.style}", table, is_right(expected, table))


def of_wikipedia(data: Path, folders: Sequence[str], source: str, step: int = 1) -> Iterator[Labelled]:
    """Yield the tables of WikiTableQuestions, as files and as grids whose header is not marked."""
    for folder in folders:
        for path in sorted((data / "wikitq" / "csv" / f"{folder}-csv").glob("*.csv"))[::step]:
            grid: Cells = [[c or None for c in row] for row in read_csv(path)]
            records = sum(any(row) for row in grid) - 1
            name = f"csv/{path.parent.name}/{path.name}"
            found_tables = _tables(path)
            for table in found_tables:
                whole = len(found_tables) == 1 and table.header_rows == 1 and table.row_count == records
                yield _labelled(source, "csv", name, table, whole and _kinds_are(name, table))
            alone = build_table(TableBlock(grid, Locator()))
            if alone is not None:
                rows = alone.row_count + len(alone.sections)
                right = alone.header_rows == 1 and alone.body.first_row == 1 and rows == records
                yield _labelled(source, "grid", name, alone, right and _kinds_are(name, alone))


def of_headless(data: Path, folders: Sequence[str], source: str) -> Iterator[Labelled]:
    """Yield tables of Wikipedia whose files have no header; they are right if none is found."""
    for folder in folders:
        for path in sorted((data / "wikitq" / "csv" / f"{folder}-csv").glob("*.csv"))[::4]:
            grid: Cells = [[c or None for c in row] for row in read_csv(path)[1:]]
            for number, records in enumerate((True, False)):
                columns = None if records else range(1, len(grid[0]) + 1)
                table = build_table(TableBlock(grid, Locator(), is_records=records, source_columns=columns))
                if table is not None:
                    kind = ("csv", "grid")[number]
                    yield _labelled(source, kind, f"{folder} {path.stem}", table, table.header_rows == 0)


@cache
def _kinds() -> dict[str, dict[int, str]]:
    """Return the labels of columns by file."""
    kinds: dict[str, dict[int, str]] = {}
    for file in SETS.values():
        with (HERE / file).open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                kinds.setdefault(row["context"], {})[int(row["column"])] = row["label"]
    return kinds


def _kinds_are(name: str, table: TypedTable) -> bool:
    own = dict(zip(table.body.kept or [], table.columns[table.path_depth :], strict=False))
    return all(label_of(own[i]) == label for i, label in _kinds().get(name, {}).items() if i in own)


def of_pages(data: Path, folders: Sequence[str], source: str) -> Iterator[Labelled]:
    """Yield the tables of whole Wikipedia pages whose rows are known."""
    for folder in folders:
        for page in sorted((data / "wikipages" / f"{folder}-page").glob("*.html")):
            wanted = read_csv(data / "wikitq" / "csv" / f"{folder}-csv" / f"{page.stem}.csv")
            scored = [(compared(page.stem, wanted, [t]), t) for t in _tables(page)]
            best = max(scored, key=lambda s: s[0].equal_cells, default=None)
            if best and best[0].equal_cells:
                same = best[0].same_shape and best[0].equal_cells >= EQUAL * best[0].all_cells
                yield _labelled(source, "html", f"{folder} {page.stem}", best[1], same)


def of_books(books: Sequence[Book], source: str) -> Iterator[Labelled]:
    """Yield the tables of synthetic workbooks."""
    with tempfile.TemporaryDirectory() as folder:
        for book in books:
            tables = _tables(book.write(Path(folder)))
            places = [found_table(t) for t in tables]
            outcome = matched(book, places)
            truth_of = {id(f): t for t, f in outcome.pairs if f is not None}
            for place, table in zip(places, tables, strict=True):
                truth = truth_of.get(id(place))
                right = truth is not None and place.is_form == truth.is_form
                right = right and (truth.is_form or place.header == expected_header(truth)) if truth else False
                right = bool(right and truth and place.rows == truth.rows and place.columns == truth.columns)
                yield _labelled(source, "xlsx", f"{book.name} {place.sheet} {place.rows}", table, right)


def financial_grids(data: Path) -> dict[str, list[list[str]]]:
    """Return the grids of TAT-QA by table id."""
    reports = json.loads((data / "tatqa" / "tatqa_dataset_dev.json").read_text(encoding="utf-8"))
    return {r["table"]["uid"]: r["table"]["table"] for r in reports}


def of_files(folders: Sequence[Path], source: str) -> Iterator[Labelled]:
    """Yield the tables of ordinary files, all of which are taken to be read rightly."""
    for path in sorted(p for folder in folders for p in folder.rglob("*") if p.suffix in ORDINARY):
        for table in _tables(path):
            own = f"{source}, printed" if path.suffix == ".pdf" else source
            yield _labelled(own, path.suffix[1:], f"{path.name} {table.title}", table, True)


def of_financial_reports(data: Path, source: str) -> Iterator[Labelled]:
    """Yield the labelled tables of TAT-QA as grids: header rows, paths over columns and sections must be right."""
    grids = financial_grids(data)
    for name, label in json.loads(LABELS.read_text(encoding="utf-8")).items():
        grid = grids[name]
        cells: Cells = [[*row] for row in grid]
        table = build_table(TableBlock(cells, Locator(), source_columns=range(len(grid[0]))))
        if table is None:
            continue
        wanted, given = labelled(grid, label), found(grid)
        same = all(wanted.rows[kind] == given.rows[kind] for kind in ("title_rows", "header_rows"))
        paths = all(given.paths.get(c) == path for c, path in wanted.paths.items())
        yield _labelled(source, "grid", name, table, same and paths)


def of_damaged(data: Path, folders: Sequence[str], source: str) -> Iterator[Labelled]:
    """Yield tables of Wikipedia as if found on a page, one in two of them damaged as readers of pages damage them."""
    chance = random.Random(SEED)
    for folder in folders:
        for path in sorted((data / "wikitq" / "csv" / f"{folder}-csv").glob("*.csv"))[::2]:
            grid: list[list[RawCell]] = [[c.replace("\n", " ") or None for c in row] for row in read_csv(path)]
            width = len(grid[0])
            if len(grid) < 4 or width < 2 or any(len(row) != width for row in grid):
                continue
            damage = chance.choice((None, None, None, None, *DAMAGES))
            block = TableBlock(damage(grid) if damage else grid, Locator(page=1), ruled=chance.random() < 0.5)
            table = build_table(block)
            if table is not None:
                right = damage is None and table.header_rows == 1 and table.body.first_row == 1
                name = f"{folder} {path.stem} {damage.__name__ if damage else 'whole'}"
                yield _labelled(source, "pdf", name, table, right)


def turned_names(grid: Cells) -> Cells:
    """Return a grid with the names of its columns read backwards, as upright letters of turned headers are."""
    return [[c and str(c)[::-1] for c in grid[0]], *grid[1:]]


def joined_columns(grid: Cells) -> Cells:
    """Return a grid whose last two columns are one."""
    return [[*row[:-2], " ".join(str(c) for c in row[-2:] if c) or None] for row in grid]


def cut_rows(grid: Cells) -> Cells:
    """Return a grid whose cells of several words go on in a row of their own."""
    rows = []
    for row in grid:
        words = [str(c).split() if c else [] for c in row]
        rows.append([" ".join(w[: (len(w) + 1) // 2]) or None for w in words])
        if rest := [" ".join(w[(len(w) + 1) // 2 :]) or None for w in words]:
            rows += [rest] if any(rest) else []
    return rows


def without_names(grid: Cells) -> Cells:
    """Return a grid without its header."""
    return list(grid[1:])


DAMAGES = (turned_names, joined_columns, cut_rows, without_names)
