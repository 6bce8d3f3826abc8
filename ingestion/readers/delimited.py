"""CSV and TSV files, with their encoding, delimiter and quoting detected."""

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tablerag.ingestion.document import Document, Locator, TableBlock, TextBlock
from tablerag.ingestion.readers.archives import check_not_binary
from tablerag.ingestion.readers.delimited_stream import (
    RecordFile,
    StreamedGrid,
    Survey,
    lone_text,
    nuls_in,
    plain_lines,
    surveyed,
)
from tablerag.ingestion.readers.encoding import decode, encoding_of, guess_warning, nuls_removed, read_text, undecodable
from tablerag.ingestion.readers.grids import Sheet, grid_blocks, padded
from tablerag.tools.counting import counted
from tablerag.tools.errors import UnreadableDocument

if TYPE_CHECKING:
    from tablerag.ingestion.readers.loaded_records import LoadedRecords

__all__ = ["read_delimited"]

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_CHARS = 65_536
ESCAPED_QUOTE = re.compile(r'(?<!\\)(?:\\\\)*\\"')
MAX_FIELD = 50_000_000
FIELD_LIMIT = re.compile(r"field limit \(([0-9]+)\)")
STREAMED_BYTES = 16_000_000
"""Larger files are streamed record by record."""
BEGINNING_BYTES = 2_000_000
MAX_CAPTION = 300
MOST_RAGGED = 0.1
"""Share of records with another number of cells than most, in a file whose quotes may be ordinary characters."""


def read_delimited(path: Path) -> Document:
    """Read the tables of one CSV or TSV file; a large file is streamed as one table."""
    if path.stat().st_size > STREAMED_BYTES:
        return _streamed(path)
    text, warnings = read_text(path, "delimited text")
    rows, delimiter = _rows(text, preferred="\t" if path.suffix.lower() == ".tsv" else "")
    found = [*warnings, *_ragged(Counter(len(r) for r in rows if any(c.strip() for c in r)))]
    blocks = grid_blocks(
        padded(rows), Sheet(warnings=tuple(found), is_records=True, decimal_comma=delimiter == ";"), one_column=True
    )
    return Document(path, path.stem, blocks)


def _streamed(path: Path) -> Document:
    """Read a large file as one table, without the lone texts before and after it."""
    check_not_binary(path, "delimited text")
    file, survey, warnings, engine = _described(path)
    top = next((i for i, r in enumerate(survey.head) if any(r) and not lone_text(r)), 0)
    bottom = len(survey.tail)
    while survey.width > 1 and bottom and (not any(survey.tail[bottom - 1]) or lone_text(survey.tail[bottom - 1])):
        bottom -= 1
    end = survey.count - (len(survey.tail) - bottom)
    if survey.width == 1:
        top, end = 0, survey.count
    titles = [t for t in map(lone_text, survey.head[:top]) if t]
    notes = [(i, t) for i, t in enumerate(map(lone_text, survey.tail[bottom:]), start=end + 1) if t]
    last = survey.tail[bottom - 1] if bottom else ()
    grid = StreamedGrid(file, top, end - top, survey.width, last, engine)
    table = TableBlock(
        grid,
        Locator(rows=(top + 1, end)),
        " – ".join(titles)[:MAX_CAPTION],
        warnings=(*warnings, *_ragged(survey.widths)),
        source_rows=range(top + 1, end + 1),
        is_records=True,
        decimal_comma=file.delimiter == ";",
    )
    return Document(path, path.stem, [table, *(TextBlock(t, Locator(rows=(i, i))) for i, t in notes)])


def _described(path: Path) -> "tuple[RecordFile, Survey, tuple[str, ...], LoadedRecords | None]":
    """Detect the format of a large file, from its beginning and then from all of it."""
    from tablerag.ingestion.readers.loaded_records import loaded  # here: only large files need the engine

    with path.open("rb") as stream:
        data = stream.read(BEGINNING_BYTES)
    encoding = encoding_of(data)
    if encoding.startswith(("utf-16", "utf-32")):
        head, warnings = codecs.getincrementaldecoder(encoding)().decode(data), ()
    else:
        nuls = nuls_in(path)
        noted = (nuls_removed(nuls, path.stat().st_size, "delimited text"),) if nuls else ()
        head, warnings = decode((data[: data.rfind(b"\n") + 1] or data).replace(b"\0", b""), "delimited text")
        warnings = (*warnings, *noted)
    sample = _sample(head)
    delimiter = _delimiter(sample, "\t" if path.suffix.lower() == ".tsv" else "")
    quoting, spaced = _quoting(sample, sample, delimiter), _is_spaced(sample, delimiter)
    file = RecordFile(path, encoding, delimiter, quoting, spaced, *plain_lines(path, encoding))
    engine = loaded(file, sample.partition("\n")[0].count(delimiter) + 1)
    if engine:
        return file, engine.survey(), warnings, engine
    file = replace(file, lines=0)
    try:
        return file, surveyed(file), warnings, None
    except UnicodeDecodeError as error:
        if file.encoding.startswith(("utf-16", "utf-32")):
            raise undecodable(file.encoding, error) from error
        file = replace(file, encoding="cp1252")
        warnings = (guess_warning("cp1252"),)
    except csv.Error as error:
        plain = replace(file, quoting="none")
        if _is_ragged(plain):  # the lines of a long cell in quotes are no records
            raise _unreadable(error) from error
        file = plain
        warnings = (*warnings, "a quote is never closed: quotes were read as ordinary characters")
    try:
        return file, surveyed(file), warnings, None
    except (UnicodeDecodeError, csv.Error) as error:
        raise _unreadable(error) from error


