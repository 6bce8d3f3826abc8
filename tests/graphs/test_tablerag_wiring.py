"""The graph's course, with a scripted reasoner and the real nodes, routers and checkpointer."""

import json

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import StateGraph

from tablerag.agent.context import Context
from tablerag.agent.reasoning import (
    CannotAnswer,
    Conclusion,
    Enough,
    ResolveTask,
    SqlQuery,
    SqlTask,
    Standalone,
    Subquery,
    Validation,
)
from tablerag.agent.turns import CLEARED, OF_ONE_TURN
from tablerag.graphs.tablerag import RECURSION_LIMIT, build
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import EmptyReason, Receipt, SqlResult
from tests.support.fakes import FakeTools, ScriptedReasoner

FOUND = Validation("10", "sql_only", "the table says so")
NOTHING = Validation("", "none", "nothing found")


@pytest.fixture
def tools() -> FakeTools:
    return FakeTools()


def wired(tools: FakeTools, reasoner: ScriptedReasoner) -> StateGraph:
    return build(tools, lambda context: reasoner)


def run(tools: FakeTools, reasoner: ScriptedReasoner, **context: int) -> dict:
    compiled = wired(tools, reasoner).compile()
    return compiled.invoke(
        {"question": "How much?"}, context=Context(**context), config={"recursion_limit": RECURSION_LIMIT}
    )


