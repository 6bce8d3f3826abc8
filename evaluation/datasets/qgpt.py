"""QGpT's table retrieval corpora (arXiv 2508.06168): partial tables, written back as the files they come from."""

import ast
import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from pydantic import AliasChoices, ConfigDict, Field, TypeAdapter, field_validator

from tablerag.evaluation.datasets.native import Filled, Native, read_json
from tablerag.evaluation.datasets.qgpt_files import RELEASED, Released, present
from tablerag.tools.errors import ConfigError

__all__ = ["QgptCorpus", "QgptEntry", "QgptQuestion", "load_parts", "load_qgpt", "write_files"]

TITLE_LINES = re.compile(r"\A(?:(?:File|Sheet) name: .*\n)+")
RULE = re.compile(r"[|: -]+")
ROW_BOUNDARY = re.compile(r"\|\s+(?=\|)")
CELL_BOUNDARY = re.compile(r"(?<!\S)\|(?!\S)")
UNNAMED = re.compile(r"Unnamed: \d+(?:_level_\d+)?(?:\.\d+)?")
TABLE = re.compile(r"(?:\A|\n)Table:")
QUESTIONS = re.compile(r"\n\s*Questions?\s*:", re.IGNORECASE)
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.){4,})"?')
BOOKS = "./spreadsheet/"
UNSAFE = re.compile(r"[^\w() .,&'-]+")


def _listed(value: Any) -> Any:
    """Return a value as a list: some files have lists as text, and one table instead of a list of one."""
    if isinstance(value, str) and value.startswith("["):
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError) as error:
            raise ValueError("must be a list of texts") from error
    return value if isinstance(value, list) else [value]


class _Entry(Native):
    model_config = ConfigDict(coerce_numbers_to_str=True)

    key: Filled = Field(alias="FileName")
    sheet: str = Field("", alias="SheetName")
    text: str = Field(alias="Text")
    """Blank where the released table is empty."""


class _Question(Native):
    model_config = ConfigDict(coerce_numbers_to_str=True)

    query: Filled = Field(validation_alias=AliasChoices("query", "question"))
    answers: tuple[Filled, ...] = Field(
        validation_alias=AliasChoices("Answer_table", "spreadsheet_list", "table_names", "database_id"), min_length=1
    )
    """Each benchmark calls them differently."""

    _answers = field_validator("answers", mode="before")(_listed)


class _Parts(Native):
    question: Filled
    parts: tuple[Filled, ...] = Field(alias="separate_sub_questions")

    _parts = field_validator("parts", mode="before")(_listed)


@dataclass(frozen=True, slots=True)
class QgptEntry:
    """One entry of a corpus: a partial table (ten rows), and its generated questions."""

    key: str
    """Its FileName, by which answers refer to it."""
    file: str
    """Stem of the original file's name; "" if the corpus does not show it."""
    sheet: str
    rows: tuple[tuple[str, ...], ...]
    """The header row first, if there is one."""
    questions: tuple[str, ...]
    text: str = ""
    """The text as released, which the paper embeds."""

    def shown(self, *, titled: bool = True) -> str:
        """Return the text, without its lines of file and sheet unless ``titled``."""
        return self.text if titled else TITLE_LINES.sub("", self.text)


@dataclass(frozen=True, slots=True)
class QgptQuestion:
    """A question and the keys of the tables that answer it."""

    text: str
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class QgptCorpus:
    """A corpus with its questions."""

    name: str
    entries: tuple[QgptEntry, ...]
    questions: tuple[QgptQuestion, ...]


def load_qgpt(folder: Path, name: str, kind: str = "QGpT") -> QgptCorpus:
    """Read a corpus of RELEASED, in one kind of its texts, with its questions; raise ConfigError.

    The kind QGpT has partial tables (ten rows) with questions.
    """
    released = RELEASED[name]
    asked_in = present(folder, released.questions)[0]
    texts = present(folder, released.texts[kind])
    first, *others = released.questions
    wanted = f"with {texts[0].name}, and {first} or {' or '.join(Path(o).name for o in others)}"
    asked = read_json(asked_in, TypeAdapter(list[_Question]), wanted) if texts[0].is_file() else []
    read = {path: read_json(path, TypeAdapter(list[_Entry]), wanted) for path in texts}
    for path, records in [(asked_in, asked), *read.items()]:
        if not records:
            raise ConfigError(f"{path}: file is empty: use the complete file")
    parts = _that_fits(read, asked_in, asked, released)
    entries = [_entry(p) for p in parts]
    return QgptCorpus(
        name, tuple(entries), tuple(QgptQuestion(" ".join(q.query.split()), frozenset(q.answers)) for q in asked)
    )


def _that_fits(
    read: dict[Path, list[_Entry]], asked_in: Path, asked: Sequence[_Question], released: Released
) -> list[_Entry]:
    """Return the entries of the file that has the tables of all questions; raise ConfigError."""
    missing = ""
    for parts in read.values():
        keys = {part.key for part in parts} | released.absent
        unknown = ((n, sorted(set(q.answers) - keys)) for n, q in enumerate(asked))
        number, tables = next(((n, tables) for n, tables in unknown if tables), (0, []))
        if not tables:
            return parts
        missing = missing or f"{asked_in}: {number}.Answer_table: table {tables[0]!r} is not in the corpus"
    raise ConfigError(f"{missing}: {next(iter(read))} is incomplete or of another version")


