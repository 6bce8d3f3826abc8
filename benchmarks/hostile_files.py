"""The hostile files of benchmarks.hostile_folder by kind: a name and what makes the file's bytes."""

import gzip
import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from email.message import EmailMessage

from benchmarks.hostile_pdfs import pdfs

__all__ = ["GROUPS", "Files"]

Part = str | bytes
Files = dict[str, Callable[[], Part]]
MB = 1_000_000
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
ODF = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "text", "table"))
LAUGHS = (
    "<!DOCTYPE l [<!ENTITY a0 'lol'>" + "".join(f"<!ENTITY a{i} '{f'&a{i - 1};' * 10}'>" for i in range(1, 10)) + "]>"
)


def zipped(parts: Mapping[str, Part], first: str = "") -> bytes:
    """Return a ZIP archive; the part called ``first`` is stored, before the others."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for name in sorted(parts, key=lambda n: n != first):
            kind = zipfile.ZIP_STORED if name == first else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), parts[name], kind)  # which has no time of its own
    return out.getvalue()


def _office(kind: str, part: str, rels: Mapping[str, str] | None = None, **parts: Part) -> bytes:
    """Return an Office file with a main part and others, whose names have __ for a slash."""
    links = "".join(
        f'<Relationship Id="r{i}" Type="{REL}/{k}" Target="{t}"/>' for i, (t, k) in enumerate((rels or {}).items())
    )
    folder, _, base = part.rpartition("/")
    begin = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    return zipped({
        "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/{part}" ContentType="application/vnd.openxmlformats-officedocument.{kind}.main+xml"/>'
        "</Types>",
        "_rels/.rels": f'{begin}<Relationship Id="r" Type="{REL}/officeDocument" Target="{part}"/></Relationships>',
        f"{folder}/_rels/{base}.rels": f"{begin}{links}</Relationships>",
        **{n.replace("__", "/") + ".xml": data for n, data in parts.items()},
    })  # fmt: skip


def docx(body: str, before: str = "") -> bytes:
    """Return a Word document with this body."""
    whole = f"<?xml version='1.0'?>{before}<w:document {W}><w:body>{body}</w:body></w:document>"
    return _office("wordprocessingml.document", "word/document.xml", word__document=whole)


def xlsx(rows: str, after: str = "", strings: str = "", name: str = "S", before: str = "") -> bytes:
    """Return a workbook with one sheet."""
    book = f'<workbook {SHEET} xmlns:r="{REL}"><sheets><sheet name="{name}" sheetId="1" r:id="r0"/></sheets></workbook>'
    sheet = f"<worksheet {SHEET}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>"
    rels = {"worksheets/sheet1.xml": "worksheet"} | ({"sharedStrings.xml": "sharedStrings"} if strings else {})
    more = {"xl__sharedStrings": f"<sst {SHEET}>{strings}</sst>"} if strings else {}
    return _office(
        "spreadsheetml.sheet", "xl/workbook.xml", rels, xl__workbook=book, xl__worksheets__sheet1=sheet, **more
    )


def odf(kind: str, body: str) -> bytes:
    """Return an OpenDocument file."""
    content = f"<office:document-content {ODF}><office:body>{body}</office:body></office:document-content>"
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "META-INF/manifest.xml": "<m/>",
        },
        "mimetype",
    )


def epub(page: str, title: str = "t") -> bytes:
    """Return a book with one page."""
    return zipped({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
        "c.opf": f'<package xmlns="http://www.idpf.org/2007/opf"><metadata><title>{title}</title></metadata><manifest>'
        '<item id="p" href="p.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="p"/></spine>'
        "</package>",
        "p.xhtml": f"<html xmlns='http://www.w3.org/1999/xhtml'><body>{page}</body></html>",
    }, "mimetype")  # fmt: skip


def pptx(shapes: str, count: int = 1) -> bytes:
    """Return a presentation whose slides are all the same."""
    p = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ids = "".join(f'<p:sldId id="{256 + i}" r:id="r{i}"/>' for i in range(count))
    slide = f"<p:sld {p} {a}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
    return _office(
        "presentationml.presentation", "ppt/presentation.xml", {f"slides/s{i}.xml": "slide" for i in range(count)},
        ppt__presentation=f'<p:presentation {p} xmlns:r="{REL}"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>',
        **{f"ppt__slides__s{i}": slide for i in range(count)},
    )  # fmt: skip


def _cells(count: int, value: str = '<c t="s"><v>0</v></c>', row: int = 100) -> str:
    return f"<row>{value * row}</row>" * (count // row)


def _shape(text: str) -> str:
    return f"<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"


def _table(row: str, count: int) -> str:
    return f"<w:tbl>{row * count}</w:tbl>"


def _within(tag: str, content: str) -> str:
    return f"<office:text><{tag}>{content}</{tag}></office:text>"


def _repeated(kind: str, rows: int, columns: int) -> str:
    return (
        f'<office:{kind}><table:table table:name="t"><table:table-row table:number-rows-repeated="{rows}">'
        f'<table:table-cell office:value-type="string" table:number-columns-repeated="{columns}"><text:p>x</text:p>'
        f"</table:table-cell></table:table-row></table:table></office:{kind}>"
    )


def _office_files(_: random.Random) -> Files:
    merges = "".join(f'<mergeCell ref="A{i}:B{i}"/>' for i in range(1, 500_000))
    span, one = '<w:gridSpan w:val="99999999"/>', '<row r="1"><c r="A1"><v>1</v></c></row>'
    long = f"<si><t>{'long text ' * 30_000}</t></si>"
    return {
        "many paragraphs.docx": lambda: docx("<w:p><w:r><w:t>word</w:t></w:r></w:p>" * 1_100_000),
        "one run.docx": lambda: docx(f"<w:p><w:r><w:t>{'word ' * 9_000_000}</w:t></w:r></w:p>"),
        "one word.docx": lambda: docx(f"<w:p><w:r><w:t>{'w' * 45 * MB}</w:t></w:r></w:p>"),
        "deep tables.docx": lambda: docx("<w:tbl><w:tr><w:tc>" * 5000 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 5000),
        "wide table.docx": lambda: docx(_table("<w:tr>" + "<w:tc><w:p/></w:tc>" * 5000 + "</w:tr>", 300)),
        "spans.docx": lambda: docx(_table(f"<w:tr><w:tc><w:tcPr>{span}</w:tcPr><w:p/></w:tc></w:tr>", 1)),
        "laughs.docx": lambda: docx("<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>", LAUGHS),
        "dimension.xlsx": lambda: xlsx("<row><c><v>1</v></c></row>", before='<dimension ref="A1:XFD1048576"/>'),
        "corners.xlsx": lambda: xlsx(f'{one}<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'),
        "merged over all.xlsx": lambda: xlsx(one, '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
        "many merges.xlsx": lambda: xlsx(_cells(10_000, "<c><v>1</v></c>"), f"<mergeCells>{merges}</mergeCells>"),
        "million strings.xlsx": lambda: xlsx(_cells(100_000), strings="<si><t>abc</t></si>" * 2_400_000),
        "one string.xlsx": lambda: xlsx(_cells(1_900_000), strings=f"<si><t>{'s' * 5 * MB}</t></si>"),
        "long strings.xlsx": lambda: xlsx(_cells(200_000), strings=long * 100),
        "all cells.xlsx": lambda: xlsx(_cells(2_900_000, "<c><v>1</v></c>", 16_000)),
        "inline.xlsx": lambda: xlsx(_cells(40, f'<c t="inlineStr"><is><t>{"i" * MB}</t></is></c>', 4)),
        "name.xlsx": lambda: xlsx("<row><c><v>1</v></c><c><v>2</v></c></row>" * 9, name="n" * 5 * MB),
        "laughs.xlsx": lambda: xlsx("<row/>", strings=f"{LAUGHS}<si><t>&a9;</t></si>"),
        "huge slide.pptx": lambda: pptx(_shape("t" * 40 * MB)),
        "many shapes.pptx": lambda: pptx(_shape("t") * 500_000),
        "many slides.pptx": lambda: pptx(_shape("slide text"), 9000),
        "repeated.ods": lambda: odf("spreadsheet", _repeated("spreadsheet", 1_048_576, 16_384)),
        "repeated.odt": lambda: odf("text", _repeated("text", 99_999_999, 99_999_999)),
        "spaces.odt": lambda: odf("text", _within("text:p", '<text:s text:c="999999999"/>' * 100)),
        "deep.odt": lambda: odf("text", _within("text:p", "<text:section>" * 100_000 + "</text:section>" * 100_000)),
        "many paragraphs.odt": lambda: odf("text", _within("text:section", "<text:p>word</text:p>" * 2_200_000)),
        "huge page.epub": lambda: epub("<p>book</p>" * 4_000_000),
        "title.epub": lambda: epub("<p>text</p>", "t" * 30 * MB),
    }  # fmt: skip


def _xml_files(_: random.Random) -> Files:
    return {
        "laughs.xml": lambda: f"{LAUGHS}<l>&a9;</l>",
        "quadratic.xml": lambda: f"<!DOCTYPE l [<!ENTITY a '{'a' * MB}'>]><l>{'&a;' * 50_000}</l>",
        "outside.xml": lambda: "<!DOCTYPE l [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><l><r><v>&a;</v></r></l>",
        "laughs.svg": lambda: f"{LAUGHS}<svg xmlns='http://www.w3.org/2000/svg'><text>&a9;</text></svg>",
        "deep.xml": lambda: "<a>" * 1_000_000 + "</a>" * 1_000_000,
        "attributes.xml": lambda: "<a " + " ".join(f"a{i}='1'" for i in range(1_000_000)) + "/>",
        "elements.xml": lambda: f"<a>{'<b><c>1</c></b>' * 3_000_000}</a>",
        "names.xml": lambda: f"<a>{''.join(f'<r><n{i}>1</n{i}></r>' for i in range(500_000))}</a>",
        "text.xml": lambda: f"<a><b><c>{'t' * 50 * MB}</c></b></a>",
        "deep.json": lambda: "[" * 5_000_000,
        "closed.json": lambda: '{"a":' * 1_000_000 + "1" + "}" * 1_000_000,
        "keys.json": lambda: json.dumps([{f"k{i}": i} for i in range(500_000)]),
        "objects.json": lambda: "[" + ",".join(['{"a":{"b":[{}]}}'] * 3_000_000) + "]",
        "text.json": lambda: json.dumps([{"a": "t" * 50 * MB}]),
        "digits.json": lambda: f'[{{"a": {"9" * 5 * MB}}}]',
        "header.json": lambda: json.dumps([{"k" * 20 * MB: i} for i in range(2)]),
        "line.jsonl": lambda: '{"a":"' + "t" * 60 * MB + '"}\n',
        "nested.jsonl": lambda: ('{"a":' * 900 + "1" + "}" * 900 + "\n") * 5000,
        "deep.html": lambda: "<html><body>" + "<div>" * 500_000 + "deep",
        "tables.html": lambda: "<html><body>" + "<table><tr><td>" * 20_000 + "x",
        "spans.html": lambda: "<html><body><table>" + "<tr>" + "<td colspan=1000 rowspan=65534>x" * 400 + "</table>",
        "word.html": lambda: f"<html><body><p>{'w' * 60 * MB}</p></body></html>",
        "title.html": lambda: f"<html><title>{'t ' * 15 * MB}</title><body><h1>{'h' * 20 * MB}</h1><p>text</p>",
        "cells.html": lambda: f"<html><body><table>{('<tr>' + '<td>1' * 300) * 9000}</table></body></html>",
        "attribute.html": lambda: f"<html><body><p class='{'c' * 50 * MB}'>text</p></body></html>",
        "entities.html": lambda: f"<html><body><p>{'&amp;' * 10_000_000}</p></body></html>",
    }  # fmt: skip


def _text_files(chance: random.Random) -> Files:
    return {
        "cell.csv": lambda: f"name,text\nx,{'t' * 50 * MB}\ny,2\n",
        "many cells.csv": lambda: "name,text\n" + f"x,{'words and ' * 500_000}\n" * 12,
        "columns.csv": lambda: "\n".join(",".join(f"{w}{i}" for i in range(100_000)) for w in ("column", "", "")),
        "header.csv": lambda: f"{'h' * 30 * MB},b\n1,2\n3,4\n",
        "unequal.csv": lambda: "\n".join(",".join(["1"] * chance.randrange(400)) for _ in range(40_000)),
        "nul.csv": lambda: b"a,b\n" + b"1\0,\0\n" * 1_000_000,
        "quote.csv": lambda: 'a,b\n"' + "1,2\n" * 12_000_000,
        "quotes.csv": lambda: "a,b\n" + '""""""""' * 6_000_000,
        "separators.csv": lambda: "a,b\n" + "," * 50 * MB,
        "line.csv": lambda: "1,2;" * 15_000_000,
        "rows.csv": lambda: "a,b\n" + "1,2\n" * 10_000_000,
        "same text.csv": lambda: "a,b\n" + f"{'same text ' * 60},1\n" * 100_000,
        "breaks.tsv": lambda: "\r" * 20 * MB,
        "noise.csv": lambda: chance.randbytes(10 * MB),
        "line.txt": lambda: "x" * 90 * MB,
        "words.txt": lambda: "word " * 15_000_000,
        "breaks.txt": lambda: "a\n" * 30_000_000,
        "sentences.txt": lambda: "A. " * 20_000_000,
        "combining.txt": lambda: "e" + "\u0301" * 20_000_000,
        "noise.txt": lambda: chance.randbytes(5 * MB),
        "heading.md": lambda: "# " + "h" * 20 * MB + "\n\ntext\n",
        "quotes.md": lambda: ">" * 1_000_000 + " deep",
        "lists.md": lambda: "".join(" " * i + "* a\n" for i in range(5000)),
        "links.md": lambda: "[" * 200_000 + "](" * 200_000,
        "stars.md": lambda: "**a *b " * 300_000,
        "table.md": lambda: "| a " * 20_000 + "|\n" + "| --- " * 20_000 + "|\n" + ("| 1 " * 20_000 + "|\n") * 50,
        "groups.rtf": lambda: "{\\rtf1 " + "{" * 5_000_000,
        "text.rtf": lambda: "{\\rtf1 " + "word " * 15_000_000 + "}",
        "cells.rtf": lambda: "{\\rtf1 " + "\\trowd" + "\\cellx1" * 100_000 + "\\intbl 1\\cell" * 2_000_000 + "\\row}",
        "binary.rtf": lambda: "{\\rtf1 \\bin99999999999 text}",
    }  # fmt: skip


def _archives(_: random.Random) -> Files:
    def nested(depth: int) -> bytes:
        inner = nested(depth - 1) if depth else b"a\n1\n" * 999_999
        return zipped({f"{i}.zip": inner for i in range(6)} if depth else {"a.csv": inner})

    def changed(data: bytes, at: bytes, offset: int, byte: int) -> bytes:
        found = data.find(at) + offset
        return data[:found] + bytes([byte]) + data[found + 1 :]

    few = zipped({"a.csv": "a,b\n1,2\n"})
    outside = "../../../../tmp/outside.csv", "/etc/outside.csv", "C:\\x.csv"
    return {
        "bomb.zip": lambda: zipped({"a.csv": bytes(300 * MB)}),
        "below.zip": lambda: zipped({f"{i}.csv": "name,n\n" + "abcdef,1\n" * 1_300_000 for i in range(4)}),
        "texts.zip": lambda: zipped({f"{i}.txt": "same words " * 1_100_000 for i in range(4)}),
        "nested.zip": lambda: nested(5),
        "twice.zip": lambda: zipped({"b.zip": zipped({"c.zip": zipped({"d.zip": zipped({"e.zip": few})})})}),
        "members.zip": lambda: zipped({f"{i}.txt": f"text {i}" for i in range(20_000)}),
        "outside.zip": lambda: zipped(dict.fromkeys(outside, "a\n1\n")),
        "long name.zip": lambda: zipped({"n" * 60_000 + ".csv": "a,b\n1,2\n"}),
        "truncated.zip": lambda: few[:-10],
        "encrypted.zip": lambda: changed(changed(few, b"PK\1\2", 8, 1), b"PK\3\4", 6, 1),
        "method.zip": lambda: changed(changed(few, b"PK\1\2", 10, 99), b"PK\3\4", 8, 99),
        "bomb.csv.gz": lambda: gzip.compress(bytes(300 * MB), 1, mtime=0),
        "below.csv.gz": lambda: gzip.compress(b"a,b\n" + b"1,2\n" * 12_000_000, 1, mtime=0),
        "word.txt.gz": lambda: gzip.compress(b"x" * 49 * MB, 1, mtime=0),
        "truncated.csv.gz": lambda: gzip.compress(b"a,b\n1,2\n" * 9, mtime=0)[:-9],
    }  # fmt: skip


def _mail(parts: int, depth: int = 0, body: str = "text") -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "s" * 900, "a@b.example"
    mail.set_content(body)
    for i in range(parts):
        mail.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename=f"{i}.csv")
    if parts:
        mail.set_boundary("boundary")
    data = mail.as_bytes()
    for _ in range(depth):
        data = b'Content-Type: message/rfc822\nContent-Disposition: attachment; filename="m.eml"\n\n' + data
    return data


def _other_files(chance: random.Random) -> Files:
    rows, many = zlib.compress(bytes(9 * MB)), b"\x19\xfc\xff\xff\xff\x0f" * 99
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d))
        for k, d in ((b"IHDR", struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)), (b"IDAT", rows))
    )
    boundary = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n"
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    return {
        "program.pdf": lambda: b"MZ\x90\0" + chance.randbytes(MB),
        "archive.csv": lambda: zipped({"a.csv": "a\n1\n"}),
        "page.xlsx": lambda: "<html><body>no workbook</body></html>",
        "pdf.docx": lambda: "%PDF-1.4 none",
        "picture.csv": lambda: png,
        "huge.png": lambda: png,
        "empty.csv": lambda: b"",
        "noise.xls": lambda: ole + chance.randbytes(MB),
        "noise.doc": lambda: ole + b"\xff" * MB,
        "noise.msg": lambda: ole + bytes(MB),
        "encrypted.docx": lambda: ole + "EncryptedPackage".encode("utf-16-le") * 99,
        "absurd.parquet": lambda: b"PAR1" + chance.randbytes(999) + b"\xff\xff\xff\x7fPAR1",
        "metadata.parquet": lambda: b"PAR1\x15\xfe\xff\xff\xff\x0f" + many + struct.pack("<I", 600) + b"PAR1",
        "nested.eml": lambda: _mail(1, 400),
        "attachments.eml": lambda: _mail(3000),
        "text.eml": lambda: _mail(0, 0, "word " * 9_000_000),
        "subject.eml": lambda: b"Subject: " + b"s" * 30 * MB + b"\n\ntext\n",
        "boundaries.eml": lambda: b"".join(boundary % (i, i) for i in range(3000)),
    }  # fmt: skip


def _names(_: random.Random) -> Files:
    odd = (
        "\u202etxt.exe",
        "🙂🙃",
        "new\nline",
        "-rf",
        "'; DROP TABLE x; --",
        "a" * 200,
        "[bold]red",
        "\u0639\u0631\u0628\u064a",
        "tab\tand\x1b[31m",
    )
    return {f"{name}.csv": lambda i=i: f"name,number {i}\nx,{i}\ny,2\n" for i, name in enumerate(odd)}  # fmt: skip


GROUPS: dict[str, Callable[[random.Random], Files]] = {
    "pdf": pdfs,
    "office": _office_files,
    "markup": _xml_files,
    "text": _text_files,
    "archives": _archives,
    "other": _other_files,
    "names": _names,
}
