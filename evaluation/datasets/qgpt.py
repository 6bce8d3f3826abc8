"""QGpT's table retrieval corpora (arXiv 2508.06168): partial tables, written back as the files they come from."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openpyxl import Workbook
from pydantic import ConfigDict, Field, TypeAdapter

from tablerag.evaluation.datasets.native import Filled, Native, read_json
from tablerag.tools.errors import ConfigError

__all__ = ["PUBLISHED", "QgptCorpus", "QgptEntry", "QgptQuestion", "load_qgpt", "write_files"]

PUBLISHED = {
    "MiMoTable": "MiMoTable-English_test.json",
    "OTTQA": "OTTQA_test.json",
    "FetaQA": "FetaQA_test.json",
    "E2EWTQ": "E2E-WTQ_test.json",
    "MMQA_2table": "MMQA-2tables_test.json",
    "MMQA_3table": "MMQA-3tables_test.json",
}
"""The corpora, and the files that QGpT publishes their questions in."""
RULE = re.compile(r"[|: -]+")
ROW_BOUNDARY = re.compile(r"\|\s+(?=\|)")
CELL_BOUNDARY = re.compile(r"(?<!\S)\|(?!\S)")
UNNAMED = re.compile(r"Unnamed: \d+(?:_level_\d+)?(?:\.\d+)?")
TABLE = re.compile(r"(?:\A|\n)Table:")
QUESTIONS = re.compile(r"\n\s*Questions?\s*:", re.IGNORECASE)
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.){4,})"?')
UNSAFE = re.compile(r"[^\w() .,&'-]+")


class _Entry(Native):
    model_config = ConfigDict(coerce_numbers_to_str=True)

    key: Filled = Field(alias="FileName")
    text: Filled = Field(alias="Text")


class _Question(Native):
    model_config = ConfigDict(coerce_numbers_to_str=True)

    query: Filled
    answers: tuple[Filled, ...] = Field(alias="Answer_table", min_length=1)


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


def load_qgpt(folder: Path, name: str) -> QgptCorpus:
    """Read ``NAME_QGpT.json`` (partial tables with questions) and its questions; raise ConfigError.

    The questions are in ``NAME_questions.json``, or in the file of PUBLISHED.
    """
    wanted = f"with {name}_QGpT.json, and {name}_questions.json or {PUBLISHED[name]}"
    files = [folder / f"{name}_questions.json", folder / PUBLISHED[name]]
    path = next((f for f in files if f.is_file()), files[0])
    parts = read_json(folder / f"{name}_QGpT.json", TypeAdapter(list[_Entry]), wanted)
    asked = read_json(path, TypeAdapter(list[_Question]), wanted)
    if not parts or not asked:
        raise ConfigError(f"{path if parts else folder / f'{name}_QGpT.json'}: file is empty: use the complete file")
    keys = {part.key for part in parts}
    for number, question in enumerate(asked):
        if missing := sorted(set(question.answers) - keys):
            raise ConfigError(f"{path}: {number}.Answer_table: table {missing[0]!r} is not in the corpus")
    questions = tuple(QgptQuestion(q.query, frozenset(q.answers)) for q in asked)
    return QgptCorpus(name, tuple(_entry(p) for p in parts), questions)


def _entry(part: _Entry) -> QgptEntry:
    text, *asked = QUESTIONS.split(part.text, maxsplit=1)
    *heads, table = TABLE.split(text, maxsplit=1)
    head = "".join(heads)  # E2E-WTQ has none
    lines, after = _lines(table)
    file = re.search(r"File name: (.*)", head)
    sheet = re.search(r"Sheet name: (.*)", head)
    return QgptEntry(
        key=part.key,
        file=re.sub(r"\.xlsx?$", "", file[1].removeprefix("./spreadsheet/")) if file else "",
        sheet=sheet[1] if sheet else "",
        rows=tuple(_rows(lines)),
        questions=tuple(q.strip() for q in QUOTED.findall(asked[0])) if asked else tuple(after),
    )


def _lines(markdown: str) -> tuple[list[str], list[str]]:
    """Return the rows of a Markdown table, a line each, and the lines after it: E2E-WTQ's questions."""
    lines = [line.strip() for line in markdown.split("\n") if line.strip()]
    if len(lines) == 1:  # MiMoTable: no cell is empty (empty ones are "nan"), so "| |" is where a row ends
        return ROW_BOUNDARY.sub("|\n", lines[0]).splitlines(), []
    rows: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith("|") or not rows:
            rows.append(line)
        elif rows[-1].endswith("|") and not line.endswith("|"):
            return rows, lines[number:]
        else:  # a cell of several lines
            rows[-1] += f" {line}"
    return rows, []


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
    by_file: dict[str, list[QgptEntry]] = {}
    for entry in entries:
        by_file.setdefault(entry.key, []).append(entry)
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
    if len(parts) != 1:
        raise ConfigError(f"{parts[0].key}: {len(parts)} entries have the same file and no sheet names: expected one")
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
