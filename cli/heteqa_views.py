"""Views of a question for `tablerag heteqa annotate`, cut to the height of the terminal."""

from pathlib import Path

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.syntax import Syntax
from rich.text import Text

from tablerag.cli.printing import printable
from tablerag.cli.views import rows_view
from tablerag.evaluation.heteqa.records import HeteQuestion
from tablerag.evaluation.heteqa.table_part import TablePart
from tablerag.tools.counting import counted

__all__ = ["asked_view", "evidence_view", "fitted", "lines_of"]


class Cut:
    """The first lines of a renderable, with a note if there are more."""

    def __init__(self, what: RenderableType, most: int) -> None:
        self._what, self._most = what, most

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render at most the given number of lines."""
        lines = console.render_lines(self._what, options.update(height=None), pad=False)
        whole = len(lines) <= self._most
        for line in lines if whole else lines[: max(self._most - 1, 0)]:
            yield from line
            yield Segment.line()
        if not whole and self._most > 0:
            yield Text("… (enlarge the window to see more)", style="dim")


def lines_of(screen: Console, what: RenderableType) -> int:
    """Return the height of a renderable on a screen."""
    return len(screen.render_lines(what, screen.options.update(height=None), pad=False))


def asked_view(question: HeteQuestion) -> RenderableType:
    """Return a view of the question with its answer."""
    return Panel(
        Text.assemble(
            (printable(question.question), "bold"), ("\nanswer  ", "dim"), (printable(question.answer), "green")
        )
    )


def evidence_view(question: HeteQuestion, part: TablePart, documents: Path) -> RenderableType:
    """Return a view of the evidence: programs and results, part of the table, and the passage."""
    passage = _passage(question, documents)
    return Group(_programs(question), _table(question, part, len(part.rows)), *([passage] if passage else []))


def fitted(screen: Console, question: HeteQuestion, part: TablePart, documents: Path, room: int) -> RenderableType:
    """Return a view of the evidence in ``room`` lines, with fewer rows and only the quote of the passage if needed."""
    programs, passage = _programs(question), _passage(question, documents)
    left = room - lines_of(screen, programs)
    parts: list[RenderableType] = [programs]
    if passage and lines_of(screen, passage) > left // 2:
        passage = _quote(question)
    for_table = left - (lines_of(screen, passage) if passage else 0)
    tables = (_table(question, part, most) for most in range(len(part.rows), 0, -1))
    table = next((t for t in tables if lines_of(screen, t) <= for_table), None)
    if table is not None:
        parts.append(table)
    if passage:
        parts.append(passage)
    return Cut(Group(*parts), room)


def _programs(question: HeteQuestion) -> RenderableType:
    hops = "text hop, " if question.bridge else ""
    about = f"{question.id}  {question.domain}  {hops}{', '.join(question.operations)}"
    code = [
        Syntax(printable(text), language, word_wrap=True, background_color="default")
        for text, language in ((question.sql, "sql"), (question.pandas, "python"))
    ]
    found = [
        Text.assemble((f"{who:<13} ", "dim"), printable(value))
        for who, value in (("SQL found", question.sql_result), ("pandas found", question.pandas_result))
    ]
    return Group(Text(about, style="dim"), *code, *found)


def _table(question: HeteQuestion, part: TablePart, most: int) -> RenderableType:
    if part.problem:
        return Text(printable(part.problem), style="red")
    about = f"{question.tables[0].source}: {counted(part.total, 'row')}"
    if part.matching:
        about += f", {part.matching} of them match a text in the SQL"
    return Group(Text(printable(about), style="dim"), rows_view(part.header, part.rows[:most], most=most))


def _passage(question: HeteQuestion, documents: Path) -> RenderableType | None:
    """Return a view of the passage with the fact highlighted; None without a text hop."""
    if question.bridge is None:
        return None
    path = documents / question.bridge.passage
    return _highlighted(question, path.read_text(encoding="utf-8") if path.is_file() else question.bridge.quote)


def _quote(question: HeteQuestion) -> RenderableType | None:
    return _highlighted(question, question.bridge.quote) if question.bridge else None


def _highlighted(question: HeteQuestion, text: str) -> RenderableType | None:
    if question.bridge is None:
        return None
    body = Text(printable(text.strip()))
    body.highlight_words([question.bridge.value], style="reverse bold")
    return Panel(body, title=f"passage, {question.bridge.direction}", title_align="left")