def test_a_thread_keeps_no_working_state_between_turns(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("How much in the north?"), Enough("10", "read off"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT `amount` FROM `sales`")).enqueue("cross_validate", FOUND)
    compiled = wired(tools, reasoner).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": RECURSION_LIMIT}
    compiled.invoke({"question": "How much?"}, config, context=Context())
    kept = compiled.get_state(config).values
    assert kept["answer"] == "10" and kept["steps"][0]["rows"]
    assert {name: kept[name] for name in CLEARED | OF_ONE_TURN} == CLEARED | OF_ONE_TURN


def test_one_iteration_answers(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("How much in the north?"), Enough("10", "read off"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT `amount` FROM `sales`")).enqueue("cross_validate", FOUND)
    result = run(tools, reasoner)
    assert result["answer"] == "10"
    assert result["verdict"] == "sql_only"
    assert result["stopped_by"] == "answered"
    assert result["iterations"] == 1
    assert result["sql"] == ["SELECT `amount` FROM `sales`"]
    shown = {"source": "sales.csv", "locator": "rows 2", "quote": "Region: North; Amount: 10"}
    assert result["citations"] == [shown | {"chunk_id": "", "table": "sales", "row_ids": [1], "columns": []}]
    assert result["usage"] == {"calls": 4, "input_tokens": 40, "output_tokens": 8, "cached_tokens": 0}
    assert result["question"] == "How much?"
    assert result["model"] == "scripted"
    assert [(m.type, m.name) for m in result["messages"]] == [
        ("human", None),
        ("ai", None),
        ("tool", "search_documents"),
        ("ai", None),
        ("tool", "execute_sql"),
        ("ai", None),
    ]
    assert json.loads(result["messages"][-2].content) == {"amount": 10}


def test_the_calculator_computes_what_text_and_table_give_together(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("How much more than the text says?"), Enough("12.6", "read off"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT `amount` FROM `sales`"))
    reasoner.enqueue("cross_validate", Validation("13", "text_only", "Both figures.", formula="56.7 - 44.1"))
    step = run(tools, reasoner)["steps"][0]
    assert step["intermediate_answer"] == "12.6"
    assert "56.7 - 44.1 = 12.6" in step["reason"]


def test_stops_after_five_iterations_and_says_so(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("again")).enqueue("write_sql", CannotAnswer("no column"))
    reasoner.enqueue("cross_validate", NOTHING).enqueue("conclude", Conclusion("about 10", "A guess."))
    result = run(tools, reasoner)
    assert result["iterations"] == 5
    assert result["stopped_by"] == "iteration_limit"
    assert result["answer"] == "about 10"
    assert "5 iterations" in result["explanation"]
    assert tools.ran == []


def test_sql_is_repaired_at_most_twice(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    statements = [SqlQuery(f"SELECT bad{n}") for n in range(9)]
    reasoner.enqueue("decompose", Subquery("q"), Enough("", "no luck")).enqueue("write_sql", *statements)
    reasoner.enqueue("cross_validate", NOTHING)
    result = run(tools, reasoner)
    assert tools.ran == ["SELECT bad0", "SELECT bad1", "SELECT bad2"]
    assert result["steps"][0]["error"] == "no such column: bad"
    assert result["steps"][0]["sql"] == "SELECT bad2"
    assert result["sql"] == []
    assert result["stopped_by"] == "no_evidence"
    assert result["verdict"] == "none"


def test_a_statement_that_failed_is_not_run_again(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("", "no luck")).enqueue("write_sql", SqlQuery("SELECT bad"))
    reasoner.enqueue("cross_validate", NOTHING)
    result = run(tools, reasoner)
    assert tools.ran == ["SELECT bad"]
    assert result["steps"][0]["error"] == "no such column: bad"
    assert len([t for t in reasoner.history if isinstance(t, SqlTask)]) == 2, "nor is another one asked for"


def test_longest_course_stays_within_the_recursion_limit(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"))
    reasoner.enqueue("write_sql", *(SqlQuery(f"SELECT bad AS n_{n}") for n in range(15)))
    reasoner.enqueue("cross_validate", NOTHING).enqueue("conclude", Conclusion("", ""))
    result = run(tools, reasoner)
    assert len([t for t in reasoner.history if isinstance(t, SqlTask)]) == 15
    assert result["stopped_by"] == "iteration_limit"


def test_repaired_statement_sees_the_error_and_succeeds(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("10", ""))
    reasoner.enqueue("write_sql", SqlQuery("SELECT bad"), SqlQuery("SELECT 10")).enqueue("cross_validate", FOUND)
    result = run(tools, reasoner)
    second = [t for t in reasoner.history if hasattr(t, "attempts")][1]
    assert second.attempts[0].error == "no such column: bad"
    assert result["steps"][0]["error"] is None
    assert result["sql"] == ["SELECT 10"]


def test_no_table_no_sql(tools: FakeTools) -> None:
    tools.schemas = ()
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("x", ""))
    reasoner.enqueue("cross_validate", Validation("x", "text_only", "said so"))
    assert run(tools, reasoner)["steps"][0]["sql"] is None


def test_turns_of_a_thread_do_not_leak(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("a"), Enough("10", ""), Subquery("b"), Enough("20", ""))
    reasoner.enqueue("resolve", Standalone("second of all?"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT 1")).enqueue("cross_validate", FOUND)
    compiled = wired(tools, reasoner).compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    compiled.invoke({"question": "first?"}, thread)
    content = [{"type": "text", "text": "and second?"}]
    result = compiled.invoke({"messages": [HumanMessage(content, id="m2")]}, thread)
    assert result["question"] == "and second?"
    assert result["iterations"] == 1
    assert result["answer"] == "20"
    assert [m.text for m in result["messages"] if m.type == "human"] == ["first?", "and second?"]
    (resolved,) = (t for t in reasoner.history if isinstance(t, ResolveTask))
    assert (resolved.question, [t.question for t in resolved.history]) == ("and second?", ["first?"])
    assert reasoner.history[-1].question == "second of all?"
    assert result["understood"] == "second of all?"


def test_no_question_is_a_clear_error(tools: FakeTools) -> None:
    compiled = wired(tools, ScriptedReasoner()).compile()
    with pytest.raises(ConfigError, match="no question given"):
        compiled.invoke({"question": "  "})
    with pytest.raises(ConfigError, match="4000"):
        compiled.invoke({"question": "x" * 5000})


def test_the_paper_s_six_nodes_and_four_for_people() -> None:
    names = set(build().nodes)
    assert names == {
        "understand", "decompose", "retrieve", "nl2sql", "approve", "execute", "cross_validate", "ask_back", "finish",
        "confirm",
    }  # fmt: skip


def test_an_empty_result_is_looked_at_again_before_it_is_believed(tools: FakeTools) -> None:
    empty = EmptyReason(says="no row of `sales` has `region` = 'Nroth'", missing=True)
    tools.results = [SqlResult(sql="SELECT 1", columns=("a",), rows=(), empty=empty)] * 2
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("", "no luck"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT one"), SqlQuery("SELECT two")).enqueue("cross_validate", NOTHING)
    result = run(tools, reasoner)
    assert tools.ran == ["SELECT one", "SELECT two"]
    assert (result["cause"], result["steps"][0]["cause"]) == ("value_not_found", "value_not_found")
    assert "is not in the tables: no row of `sales` has \"Region\" = 'Nroth'." in result["explanation"]


@pytest.mark.parametrize(
    ("thoughts", "cause"),
    [
        ([CannotAnswer("there is no price")], "unsure"),
        ([SqlQuery("SELECT bad")], "sql_failed"),
        ([SqlQuery("SELECT none")], "no_rows"),
    ],
)
def test_the_cause_of_no_answer_is_told(tools: FakeTools, thoughts: list, cause: str) -> None:
    if cause == "no_rows":
        tools.results = [SqlResult(sql="S", columns=("a",), rows=(), empty=EmptyReason(says="no row matches"))]
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("", "no luck")).enqueue("write_sql", *thoughts)
    reasoner.enqueue("cross_validate", NOTHING)
    assert run(tools, reasoner)["cause"] == cause


def test_a_word_that_no_table_mentions_is_named(tools: FakeTools) -> None:
    tools.missing = ["price", "phone"]
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("", "no luck")).enqueue("write_sql", CannotAnswer("no price"))
    reasoner.enqueue("cross_validate", NOTHING)
    result = run(tools, reasoner)
    assert result["cause"] == "not_in_tables"
    assert result["explanation"].startswith('No column or value matches "price" or "phone".')


def test_no_cause_where_there_is_an_answer(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("10", "read off"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT `amount` FROM `sales`")).enqueue("cross_validate", FOUND)
    assert run(tools, reasoner)["cause"] == ""


def answer_of(value: int) -> SqlResult:
    receipt = Receipt(sql="S", tables=("sales",), sources=("sales.csv",), result_hash=str(value))
    return SqlResult(sql="S", columns=("amount",), rows=((value,),), receipt=receipt)


def test_of_several_statements_the_result_that_most_agree_on_counts(tools: FakeTools) -> None:
    tools.results = [answer_of(7), answer_of(10), answer_of(10)]
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("10", "read off"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT a"), SqlQuery("SELECT b"), SqlQuery("SELECT c"))
    reasoner.enqueue("cross_validate", FOUND)
    result = run(tools, reasoner, sql_candidates=3)
    assert tools.ran == ["SELECT a", "SELECT b", "SELECT c", "SELECT b"]
    assert result["steps"][0]["agreement"] == "2 of 3 statements gave this result"
    asked = [task.others for task in reasoner.history if isinstance(task, SqlTask)]
    assert asked == [(), ("SELECT a",), ("SELECT a", "SELECT b")]


def test_one_statement_is_written_and_run_once_by_default(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("10", "read off"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT a")).enqueue("cross_validate", FOUND)
    result = run(tools, reasoner)
    assert (tools.ran, result["steps"][0]["agreement"]) == (["SELECT a"], "")


def test_statements_that_do_not_run_have_no_vote(tools: FakeTools) -> None:
    reasoner = ScriptedReasoner()
    reasoner.enqueue("decompose", Subquery("q"), Enough("10", "read off"))
    reasoner.enqueue("write_sql", SqlQuery("SELECT bad"), SqlQuery("SELECT a")).enqueue("cross_validate", FOUND)
    tools.results = [answer_of(10), answer_of(10)]
    assert run(tools, reasoner, sql_candidates=2)["steps"][0]["agreement"] == "1 of 2 statements gave this result"
