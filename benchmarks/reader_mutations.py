"""Mutations of files for benchmarks.reader_fuzz: of bytes, and of what a format is made of.

An archive is packed again with parts changed, exchanged, doubled or left out, and a PDF with its streams compressed
again, as their checksums would refuse most other changes. XML and HTML are changed by tags, attributes and texts, text
by lines, separators and encodings, PDFs by numbers, references and streams.
"""

import io
import random
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable

__all__ = ["mutated"]

PIECES = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b",", b";", b"\t", b"\n", b"\r\n", b"|", b"<", b">",
    b"&#0;", b"&#xD800;", b"[", b"]", b"(", b")", b"1e999", b"NaN",
    b"<table>", b"</td>", b"<tr>", b' colspan="99999"', b' rowspan="0"', b"-1", b"99999999999999999999",
    b"0000-00-00", b"2024-02-30", b"=1/0", b"#REF!", b"\xe2\x80\xae", b"<<", b">>", b"endobj", b"0 R",
)  # fmt: skip
NUMBERS = (
    "-1", "0", "00", "1", "255", "16385", "65536", "1048577", "2147483648", "-2147483649", "1000000000", "2958466",
    "99999999999999999999", "1e308", "-1e308", "1e-320", "1e999", "NaN", "inf", "0x10", "1.5", "", " ",
    "١٢", "²", "9" * 5000,
)  # fmt: skip
PLACES = ("XFD1048576", "XFE1", "A0", "A1048577", "AAAA1", "ZZZZZZZ1", "A99999999999", "1A", "a1", "A", "$B$2", "")
RANGES = ("A1:XFD1048576", "A1:B2", "B2:A1", "B1:C3", "A1:A1", "C1:C9999999", "XFD1:XFD9", "A1", ":")
TEXTS = (
    "", " ", "\u202e", "\u0000", "🙂", "e\u0301" * 50, "x" * 100_000, "1e999", "-", "31.02.2024", "99999-99-99",
    "25:61:61", "(1,234.5)", "1.234.567,89-", "%", "€", "12%%", "NaN", "n/a", "TRUE", "9" * 400, "0." + "0" * 400 + "1",
    "&amp;", "\r", "|",
)  # fmt: skip
FORMATS = (
    "General",
    "@",
    "0",
    "yyyy-mm-dd",
    "[h]:mm:ss",
    "[$€-407]#,##0.00",
    "0%",
    "[",
    '"',
    "[Red]",
    "0,,,,,,,",
    "\\",
    ";;;",
)
ENCODINGS = (
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "utf-7",
    "cp1252",
    "cp037",
    "shift_jis",
    "gb18030",
    "utf-8-sig",
)
MARKS = (
    '<mergeCells><mergeCell ref="A1:XFD1048576"/><mergeCell ref="A1:C3"/></mergeCells>', "<table><tr><td>", "</table>",
    "<![CDATA[", "<!--", "-->", "<?x?>", "</", "<w:tbl><w:tr><w:tc>", "<p/>", "<tr/>", "<row/>", "<c/>", "<si/>",
    "<t/>", "\0", "&nope;", "&#0;", "&#x110000;",
)  # fmt: skip
LINES = (
    "|" * 100_000, "> " * 5_000, "- " * 5_000, "[" * 50_000, "*" * 50_000, "`" * 9_999, "#" * 500, "<table>" * 3_000,
    "<div>" * 9_000, "|-" * 20_000, "![](" * 9_000, "&" * 50_000, "\\" * 50_000, "---", "===", "```", "~~~", "<!--",
    "$$", "<!DOCTYPE html><table><tr><td>",
)  # fmt: skip
PDF_PARTS = (
    (rb"/MediaBox ?\[[^\]]*\]", b"/MediaBox [0 0 1e30 -1e30]"),
    (rb"/MediaBox ?\[[^\]]*\]", b"/MediaBox [0 0 0 0]"),
    (rb"/Kids ?\[[^\]]*\]", b"/Kids [1 0 R 2 0 R 3 0 R 1 0 R]"),
    (rb"/Prev \d+", b"/Prev 0"),
    (rb"startxref\s+\d+", b"startxref\n0"),
    (rb"trailer", b"trailer<</Prev 9>>trailer"),
    (rb"/Filter ?\[?[^\]/]*/\w+", b"/Filter [/FlateDecode /FlateDecode"),
    (rb"/Filter ?/\w+", b"/Filter /LZWDecode"),
    (rb"/Filter ?/\w+", b"/Filter /RunLengthDecode"),
    (rb"/Encoding ?/\w+", b"/Encoding << /Differences [0 /a -1 /b 99999999 /c] >>"),
    (rb"/Rotate \d+", b"/Rotate 45"),
    (rb"/Type ?/Page\b", b"/Type /Pages /Kids [3 0 R]"),
    (rb"/Type ?/Page\b", b"/Type /Page /Rotate 7 /UserUnit 1e9"),
    (rb"/Parent \d+ 0 R", b"/Parent 3 0 R"),
    (rb"/Length \d+", b"/Length 5 0 R"),
)
"""Patterns of a PDF's entries, with what may replace them."""
PDF_STREAM = re.compile(rb"stream\r?\n(.+?)\r?\nendstream", re.DOTALL)
PDF_OBJECT = re.compile(rb"\d+ 0 obj\b(.*?)endobj", re.DOTALL)
TAG = re.compile(r"<[^>]*>|[^<]+|<")
ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(["'])(.*?)\2""", re.DOTALL)
NAME = re.compile(r"[^\s</>]+")
PLACE = re.compile(r"[A-Z]{1,3}\d+")
ARCHIVES = (".docx", ".ods", ".xlsm", ".xlsx")
MARKUP = (".htm", ".html", ".xhtml")
LISTED = (".csv", ".tsv", ".txt", ".md", ".markdown")
MOST = 8_000_000
"""The most bytes of a mutation: larger files only take time."""


def mutated(data: bytes, suffix: str, chance: random.Random) -> bytes:
    """Return a mutation of a file, of its structure more often than of its bytes."""
    if suffix in ARCHIVES and chance.random() < 0.85:
        return _archive(data, chance)
    if suffix == ".pdf" and chance.random() < 0.75:
        return _several(data, _pdf, chance)
    if suffix in MARKUP and chance.random() < 0.75:
        return _markup(data, chance)
    if suffix in LISTED and chance.random() < 0.75:
        return _several(data, _lines, chance)
    return _bytes(data, chance)


def _several(data: bytes, change: Callable[[bytes, random.Random], bytes], chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 5))):
        changed = change(data, chance)
        data = changed if len(changed) <= MOST else data
    return data


