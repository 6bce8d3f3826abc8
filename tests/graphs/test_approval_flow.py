"""Statements that wait for a person: approve, edit, reject, restart, and forks, over real stores."""

from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tablerag.agent.context import Context
from tablerag.agent.reasoning import Enough, SqlQuery, Subquery, Validation
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tests.support.fakes import ScriptedReasoner

CONFIG = {"configurable": {"thread_id": "t"}, "recursion_limit": 60}
TOTAL = "SELECT SUM(amount) FROM sales"


@pytest.fixture
def stage(services: Services, tmp_path: Path):
    """Return a compiled graph over one small table, its reasoner, and the interrupted first run."""
    (tmp_path / "sales.csv").write_text("region,amount\nNorth,10\nSouth,20\n")
    ingest([tmp_path / "sales.csv"], services, "default")
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("total?"), Enough("30", "read off"))
    reasoner.enqueue("write_sql", SqlQuery(TOTAL), SqlQuery("SELECT MAX(amount) FROM sales"))
    reasoner.enqueue("cross_validate", Validation("30", "sql_only", "computed"))
    graph = build(Deployment(services), lambda context: reasoner).compile(checkpointer=InMemorySaver())
    first = graph.invoke({"question": "total?"}, CONFIG, context=Context(approve_sql=True))
    return graph, reasoner, first


def resumed(graph, **decision):
    return graph.invoke(Command(resume={"decisions": [decision]}), CONFIG)


def test_nothing_runs_before_it_is_approved(stage) -> None:
    graph, _, first = stage
    (interrupt,) = first["__interrupt__"]
    assert interrupt.value["action_requests"][0]["args"] == {"sql": TOTAL}
    assert "total?" in interrupt.value["action_requests"][0]["description"]
    assert graph.get_state(CONFIG).next == ("approve",)
    # No context comes with the resumption: the state remembers.
    step = resumed(graph, type="approve")["steps"][0]
    assert (step["rows"], step["approval"]) == ([[30]], "approved")


def test_an_edited_statement_is_run_in_its_place(stage) -> None:
    edited = {"name": "execute_sql", "args": {"sql": "SELECT MIN(amount) FROM sales"}}
    step = resumed(stage[0], type="edit", edited_action=edited)["steps"][0]
    assert (step["rows"], step["approval"]) == ([[10]], "edited")


def test_an_edited_statement_passes_the_guard_again(stage) -> None:
    graph, reasoner, _ = stage
    edited = {"name": "execute_sql", "args": {"sql": "DELETE FROM sales"}}
    again = resumed(graph, type="edit", edited_action=edited)
    # It was refused, went back to the reasoner with the reason, and the next statement waits in turn.
    assert again["__interrupt__"][0].value["action_requests"][0]["args"] == {"sql": "SELECT MAX(amount) FROM sales"}
    assert reasoner.history[-1].attempts[0].sql == "DELETE FROM sales"
    assert resumed(graph, type="approve")["steps"][0]["rows"] == [[20]]


def test_a_rejection_gives_its_reason_to_the_reasoner(stage) -> None:
    graph, reasoner, _ = stage
    again = resumed(graph, type="reject", message="I want the largest")
    assert reasoner.history[-1].attempts[0].error == "rejected by the user: I want the largest"
    assert again["__interrupt__"]
    assert resumed(graph, type="approve")["steps"][0]["rows"] == [[20]]


def test_rejected_to_the_end_there_is_no_result(stage) -> None:
    graph, _, _ = stage
    for _ in range(2):
        resumed(graph, type="reject", message="no")
    outcome = resumed(graph, type="reject", message="no")
    assert outcome["steps"][0]["error"] == "rejected by the user: no"
    assert (outcome["steps"][0]["rows"], outcome["steps"][0]["cause"]) == ([], "sql_failed")
    assert "The statement was rejected: no." in outcome["explanation"]


def test_a_reply_that_says_nothing_is_asked_for_again(stage) -> None:
    graph, _, _ = stage
    again = graph.invoke(Command(resume="maybe"), CONFIG)
    assert "Could not read" in again["__interrupt__"][0].value["action_requests"][0]["description"]
    assert resumed(graph, type="approve")["steps"][0]["rows"] == [[30]]


def test_a_fork_before_execute_runs_another_statement(stage) -> None:
    graph, _, _ = stage
    resumed(graph, type="approve")
    before = next(s for s in graph.get_state_history(CONFIG) if s.next == ("execute",))
    forked = graph.update_state(before.config, {"candidate_sql": "SELECT COUNT(*) FROM sales"})
    assert graph.get_state(forked).next == ("execute",)
    assert graph.invoke(None, forked)["steps"][0]["rows"] == [[2]]


def test_only_one_statement_is_written_when_a_person_is_to_see_it(services: Services, stage) -> None:
    graph, reasoner, _ = stage
    config = {"configurable": {"thread_id": "other"}}
    asked = len([t for t in reasoner.history if hasattr(t, "others")])
    graph.invoke({"question": "total?"}, config, context=Context(approve_sql=True, sql_candidates=3))
    assert len([t for t in reasoner.history if hasattr(t, "others")]) <= asked + 1
