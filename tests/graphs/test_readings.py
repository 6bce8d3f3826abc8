"""A question that may mean several things: its readings are offered, and a message of the thread chooses one."""

from dataclasses import replace
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from tablerag.agent.context import Context
from tablerag.agent.reasoning import (
    CannotAnswer,
    Enough,
    Reading,
    SqlQuery,
    SqlTask,
    Standalone,
    Subquery,
    TextReading,
    Validation,
)
from tablerag.graphs.tablerag import build
from tablerag.tools.records import Citation, SqlResult
from tests.support.fakes import FakeTools, ScriptedReasoner

QUESTION = "How much?"
SUM, AVG = "SELECT SUM(`amount`) FROM `sales`", "SELECT AVG(`amount`) FROM `sales`"
READINGS = (
    Reading("Total of Amount", SUM, SqlResult(sql=SUM, columns=("a",), rows=((1200,),))),
    Reading("Average of Amount", AVG, SqlResult(sql=AVG, columns=("a",), rows=((600,),))),
)
NOTHING = Validation("", "none", "nothing found")
CONFIG = {"configurable": {"thread_id": "t"}}
Talk = tuple[CompiledStateGraph, FakeTools, ScriptedReasoner]


@pytest.fixture
def talk() -> Talk:
    tools, reasoner = FakeTools(), ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery(QUESTION), Enough("", ""), Subquery(QUESTION), Enough("10", "read"))
    reasoner.enqueue("write_sql", CannotAnswer("Not sure.", READINGS), SqlQuery("SELECT `amount` FROM `sales`"))
    reasoner.enqueue("cross_validate", NOTHING, Validation("10", "sql_only", "so it says"))
    reasoner.enqueue("resolve", Standalone(QUESTION))
    graph = build(tools, lambda context: reasoner).compile(checkpointer=InMemorySaver())
    return graph, tools, reasoner


def say(talk: Talk, message: str, **context: Any) -> dict[str, Any]:
    return talk[0].invoke({"messages": [("human", message)]}, CONFIG, context=Context(**context))


def test_readings_are_offered_with_their_values(talk: Talk) -> None:
    found = say(talk, QUESTION)
    assert found["answer"].splitlines() == [
        "Not sure which you mean:",
        "1. Total of Amount: 1,200 (unsure)",
        "2. Average of Amount: 600 (unsure)",
    ]
    assert (found["verdict"], found["cause"], found["stopped_by"]) == ("none", "unsure", "no_evidence")
    assert [(r["meaning"], r["value"], r["sql"]) for r in found["readings"]] == [
        ("Total of Amount", 1200, SUM), ("Average of Amount", 600, AVG),
    ]  # fmt: skip
    assert "To choose one, reply with its number." in found["messages"][-1].text
    assert (found["sql"], found["citations"]) == ([], [])


@pytest.mark.parametrize("message", ["2", "the second", "Average of Amount", "average"])
def test_a_message_runs_the_reading_that_it_chooses(talk: Talk, message: str) -> None:
    say(talk, QUESTION)
    _, tools, reasoner = talk
    asked = len(reasoner.history)
    found = say(talk, message)
    assert tools.ran == [AVG]
    assert len(reasoner.history) == asked  # nobody is asked again
    assert (found["answer"], found["verdict"], found["stopped_by"]) == ("10", "sql_only", "answered")
    assert (found["question"], found["understood"], found["readings"]) == (message, QUESTION, [])
    assert found["citations"][0]["table"] == "sales"
    assert found["steps"][0]["subquery"] == "Average of Amount"
    assert found["iterations"] == 1


def test_another_reading_can_be_chosen_afterwards(talk: Talk) -> None:
    for message in (QUESTION, "2", "thanks", "1"):
        say(talk, message)
    assert talk[1].ran == [AVG, SUM]


def test_a_number_out_of_range_keeps_the_list(talk: Talk) -> None:
    say(talk, QUESTION)
    found = say(talk, "7")
    assert found["answer"].startswith("There are 2 readings: choose a number from 1 to 2")
    assert (found["verdict"], found["steps"], talk[1].ran) == ("none", [], [])
    assert say(talk, "2")["answer"] == "10"


