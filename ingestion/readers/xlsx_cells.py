"""Cells of worksheets and shared strings in the XML that spreadsheet programs write, at several times openpyxl's speed.

Whatever is written in another way raises OddXml and is left to openpyxl, so that both give the same cells.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast
from xml.parsers import expat

from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.reader.excel import ExcelReader
from openpyxl.utils.cell import column_index_from_string
from openpyxl.utils.datetime import from_excel
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from tablerag.ingestion.document import RawCell

__all__ = ["OddXml", "SheetRow", "WorkbookReader", "rows_of_sheet"]

PIECE_BYTES = 1_000_000
MEMO = 50_000
TOKEN = re.compile(
    r"<row ([^>]*)>"
    r'|<c r="([A-Z]{1,3})([0-9]{1,7})"(?: s="([0-9]{1,5})")?(?: t="([a-zA-Z]+)")?\s*(?:/>|>'
    r"(?:<f[^>]*/>|<f[^>]*>[^<]*</f>)?"
    r'(?:<v>([^<]*)</v>|<v/>|(<is>)<t(?: xml:space="preserve")?>([^<]*)</t></is>)?</c>)'
)
ROW = r'<row (?:[^>]* )?r="([1-9][0-9]{0,6})"[^>]*(?:/>|>%s</row>)'
REGULAR = (
    r'(?:<c r="%s\1"(?: s="([0-9]{1,5})")?(?: t="([a-zA-Z]+)")?(?:\s*/>|>'
    r'(?:(?<!inlineStr">)(?:<f[^>]*/>|<f[^>]*>[^<]*</f>))?'
    r'(?:(?:(?<!inlineStr">)<v>|(?<=inlineStr">)<is><t(?: xml:space="preserve")?>)([^<]*)(?:</v>|</t></is>)|<v/>)?'
    r"</c>))?"
)
"""Matches a row, and in it the cell of one column with its style, type and value."""
LETTERS = re.compile(r'<c r="([A-Z]{1,3})')
MOST_COLUMNS = 100
"""Rows of more columns are read cell by cell."""
STRING = re.compile(r'<si><t(?: xml:space="preserve")?>([^<]*)</t></si>|<si><t/></si>|<si/>')
ROW_NUMBER = re.compile(r'(?:^| )r="([0-9]{1,7})"')
REFERENCE = re.compile(r"&(?:#([0-9]+)|#x([0-9a-fA-F]+)|([a-z]+));")
TEXTS = ("s", "str", "inlineStr", "e")
"""Types of cells that openpyxl gives as text."""
NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
ERROR = "#ERROR"
"""Stands for a spreadsheet error, by identity."""
Given = Callable[[Any, str], RawCell]
"""Returns a cell's value from a number or time and its number format."""


class OddXml(Exception):
    """The XML is not as spreadsheet programs write it."""


class SheetRow(NamedTuple):
    """A row's values up to its last cell, its number of errors, and the indentation of its first filled cell."""

    values: list[RawCell]
    errors: int = 0
    indent: int | None = None


class WorkbookReader(ExcelReader):
    """openpyxl's reader of everything but the cells."""

    def read_strings(self) -> None:
        """Read the shared strings."""
        try:
            content = self.archive.read("xl/sharedStrings.xml")
            self.shared_strings = _strings(content)
        except (KeyError, OddXml):
            super().read_strings()

    def read_worksheets(self) -> None:
        """List the worksheets without parsing them for their size."""
        for sheet, relation in self.parser.find_sheets():
            if relation.target in self.valid_files and "chartsheet" in relation.Type:
                self.read_chartsheet(cast(Any, sheet), relation)
            elif relation.target in self.valid_files:
                listed: Any = _Listed(self.wb, sheet.name, relation.target, self.shared_strings)
                listed.sheet_state = sheet.state
                cast(Any, self.wb)._sheets.append(listed)


class _Listed(ReadOnlyWorksheet):
    def _get_size(self) -> None:
        """Leave the size open: rows have their real length."""


def _strings(content: bytes) -> list[str]:
    text = _checked(content)
    found = [_text(match[1] or "") for match in STRING.finditer(text)]
    if not found or len(found) != text.count("<si"):  # none: elements may have prefixes, as in <x:si>
        raise OddXml
    return [s.replace("x005F_", "") for s in found]


