"""The size of an ODS workbook's sheets with repeated rows and cells expanded."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from xml.parsers import expat

from tablerag.ingestion.readers.archives import parse

__all__ = ["spanned_cells"]

TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")


def spanned_cells(path: Path) -> int:
    """Return the area from A1 to the last filled cell of the largest sheet, 0 without content.

    A few hundred bytes can repeat a filled row a million times, and python-calamine allocates memory for all of it on
    opening. Raises ExpatError for truncated XML.
    """
    with zipfile.ZipFile(path) as archive:
        if "content.xml" not in archive.namelist() or not archive.getinfo("content.xml").file_size:
            return 0
        extent = _Extent()
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = extent.enter
        with archive.open("content.xml") as file:
            parse(parser, file)
    return extent.largest()


class _Extent:
    """The filled rows and columns of the XML read so far."""

    def __init__(self) -> None:
        self._largest = self._bottom = self._right = self._row = self._column = 0

    def enter(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Record a start tag."""
        if tag in CELLS:
            self._column += _number(attributes, "number-columns-repeated")
            if f"{OFFICE}value-type" in attributes or f"{TABLE}formula" in attributes:
                self._right = max(self._right, self._column)
                self._bottom = self._row
        elif tag == f"{TABLE}table-row":
            self._row += _number(attributes, "number-rows-repeated")
            self._column = 0
        elif tag == f"{TABLE}table":
            self._largest = self.largest()
            self._row = self._bottom = self._right = 0

    def largest(self) -> int:
        """Return the area of the largest sheet so far."""
        return max(self._largest, self._bottom * self._right)


def _number(attributes: Mapping[str, str], name: str) -> int:
    value = attributes.get(f"{TABLE}{name}", "1")
    return int(value) if value.isdecimal() and len(value) < 12 else 1