def _is_ragged(file: RecordFile) -> bool:
    """Return whether many records have not the usual number of cells."""
    try:
        widths = surveyed(file).widths
    except (UnicodeDecodeError, csv.Error):
        return True
    return widths.total() - max(widths.values(), default=0) > MOST_RAGGED * widths.total()


def _unreadable(error: Exception) -> UnreadableDocument:
    """Return the error for a file that cannot be split into records."""
    if limit := FIELD_LIMIT.search(str(error)):
        return UnreadableDocument(f"has a cell of more than {int(limit[1]):,} characters: shorten it")
    where = f", as {error}" if str(error).startswith("record ") else ""  # not the csv module's own words
    return UnreadableDocument(f"cannot be split into records{where}: save it again as CSV in UTF-8")


def _ragged(widths: Counter[int]) -> list[str]:
    """Return a warning if rows differ in length."""
    table_widths = Counter({w: n for w, n in widths.items() if w > 1}) or widths
    if len(table_widths) < 2:
        return []
    usual = table_widths.most_common(1)[0][0]
    odd = sum(n for w, n in table_widths.items() if w != usual)
    return [f"{counted(odd, 'row')} with more or fewer than {usual} cells: short ones were padded with empty cells"]


def _rows(text: str, preferred: str) -> tuple[list[list[str]], str]:
    """Split the text into rows, where row i is record i + 1 of the file; return them and the delimiter."""
    declared = re.match(r"sep=(.)\r?\n", text)
    sample = _sample(text)
    delimiter = declared.group(1) if declared else _delimiter(sample, preferred)
    rows = _parsed(text, delimiter, _quoting(text, sample, delimiter))
    if declared:
        rows[0] = []
    return rows, delimiter


def _sample(text: str) -> str:
    """Return the text's beginning, cut at the end of a line."""
    if len(text) <= SAMPLE_CHARS:
        return text
    return text[: text.rfind("\n", 0, SAMPLE_CHARS) + 1] or text[:SAMPLE_CHARS]


def _delimiter(sample: str, preferred: str) -> str:
    """Return the delimiter that splits most rows, including the first, into the same number of cells."""

    def merit(delimiter: str) -> tuple[float, int]:
        rows = [r for r in _parsed(sample, delimiter, "doubled") if any(c.strip() for c in r)]
        widths = Counter(len(r) for r in rows if len(r) > 1)
        if not widths:
            return 0.0, 0
        usual, count = widths.most_common(1)[0]
        share = count / len(rows) + (0.5 if len(rows[0]) == usual else 0.0) + (0.5 if delimiter == preferred else 0.0)
        return round(share, 1), usual

    return max(DELIMITERS, key=merit)


def _quoting(text: str, sample: str, delimiter: str) -> str:
    r"""Return "doubled" ("" inside quotes, RFC 4180), "escaped" (\") or "none" (quotes are ordinary characters)."""
    choice = "doubled"
    if ESCAPED_QUOTE.search(sample):
        # "C:\" is a whole cell under the rule of doubling; \" before anything else is an escape.
        closing = len(re.findall(rf'\\"(?=[{re.escape(delimiter)}\r\n]|$)', sample))
        likelier = len(ESCAPED_QUOTE.findall(sample)) > closing
        choices = ("escaped", "doubled") if likelier else ("doubled", "escaped")
        choice = min(choices, key=lambda quoting: _oddity(_parsed(sample, delimiter, quoting)))
    if _closes(text, delimiter, choice):
        return choice
    # An unclosed quote swallows line after line: each line inside a cell counts against quoting.
    rows = _parsed(text, delimiter, choice)
    swallowed = _oddity(rows) + sum(c.count("\n") for r in rows for c in r)
    return "none" if _oddity(_parsed(text, delimiter, "none")) < swallowed else choice


def _oddity(rows: list[list[str]]) -> int:
    """Count the rows of another length than most."""
    widths = Counter(len(r) for r in rows if r)
    return sum(widths.values()) - max(widths.values(), default=0)


def _closes(text: str, delimiter: str, quoting: str) -> bool:
    """Return whether every quote that opens a cell is closed."""
    try:
        _parsed(text, delimiter, quoting, strict=True)
    except csv.Error as error:
        # Strict parsing also rejects text after a closing quote, which is harmless.
        return "end of data" not in str(error)
    return True


def _is_spaced(text: str, delimiter: str) -> bool:
    return delimiter == "," and f'{delimiter} "' in text[:SAMPLE_CHARS]


def _parsed(text: str, delimiter: str, quoting: str, *, strict: bool = False) -> list[list[str]]:
    csv.field_size_limit(MAX_FIELD)
    if quoting == "escaped":
        text = re.sub(r'\\(["\\])', lambda m: '""' if m[1] == '"' else "\\", text)
    mode = csv.QUOTE_NONE if quoting == "none" else csv.QUOTE_MINIMAL
    # A space after a delimiter hides the quote behind it from the parser, unless it is skipped.
    spaced = _is_spaced(text, delimiter)
    lines = io.StringIO(text, newline="")
    return list(csv.reader(lines, delimiter=delimiter, quoting=mode, skipinitialspace=spaced, strict=strict))
