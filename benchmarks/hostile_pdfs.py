"""The hostile PDFs of benchmarks.hostile_folder."""

import random
import zlib
from collections.abc import Callable, Mapping

__all__ = ["pdfs"]

MB = 1_000_000
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
BOX = b"/MediaBox[0 0 600 800]"
ONE = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"


def _page(more: bytes = b"", box: bytes = BOX) -> bytes:
    return b"<</Type/Page/Parent 2 0 R" + box + b"/Contents 4 0 R/Resources<</Font<</F 5 0 R>>" + more + b">>>>"


def _stream(data: bytes, head: bytes = b"") -> bytes:
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (head, len(data), data)


def _flate(data: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        data = zlib.compress(data, 9)
    return _stream(data, b"/Filter[%b]" % (b"/FlateDecode" * times))


def pdf(content: bytes, objects: Mapping[int, bytes] | None = None) -> bytes:
    """Return a PDF: 1 is its catalog, 2 the page tree, 3 the page, 4 its content (an object), 5 the font."""
    whole = {1: b"<</Type/Catalog/Pages 2 0 R>>", 2: ONE, 3: _page(), 4: content, 5: FONT} | dict(objects or {})
    out, places = bytearray(b"%PDF-1.7\n"), {}
    for number, data in whole.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, data)
    start, size = len(out), max(whole) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 %b \n" % (places.get(number, 0), b"n" if number in places else b"f")
    return bytes(out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, start))


def _glyphs(count: int, size: int = 8) -> bytes:
    lines = (b"1 0 0 1 %d %d Tm(%b)Tj\n" % (i % 7 * 80, i // 7 % 780, b"glyphs abc" * 1) for i in range(count // 10))
    return b"BT/F %d Tf\n%bET" % (size, b"".join(lines))


def _tree(depth: int) -> dict[int, bytes]:
    return {2: b"<</Type/Pages/Count 1/Kids[10 0 R]>>"} | {
        10 + i: b"<</Type/Pages/Count 1/Parent %d 0 R/Kids[%d 0 R]>>" % (max(2, 9 + i), 11 + i) for i in range(depth)
    }


def _pages(count: int) -> dict[int, bytes]:
    kids = b" ".join(b"%d 0 R" % i for i in range(10, 10 + count))
    return {2: b"<</Type/Pages/Count %d/Kids[%b]>>" % (count, kids)} | {i: _page() for i in range(10, 10 + count)}


def pdfs(_: random.Random) -> dict[str, Callable[[], bytes]]:
    """Return hostile PDFs by their names."""
    text = _flate(b"BT/F 12 Tf 50 700 Td(a small text)Tj ET")
    cmap = b"1 begincodespacerange<0000><FFFF>endcodespacerange\n1 beginbfrange<00000000><0FFFFFFF><0000>endbfrange"
    font = b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/ToUnicode 9 0 R/DescendantFonts[8 0 R]>>"
    child = (
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(I)>>/W[0 99999999 500]>>"
    )
    rules = b"".join(b"%d 0 m %d 800 l S\n" % (i % 600, i % 600) for i in range(100_000))
    rules += b"".join(b"0 %d m 600 %d l S\n" % (i % 800, i % 800) for i in range(100_000))
    predictor, trailer = b"<</DecodeParms<</Predictor 12/Columns 1>>", b"trailer<<"
    boxes = b"".join(b"%d %d 3 3 re S\n" % (i % 200 * 3, i // 200 * 3) for i in range(53_000))
    image = b"<</Subtype/Image/Width 50000/Height 50000/BitsPerComponent 8/ColorSpace/DeviceRGB"
    encrypted = b"trailer<</Encrypt<</Filter/Standard/V 1/R 2/O(x)/U(y)/P -1>>/ID[(a)(b)]"
    use = {3: _page(b"/XObject<</X 6 0 R>>")}
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R/Y 6 0 R>>>>"
    return {
        "flate 1.pdf": lambda: pdf(_flate(b"0 0 m\n" * 40_000_000)),
        "flate 2.pdf": lambda: pdf(_flate(bytes(400 * MB), 2)),
        "flate 3.pdf": lambda: pdf(_flate(b" " * 300 * MB, 3)),
        "operators.pdf": lambda: pdf(_flate(b"q " * 20_000_000, 2)),
        "glyphs.pdf": lambda: pdf(_flate(_glyphs(100_000))),
        "more glyphs.pdf": lambda: pdf(_flate(_glyphs(3_000_000))),
        "one place.pdf": lambda: pdf(_flate(b"BT/F 9 Tf 50 700 Td" + b"(same)Tj 0 0 Td\n" * 50_000 + b"ET")),
        "rules.pdf": lambda: pdf(_flate(rules + _glyphs(2000))),
        "boxes.pdf": lambda: pdf(_flate(boxes + _glyphs(9000))),
        "curves.pdf": lambda: pdf(_flate(b"0 0 m " + b"1 2 3 4 5 6 c\n" * 3_000_000 + b"S")),
        "huge page.pdf": lambda: pdf(text, {3: _page(box=b"/MediaBox[0 0 1e12 1e12]")}),
        "many pages.pdf": lambda: pdf(text, _pages(100_000)),
        "page loop.pdf": lambda: pdf(text, {2: b"<</Type/Pages/Count 9/Kids[2 0 R 3 0 R 2 0 R]>>"}),
        "deep tree.pdf": lambda: pdf(text, _tree(50_000)),
        "length loop.pdf": lambda: pdf(b"<</Length 4 0 R>>stream\nBT ET\nendstream"),
        "reference loop.pdf": lambda: pdf(b"6 0 R", {6: b"7 0 R", 7: b"6 0 R"}),
        "form loop.pdf": lambda: pdf(_flate(b"/X Do"), use | {6: _stream(b"/X Do /Y Do", form)}),
        "contents.pdf": lambda: pdf(b"[%b]" % (b"6 0 R " * 200_000), {6: _flate(b"BT/F 9 Tf(again)Tj ET" * 200)}),
        "deep array.pdf": lambda: pdf(b"[" * 1_000_000 + b"]" * 1_000_000),
        "deep content.pdf": lambda: pdf(_flate(b"[" * 5_000_000)),
        "cmap.pdf": lambda: pdf(_flate(b"BT/F 9 Tf<00410042>Tj ET"), {5: font, 8: child, 9: _flate(cmap)}),
        "huge text.pdf": lambda: pdf(_flate(b"BT/F 9 Tf 50 700 Td(" + b"w" * 20_000_000 + b")Tj ET")),
        "image.pdf": lambda: pdf(_flate(b"/X Do"), use | {6: _flate(bytes(90 * MB), 2).replace(b"<<", image, 1)}),
        "hex.pdf": lambda: pdf(_stream(b"4" * 80 * MB, b"/Filter[/ASCIIHexDecode/ASCIIHexDecode]")),
        "run length.pdf": lambda: pdf(_stream(b"\x81 " * 2_000_000, b"/Filter/RunLengthDecode")),
        "predictor.pdf": lambda: pdf(_flate(bytes(50 * MB)).replace(b"<<", predictor, 1)),
        "encrypted.pdf": lambda: pdf(text).replace(trailer, encrypted),
        "truncated.pdf": lambda: pdf(_flate(_glyphs(9000)))[:5000],
        "xref loop.pdf": lambda: pdf(text).replace(trailer, b"trailer<</Prev 9"),
        "title.pdf": lambda: pdf(text).replace(trailer, b"trailer<</Info<</Title(" + b"t" * 20 * MB + b")>>"),
    }  # fmt: skip