def rows_of_sheet(sheet: ReadOnlyWorksheet, content: bytes, given: Given) -> Iterator[SheetRow]:
    """Yield all rows of a worksheet, from the first on, out of its XML. Raises OddXml at any point."""
    _check_plain(content)
    start = content.find(b"<sheetData>") + len("<sheetData>")
    end = content.find(b"</sheetData>", start)
    if start < len("<sheetData>") or end < 0:
        raise OddXml
    # Not its rows: the patterns match them whole, or they are parsed before they are read cell by cell.
    _check_form(content[:start] + content[end:])
    cells = _Cells(sheet, given)
    while start < end:
        cut = content.find(b"</row>", min(start + PIECE_BYTES, end), end)
        stop = end if cut < 0 else cut + len("</row>")
        yield from cells.rows(_decoded(content[start:stop]))
        start = stop


def _checked(content: bytes) -> str:
    _check_plain(content)
    _check_form(content)
    return _decoded(content)


def _check_plain(content: bytes) -> None:
    """Raise OddXml for XML with comments, sections or declarations, or in another encoding than UTF-8."""
    encoding = re.search(rb"encoding=[\"']([^\"']*)", content[:200])
    if b"<!" in content or (encoding and encoding[1].upper() != b"UTF-8"):
        raise OddXml


