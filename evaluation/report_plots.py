"""Draws the plots of a comparison as SVG text, so that reports need no plotting library."""

from collections import Counter
from collections.abc import Sequence
from html import escape

from tablerag.evaluation.comparison import Run
from tablerag.evaluation.records import FAILURES
from tablerag.evaluation.statistics import bootstrap_interval

__all__ = ["COLOURS", "plots_of", "svg", "text"]

WIDTH, LEFT, RIGHT, ROW, TOP = 760, 250, 70, 26, 44
PLOT = WIDTH - LEFT - RIGHT
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#999999")
"""Okabe and Ito's palette, which colour-blind readers can distinguish."""
DARK = ("#0072b2", "#009e73")
"""Those on which white text is readable."""
MOST_GROUPS = 12
MOST_NAME = 38
LONGEST_RUN = 5
"""Higher numbers of iterations are counted together."""

Interval = tuple[str, float, float, float]
"""A name, a share, and the bounds of its interval, from 0 to 1."""


def plots_of(group: Sequence[Run]) -> dict[str, str]:
    """Return the plots of runs over the same questions by name; runs without answers are left out."""
    group = [r for r in group if r.answers]
    if not group:
        return {}
    n, main = group[0].settings.questions, group[0].settings.main
    accuracy = [(r.title, sum(v) / n, *bootstrap_interval(v)) for r in group if (v := r.values(main))]
    iterations = [(r.title, _iterations(r)) for r in group]
    failures = [(r.title, [r.failures()[f] for f in FAILURES]) for r in group]
    plots = {
        "accuracy": intervals(f"{main}, % of {n} questions, 95 % intervals", accuracy),
        "iterations": stacked(
            "iterations per question", [f"{i}" for i in range(LONGEST_RUN)] + [f"{LONGEST_RUN} or more"], iterations
        ),
        "failures": stacked("failures", [f.replace("_", " ") for f in FAILURES], failures),
    }
    if by_group := _by_group(group):
        plots["groups"] = intervals(f"{main} by group, %", by_group)
    return plots


def _iterations(run: Run) -> list[int]:
    counts = Counter(min(a.iterations, LONGEST_RUN) for a in run.answers)
    return [counts[i] for i in range(LONGEST_RUN + 1)]


def _by_group(runs: Sequence[Run]) -> list[Interval]:
    """Return each run's share in each group of questions; nothing if the set has no groups."""
    sizes = Counter(a.group for r in runs for a in r.answers if a.group)
    rows: list[Interval] = []
    for name in sorted(n for n, _ in sizes.most_common(MOST_GROUPS)):
        for run in runs:
            values = [a.scores.get(run.settings.main, 0.0) for a in run.answers if a.group == name]
            if values:
                share = sum(values) / len(values)
                rows.append((f"{name} ({len(values)}): {run.title}", share, *bootstrap_interval(values)))
    return rows


def intervals(title: str, rows: Sequence[Interval]) -> str:
    """Draw each share as a dot with its interval as a line, on an axis from 0 to 100 %."""
    height = TOP + ROW * len(rows) + 30
    parts = [text(8, 20, title, bold=True)]
    for percent in range(0, 101, 20):
        x = LEFT + PLOT * percent / 100
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - 24}" stroke="#ddd"/>')
        parts.append(text(x, height - 8, f"{percent}", anchor="middle"))
    for place, (name, share, low, high) in enumerate(rows):
        y = TOP + ROW * place + ROW / 2
        a, b, x = (LEFT + PLOT * v for v in (low, high, share))
        parts.append(text(LEFT - 10, y + 4, _short(name), anchor="end"))
        parts.append(f'<line x1="{a:.1f}" y1="{y}" x2="{b:.1f}" y2="{y}" stroke="{COLOURS[0]}" stroke-width="3"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{COLOURS[0]}"/>')
        parts.append(text(WIDTH - RIGHT + 12, y + 4, f"{100 * share:.1f}"))
    return svg(title, height, parts)


def stacked(title: str, names: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Draw counts as stacked bars, the longest as wide as the plot."""
    height = TOP + ROW * len(rows) + 34
    most = max((sum(counts) for _, counts in rows), default=0) or 1
    parts = [text(8, 20, title, bold=True)]
    for place, (name, counts) in enumerate(rows):
        y, x = TOP + ROW * place + 3, float(LEFT)
        parts.append(text(LEFT - 10, y + 14, _short(name), anchor="end"))
        for colour, count in zip(COLOURS, counts, strict=False):
            width = PLOT * count / most
            if count:
                parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 6}" fill="{colour}"/>')
            if width > 22:
                fill = "#fff" if colour in DARK else "#222"
                parts.append(text(x + width / 2, y + 14, f"{count}", anchor="middle", fill=fill, bold=True))
            x += width
        parts.append(text(x + 8, y + 14, f"{sum(counts)}"))
    x, used = float(LEFT), [any(counts[i] for _, counts in rows) for i in range(len(names))]
    for colour, name, has_any in zip(COLOURS, names, used, strict=False):
        if not has_any:
            continue
        parts.append(f'<rect x="{x:.1f}" y="{height - 20}" width="10" height="10" fill="{colour}"/>')
        parts.append(text(x + 14, height - 11, name))
        x += 30 + 7 * len(name)
    return svg(title, height, parts)


def _short(name: str) -> str:
    """Shorten a name in its middle, since it begins with the system and ends with the model."""
    half = (MOST_NAME - 1) // 2
    return name if len(name) <= MOST_NAME else f"{name[:half]}…{name[-half:]}"


def text(x: float, y: float, text: str, *, anchor: str = "start", fill: str = "#222", bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{weight}>{escape(text)}</text>'


def svg(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" font-family="system-ui, sans-serif" font-size="12" role="img" '
        f'aria-label="{escape(title)}"><rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
