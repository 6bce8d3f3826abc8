"""The control words of RTF turned into paragraphs and rows of cells; in linear time and without recursion."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

__all__ = ["Paragraph", "Row", "parsed_rtf"]

TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)|\\'?"
)
CHARSETS = {
    2: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 255: "cp437",
}  # fmt: skip
"""The encodings of fonts by their charset."""
SKIPPED = set(
    "colortbl filetbl listtable listoverridetable revtbl rsidtbl generator pict object header headerl headerr headerf "
    "footer footerl footerr footerf footnote annotation atnid atnauthor atntime themedata colorschememapping datastore "
    "latentstyles xmlnstbl mmathPr fldinst bkmkstart bkmkend author operator company doccomm category keywords subject "
    "manager comment hlinkbase shpinst do pnseclvl listtext pntext nonesttables userprops tc xe rxe".split()
)
"""Groups without text of the document."""
CHARACTERS = {
    "tab": "\t", "line": "\n", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
    "endash": "–", "emdash": "—", "emspace": " ", "enspace": " ", "qmspace": " ", "nestcell": " | ", "nestrow": "\n",
}  # fmt: skip
SYMBOLS = {b"~": "\xa0", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n"}
STYLE_LEVEL = re.compile(r"(?:heading|überschrift|titre) ?([1-9])", re.IGNORECASE)
MOST_GROUPS = 10_000


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph outside of tables; level 1 to 9 for headings."""

    text: str
    level: int = 0
    is_listed: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A table's row: the texts, right edges and marks ("left", "above" or "") of its cells."""

    cells: list[str]
    edges: list[int]
    merged: list[str]
    is_header: bool


@dataclass(slots=True)
class _State:
    """What a group inherits and its end restores."""

    target: str = "text"
    font: int = 0
    skip: int = 1
    is_hidden: bool = False


@dataclass(slots=True)
class _Parser:
    default: str = "cp1252"
    state: _State = field(default_factory=_State)
    stack: list[_State] = field(default_factory=list)
    fonts: dict[int, str] = field(default_factory=dict)
    levels: dict[int, int] = field(default_factory=dict)
    """The heading level of each style."""
    title: str = ""
    held: list[str] = field(default_factory=list)
    """The text of the current paragraph."""
    raw: bytearray = field(default_factory=bytearray)
    """Bytes that are not decoded yet, as a character may be two of them."""
    named: str = ""
    style: int = 0
    level: int = 0
    in_table: bool = False
    is_listed: bool = False
    cells: list[str] = field(default_factory=list)
    row: Row = field(default_factory=lambda: Row([], [], [], False))
    mark: str = ""

    def text(self, text: str) -> None:
        self.decode()
        if self.state.is_hidden:
            return
        if self.state.target == "text":
            self.held.append(text)
        elif self.state.target == "title":
            self.title += text
        elif self.state.target == "stylesheet":
            self.named += text
            if text.rstrip().endswith(";"):
                found = STYLE_LEVEL.match(self.named.strip())
                if found:
                    self.levels[self.style] = int(found[1])
                self.named = ""

    def decode(self) -> None:
        if self.raw:
            data, self.raw = bytes(self.raw), bytearray()
            self.text(data.decode(self.fonts.get(self.state.font, self.default), "replace"))

    def taken(self) -> str:
        self.decode()
        text = "".join(self.held).strip()
        self.held.clear()
        return text


def parsed_rtf(data: bytes) -> Iterator[Paragraph | Row | str]:
    """Yield the paragraphs and rows of a document, and its title as a string; raises ValueError if it is no RTF."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise ValueError("no RTF")
    parser = _Parser()
    position, left_to_skip = 0, 0
    while position < len(data):
        token = TOKEN.match(data, position)
        if token is None:
            break
        position = token.end()
        word, number, code, symbol, brace, plain = token.groups()
        if brace == b"{":
            parser.decode()
            if len(parser.stack) >= MOST_GROUPS:
                raise ValueError("nests too deep")
            parser.stack.append(replace(parser.state))
        elif brace == b"}":
            parser.decode()
            parser.state = parser.stack.pop() if parser.stack else _State("skip")
        elif word:
            name, value = word.decode("ascii"), int(number) if number else None
            if name == "bin":
                position += max(0, value or 0)
            elif name == "u" and value is not None:
                parser.text(_character(value))
                left_to_skip = parser.state.skip
            else:
                parser.decode()
                yield from _word(parser, name, value)
        elif parser.state.target == "skip":
            continue
        elif code or plain:
            some = bytes.fromhex(code.decode()) if code else plain
            dropped = min(left_to_skip, len(some))
            left_to_skip -= dropped
            parser.raw += some[dropped:]
        elif symbol == b"*":
            parser.state.target = "skip"
        elif symbol in SYMBOLS:
            parser.text(SYMBOLS[symbol])
    if text := parser.taken():
        yield Paragraph(text)
    if parser.title.strip():
        yield parser.title.strip()


def _character(value: int) -> str:
    """Return the character of a code, which is a signed 16-bit number; halves of pairs stay apart until the end."""
    return chr(value % 65536)


def _word(parser: _Parser, name: str, value: int | None) -> Iterator[Paragraph | Row]:
    state = parser.state
    if name in SKIPPED:
        state.target = "skip"
    elif name in ("fonttbl", "stylesheet", "title", "info"):
        state.target = {"info": "skip"}.get(name, name)
    elif name == "ansicpg" and value:
        parser.default = _known(f"cp{value}", parser.default)
    elif name == "f":
        state.font = value or 0
    elif name == "fcharset" and state.target == "fonttbl":
        parser.fonts[state.font] = CHARSETS.get(value or 0, parser.default)
    elif name == "uc":
        state.skip = min(value or 0, 10)
    elif name in ("v", "deleted"):
        state.is_hidden = value != 0
    elif name == "plain":
        state.is_hidden = False
    elif name == "s":
        parser.style = value or 0
        parser.level = parser.levels.get(parser.style, 0) if state.target == "text" else parser.level
    elif state.target != "text":
        return
    elif name in CHARACTERS:
        parser.text(CHARACTERS[name])
    else:
        yield from _layout(parser, name, value)


def _layout(parser: _Parser, name: str, value: int | None) -> Iterator[Paragraph | Row]:
    if name in ("par", "sect", "page"):
        if parser.in_table:
            parser.text("\n")
        elif text := parser.taken():
            yield Paragraph(text, parser.level, parser.is_listed)
    elif name == "pard":
        parser.level, parser.in_table, parser.is_listed = 0, False, False
    elif name == "outlinelevel" and value is not None and value < 9:
        parser.level = value + 1
    elif name == "ls":
        parser.is_listed = bool(value)
    elif name == "intbl":
        if not parser.in_table and (text := parser.taken()):
            yield Paragraph(text)
        parser.in_table = True
    elif name == "trowd":
        parser.row, parser.mark = Row([], [], [], False), ""
    elif name == "trhdr":
        parser.row = replace(parser.row, is_header=True)
    elif name in ("clmrg", "clvmrg"):
        parser.mark = "left" if name == "clmrg" else "above"
    elif name == "cellx":
        parser.row.edges.append(value or 0)
        parser.row.merged.append(parser.mark)
        parser.mark = ""
    elif name == "cell":
        parser.cells.append(parser.taken())
    elif name == "row":
        yield replace(parser.row, cells=parser.cells)
        parser.cells = []


def _known(name: str, default: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return default