def load_parts(folder: Path, name: str, model: str) -> dict[str, tuple[str, ...]]:
    """Read the sub-questions that a model decomposed each question into, by its text; raise ConfigError."""
    path = present(folder, (RELEASED[name].parts[model],))[0]
    records = read_json(path, TypeAdapter(list[_Parts]), f"with {path.name}")
    return {" ".join(r.question.split()): r.parts for r in records}


def _entry(part: _Entry) -> QgptEntry:
    text, *asked = QUESTIONS.split(part.text, maxsplit=1)
    *heads, table = TABLE.split(text, maxsplit=1)
    head = "".join(heads)  # E2E-WTQ has none
    lines, after = _lines(table)
    file = re.search(r"File name: (.*)", head)
    sheet = re.search(r"Sheet name: (.*)", head)
    is_book = not head and part.key.startswith(BOOKS)  # MiMoTable's texts of other lengths have no names
    named = part.key if is_book else file[1] if file else ""
    return QgptEntry(
        key=part.key,
        file=re.sub(r"\.xlsx?$", "", named.removeprefix(BOOKS)),
        sheet=part.sheet if is_book else sheet[1] if sheet else "",
        rows=tuple(_rows(lines)),
        questions=tuple(q.strip() for q in QUOTED.findall(asked[0])) if asked else tuple(after),
        text=part.text,
    )


def _lines(markdown: str) -> tuple[list[str], list[str]]:
    """Return the rows of a Markdown table, a line each, and the lines after it: E2E-WTQ's questions."""
    lines = [line.strip() for line in markdown.split("\n") if line.strip()]
    if not lines:
        return [], []
    if len(lines) == 1:  # MiMoTable: no cell is empty (empty ones are "nan"), so "| |" is where a row ends
        return ROW_BOUNDARY.sub("|\n", lines[0]).splitlines(), []
    last = max(n for n, line in enumerate(lines) if "|" in line or not n)
    if not lines[last].endswith("|"):  # an entry may end within a row: a question ends in "?"
        last = next((n for n, line in enumerate(lines) if n > last and line.endswith("?")), len(lines)) - 1
    rows: list[str] = []
    for line in lines[: last + 1]:
        if line.startswith("|") or not rows:
            rows.append(line)
        else:  # a cell of several lines
            rows[-1] += f" {line}"
    return rows, lines[last + 1 :]


def _rows(lines: Sequence[str]) -> list[tuple[str, ...]]:
    """Split the rows of a Markdown table into cells."""
    rows = []
    for line in lines:
        if RULE.fullmatch(line):
            continue
        cells = tuple(c.strip() for c in CELL_BOUNDARY.split(line.removeprefix("|").removesuffix("|")))
        cells = tuple("" if c == "nan" or UNNAMED.fullmatch(c) else c for c in cells)
        if any(cells):
            rows.append(cells)
    return rows


def write_files(entries: Sequence[QgptEntry], out: Path, *, titled: bool = True) -> dict[tuple[str, str], QgptEntry]:
    """Write each file as a workbook, or as CSV if it has no sheets; return the entry of each (file, sheet) name.

    Without ``titled``, and of files without a name, file names are numbers.
    """
    out.mkdir(parents=True, exist_ok=True)
    by_file: dict[tuple[str, int], list[QgptEntry]] = {}
    for number, entry in enumerate(entries):
        # E2E-WTQ has long tables in several entries, each a file of its own.
        by_file.setdefault((entry.key, -1 if entry.sheet else number), []).append(entry)
    written: dict[tuple[str, str], QgptEntry] = {}
    names: set[str] = set()
    for number, parts in enumerate(by_file.values()):
        stem = UNSAFE.sub(" ", parts[0].file)[:120] if titled and parts[0].file else f"{number}"
        suffix = ".xlsx" if parts[0].sheet else ".csv"
        name = f"{stem}{suffix}" if f"{stem}{suffix}" not in names else f"{stem} {number}{suffix}"
        names.add(name)
        sheets = _write_workbook(parts, out / name) if suffix == ".xlsx" else _write_csv(parts, out / name)
        written |= {(name, sheet): part for sheet, part in zip(sheets, parts, strict=True)}
    return written


def _write_csv(parts: Sequence[QgptEntry], path: Path) -> list[str]:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(parts[0].rows)
    return [""]


def _write_workbook(parts: Sequence[QgptEntry], path: Path) -> list[str]:
    book = Workbook(write_only=True)
    titles = []
    for part in parts:
        sheet = book.create_sheet(re.sub(r"[\[\]:*?/\\]", " ", part.sheet)[:31])
        for row in part.rows:
            sheet.append([c or None for c in row])
        titles.append(sheet.title)
    book.save(path)
    return titles
