"""The report as one self-contained HTML page: figures, plots, and every question with its answers."""

from collections.abc import Mapping, Sequence
from html import escape

from tablerag.evaluation.comparison import DIFFERENCE_COLUMNS, NOTE, Run, differences, figure_rows
from tablerag.evaluation.records import Answered

__all__ = ["page"]

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 1240px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; }
th, td { border-bottom: 1px solid #ddd; padding: .3rem .5rem; text-align: left; vertical-align: top; }
th { background: #f4f4f4; } .wide { overflow-x: auto; } .figures td { white-space: nowrap; }
.answers { width: 100%; } .answers td { overflow-wrap: anywhere; } .answers td:first-child { width: 26%; }
svg { max-width: 100%; height: auto; } code { font-size: 12px; white-space: pre-wrap; }
.right { color: #00664a; } .right::before { content: "✓ "; }
.wrong { color: #a03000; } .wrong::before { content: "✗ "; }
details { margin: 1rem 0; } summary { cursor: pointer; font-weight: 600; } small { color: #555; }
"""
MOST_CHARS = 400
"""Shown of an answer or a SQL statement."""


def page(groups: Sequence[tuple[Sequence[Run], Mapping[str, str]]]) -> str:
    """Return the page for groups of runs over the same questions; it loads no files and runs no scripts."""
    body = "\n".join(_group(runs, plots) for runs, plots in groups)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Evaluation</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{STYLE}</style></head><body><h1>Evaluation</h1>\n<p>{escape(NOTE)}</p>\n{body}\n</body></html>\n"
    )


def _group(runs: Sequence[Run], plots: Mapping[str, str]) -> str:
    s = runs[0].settings
    parts = [f"<h2>{escape(f'{s.benchmark}, {s.split}, {s.questions} questions')}</h2>"]
    parts.append(_table(*figure_rows(runs)))
    if rows := differences(runs):
        parts.append(_table(DIFFERENCE_COLUMNS, rows))
    parts += plots.values()
    asked = [run for run in runs if run.answers]
    if len(asked) > 1:
        parts.append(_side_by_side(asked))
    parts += [_answers(run) for run in asked]
    return "\n".join(parts)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(c)}</th>" for c in columns)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="figures"><tr>{head}</tr>\n{body}</table></div>'


def _side_by_side(runs: Sequence[Run]) -> str:
    """Return every question asked with each run's answer, first those on which the runs differ."""
    found = [{a.id: a for a in run.answers} for run in runs]
    questions = {id_: a for answers in found for id_, a in answers.items()}
    rows = []
    for id_ in sorted(questions, key=lambda i: (len({i in f and f[i].right for f in found}) == 1, i)):
        cells = "".join(_answer(f[id_]) if id_ in f else "<td>(not asked)</td>" for f in found)
        rows.append(f"<tr>{_question(questions[id_])}{cells}</tr>")
    return _details("Side by side, differences first", ("question", "gold", *(r.title for r in runs)), rows)


def _answers(run: Run) -> str:
    """Return every question of a run by id, with its last SQL statement, verdicts and scores."""
    judged: dict[str, list[str]] = {}
    for j in run.judged:
        judged.setdefault(j.id, []).append(f"{j.judge} judged it {'right' if j.right else 'wrong'}")
    rows = []
    for a in sorted(run.answers, key=lambda a: a.id):
        sql = f"<br><code>{escape(_cut(a.sql[-1]))}</code>" if a.sql else ""
        scores = ", ".join(f"{name} {100 * score:.0f}" for name, score in a.scores.items())
        notes = [a.failure.replace("_", " "), *judged.get(a.id, ()), scores]
        notes += [f"{a.iterations} iterations", f"{a.calls} calls", f"{a.seconds:.1f} s"]
        rows.append(f"<tr>{_question(a)}{_answer(a, sql)}<td>{escape(', '.join(n for n in notes if n))}</td></tr>")
    return _details(f"{run.title}: every answer", ("question", "gold", "answer", ""), rows)


def _question(a: Answered) -> str:
    return f"<td>{escape(a.question)}<br><small>{escape(a.id)}</small></td><td>{escape('; '.join(a.gold))}</td>"


def _answer(a: Answered, more: str = "") -> str:
    text = a.error or a.answer or "(none)"
    return f'<td><span class="{"right" if a.right else "wrong"}">{escape(_cut(text))}</span>{more}</td>'


def _details(title: str, columns: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f"<th>{escape(c)}</th>" for c in columns)
    return (
        f'<details><summary>{escape(title)}</summary><div class="wide"><table class="answers"><tr>{head}</tr>\n'
        + "\n".join(rows)
        + "</table></div></details>"
    )


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]} …"
