"""The report as one self-contained HTML page: figures, plots, and every question with what was answered."""

from collections.abc import Mapping, Sequence
from html import escape

from evaluation.comparison import DIFFERENCE_COLUMNS, FIGURE_COLUMNS, Run, differences, figures

__all__ = ["page"]

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 1200px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; }
th, td { border-bottom: 1px solid #ddd; padding: .3rem .6rem; text-align: left; vertical-align: top; }
th { background: #f4f4f4; position: sticky; top: 0; }
.wide { overflow-x: auto; } svg { max-width: 100%; height: auto; }
.right { color: #00664a; } .wrong { color: #a03000; } code { font-size: 12px; white-space: pre-wrap; }
details { margin: 1rem 0; } summary { cursor: pointer; font-weight: 600; }
"""
MOST_CHARS = 400
"""Of an answer or statement that the page shows."""


def page(groups: Sequence[tuple[Sequence[Run], Mapping[str, str]]]) -> str:
    """Return the page of runs over the same questions with their plots; it loads nothing and runs nothing."""
    body = "\n".join(_group(runs, plots) for runs, plots in groups)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Evaluation</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{STYLE}</style></head><body><h1>Evaluation</h1>\n<p>Every figure is over all questions: failed, blank "
        f"and unasked ones count as wrong.</p>\n{body}\n</body></html>\n"
    )


def _group(runs: Sequence[Run], plots: Mapping[str, str]) -> str:
    s = runs[0].settings
    parts = [f"<h2>{escape(f'{s.benchmark}, {s.split}, {s.questions} questions')}</h2>"]
    parts.append(_table(FIGURE_COLUMNS, [list(figures(r).values()) for r in runs]))
    if rows := differences(runs):
        parts.append(_table(DIFFERENCE_COLUMNS, rows))
    parts += plots.values()
    parts += [_answers(run) for run in runs]
    return "\n".join(parts)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(c)}</th>" for c in columns)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{head}</tr>\n{body}</table></div>'


def _answers(run: Run) -> str:
    judged = {j.id: "right" if j.right else "wrong" for j in run.judged}
    rows = []
    for a in run.answers:
        mark = "right" if a.right else "wrong"
        told = a.error or a.answer or "(none)"
        sql = f"<br><code>{escape(_cut(a.sql[-1]))}</code>" if a.sql else ""
        rows.append(
            f"<tr><td>{escape(a.id)}</td><td>{escape(a.question)}</td><td>{escape('; '.join(a.gold))}</td>"
            f'<td class="{mark}">{escape(_cut(told))}{sql}</td><td>{escape(a.failure.replace("_", " ") or mark)}</td>'
            f"<td>{judged.get(a.id, '')}</td><td>{a.iterations}</td><td>{a.seconds:.1f}</td></tr>"
        )
    head = "".join(f"<th>{h}</th>" for h in ("id", "question", "gold", "answer", "", "judge", "iterations", "seconds"))
    return (
        f"<details><summary>{escape(run.title)}: every answer</summary>"
        f'<div class="wide"><table><tr>{head}</tr>\n' + "\n".join(rows) + "</table></div></details>"
    )


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]} …"
