"""What a terminal shows while a question is answered, and how statements are put to a person there."""

import io
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from rich.console import Console

from tablerag.agent.context import Context
from tablerag.cli.ask import Steps, decide, run_shown
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services

CONFIG = {"configurable": {"thread_id": "t"}, "recursion_limit": 80}


def screen(*lines: str) -> tuple[Console, io.StringIO]:
    """Return a terminal that answers what it is asked with the lines given."""
    shown, said = io.StringIO(), iter(lines)
    console = Console(file=shown, force_terminal=True, width=100, highlight=False)
    console.input = lambda prompt="", **_: (console.print(prompt), next(said))[1]
    return console, shown


@pytest.fixture
def graph(services: Services, tmp_path: Path):
    (tmp_path / "sales.csv").write_text("region,amount\nNorth,10\nSouth,20\n")
    ingest([tmp_path / "sales.csv"], services, "default")
    return build(services).compile(checkpointer=InMemorySaver())


def test_a_terminal_shows_the_steps_and_gets_the_outcome(graph) -> None:
    console, shown = screen()
    outcome = run_shown(graph, "What is the total amount?", CONFIG, Context(), console, lambda _: {})
    assert outcome["answer"] == "30"
    assert "What is the total amount?" in shown.getvalue()
    assert "1 row" in shown.getvalue()


def test_what_is_no_terminal_shows_nothing(graph) -> None:
    shown = io.StringIO()
    run_shown(graph, "What is the total amount?", CONFIG, Context(), Console(file=shown), lambda _: {})
    assert shown.getvalue() == ""


@pytest.mark.parametrize(
    ("lines", "rows", "approval"),
    [
        (("what?", "y"), [[30]], "approved"),
        (("e", "SELECT MAX(amount) FROM sales"), [[20]], "edited"),
        (("n", "not now"), [], "rejected"),
    ],
)
def test_a_statement_is_run_edited_or_rejected_at_the_terminal(graph, lines, rows, approval) -> None:
    console, shown = screen(*lines)
    context = Context(approve_sql=True)
    outcome = run_shown(
        graph, "What is the total amount?", CONFIG, context, console, lambda asked: decide(asked, console)
    )
    assert (outcome["steps"][0]["rows"], outcome["steps"][0]["approval"]) == (rows, approval)
    assert "run it? (y)es, (e)dit, (n)o:" in shown.getvalue()


def test_documents_cannot_steer_the_terminal() -> None:
    console, shown = screen()
    steps = Steps()
    steps.add({"type": "subquery", "iteration": 1, "subquery": "a\x1b]0;evil\x07 [red]b"})
    steps.add({"type": "sql_error", "iteration": 1, "error": "\x1b[2J"})
    steps.add({"type": "something new"})
    console.print(steps)
    assert "\x1b]0;" not in shown.getvalue() and "\x1b[2J" not in shown.getvalue()
    assert "[red]b" in shown.getvalue()
