"""Draws a figure whose columns are numbers as curves, as SVG text."""

from collections.abc import Sequence

from tablerag.evaluation.papers.measuring import Measured
from tablerag.evaluation.papers.paper import Figure
from tablerag.evaluation.report_plots import COLOURS, svg, text

__all__ = ["curve_of"]

LEFT, TOP, WIDTH, HEIGHT, LEGEND = 60, 44, 640, 320, 20


def curve_of(figure: Figure, cells: Sequence[Measured]) -> str:
    """Return one line for each measured row, over the columns' numbers, with its 95 % intervals."""
    rows: dict[str, list[tuple[float, Measured]]] = {}
    for m in (m for m in cells if m.values):
        rows.setdefault(m.cell.row, []).append((float(m.column), m))
    most = max((x for points in rows.values() for x, _ in points), default=1.0) or 1.0
    parts = [text(8, 20, f"{figure.title}, %", bold=True), *_axes(figure.curve, most)]
    for place, (name, points) in enumerate(rows.items()):
        colour, y = COLOURS[place % len(COLOURS)], TOP + HEIGHT + 58 + LEGEND * place
        parts += _line(sorted(points, key=lambda p: p[0]), most, colour)
        parts += [f'<rect x="{LEFT}" y="{y - 10}" width="10" height="10" fill="{colour}"/>', text(LEFT + 16, y, name)]
    return svg(figure.title, TOP + HEIGHT + 60 + LEGEND * max(len(rows), 1), parts)


def _axes(counted: str, most: float) -> list[str]:
    parts = []
    for percent in range(0, 101, 20):
        y = _y(percent)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, y + 4, f"{percent}", anchor="end"))
    for quarter in range(5):
        x = most * quarter / 4
        parts.append(text(_x(x, most), TOP + HEIGHT + 18, f"{x:,.0f}", anchor="middle"))
    return [*parts, text(LEFT + WIDTH / 2, TOP + HEIGHT + 36, counted, anchor="middle")]


def _line(points: Sequence[tuple[float, Measured]], most: float, colour: str) -> list[str]:
    places = [(_x(x, most), _y(m.mean), m.interval) for x, m in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for x, y, (low, high) in places:
        ends = f'y1="{_y(low):.1f}" y2="{_y(high):.1f}"'
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" {ends} stroke="{colour}"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')
    return parts


def _x(value: float, most: float) -> float:
    return LEFT + WIDTH * value / most


def _y(percent: float) -> float:
    return TOP + HEIGHT * (1 - percent / 100)
