"""Makers of files that are broken, mislabelled or hostile; each returns the bytes of one file."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping

from docx import Document as new_docx
from openpyxl import Workbook
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

__all__ = [
    "archive",
    "csv_of",
    "docx",
    "encrypted_office",
    "encrypted_zip",
    "lying_zip",
    "ods",
    "ods_of_repeats",
    "parts_of",
    "pdf",
    "pdf_bomb",
    "sheet_xml",
    "xlsx",
    "zip_bomb",
]

ROWS = (("Region", "Amount"), ("North", 1), ("South", 2))
CONTENT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
    "<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
)
MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"


def csv_of(rows: object = ROWS) -> bytes:
    """Return rows as CSV in UTF-8."""
    return "".join(",".join(map(str, row)) + "\n" for row in rows).encode()


def xlsx(*sheets: object) -> bytes:
    """Return a workbook of sheets that are lists of rows."""
    workbook = Workbook(write_only=True)
    for rows in sheets or (ROWS,):
        sheet = workbook.create_sheet()
        for row in rows:
            sheet.append(list(row))
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def docx(paragraphs: int = 3) -> bytes:
    """Return a Word document of paragraphs and one table."""
    word = new_docx()
    for i in range(paragraphs):
        word.add_paragraph(f"Paragraph {i} tells of region {i * 7919 % 1000}.")
    table = word.add_table(rows=0, cols=2)
    for row in ROWS:
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = str(value)
    stream = io.BytesIO()
    word.save(stream)
    return stream.getvalue()


def ods(tables: str = "") -> bytes:
    """Return an OpenDocument workbook of tables in its own XML, one small table by default."""
    cells = "".join(
        "<table:table-row>"
        + "".join(f'<table:table-cell office:value-type="string"><text:p>{v}</text:p></table:table-cell>' for v in row)
        + "</table:table-row>"
        for row in ROWS
    )
    content = CONTENT.format(tables=tables or f'<table:table table:name="S">{cells}</table:table>')
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return archive({"mimetype": MIMETYPE, "content.xml": content, "META-INF/manifest.xml": manifest})


def ods_of_repeats(rows: int, columns: int) -> bytes:
    """Return an OpenDocument workbook whose one cell is said to stand in so many rows and columns."""
    cell = f'<table:table-cell table:number-columns-repeated="{columns}" office:value-type="float" office:value="1"/>'
    row = f'<table:table-row table:number-rows-repeated="{rows}">{cell}</table:table-row>'
    return ods(f'<table:table table:name="S">{row}</table:table>')


def sheet_xml(rows: str) -> bytes:
    """Return a workbook whose only sheet holds rows in SpreadsheetML."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'
    return parts_of(xlsx(), {"xl/worksheets/sheet1.xml": sheet})


def pdf(pages: int = 2, password: str | None = None, link: str = "") -> bytes:
    """Return a PDF with a line of text on each page, and a link to somewhere."""
    stream = io.BytesIO()
    canvas = Canvas(stream, encrypt=StandardEncryption(password, strength=128) if password else None)
    for i in range(pages):
        canvas.drawString(72, 720, f"Page {i + 1} says that the northern region sold 1200 units.")
        if link:
            canvas.linkURL(link, (72, 700, 300, 740))
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def pdf_bomb(megabytes: int) -> bytes:
    """Return a PDF of some kilobytes whose only page unpacks, twice compressed, to so much."""
    once = zlib.compressobj(9)
    packed = b"".join([*(once.compress(bytes(1 << 20)) for _ in range(megabytes)), once.flush()])
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>"
    twice = zlib.compress(packed, 9)
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        page,
        b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(twice), twice),
    ]
    return (
        b"%PDF-1.4\n"
        + b"".join(b"%d 0 obj\n%s\nendobj\n" % (i, b) for i, b in enumerate(bodies, 1))
        + (b"trailer << /Size 5 /Root 1 0 R >>\n%%EOF\n")
    )


def archive(members: Mapping[str, str | bytes]) -> bytes:
    """Return a ZIP archive of members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return stream.getvalue()


def parts_of(content: bytes, changed: Mapping[str, str | bytes | Callable[[bytes], bytes]]) -> bytes:
    """Return an archive anew with members changed, by a value or a function of the old one, or added."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        members: dict[str, str | bytes] = {name: file.read(name) for name in file.namelist()}
    for name, new in changed.items():
        members[name] = new(members[name]) if callable(new) else new  # type: ignore[arg-type]
    return archive(members)


def zip_bomb(megabytes: int, packed_as: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a workbook whose sheet unpacks to so much."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(stream, "w", packed_as) as file,
        file.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as member,
    ):
        member.write(b"<worksheet><sheetData>")
        for _ in range(megabytes):
            member.write(b" " * (1 << 20))
    return stream.getvalue()


def encrypted_zip(content: bytes) -> bytes:
    """Return an archive whose every member says that it is encrypted."""
    data = bytearray(content)
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(magic)
        while at >= 0:
            data[at + place] |= 1
            at = data.find(magic, at + 4)
    return bytes(data)


def lying_zip(content: bytes, member: str, size: int) -> bytes:
    """Return an archive whose headers state a member's unpacked size wrongly."""
    data = bytearray(content)
    name = member.encode()
    for magic, head, place in ((b"PK\x03\x04", 30, 22), (b"PK\x01\x02", 46, 24)):
        at = data.find(magic)
        while at >= 0:
            if data[at + head : at + head + len(name)] == name:
                struct.pack_into("<I", data, at + place, size)
            at = data.find(magic, at + 4)
    return bytes(data)


def encrypted_office() -> bytes:
    """Return an OLE file as Office writes it for a document with a password: two streams, both unreadable."""
    header = struct.pack(
        "<8s16sHHHHH6sIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6, bytes(6), 0, 1, 1, 0, 4096,
        0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0,
    )  # fmt: skip
    header += struct.pack("<108I", *[0xFFFFFFFF] * 108)
    chains = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, 10), 0xFFFFFFFE, *range(11, 18), 0xFFFFFFFE]
    fat = struct.pack("<128I", *chains, *[0xFFFFFFFF] * (128 - len(chains)))
    none = 0xFFFFFFFF
    entries = (
        _ole_entry("Root Entry", 5, none, none, 1, 0xFFFFFFFE, 0)
        + _ole_entry("EncryptedPackage", 2, 2, none, none, 2, 4096)
        + _ole_entry("EncryptionInfo", 2, none, none, none, 10, 4096)
        + bytes(128)
    )
    return header + fat + entries + bytes(range(256)) * 32


def _ole_entry(name: str, kind: int, left: int, right: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sI8s8sIQ", text, len(text) + 2, kind, 1, left, right, child, bytes(16), 0, bytes(8), bytes(8),
        start, size,
    )  # fmt: skip
