"""The numbers behind a chart, which Office keeps in it, as a table of categories and series."""

from dataclasses import replace

from tablerag.ingestion.document import Locator, RawCell, TableBlock
from tablerag.ingestion.readers.packages import Element

__all__ = ["chart_block"]

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
MOST_POINTS = 100_000


def chart_block(chart: Element, locator: Locator) -> TableBlock | None:
    """Return a chart's table; None if it has no numbers."""
    series = list(chart.iter(f"{C}ser"))
    columns = [(_name(s, i), _points(s, "val") or _points(s, "yVal")) for i, s in enumerate(series, start=1)]
    columns = [(name, points) for name, points in columns if points]
    if not columns:
        return None
    labels = next((p for s in series if (p := _points(s, "cat") or _points(s, "xVal"))), {})
    places = sorted({*labels, *(i for _, points in columns for i in points)})
    header: list[RawCell] = ["category" if labels else "point", *(name for name, _ in columns)]
    rows = [[labels.get(i, i + 1), *(points.get(i) for _, points in columns)] for i in places]
    title = chart.find(f"{C}chart/{C}title")
    caption = "" if title is None else " ".join("".join(t.text or "" for t in title.iter(f"{A}t")).split())
    grid = [header, *rows]
    numbers = range(1, len(grid) + 1)
    return TableBlock(
        grid, replace(locator, rows=(1, len(grid))), caption, 1, ("read from a chart",), source_rows=numbers
    )


def _name(series: Element, number: int) -> str:
    return next((t.text.strip() for t in series.iterfind(f"{C}tx//{C}v") if t.text), f"series {number}")


def _points(series: Element, kind: str) -> dict[int, RawCell]:
    """Return the cached values of a series by their places."""
    found: dict[int, RawCell] = {}
    for point in series.iterfind(f"{C}{kind}//{C}pt"):
        place, text = int(point.get("idx") or 0), point.findtext(f"{C}v") or ""
        if place < MOST_POINTS:
            is_number = point.getparent().tag in (f"{C}numCache", f"{C}numLit")
            found[place] = _number(text) if is_number and kind != "cat" else text
    return found


def _number(text: str) -> RawCell:
    try:
        return float(f"{float(text):.15g}")  # the digits that Office shows: 8.2 is kept as 8.2000000000000011
    except ValueError:
        return text or None