def test_a_number_without_a_list_is_no_question(talk: Talk) -> None:
    found = say(talk, "2")
    assert "no list to choose from" in found["answer"]
    assert (talk[2].history, talk[1].searched) == ([], [])


def test_a_new_question_ends_the_choice(talk: Talk) -> None:
    say(talk, QUESTION)
    assert say(talk, "And what does the north have?")["answer"] == "10"
    assert "no list to choose from" in say(talk, "2")["answer"]


def test_a_chosen_statement_waits_for_approval(talk: Talk) -> None:
    say(talk, QUESTION)
    waiting = say(talk, "1", approve_sql=True)
    assert waiting["__interrupt__"][0].value["action_requests"][0]["args"] == {"sql": SUM}
    assert talk[1].ran == []
    found = talk[0].invoke(Command(resume={"decisions": [{"type": "reject", "message": "no"}]}), CONFIG)
    assert (found["verdict"], talk[1].ran) == ("none", [])
    assert "The statement was rejected: no." in found["explanation"]


def test_a_reasoner_runs_nothing_while_statements_are_approved(talk: Talk) -> None:
    say(talk, QUESTION, approve_sql=True)
    assert [t.may_run for t in talk[2].history if isinstance(t, SqlTask)] == [False]


def test_readings_of_tables_that_are_gone_are_not_run(talk: Talk) -> None:
    say(talk, QUESTION)
    talk[1].schemas = ()
    found = say(talk, "1")
    assert "changed or were removed" in found["answer"] or "were changed or removed" in found["answer"]
    assert talk[1].ran == []


def test_a_chosen_statement_that_fails_is_not_written_anew(talk: Talk) -> None:
    bad = Reading("Total of bad", "SELECT bad FROM `sales`", READINGS[0].result)
    talk[2]._queues["write_sql"][0] = CannotAnswer("Not sure.", (bad,))
    assert say(talk, QUESTION)["answer"].startswith("Not sure that you mean:\n1. Total of bad")
    found = say(talk, "1")
    assert (found["verdict"], found["cause"]) == ("none", "sql_failed")
    assert "no such column: bad" in found["explanation"]


def test_readings_of_a_part_of_the_question_are_not_offered(talk: Talk) -> None:
    talk[2]._queues["decompose"][0] = Subquery("How much in the north?")
    found = say(talk, QUESTION)
    assert (found["readings"], found["answer"]) == ([], "No reliable answer was found in the documents.")


def test_an_event_tells_of_the_readings(talk: Talk) -> None:
    events = list(talk[0].stream({"question": QUESTION}, CONFIG, stream_mode="custom"))
    (told,) = [e for e in events if e["type"] == "readings"]
    assert told["text"] == "Found 2 possible readings"
    assert told["readings"][1] == {"meaning": "Average of Amount", "text": "600"}


def test_a_sentence_is_offered_and_looked_up_again_when_it_is_chosen() -> None:
    tools, reasoner = FakeTools(), ScriptedReasoner()
    cited = Citation(source="policy.docx", quote="Ann Lee signs them.", chunk_id=tools.chunks[0].id)
    reasoner.enqueue("decompose", Subquery(QUESTION), Enough("", ""))
    reasoner.enqueue("write_sql", CannotAnswer("Not sure.", READINGS))
    reasoner.enqueue("cross_validate", replace(NOTHING, readings=(TextReading("Ann Lee", cited, 0.4),)))
    graph = build(tools, lambda context: reasoner).compile(checkpointer=InMemorySaver())
    found = say((graph, tools, reasoner), QUESTION)
    assert found["answer"].splitlines()[1] == "1. policy.docx says “Ann Lee signs them.”: Ann Lee (unsure)"
    assert len(found["readings"]) == 3
    chosen = say((graph, tools, reasoner), "1")
    assert (chosen["answer"], chosen["verdict"], chosen["sql"]) == ("Ann Lee", "text_only", [])
    assert [c["quote"] for c in chosen["citations"]] == ["Ann Lee signs them."]
    tools.chunks = ()
    gone = say((graph, tools, reasoner), "the first")
    assert gone["verdict"] == "none" and "removed since" in gone["explanation"]
