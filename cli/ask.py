"""ask and chat: run the graph, show on a terminal what it does meanwhile, and put statements to the person there."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from typing import Any, TypeVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.syntax import Syntax
from rich.text import Text

from tablerag.asking import ApprovalRequest, Approve, Decided
from tablerag.cli.printing import printable
from tablerag.cli.views import STYLES
from tablerag.tools.records import Record

__all__ = ["Steps", "decide", "pick", "reply", "run_shown"]

E = TypeVar("E", bound=Record | Mapping[str, Any])
MOST_LINES = 14
"""Lines of the live view; older ones are removed."""


DOING = {
    "turn": "looking at the tables",
    "subquery": "searching the documents",
    "evidence": "writing SQL",
    "sql": "running it",
    "sql_error": "correcting it",
    "rows": "checking it against the text",
    "verdict": "deciding what is next",
    "documents": "choosing one",
    "document": "reading it",
}
"""What follows an event."""
LINE_STYLES = {"subquery": "bold", "document": "bold", "sql_error": "yellow", "verdict": ""}


class Steps:
    """The live view: the text of each event of agent/events.py and agent/hd_rag/events.py, or its statement."""

    def __init__(self) -> None:
        self._parts: list[RenderableType] = []
        self._doing = "reading the question"

    def add(self, event: Mapping[str, Any]) -> None:
        """Show one event, if it has a text."""
        kind, text = event.get("type", ""), event.get("text")
        self._doing = DOING.get(kind, self._doing)
        if not text:
            return
        if kind == "sql":
            statement = printable(event["sql"])
            self._parts.append(Syntax(statement, "sql", word_wrap=True, background_color="default", padding=(0, 3)))
        else:
            indent = "   " if "iteration" in event and kind != "subquery" else ""
            verdict = (f"{event['verdict']} ", STYLES[event["verdict"]]) if kind == "verdict" else ""
            line = (printable(text), LINE_STYLES.get(kind, "dim"))
            self._parts.append(Text.assemble(indent, verdict, line, overflow="ellipsis"))
        del self._parts[:-MOST_LINES]

    def __rich__(self) -> RenderableType:
        return Group(*self._parts, Spinner("dots", Text(self._doing, style="dim")))


def run_shown(
    events: Callable[[Approve], Iterable[E]],
    screen: Console,
    decide: Callable[[ApprovalRequest], Decided] | None = None,
) -> E | None:
    """Show the events of one question on a terminal as they come, and return the last.

    ``events`` is called with ``decide``, which pauses the live view.
    """
    steps, last = Steps(), None
    live = Live(steps, console=screen, transient=True, refresh_per_second=8)

    def decided(request: ApprovalRequest) -> Decided:
        live.stop()
        try:
            return decide(request) if decide else False
        finally:
            live.start()

    with live if screen.is_terminal else nullcontext():
        for last in events(decided):
            if screen.is_terminal:
                steps.add(last.model_dump() if isinstance(last, Record) else last)
                live.refresh()
    return last


def pick(count: int, screen: Console) -> str:
    """Ask which of the readings above is meant; return its number, "" for none."""
    while True:
        try:
            given = screen.input(f"Which one? (1-{count}, Enter for none): ").strip()
        except EOFError:
            return ""
        if not given or (given.isdecimal() and 1 <= int(given) <= count):
            return given


def reply(screen: Console) -> str:
    """Ask for the reply to the question back above; return it, "" for none."""
    try:
        return screen.input("Your answer (a number or words, Enter for none): ").strip()
    except EOFError:
        return ""


def decide(request: ApprovalRequest, screen: Console) -> Mapping[str, Any]:
    """Show a statement and ask whether to run it; return a reply that agent/approval.py reads."""
    screen.print(Text(printable(request.description), style="dim"))
    screen.print(Syntax(printable(request.sql), "sql", word_wrap=True, background_color="default"))
    while True:
        key = screen.input("Run it? (y)es, (e)dit, (n)o: ").strip().lower()
        if key in ("y", "yes"):
            return {"type": "approve"}
        if key in ("e", "edit"):
            return {"type": "edit", "sql": screen.input("SQL: ")}
        if key in ("n", "no"):
            return {"type": "reject", "message": screen.input("Reason: ")}
