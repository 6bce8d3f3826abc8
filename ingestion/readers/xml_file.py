"""XML files: repeated elements become rows, other elements text."""

from pathlib import Path
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from tablerag.ingestion.document import Document
from tablerag.ingestion.readers.archives import ENTITY, check_not_binary, unreadable
from tablerag.ingestion.readers.headings import HeadingPath
from tablerag.ingestion.readers.html import html_blocks, read_html
from tablerag.ingestion.readers.json_shapes import value_blocks
from tablerag.ingestion.readers.packages import MAX_TREE, Element, parsed_xml
from tablerag.tools.errors import UnreadableDocument

__all__ = ["read_xml_file"]

OFFICE = {
    "urn:schemas-microsoft-com:office:spreadsheet": "an Excel 2003 workbook in XML: save it as .xlsx",
    "http://schemas.microsoft.com/office/word/2003/wordml": "a Word 2003 document in XML: save it as .docx",
    "http://schemas.microsoft.com/office/2006/xmlPackage": "a Word document in one XML file: save it as .docx",
    "urn:oasis:names:tc:opendocument:xmlns:office:1.0": "an OpenDocument file in XML: save it as .odt or .ods",
}
INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}"
MOST_MIXED = 0.3
"""The largest share of characters in text between elements in a file of records; else it is a text with markup."""
TABLE_TAGS = {"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "col", "colgroup", "p", "li", "ul", "ol"}
HEADINGS = {"article-title": "h1", "title": "h2"}


def read_xml_file(path: Path) -> Document:
    """Read one file; entities of its own are refused, as they make a kilobyte gigabytes."""
    check_not_binary(path, "XML")
    if path.stat().st_size > MAX_TREE:
        raise UnreadableDocument(f"is larger than {MAX_TREE / 1e6:.0f} MB, the limit of XML files: split it")
    data = path.read_bytes()
    if ENTITY in data.replace(b"\0", b""):
        raise UnreadableDocument("declares entities of its own, as in an XML bomb: save it without a DTD")
    try:
        root = parsed_xml(data)
    except etree.XMLSyntaxError as error:
        where = f" at line {error.lineno}" if error.lineno else ""
        raise UnreadableDocument(f"is not well-formed XML{where}: fix it there, or save it again") from error
    except ValueError as error:
        raise unreadable("XML") from error
    name = etree.QName(root)
    if name.namespace in OFFICE:
        raise UnreadableDocument(f"is {OFFICE[name.namespace]}")
    if name.localname.lower() == "html":
        return read_html(path)
    elements = [e for e in root.iter() if isinstance(e.tag, str)]
    if _mixed_chars(root) > MOST_MIXED * sum(len(t) for t in root.itertext()):
        return _page(path, root, elements)
    repeated = {(_name(e), n) for e in elements for n in _repeated(e)}
    value = _value(root, repeated)
    children = _children(root)
    blocks, left_out = value_blocks(value, _name(children[0]) if isinstance(value, list) else path.stem)
    return Document(path, path.stem, blocks, left_out)


def _name(element: Element) -> str:
    return etree.QName(element).localname


def _children(element: Element) -> list[Element]:
    return [e for e in element if isinstance(e.tag, str)]


def _repeated(element: Element) -> set[str]:
    """Return the names of children that an element has more than once."""
    once: set[str] = set()
    return {n for e in _children(element) if (n := _name(e)) in once or once.add(n)}


def _is_mixed(element: Element) -> bool:
    children = _children(element)
    return bool(children) and any(t and not t.isspace() for t in (element.text, *(e.tail for e in children)))


def _value(element: Element, repeated: set[tuple[str, str]]) -> Any:
    """Return an element as JSON would have it; children that some element of this name repeats are always a list.

    The parser has bounded how deep elements nest.
    """
    own = _name(element)
    children = _children(element)
    attributes = {etree.QName(k).localname: v for k, v in element.attrib.items() if not k.startswith(INSTANCE)}
    if not children or _is_mixed(element):
        text = " ".join("".join(element.itertext()).split())
        return {**attributes, **({"value": text} if text else {})} if attributes else text or None
    if not attributes and len({_name(e) for e in children}) == 1 and (own, _name(children[0])) in repeated:
        return [_value(e, repeated) for e in children]
    made: dict[str, Any] = dict(attributes)
    for child in children:
        name, value = _name(child), _value(child, repeated)
        if (own, name) in repeated:
            made.setdefault(name if name not in attributes else f"{name}s", []).append(value)
        else:
            made[name if name not in made else f"{name}.value"] = value
    return made


def _mixed_chars(root: Element) -> int:
    """Count the characters of the outermost elements with text between their children."""
    count, pending = 0, [root]
    while pending:
        element = pending.pop()
        if _is_mixed(element):
            count += sum(map(len, element.itertext()))
        else:
            pending += _children(element)
    return count


def _page(path: Path, root: Element, elements: list[Element]) -> Document:
    """Read a text with markup, such as JATS and DocBook, as the page that it would be: their tables are as in HTML."""
    kinds = {e: _is_mixed(e) for e in elements}
    for e in elements:
        name = _name(e).lower()
        inline = kinds.get(e.getparent(), False)
        e.tag = name if name in TABLE_TAGS else "span" if inline else HEADINGS.get(name) or "div"
        for key in e.attrib:
            if key not in ("colspan", "rowspan"):
                del e.attrib[key]
    title = next((" ".join("".join(e.itertext()).split()) for e in elements if e.tag == "h1"), "")
    page = etree.tostring(root, encoding="unicode", method="html")
    return Document(path, title or path.stem, html_blocks(page, HeadingPath()))
