"""tablerag heteqa annotate: one question per screen, decided with one key."""

import os
import select
import sys
from collections.abc import Callable
from pathlib import Path

import typer
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from tablerag.cli.heteqa_views import asked_view, evidence_view, fitted, lines_of
from tablerag.cli.printing import printable
from tablerag.evaluation.heteqa.annotation import Annotations
from tablerag.evaluation.heteqa.records import HeteQuestion
from tablerag.evaluation.heteqa.rerunning import differs, rerun
from tablerag.evaluation.heteqa.table_part import table_part
from tablerag.evaluation.locking import held
from tablerag.tools.errors import TableRagError
from tablerag.tools.records import Cell

__all__ = ["REDRAW", "annotate", "read_key"]

KEYS = "a accept   f fix   d discard   s skip   u undo   q quit"
BAR_CELLS = 30
ESCAPE = "\x1b"
MOST_ESCAPED = 16
LOCK = "annotate.lock"
REDRAW = "redraw"
"""Returned by read_key when the terminal was resized."""
RESIZE_CHECK_S = 0.5
ReadKey = Callable[[], str]
Edit = Callable[[str, str], str]
"""Takes a prompt and the current text, returns the new text; Ctrl-C and Ctrl-D return to the question."""
Rerun = Callable[[HeteQuestion, str, Path], Cell]
"""Takes a question, SQL and the documents' folder, returns the SQL's result."""


def annotate(
    folder: Path, documents: Path, screen: Console, read_key: ReadKey, edit: Edit, rerun: Rerun = rerun
) -> None:
    """Show undecided questions and take one key for each, until none is left or the annotator quits.

    Raises ConfigError while another process annotates the folder.
    """
    with held(folder / LOCK, "another process is annotating this folder"):
        annotations = Annotations(folder)
        place, message = annotations.next_pending(), ""
        while place is not None:
            question = annotations.questions[place]
            _draw(screen, _head(annotations, place), question, documents, message)
            key = read_key().lower()
            if key == REDRAW:
                continue
            if key == "q" or not key:
                break
            undone, message = annotations.undo() if key == "u" else None, ""
            if key == "u":
                message = "undone" if undone is not None else "nothing to undo"
                place = undone if undone is not None else place
                continue
            done, message = _decided(key, annotations, place, edit, lambda sql, q=question: rerun(q, sql, documents))
            if done:
                place = annotations.next_pending(place) if key == "s" else annotations.next_pending(place - 1)
        _farewell(annotations, screen)


def _draw(screen: Console, head: RenderableType, question: HeteQuestion, documents: Path, message: str) -> None:
    """Print a question below its evidence, which is cut on a terminal so that question and keys stay visible."""
    foot = Group(asked_view(question), Text(printable(message), style="yellow"), Text(KEYS, style="bold"))
    part = table_part(question, documents)
    if not screen.is_terminal:
        screen.print(Group(head, evidence_view(question, part, documents), foot))
        return
    screen.clear()
    room = screen.height - 1 - lines_of(screen, Group(head, foot))
    screen.print(Group(head, fitted(screen, question, part, documents, room), foot))


def _decided(
    key: str, annotations: Annotations, place: int, edit: Edit, run_sql: Callable[[str], Cell]
) -> tuple[bool, str]:
    """Carry out a key; return whether to move on, and a message."""
    try:
        if key == "a":
            annotations.accept(place)
        elif key == "d":
            annotations.discard(place, edit("reason (Enter: none)", "").strip())
        elif key == "f":
            return True, _fixed(annotations, place, edit, run_sql)
        elif key != "s":
            return False, f"unknown key {key!r}"
    except (KeyboardInterrupt, EOFError):
        return False, "not changed"
    except TableRagError as problem:
        return False, f"not changed: {' '.join(str(problem).split())}"
    return True, ""


def _fixed(annotations: Annotations, place: int, edit: Edit, run_sql: Callable[[str], Cell]) -> str:
    """Edit question, answer and SQL, and save them; return a warning if the SQL finds another answer."""
    question = annotations.questions[place]
    words = edit("question", question.question).strip() or question.question
    answer = edit("answer", question.answer).strip() or question.answer
    line = question.sql.replace("\n", " ")  # a prompt has only one line
    sql = edit("SQL", line).strip()
    sql, found = (sql, run_sql(sql)) if sql not in ("", line.strip()) else ("", question.sql_result)
    annotations.fix(place, words, answer, sql, found)
    if differs(question, answer, found):
        return f"saved {question.id}, but its SQL finds {found}, not {answer}: press u to undo"
    return ""


def _head(annotations: Annotations, place: int) -> RenderableType:
    counts, total = annotations.counts(), len(annotations.questions)
    done = total - counts["pending"]
    filled = BAR_CELLS * done // total
    bar = "#" * filled + "-" * (BAR_CELLS - filled)
    decided = ", ".join(f"{n} {status}" for status, n in counts.items())
    return Rule(Text(f"question {place + 1} of {total}  [{bar}] {decided}"), style="dim")


def _farewell(annotations: Annotations, screen: Console) -> None:
    counts = annotations.counts()
    left = counts["pending"]
    message = (
        f"{left} question{'s' * (left > 1)} left; run the same command to continue"
        if left
        else "all questions are decided"
    )
    decided = ", ".join(f"{n} {s}" for s, n in counts.items() if s != "pending")
    screen.print(Columns([Text(f"{message}; {decided}")]))


def read_key() -> str:
    """Return one key, at a terminal without Enter; elsewhere the first letter of a line, or "" at the end."""
    if sys.stdin.isatty():
        key = _pressed()
        return "q" if key in ("\x03", "\x04", ESCAPE) else key
    line = sys.stdin.readline()
    return line.strip()[:1] or ("?" if line else "")


def _pressed() -> str:
    """Return the next key of a terminal; unlike click's getchar, keep keys that were pressed before."""
    try:
        import termios
        import tty
    except ImportError:  # not a POSIX system
        return typer.getchar()
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    size = os.get_terminal_size(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        while not select.select([terminal], [], [], RESIZE_CHECK_S)[0]:
            if os.get_terminal_size(terminal) != size:
                return REDRAW
        key = os.read(terminal, 1).decode("utf-8", "replace")
        if key == ESCAPE and select.select([terminal], [], [], 0)[0]:
            os.read(terminal, MOST_ESCAPED)  # the rest of an arrow key or similar
            return "?"
        return key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