def _decoded(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise OddXml from error


def _check_form(content: bytes) -> None:
    """Raise OddXml for XML that is not well-formed."""
    try:
        expat.ParserCreate().Parse(content, True)
    except expat.ExpatError as error:
        raise OddXml from error


class _Cells:
    """Reads the cells of one sheet."""

    def __init__(self, sheet: ReadOnlyWorksheet, given: Given) -> None:
        self._sheet, self._given = sheet, given
        self._strings: Sequence[str] = sheet._shared_strings  # pyright: ignore[reportAttributeAccessIssue]
        self._book: Any = sheet.parent
        self._styles: dict[str, ReadOnlyCell] = {}
        self._columns: dict[str, int] = {}
        self._plain: dict[str, bool] = {}
        self._dates: dict[tuple[str, str], RawCell] = {}
        self._number = 0
        self._regular: tuple[list[int], re.Pattern[str]] | None = None

    def rows(self, text: str) -> Iterator[SheetRow]:
        """Yield the rows of a piece of XML that ends with one, and those that are left out before each."""
        yield from self._by_column(text) or self._by_cell(text)

    def _by_column(self, text: str) -> list[SheetRow]:
        """Return the rows of a piece whose cells are all in the order of their columns, else none.

        A pattern for the whole row, made for the sheet's columns, leaves a loop over columns only.
        """
        for _ in range(2):
            if self._regular is None:
                self._regular = self._pattern(text)
            places, pattern = self._regular
            found = pattern.findall(text) if places else []
            ended = text.count("</row><row ") + text.count("/><row ") + 1
            if found and ended == len(found) and text.startswith("<row ") and text.endswith("</row>"):
                break
            self._regular = None
        else:
            return []
        numbers, *groups = zip(*found, strict=True)
        numbers = [int(n) for n in numbers]
        if any(a >= b for a, b in pairwise([self._number, *numbers])):
            return []
        if any(self._indent(s) for styles in groups[::3] for s in set(styles) if s):
            return []
        columns: list[Sequence[RawCell]] = [[None] * len(numbers)] * (places[-1] + 1)
        try:
            for i, place in enumerate(places):
                columns[place] = self._column(*groups[3 * i : 3 * i + 3])
        except (ValueError, IndexError) as error:
            raise OddXml from error
        rows: list[SheetRow] = []
        for number, values in zip(numbers, zip(*columns, strict=True), strict=True):
            rows += [SheetRow([]) for _ in range(self._number + 1, number)]
            self._number = number
            errors = sum(v is ERROR for v in values) if ERROR in values else 0
            rows.append(SheetRow([None if v is ERROR else v for v in values] if errors else [*values], errors))
        return rows

    def _pattern(self, text: str) -> tuple[list[int], re.Pattern[str]]:
        """Return the places of the columns in a piece, and the pattern of a row with cells in them."""
        letters = sorted(set(LETTERS.findall(text)), key=column_index_from_string)
        if len(letters) > MOST_COLUMNS:
            letters = []
        pattern = ROW % "".join(REGULAR % c for c in letters)
        return [column_index_from_string(c) - 1 for c in letters], re.compile(pattern)

    def _column(self, styles: Sequence[str], kinds: Sequence[str], stored: Sequence[str]) -> list[RawCell]:
        """Return the values of a column's cells; ERROR for an error."""
        if len(set(styles)) == len(set(kinds)) == 1 and "" not in stored:
            style, kind = styles[0] or "0", kinds[0]
            if kind == "s":
                return [*map(self._strings.__getitem__, map(int, stored))]
            if kind in ("str", "inlineStr"):
                joined = "".join(stored)
                return [*(map(_text, stored) if "&" in joined or "\r" in joined else stored)]
            if kind in ("", "n") and self._is_plain(style):
                return [float(s) if "." in s or "E" in s or "e" in s else int(s) for s in stored]
        value = self._value
        return [
            value(style or "0", kind, text, text if kind == "inlineStr" else None)
            for style, kind, text in zip(styles, kinds, stored, strict=True)
        ]

    def _by_cell(self, text: str) -> Iterator[SheetRow]:
        """Yield the rows of any piece."""
        _check_form(f"<sheetData>{text}</sheetData>".encode())
        tokens = TOKEN.findall(text)
        if len(tokens) != text.count("<row") + text.count("<c"):
            raise OddXml
        row: SheetRow | None = None
        for attributes, letters, number, style, kind, stored, is_inline, inline in tokens:
            if not letters:
                if row:
                    yield row
                left_out, row = self._opened(attributes)
                yield from left_out
                continue
            place = self._columns.get(letters)
            if place is None:
                place = self._columns[letters] = column_index_from_string(letters) - 1
            if row is None or int(number) != self._number or place < len(row.values):
                raise OddXml
            if place > len(row.values):
                row.values.extend([None] * (place - len(row.values)))
            try:
                value = self._value(style or "0", kind, stored, inline if is_inline else None)
            except (ValueError, IndexError) as error:
                raise OddXml from error
            if value is ERROR:
                row = row._replace(errors=row.errors + 1)
            if row.indent is None and value is not None:
                row = row._replace(indent=self._indent(style) if style and kind in TEXTS else 0)
            row.values.append(None if value is ERROR else value)
        if row:
            yield row

    def _opened(self, attributes: str) -> tuple[list[SheetRow], SheetRow]:
        """Return the rows without XML before a row, and the row."""
        found = ROW_NUMBER.search(attributes)
        before, self._number = self._number, int(found[1]) if found else 0
        if self._number <= before:
            raise OddXml
        return [SheetRow([]) for _ in range(before + 1, self._number)], SheetRow([])

    def _value(self, style: str, kind: str, stored: str, inline: str | None) -> RawCell:
        """Return a cell's value; ERROR for an error."""
        if kind == "inlineStr":
            return None if inline is None else _text(inline)
        if kind == "e":
            return ERROR
        if not stored:
            return None
        if kind == "s":
            return self._strings[int(stored)]
        if kind in ("", "n"):
            number = float(stored) if "." in stored or "E" in stored or "e" in stored else int(stored)
            return number if self._is_plain(style) else self._formatted(style, stored, number)
        if kind == "str":
            return _text(stored)
        if kind == "b":
            return bool(int(stored))
        raise OddXml

    def _is_plain(self, style: str) -> bool:
        """Return whether numbers of a style are only numbers."""
        if style not in self._plain:
            is_general = self._style(style).number_format == "General"
            self._plain[style] = is_general and int(style) not in self._book._date_formats
        return self._plain[style]

    def _formatted(self, style: str, stored: str, number: int | float) -> RawCell:
        """Return the value of a number with a format; ERROR if it is a date out of range."""
        number_format = self._style(style).number_format
        if int(style) not in self._book._date_formats:
            return self._given(number, number_format)
        key = style, stored
        if key not in self._dates:
            if len(self._dates) >= MEMO:
                self._dates.clear()
            spans = int(style) in self._book._timedelta_formats
            try:
                moment = from_excel(number, self._book.epoch, timedelta=spans)
                self._dates[key] = self._given(moment, number_format)
            except (OverflowError, ValueError):
                self._dates[key] = ERROR
        return self._dates[key]

    def _style(self, style: str) -> ReadOnlyCell:
        cell = self._styles.get(style)
        if cell is None:
            cell = self._styles[style] = ReadOnlyCell(self._sheet, 1, 1, None, style_id=int(style))
        return cell

    def _indent(self, style: str) -> int:
        return int(self._style(style).alignment.indent or 0) if int(style) else 0


def _text(raw: str) -> str:
    """Return the text of an XML element without elements inside."""
    if "\r" in raw:
        raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    return REFERENCE.sub(_referred, raw) if "&" in raw else raw


def _referred(match: re.Match[str]) -> str:
    if match[3]:
        return NAMED[match[3]]
    return chr(int(match[1]) if match[1] else int(match[2], 16))
