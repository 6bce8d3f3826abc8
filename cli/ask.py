"""ask and chat: run the graph, show on a terminal what it does meanwhile, and put statements to the person there."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.syntax import Syntax
from rich.text import Text

from tablerag.cli.views import STYLES, plain

__all__ = ["Steps", "decide", "run_shown"]

Plain = dict[str, Any]
Decide = Callable[[Mapping[str, Any]], Plain]
"""From an interrupt's value to the reply that it is resumed with."""
MOST_LINES = 14
"""Lines of the live view: older ones make room."""


class Steps:
    """The live view: one line or statement for each event of agent/events.py and agent/hd_rag/events.py."""

    def __init__(self) -> None:
        self._parts: list[RenderableType] = []
        self._doing = "reading the question"

    def add(self, event: Mapping[str, Any]) -> None:
        """Take in one event; unknown ones are left out."""
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
        self._parts.append(Text.assemble(*((plain(text), style) for text, style in parts), overflow="ellipsis"))
        self._doing = doing

    def _turn(self, event: Mapping[str, Any]) -> None:
        if event["understood"] != event["question"]:
            self._line(("understood as ", "dim"), (event["understood"], ""), doing="looking at the tables")
        self._doing = "looking at the tables"

    def _subquery(self, event: Mapping[str, Any]) -> None:
        self._line((f"{event['iteration']}. ", "bold"), (event["subquery"], "bold"), doing="searching the documents")

    def _evidence(self, event: Mapping[str, Any]) -> None:
        tables = ", ".join(t["name"] for t in event["tables"]) or "no table"
        self._line((f"   found {tables}; {len(event['chunks'])} passages", "dim"), doing="writing SQL")

    def _sql(self, event: Mapping[str, Any]) -> None:
        self._parts.append(
            Syntax(plain(event["sql"]), "sql", word_wrap=True, background_color="default", padding=(0, 3))
        )
        self._doing = "running it"

    def _sql_error(self, event: Mapping[str, Any]) -> None:
        self._line((f"   {event['error']}", "yellow"), doing="writing it anew")

    def _rows(self, event: Mapping[str, Any]) -> None:
        more = " and more" if event["truncated"] else ""
        count = event["row_count"]
        self._line((f"   {count}{more} row{'s' * (count != 1)}", "dim"), doing="checking it against the text")

    def _verdict(self, event: Mapping[str, Any]) -> None:
        found = event["intermediate_answer"] or "no answer"
        self._line((f"   {event['verdict']} ", STYLES[event["verdict"]]), (found, ""), doing="deciding what is next")

    def _documents(self, event: Mapping[str, Any]) -> None:
        found = ", ".join(d["source"] for d in event["documents"]) or "no document"
        self._line(("found ", "dim"), (found, ""), doing="choosing one")

    def _document(self, event: Mapping[str, Any]) -> None:
        self._line(("chose ", "dim"), (event["source"], "bold"), doing="reading it")


def run_shown(
    graph: CompiledStateGraph, question: str, config: Plain, context: Any, screen: Console, decide: Decide | None = None
) -> Plain:
    """Answer one question; on a terminal its steps are shown while it runs, and are gone when the answer comes.

    ``config`` and ``context`` are the graph's own; without ``decide`` a run ends where it is interrupted.
    """
    given: Any = {"question": question}
    while True:
        state = _streamed(graph, given, config, context, screen)
        if decide is None or "__interrupt__" not in state:
            return state
        given = Command(resume=decide(state["__interrupt__"][0].value))


def _streamed(graph: CompiledStateGraph, given: Any, config: Plain, context: Any, screen: Console) -> Plain:
    steps, state = Steps(), {}
    live = Live(steps, console=screen, transient=True, refresh_per_second=8)
    # An outcome is the last of the values; that of an interrupted run says so.
    with live if screen.is_terminal else nullcontext():
        for mode, part in graph.stream(given, config, context=context, stream_mode=["custom", "values"]):
            if mode == "values":
                state = part
            elif screen.is_terminal:
                steps.add(part)
                live.refresh()
    return state


def decide(asked: Mapping[str, Any], screen: Console) -> Plain:
    """Show a statement and ask what is to become of it: the reply that agent/approval.py reads."""
    request = asked["action_requests"][0]
    screen.print(Text(plain(request["description"]), style="dim"))
    screen.print(Syntax(plain(request["args"]["sql"]), "sql", word_wrap=True, background_color="default"))
    while True:
        said = screen.input("run it? (y)es, (e)dit, (n)o: ").strip().lower()
        if said in ("y", "yes"):
            return {"type": "approve"}
        if said in ("e", "edit"):
            return {"type": "edit", "sql": screen.input("SQL: ")}
        if said in ("n", "no"):
            return {"type": "reject", "message": screen.input("why? ")}
