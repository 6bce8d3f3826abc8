"""tablerag heteqa annotate: one question a screen, decided with one key."""

import os
import select
import sys
from collections.abc import Callable
from pathlib import Path

import typer
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.syntax import Syntax
from rich.text import Text

from agent.cli_views import plain, rows_view
from evaluation.heteqa.annotation import Annotations
from evaluation.heteqa.records import HeteQuestion
from evaluation.heteqa.table_part import TablePart, table_part

__all__ = ["annotate", "question_view", "read_key"]

KEYS = "a accept   f fix   d discard   s skip   u undo   q quit"
BAR_CELLS = 30
ESCAPE = "\x1b"
MOST_ESCAPED = 16
ReadKey = Callable[[], str]
Edit = Callable[[str, str], str]
"""From a prompt and the text as it is to the text as it is to be."""


def annotate(folder: Path, documents: Path, screen: Console, read_key: ReadKey, edit: Edit) -> None:
    """Show each undecided question and take one key for it, until there is none left or the person quits."""
    annotations = Annotations(folder)
    place, said = annotations.next_pending(), ""
    while place is not None:
        question = annotations.questions[place]
        if screen.is_terminal:
            screen.clear()
        screen.print(_head(annotations, place))
        screen.print(question_view(question, table_part(question, documents), documents))
        screen.print(Text(said, style="yellow") if said else "", Text(KEYS, style="bold"), sep="\n")
        key = read_key().lower()
        if key == "q" or not key:
            break
        undone, said = annotations.undo() if key == "u" else None, ""
        if key == "u":
            said = "taken back" if undone is not None else "there is nothing to take back"
            place = undone if undone is not None else place
        elif _decided(key, annotations, place, edit):
            place = annotations.next_pending(place) if key == "s" else annotations.next_pending(place - 1)
        else:
            said = f"{plain(key)!r} is no key here"
    _farewell(annotations, screen)


def _decided(key: str, annotations: Annotations, place: int, edit: Edit) -> bool:
    """Carry a key out; return whether the question is done with for now."""
    question = annotations.questions[place]
    if key == "a":
        annotations.accept(place)
    elif key == "d":
        annotations.discard(place, edit("why (Enter: no reason)", "").strip())
    elif key == "f":
        words, answer = edit("question", question.question).strip(), edit("answer", question.answer).strip()
        annotations.fix(place, words or question.question, answer or question.answer)
    return key in ("a", "d", "f", "s")


def _head(annotations: Annotations, place: int) -> RenderableType:
    counts, total = annotations.counts(), len(annotations.questions)
    done = total - counts["pending"]
    filled = BAR_CELLS * done // total
    bar = "#" * filled + "-" * (BAR_CELLS - filled)
    decided = ", ".join(f"{n} {status}" for status, n in counts.items())
    return Rule(Text(f"question {place + 1} of {total}  [{bar}] {decided}"), style="dim")


def question_view(question: HeteQuestion, part: TablePart, documents: Path) -> RenderableType:
    """Draw a question with its answer, programs, results, the part of its table, and its passage."""
    hops = "text hop, " if question.bridge else ""
    about = f"{question.id}  {question.domain}  {hops}{', '.join(question.operations)}"
    asked = Text.assemble((plain(question.question), "bold"), ("\nanswer  ", "dim"), (plain(question.answer), "green"))
    code = [
        Syntax(plain(text), language, word_wrap=True, background_color="default")
        for text, language in ((question.sql, "sql"), (question.pandas, "python"))
    ]
    found = [
        Text.assemble((f"{who:<13} ", "dim"), plain(value))
        for who, value in (("SQL found", question.sql_result), ("pandas found", question.pandas_result))
    ]
    parts = [Text(about, style="dim"), Panel(asked), *code, Padding(Group(*found), (1, 0))]
    return Group(*parts, *_table(question, part), *_passage(question, documents))


def _table(question: HeteQuestion, part: TablePart) -> list[RenderableType]:
    if part.problem:
        return [Text(plain(part.problem), style="red")]
    told = f"{question.tables[0].source}: {part.total} rows"
    if part.matching:
        told += f", {part.matching} of them hold a text that is compared with"
    return [Text(plain(told), style="dim"), rows_view(part.header, part.rows, most=len(part.rows))]


def _passage(question: HeteQuestion, documents: Path) -> list[RenderableType]:
    if question.bridge is None:
        return []
    path = documents / question.bridge.passage
    text = path.read_text(encoding="utf-8") if path.is_file() else question.bridge.quote
    body = Text(plain(text.strip()))
    body.highlight_words([question.bridge.value], style="reverse bold")
    return [Panel(body, title=f"passage, {question.bridge.direction}", title_align="left")]


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
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        key = os.read(terminal, 1).decode("utf-8", "replace")
        if key == ESCAPE and select.select([terminal], [], [], 0)[0]:
            os.read(terminal, MOST_ESCAPED)  # an arrow, or another key that sends several characters
            return "?"
        return key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
