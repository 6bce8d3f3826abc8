"""Removes scripts, navigation, hidden parts and footnote marks from an HTML tree."""

import re

from lxml.etree import _Element

from tablerag.ingestion.readers.raised import raised

__all__ = ["clean", "text_of"]


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


DROPPED_TAGS = _names(
    "script style nav noscript template svg math iframe object embed audio video canvas map "
    "button select textarea input dialog link meta del"
)
DROPPED_CLASSES = _names(
    "navbox navbox-styles vertical-navbox mw-editsection editsection mw-empty-elt toc catlinks printfooter "
    "mbox-small ambox mw-jump-link sortkey navbar"
)
DROPPED_IDS = frozenset({"toc", "catlinks", "mw-navigation", "siteSub", "contentSub"})
DROPPED_ROLES = frozenset({"navigation", "search", "menu", "menubar"})
HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
FOOTNOTE_MARK = re.compile(r"\[\s*(\d{1,3}|[a-z]{1,2}|(note|nb|n)\s*\d+|citation needed)\s*\]", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
PLACEHOLDER = re.compile(r"\{\{|\$\{|<%|\{%")
ZERO_WIDTH = "\u200b"
"""Fills the blank cells of pages that some programs write."""
BLOCK_TAGS = _names(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table tbody td tfoot th thead tr "
    "ul"
)


def clean(root: _Element) -> tuple[str, ...]:
    """Remove, in place, what a reader of the page does not see; return warnings about removed table rows."""
    for element in root.iter("sup"):
        _raise(element)
    doomed = [e for e in root.iter() if e is not root and e.getparent() is not None and _is_dropped(e)]
    rows = sum(e.tag == "tr" and any(t.strip() for t in e.itertext()) for e in doomed)
    for element in doomed:
        _drop(element)
    return (f"{rows} hidden table rows were left out",) if rows else ()


def _raise(element: _Element) -> None:
    """Separate a superscript from the text before it."""
    before, parent = element.getprevious(), element.getparent()
    above = before.tail if before is not None else parent.text if parent is not None else ""
    text = "".join(element.itertext())
    shown = raised(text, above or "")
    if shown != text and not FOOTNOTE_MARK.fullmatch(text.strip()):
        for child in list(element):
            element.remove(child)
        element.text = shown


def _is_dropped(element: _Element) -> bool:
    tag = element.tag
    if not isinstance(tag, str) or (tag in DROPPED_TAGS and not _shows_table(element)):
        return True
    get = element.get
    classes = (get("class") or "").split()
    if not DROPPED_CLASSES.isdisjoint(classes) or get("id") in DROPPED_IDS or get("role") in DROPPED_ROLES:
        return True
    if get("hidden") is not None or HIDDEN_STYLE.search(get("style") or ""):
        return True
    if tag == "sup":
        return "reference" in classes or bool(FOOTNOTE_MARK.fullmatch("".join(element.itertext()).strip()))
    return False


def _shows_table(element: _Element) -> bool:
    """Return whether an element is the template of a table that the page's script shows as it is.

    R Markdown writes the tables of some packages so. A template that a script fills in has placeholders or one row.
    """
    if element.tag != "template" or PLACEHOLDER.search("".join(element.itertext())):
        return False
    rows = [r for t in element.iter("table") for r in t.iter("tr") if any(t.strip() for t in r.itertext())]
    return len(rows) > 1 and any(t.strip() for r in rows for c in r.iter("td") for t in c.itertext())


def _drop(element: _Element) -> None:
    """Remove an element and keep the text after it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if element.tail:
        # The parser accepts control characters as references, but setting them as text fails.
        if before is not None:
            before.tail = CONTROL.sub("", (before.tail or "") + element.tail)
        else:
            parent.text = CONTROL.sub("", (parent.text or "") + element.tail)
    parent.remove(element)


def text_of(element: _Element, skipped: str = "") -> str:
    """Return the text of an element with blocks and breaks as new lines, without elements of a skipped tag."""
    parts = [element.text or ""]
    stack = list(reversed(element))
    while stack:
        child = stack.pop()
        if isinstance(child, str):
            parts.append(child)
            continue
        block = child.tag in BLOCK_TAGS or child.tag == "br"
        if child.tag == skipped:
            parts.append("\n" + (child.tail or ""))
            continue
        parts.append(("\n" if block else "") + (child.text or ""))
        stack.append(("\n" if block else "") + (child.tail or ""))
        stack.extend(reversed(child))
    text = "".join(parts).replace(ZERO_WIDTH, "")
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
