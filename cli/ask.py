"""ask and chat: show a run's progress on a terminal, and ask there for approval of statements."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from typing import Any, TypeVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.syntax import Syntax
from rich.text import Text

from tablerag.asking import ApprovalRequest, Approve
from tablerag.cli.views import STYLES, printable
from tablerag.tools.records import Record

__all__ = ["Steps", "decide", "run_shown"]

E = TypeVar("E", bound=Record | Mapping[str, Any])
MOST_LINES = 14
"""Lines of the live view; older ones are removed."""


class Steps:
    """The live view: one line or statement per event of agent/events.py and agent/hd_rag/events.py."""

    def __init__(self) -> None:
        self._parts: list[RenderableType] = []
        self._doing = "reading the question"

    def add(self, event: Mapping[str, Any]) -> None:
        """Show one event; unknown ones are ignored."""
        seen = {
            "turn": self._turn,
            "subquery": self._subquery,
            "evidence": self._evidence,
            "sql": self._sql,
            "sql_error": self._sql_error,
            "rows": self._rows,
            "verdict": self._verdict,
            "documents": self._documents,
            "document": self._document,
        }.get(event.get("type", ""))
        if seen is not None:
            seen(event)
            del self._parts[:-MOST_LINES]

    def __rich__(self) -> RenderableType:
        return Group(*self._parts, Spinner("dots", Text(self._doing, style="dim")))

    def _line(self, *parts: tuple[str, str], doing: str) -> None:
        self._parts.append(Text.assemble(*((printable(text), style) for text, style in parts), overflow="ellipsis"))
        self._doing = doing

    def _turn(self, event: Mapping[str, Any]) -> None:
        if event["understood"] != event["question"]:
            self._line(("understood as ", "dim"), (event["understood"], ""), doing="looking at the tables")
        self._doing = "looking at the tables"

    def _subquery(self, event: Mapping[str, Any]) -> None:
        self._line((f"{event['iteration']}. ", "bold"), (event["subquery"], "bold"), doing="searching the documents")

    def _evidence(self, event: Mapping[str, Any]) -> None:
        tables = ", ".join(t["name"] for t in event["tables"]) or "no tables"
        self._line((f"   found {tables}; {len(event['chunks'])} passages", "dim"), doing="writing SQL")

    def _sql(self, event: Mapping[str, Any]) -> None:
        self._parts.append(
            Syntax(printable(event["sql"]), "sql", word_wrap=True, background_color="default", padding=(0, 3))
        )
        self._doing = "running it"

    def _sql_error(self, event: Mapping[str, Any]) -> None:
        self._line((f"   {event['error']}", "yellow"), doing="rewriting it")

    def _rows(self, event: Mapping[str, Any]) -> None:
        more = " and more" if event["truncated"] else ""
        count = event["row_count"]
        self._line((f"   {count}{more} row{'s' * (count != 1)}", "dim"), doing="checking it against the text")

    def _verdict(self, event: Mapping[str, Any]) -> None:
        found = event["intermediate_answer"] or "no answer"
        self._line((f"   {event['verdict']} ", STYLES[event["verdict"]]), (found, ""), doing="choosing the next step")

    def _documents(self, event: Mapping[str, Any]) -> None:
        found = ", ".join(d["source"] for d in event["documents"]) or "no documents"
        self._line(("found ", "dim"), (found, ""), doing="choosing one")

    def _document(self, event: Mapping[str, Any]) -> None:
        self._line(("chose ", "dim"), (event["source"], "bold"), doing="reading it")


def run_shown(events: Callable[[Approve], Iterable[E]], screen: Console, decide: Approve | None = None) -> E | None:
    """Show the events of one question on a terminal as they come, and return the last.

    ``events`` is called with ``decide``, which pauses the live view.
    """
    steps, last = Steps(), None
    live = Live(steps, console=screen, transient=True, refresh_per_second=8)

    def decided(request: ApprovalRequest) -> bool | Mapping[str, Any]:
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
