"""What a terminal shows while a question is answered, and how statements are put to a person there."""

import io
import re
from pathlib import Path

import pytest
from rich.console import Console, Group

from tablerag import TableRAG
from tablerag.cli.ask import Steps, decide, pick, reply, run_shown
from tablerag.cli.views import readings_view
from tablerag.tools.services import Services


def screen(*lines: str) -> tuple[Console, io.StringIO]:
    """Return a terminal that answers what it is asked with the lines given."""
    shown, said = io.StringIO(), iter(lines)
    console = Console(file=shown, force_terminal=True, width=100, highlight=False)
    console.input = lambda prompt="", **_: (console.print(prompt), next(said))[1]
    return console, shown


@pytest.fixture
def rag(services: Services, tmp_path: Path) -> TableRAG:
    (tmp_path / "sales.csv").write_text("region,amount\nNorth,10\nSouth,20\n")
    opened = TableRAG.over(services)
    opened.ingest(tmp_path / "sales.csv")
    return opened


def test_a_terminal_shows_the_steps_and_gets_the_outcome(rag: TableRAG) -> None:
    console, shown = screen()
    last = run_shown(lambda _: rag.stream("What is the total amount?"), console)
    assert last.answer.value == 30
    assert "What is the total amount?" in shown.getvalue()
    assert "1 row" in shown.getvalue()


def test_what_is_no_terminal_shows_nothing(rag: TableRAG) -> None:
    shown = io.StringIO()
    run_shown(lambda _: rag.stream("What is the total amount?"), Console(file=shown))
    assert shown.getvalue() == ""


@pytest.mark.parametrize(
    ("lines", "rows", "approval"),
    [
        (("what?", "y"), ((30,),), "approved"),
        (("e", "SELECT MAX(amount) FROM sales"), ((20,),), "edited"),
        (("n", "not now"), (), "rejected"),
    ],
)
def test_a_statement_is_run_edited_or_rejected_at_the_terminal(rag: TableRAG, lines, rows, approval) -> None:
    console, shown = screen(*lines)
    last = run_shown(
        lambda decided: rag.stream("What is the total amount?", approve=decided),
        console,
        lambda request: decide(request, console),
    )
    step = last.answer.steps[0]
    assert (step.rows, step.approval) == (rows, approval)
    assert "Run it? (y)es, (e)dit, (n)o:" in shown.getvalue()


def test_documents_cannot_steer_the_terminal() -> None:
    console, shown = screen()
    steps = Steps()
    steps.add({"type": "subquery", "iteration": 1, "text": "a\x1b]0;evil\x07 [red]b"})
    steps.add({"type": "sql_error", "iteration": 1, "text": "\x1b[2J"})
    steps.add({"type": "sql", "iteration": 1, "text": "Running SQL", "sql": "SELECT '\x1b[3J'"})
    console.print(steps)
    assert "\x1b]0;" not in shown.getvalue() and not set(re.findall(r"\x1b\[[23]J", shown.getvalue()))
    assert "[red]b" in shown.getvalue()


def test_an_unknown_event_is_shown_by_its_text() -> None:
    console, shown = screen()
    steps = Steps()
    steps.add({"type": "something new", "iteration": 1, "text": "Asked the archive"})
    steps.add({"type": "something silent"})
    console.print(steps)
    assert shown.getvalue().count("\n") == 2 and "Asked the archive" in shown.getvalue()


def test_a_reading_is_picked_by_its_number() -> None:
    console, shown = screen("9", "two", "2")
    assert pick(3, console) == "2"
    assert shown.getvalue().count("Which one? (1-3, Enter for none):") == 3
    assert pick(3, screen("")[0]) == ""


def test_a_question_back_is_answered_by_a_number_or_words() -> None:
    console, shown = screen(" the oak table ")
    assert reply(console) == "the oak table"
    assert "Your answer (a number or words, Enter for none):" in shown.getvalue()
    assert reply(screen("")[0]) == ""


def test_readings_are_a_numbered_list_with_tables() -> None:
    single = {"meaning": "Total of amount", "text": "1,234", "listed": True}
    several = {"meaning": "Total for each \x1b[2Jregion", "text": "", "columns": ["region"], "rows": [["N"], ["S"]]}
    several |= {"texts": [["N"], ["S"]], "numeric": [False], "listed": False}
    console, shown = screen()
    console.print(Group(*readings_view([single, several | {"row_count": 12}])))
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown.getvalue())
    assert "Not sure which you mean:\n1. Total of amount: 1,234 (unsure)\n2. Total for each" in lines
    assert "10 of 12 rows" in " ".join(lines.split()) and "\x1b[2J" not in shown.getvalue()