def _bytes(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        start = chance.randrange(len(made) + 1)
        length = chance.choice((1, 4, 64, 1024))
        match chance.randrange(6):
            case 0:
                for place in range(start, min(start + chance.choice((1, 8)), len(made))):
                    made[place] ^= 1 << chance.randrange(8)
            case 1:
                made[start : start + length] = chance.choice(PIECES)
            case 2:
                made[start:start] = chance.choice(PIECES) * chance.choice((1, 2, 50))
            case 3:
                other = chance.randrange(len(made) + 1)
                made[start : start + length], made[other : other + length] = (
                    made[other : other + length],
                    made[start : start + length],
                )
            case 4:
                made[start:start] = made[start : start + length] * chance.choice((1, 10))
            case _:
                if chance.random() < 0.3:
                    del made[start:]
    return bytes(made)


def _archive(data: bytes, chance: random.Random) -> bytes:
    """Return an archive with parts changed, exchanged, doubled or left out."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [(name, archive.read(name)) for name in archive.namelist()]
    except (zipfile.BadZipFile, RuntimeError, zlib.error, NotImplementedError):
        parts = []
    if not parts:
        return _bytes(data, chance)
    for _ in range(chance.choice((1, 1, 2, 3))):
        # Tables and text are in few parts; the others are small and many.
        content = [i for i, (n, _) in enumerate(parts) if re.search(r"sheet\d*\.xml$|document\.xml$|content\.xml$", n)]
        i = chance.choice(content) if content and chance.random() < 0.6 else chance.randrange(len(parts))
        name, part = parts[i]
        match chance.randrange(10):
            case 0:
                other = chance.randrange(len(parts))
                parts[i], parts[other] = (name, parts[other][1]), (parts[other][0], part)
            case 1:
                parts.append((name, _markup(part, chance)))
            case 2 if len(parts) > 1:
                del parts[i]
            case 3:
                parts[i] = (chance.choice((name.upper(), f"/{name}", name.replace("/", "\\"), f"../{name}")), part)
            case 4:
                parts[i] = (name, _bytes(part, chance))
            case _:
                parts[i] = (name, _markup(part, chance))
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        warnings.simplefilter("ignore")  # of names that are there twice
        for member, content in parts:
            # A ZipInfo has always the same date, where a name would get the current one.
            file.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _markup(data: bytes, chance: random.Random) -> bytes:
    """Return XML or HTML with tags, attributes, texts or the encoding changed."""
    tokens = TAG.findall(data.decode("utf-8", "replace"))
    if not tokens:
        return _bytes(data, chance)
    for _ in range(chance.choice((1, 2, 5, 20))):
        _change_token(tokens, chance)
        if not 0 < len(tokens) < MOST // 20:
            break
    text = _joined(tokens)
    if chance.random() < 0.07:
        bomb = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 9))
        end = text.find("?>") + 2 if text.startswith("<?xml") else 0
        text = f'{text[:end]}<!DOCTYPE x [<!ENTITY e0 "ha">{bomb}]>{text[end:].replace("</", "&e8;</", 3)}'
    if chance.random() < 0.07:
        return _encoded(text, chance)
    return text.encode("utf-8", "replace")


def _joined(tokens: list[str]) -> str:
    """Return the first texts of a list, which may be gigabytes: a long one is there thousands of times."""
    kept, size = [], 0
    for token in tokens:
        kept.append(token)
        size += len(token)
        if size > MOST:
            break
    return "".join(kept)[:MOST]


def _change_token(tokens: list[str], chance: random.Random) -> None:
    i = chance.randrange(len(tokens))
    j = min(len(tokens), i + chance.choice((1, 2, 8, 60)))
    token = tokens[i]
    match chance.randrange(9):
        case 0:
            tokens[i:i] = tokens[i:j] * chance.choice((1, 10, 300))
        case 1:
            del tokens[i:j]
        case 2:
            other = chance.randrange(len(tokens))
            tokens[i], tokens[other] = tokens[other], token
        case 3 if token.startswith("<") and token[1:2].isalpha():
            # Nested in itself, with and without an end.
            depth = chance.choice((2, 50, 3000))
            end = f"</{NAME.findall(token)[0]}>" if chance.random() < 0.5 else ""
            tokens[i:j] = [token.replace("/>", ">")] * depth + tokens[i:j] + [end] * depth
        case 4:
            tokens[i] = chance.choice(MARKS)
        case 5 if not token.startswith("<"):
            tokens[i] = chance.choice(TEXTS + NUMBERS)
        case 5 | 6 | 7 | 8:
            tags = [n for n in range(i, min(len(tokens), i + 40)) if tokens[n].startswith("<") and "=" in tokens[n]]
            if tags:
                tokens[tags[0]] = _with_attribute(tokens[tags[0]], chance)


def _with_attribute(tag: str, chance: random.Random) -> str:
    found = list(ATTRIBUTE.finditer(tag))
    if not found:
        return tag
    one = chance.choice(found)
    name, value = one[1], one[3]
    if chance.random() < 0.1:
        return tag[: one.start()] + tag[one.end() :]
    if ":" in value and PLACE.match(value):
        value = chance.choice(RANGES)
    elif PLACE.fullmatch(value):
        value = chance.choice(PLACES)
    elif name == "formatCode":
        value = chance.choice(FORMATS).replace('"', "&quot;")
    else:
        value = chance.choice(NUMBERS + TEXTS[:6])
    more = chance.choice(
        ("", "", "", f' colspan="{value}"', f' rowspan="{value}"', f' s="{value}"', f' t="{chance.choice("sbedn")}"')
    )
    return f'{tag[: one.start()]}{name}="{value}"{more}{tag[one.end() :]}'


def _encoded(text: str, chance: random.Random) -> bytes:
    """Return text in an encoding that nothing announces, with or without another's byte order mark."""
    mark = chance.choice((b"", b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    return mark + text.encode(chance.choice(ENCODINGS), "replace")


def _lines(data: bytes, chance: random.Random) -> bytes:
    """Return delimited text or Markdown with lines, separators, quotes or the encoding changed."""
    text = data.decode("utf-8", "replace")
    lines = text.split("\n")
    i = chance.randrange(len(lines))
    separator = max(",;\t|#", key=text.count)
    match chance.randrange(14):
        case 0:
            return _encoded(text, chance)
        case 1:
            return (
                text.replace("\r", "")
                .replace("\n", chance.choice(("\r", "\r\r\n", "\x0b", "\u2028", "\x85", "\n\n")))
                .encode()
            )
        case 2:
            return text.replace(
                separator, chance.choice((",", ";", "\t", "|", "\x00", "  ", "\x1f", separator * 2))
            ).encode()
        case 3:
            lines[i] = chance.choice(('"', '"""', "'", '\\"')) + lines[i]
        case 4:
            lines[i] = f'"{lines[i]}' + "\n".join(["x" * 99] * chance.choice((10, 50_000)))
        case 5:
            lines[i] = lines[i] + separator * chance.choice((1, 200, 100_000))
        case 6:
            lines[i] = "\n".join([lines[i]] * min(chance.choice((2, 100, 5_000)), MOST // (len(lines[i]) + 1) + 2))
        case 7:
            cells = lines[i].split(separator)
            cells[chance.randrange(len(cells))] = chance.choice(TEXTS + NUMBERS)
            lines[i] = separator.join(cells)
        case 8:
            column = chance.randrange(12)
            value = chance.choice(TEXTS + NUMBERS)
            rows = [line.split(separator) for line in lines]
            lines = [separator.join([*r[:column], value, *r[column + 1 :]]) for r in rows]
        case 9:
            lines[i] = chance.choice(LINES)
        case 10:
            del lines[i : i + chance.choice((1, 10))]
        case 11:
            other = chance.randrange(len(lines))
            lines[i], lines[other] = lines[other], lines[i]
        case 12:
            lines[i] = lines[i].replace(separator, "", 1) if chance.random() < 0.5 else "\0" * 100 + lines[i]
        case _:
            return _bytes(data, chance)
    return "\n".join(lines).encode("utf-8", "replace")


def _pdf(data: bytes, chance: random.Random) -> bytes:
    """Return a PDF with a number, a reference, an object or a stream changed."""
    objects, streams = list(PDF_OBJECT.finditer(data)), list(PDF_STREAM.finditer(data))
    match chance.randrange(8):
        case 0 | 1 if streams:
            return _with_stream(data, chance.choice(streams), chance)
        case 2:
            return _replaced(data, rb"\b\d+ 0 R\b", b"%d 0 R" % chance.randrange(1, len(objects) + 3), chance)
        case 3 if len(objects) > 1:
            a, b = sorted(chance.sample(objects, 2), key=lambda m: m.start())
            return data[: a.start(1)] + b[1] + data[a.end(1) : b.start(1)] + a[1] + data[b.end(1) :]
        case 4:
            name, new = chance.choice(PDF_PARTS)
            return _replaced(data, name, new, chance)
        case 5 | 6:
            number = chance.choice(NUMBERS).encode()
            return _replaced(data, rb"(?<=[ \[])-?\d+(?:\.\d+)?(?=[ \]\n])(?! 0 R| 0 obj)", number, chance)
        case _:
            return _bytes(data, chance)


def _replaced(data: bytes, pattern: bytes, new: bytes, chance: random.Random) -> bytes:
    """Return data with one of a pattern's finds replaced."""
    found = list(re.finditer(pattern, data))
    if not found:
        return data
    one = chance.choice(found)
    return data[: one.start()] + new + data[one.end() :]


def _with_stream(data: bytes, found: re.Match[bytes], chance: random.Random) -> bytes:
    """Return a PDF with a compressed stream changed and packed again."""
    try:
        content = zlib.decompress(found[1])
    except zlib.error:
        return _bytes(data, chance)
    match chance.randrange(5):
        case 0:
            content = _bytes(content, chance)
        case 1:
            lines = content.split(b"\n")
            i = chance.randrange(len(lines))
            lines[i:i] = lines[i : i + chance.choice((1, 20))] * chance.choice((1, 100))
            content = b"\n".join(lines)
        case 2:
            operator = chance.choice(
                (
                    b"q ",
                    b"BT ",
                    b"ET ",
                    b"Q ",
                    b"/F1 -9 Tf ",
                    b"/F9 1e9 Tf ",
                    b"0 0 0 0 0 0 cm ",
                    b"1e30 0 0 1e30 0 0 cm ",
                )
            )
            content = operator * chance.choice((1, 1, 5_000)) + content
        case _:
            for _ in range(chance.choice((1, 3, 30))):
                content = _replaced(content, rb"-?\d+(?:\.\d+)?", chance.choice(NUMBERS[:-1]).encode(), chance)
    return data[: found.start(1)] + zlib.compress(content) + data[found.end(1) :]
