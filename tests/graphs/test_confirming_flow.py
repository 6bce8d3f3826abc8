"""Answers that wait for a person to confirm or correct them, over real stores."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tablerag.agent.context import Context
from tablerag.agent.reasoning import Enough, SqlQuery, Subquery, Validation
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build, build_graph
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tests.support.fakes import ScriptedReasoner

CONFIG: Any = {"configurable": {"thread_id": "t"}, "recursion_limit": 60}
QUESTION = "What is the total amount?"
TOTAL = "SELECT SUM(`amount`) FROM `sales`"
WITHOUT_SOUTH = "SELECT SUM(`amount`) FROM `sales` WHERE `region` <> 'South'"


@pytest.fixture
def sales(services: Services, tmp_path: Path) -> Services:
    (tmp_path / "sales.csv").write_text("region,amount\nNorth,10\nSouth,20\n")
    (tmp_path / "handbook.md").write_text("# Handbook\n\nThe canteen opens at 11:30 and closes at 14:00.\n")
    ingest([tmp_path / "sales.csv", tmp_path / "handbook.md"], services, "default")
    return services


@pytest.fixture
def stage(sales: Services):
    """Return a compiled graph and its first run, which waits after the answer 30."""
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery(QUESTION), Enough("30", "computed"))
    reasoner.enqueue("write_sql", SqlQuery(TOTAL))
    reasoner.enqueue("cross_validate", Validation("30", "sql_only", "computed"))
    graph = build(Deployment(sales), lambda context: reasoner).compile(checkpointer=InMemorySaver())
    return graph, graph.invoke({"question": QUESTION}, CONFIG, context=Context(confirm_answers=True))


def kept(services: Services) -> list[tuple[str, str, str]]:
    return [(e.question, e.sql, e.answer) for e in services.knowledge.of("default").confirmed]


def request_of(state: dict[str, Any]) -> dict[str, Any]:
    (interrupt,) = state["__interrupt__"]
    return interrupt.value["action_requests"][0]


def test_the_answer_is_shown_before_a_person_confirms_it(stage, sales: Services) -> None:
    graph, first = stage
    assert first["answer"] == "30"
    assert first["messages"][-1].text.startswith("30")
    assert request_of(first)["args"] == {"sql": TOTAL}
    assert kept(sales) == []
    last = graph.invoke(Command(resume={"type": "approve"}), CONFIG)
    assert "__interrupt__" not in last
    assert last["answer"] == "30"
    assert kept(sales) == [(QUESTION, TOTAL, "30")]


def test_a_corrected_statement_is_kept_and_answers(stage, sales: Services) -> None:
    graph, _ = stage
    last = graph.invoke(Command(resume={"type": "edit", "args": {"sql": WITHOUT_SOUTH}}), CONFIG)
    assert kept(sales) == [(QUESTION, WITHOUT_SOUTH, "10")]
    assert (last["answer"], last["value"], last["sql"], last["verdict"]) == ("10", 10, [WITHOUT_SOUTH], "sql_only")
    assert "As corrected by a person" in last["explanation"]
    assert last["citations"]
    assert last["messages"][-1].text.startswith("10")
    assert [(t["question"], t["answer"]) for t in graph.get_state(CONFIG).values["history"]] == [(QUESTION, "10")]


@pytest.mark.parametrize("bad", ["DELETE FROM sales", "SELECT nothing FROM sales"])
def test_a_statement_that_is_refused_or_fails_is_asked_for_again(stage, sales: Services, bad: str) -> None:
    graph, _ = stage
    again = graph.invoke(Command(resume={"type": "edit", "args": {"sql": bad}}), CONFIG)
    assert request_of(again)["description"].startswith("Not kept: ")
    assert kept(sales) == []
    graph.invoke(Command(resume={"type": "edit", "args": {"sql": WITHOUT_SOUTH}}), CONFIG)
    assert kept(sales) == [(QUESTION, WITHOUT_SOUTH, "10")]


def test_a_rejection_keeps_nothing(stage, sales: Services) -> None:
    graph, _ = stage
    last = graph.invoke(Command(resume={"type": "reject"}), CONFIG)
    assert (last["answer"], kept(sales)) == ("30", [])
    assert graph.get_state(CONFIG).next == ()


def test_an_unclear_reply_is_asked_for_again(stage) -> None:
    again = stage[0].invoke(Command(resume="maybe"), CONFIG)
    assert request_of(again)["description"].startswith("Could not read the last reply")


def test_an_answer_without_one_statement_can_only_be_corrected(sales: Services) -> None:
    graph = build(Deployment(sales), lambda context: reasoner).compile(checkpointer=InMemorySaver())
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery(QUESTION), Enough("", "nothing found"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT SUM(amount) FROM sales WHERE region = 'East'"))
    reasoner.enqueue("cross_validate", Validation("", "none", "nothing found"))
    first = graph.invoke({"question": QUESTION}, CONFIG, context=Context(confirm_answers=True, max_sql_repairs=0))
    (interrupt,) = first["__interrupt__"]
    assert interrupt.value["review_configs"][0]["allowed_decisions"] == ["edit", "reject"]
    assert request_of(graph.invoke(Command(resume={"type": "approve"}), CONFIG))["args"] == {"sql": ""}
    assert graph.invoke(Command(resume={"type": "edit", "sql": TOTAL}), CONFIG)["answer"] == "30"


@pytest.mark.parametrize("question", ["hello", "When does the canteen open?"])
def test_asides_and_texts_are_not_asked_about(sales: Services, question: str) -> None:
    graph = build_graph(Deployment(sales, model="offline"), checkpointer=InMemorySaver())
    state = graph.invoke({"question": question}, CONFIG, context=Context(confirm_answers=True))
    assert "__interrupt__" not in state


def test_the_corrected_answer_is_given_from_then_on(sales: Services) -> None:
    graph = build_graph(Deployment(sales, model="offline"), checkpointer=InMemorySaver())
    graph.invoke({"question": QUESTION}, CONFIG, context=Context(confirm_answers=True))
    graph.invoke(Command(resume={"type": "edit", "sql": WITHOUT_SOUTH}), CONFIG)
    later: Any = {"configurable": {"thread_id": "other"}}
    assert graph.invoke({"question": QUESTION}, later)["answer"] == "10"
