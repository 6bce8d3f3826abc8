"""tablerag heteqa annotate: one question a screen, decided with one key."""

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
from tablerag.cli.views import plain
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
"""What read_key returns when the terminal has another size."""
RESIZE_CHECK_S = 0.5
ReadKey = Callable[[], str]
Edit = Callable[[str, str], str]
"""From a prompt and the text as it is to the text as it is to be; Ctrl-C and Ctrl-D in it go back to the question."""
Rerun = Callable[[HeteQuestion, str, Path], Cell]
"""From a question, a statement and the documents' folder to what it finds."""


def annotate(
    folder: Path, documents: Path, screen: Console, read_key: ReadKey, edit: Edit, rerun: Rerun = rerun
) -> None:
    """Show each undecided question and take one key for it, until there is none left or the person quits.

    Raises ConfigError while another process annotates the folder.
    """
    with held(folder / LOCK, "another process annotates here"):
        annotations = Annotations(folder)
        place, said = annotations.next_pending(), ""
        while place is not None:
            question = annotations.questions[place]
            _draw(screen, _head(annotations, place), question, documents, said)
            key = read_key().lower()
            if key == REDRAW:
                continue
            if key == "q" or not key:
                break
            undone, said = annotations.undo() if key == "u" else None, ""
            if key == "u":
                said = "taken back" if undone is not None else "there is nothing to take back"
                place = undone if undone is not None else place
                continue
            done, said = _decided(key, annotations, place, edit, lambda sql, q=question: rerun(q, sql, documents))
            if done:
                place = annotations.next_pending(place) if key == "s" else annotations.next_pending(place - 1)
        _farewell(annotations, screen)


def _draw(screen: Console, head: RenderableType, question: HeteQuestion, documents: Path, said: str) -> None:
    """Print a question with its evidence above it, on a terminal cut to its height: question and keys always show."""
    foot = Group(asked_view(question), Text(plain(said), style="yellow"), Text(KEYS, style="bold"))
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
    """Carry a key out; return whether the question is done with for now, and what to say."""
    try:
        if key == "a":
            annotations.accept(place)
        elif key == "d":
            annotations.discard(place, edit("why (Enter: no reason)", "").strip())
        elif key == "f":
            return True, _fixed(annotations, place, edit, run_sql)
        elif key != "s":
            return False, f"{key!r} is no key here"
    except (KeyboardInterrupt, EOFError):
        return False, "left as it was"
    except TableRagError as problem:
        return False, f"left as it was: {' '.join(str(problem).split())}"
    return True, ""


def _fixed(annotations: Annotations, place: int, edit: Edit, run_sql: Callable[[str], Cell]) -> str:
    """Take words, answer and statement, and keep them; return a warning where the statement finds another answer."""
    question = annotations.questions[place]
    words = edit("question", question.question).strip() or question.question
    answer = edit("answer", question.answer).strip() or question.answer
    line = question.sql.replace("\n", " ")  # one line is all that a prompt can hold
    sql = edit("SQL", line).strip()
    sql, found = (sql, run_sql(sql)) if sql not in ("", line.strip()) else ("", question.sql_result)
    annotations.fix(place, words, answer, sql, found)
    if differs(question, answer, found):
        return f"{question.id} is kept, but its SQL finds {found} and its answer is {answer}: u takes it back"
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
    told = "every question is decided" if not left else f"{left} questions are left: the same command goes on with them"
    decided = ", ".join(f"{n} {s}" for s, n in counts.items() if s != "pending")
    screen.print(Columns([Text(f"{told}; {decided}")]))


def read_key() -> str:
    """Return one key, at a terminal without Enter; the first letter of a line elsewhere, "" at its end."""
    if sys.stdin.isatty():
        key = _pressed()
        return "q" if key in ("\x03", "\x04", ESCAPE) else key
    line = sys.stdin.readline()
    return line.strip()[:1] or ("?" if line else "")


def _pressed() -> str:
    """Return the next key of a terminal; none that was pressed before is lost, as click's getchar would have it."""
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
            os.read(terminal, MOST_ESCAPED)  # an arrow, or another key that sends several characters
            return "?"
        return key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
