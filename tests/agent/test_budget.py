"""A budget that is used up ends a question with what is known, in the real graph with a scripted reasoner."""

from pathlib import Path
from typing import Any

import pytest

from tablerag import TableRAG
from tablerag.agent.budget import Budgeted, QuestionBudget
from tablerag.agent.context import Context
from tablerag.agent.reasoning import (
    ConcludeTask,
    DecomposeTask,
    Enough,
    ResolveTask,
    SqlQuery,
    Standalone,
    Step,
    Subquery,
    Turn,
    Usage,
    Validation,
)
from tablerag.graphs.tablerag import RECURSION_LIMIT, build
from tests.support.fakes import FakeTools, ScriptedReasoner
from tests.support.model_server import ModelServer
from tests.support.model_thoughts import lookup

SPENT = Usage(3, 300, 30)


@pytest.fixture
def reasoner() -> ScriptedReasoner:
    """A reasoner of 12 tokens a thought that never has enough."""
    made = ScriptedReasoner("openai:m").enqueue("decompose", Subquery("How much in the north?"))
    made.enqueue("write_sql", SqlQuery("SELECT `amount` FROM `sales`", "total of Amount"))
    return made.enqueue("cross_validate", Validation("ten", "agree", "Both say so."))


def asked(reasoner: ScriptedReasoner, limit: int) -> dict[str, Any]:
    graph = build(FakeTools(), lambda context: reasoner).compile()
    context = Context(max_tokens_per_question=limit)
    return graph.invoke({"question": "How much?"}, context=context, config={"recursion_limit": RECURSION_LIMIT})


@pytest.mark.parametrize(
    ("limit", "answer", "calls"),
    [
        (36, "ten", 3),  # after one whole step: its answer
        (24, "10", 2),  # before the comparison with the text: the values of the result
    ],
)
def test_the_answer_is_that_of_the_last_step(reasoner: ScriptedReasoner, limit: int, answer: str, calls: int) -> None:
    result = asked(reasoner, limit)
    assert (result["raw"], result["stopped_by"], result["usage"]["calls"]) == (answer, "budget", calls)
    sentence = f"Stopped after {12 * calls} tokens: the limit for one question is {limit}."
    assert f"{sentence} The answer is that of the last finished step." in result["explanation"]
    assert result["sql"] and result["citations"]


def test_without_an_answer_the_budget_is_the_answer(reasoner: ScriptedReasoner) -> None:
    result = asked(reasoner, 12)
    assert (result["verdict"], result["stopped_by"], result["usage"]["calls"]) == ("none", "budget", 1)
    assert result["answer"] == "Stopped after 12 tokens: the limit for one question is 12."
    assert (result["explanation"], result["cause"]) == ("", "")
    assert "the limit for one question is 12" in result["messages"][-1].text


def test_a_limit_of_zero_is_none_and_the_embedded_reasoner_has_none(reasoner: ScriptedReasoner) -> None:
    reasoner.enqueue("conclude", Enough("x")).enqueue("decompose", Enough("ten"))
    assert asked(reasoner, 0)["stopped_by"] == "answered"
    offline = ScriptedReasoner("offline").enqueue("decompose", Subquery("q"), Enough("ten"))
    offline.enqueue("write_sql", SqlQuery("SELECT `amount` FROM `sales`"))
    offline.enqueue("cross_validate", Validation("ten", "sql_only", "r"))
    assert asked(offline, 1)["stopped_by"] == "answered"


def test_nothing_is_asked_after_the_end() -> None:
    reasoner = ScriptedReasoner()
    budgeted = Budgeted(reasoner, QuestionBudget(330, SPENT))
    steps = (Step("North?", "10", "sql_only"), Step("South?", "", "none"))
    assert budgeted.resolve(ResolveTask("And?", (Turn("q", "a"),))).value == Standalone("And?")
    enough = budgeted.decompose(DecomposeTask("q", (), (), steps)).value
    assert isinstance(enough, Enough) and (enough.answer, enough.stopped_by) == ("10", "budget")
    assert budgeted.conclude(ConcludeTask("q", steps)).value.answer == "10"
    assert reasoner.history == []


def test_a_corpus_has_a_budget_of_a_day(tmp_path: Path, model_server: ModelServer) -> None:
    model_server.responder = lookup
    (tmp_path / "sales.csv").write_text("Region,Amount\nNorth,1200\nSouth,800\n")
    limits = {"openai_base_url": model_server.url, "llm_retries": 0, "max_tokens_per_day": 300}
    with TableRAG(tmp_path / "home", model="openai:m", **limits) as rag:
        rag.ingest(tmp_path / "sales.csv")
        first = rag.ask("What is the amount of North?")
        assert (first.value, first.stopped_by, first.usage.tokens) == (1200, "answered", 110)
        second = rag.ask("What is the amount of South?")
        assert (second.value, second.stopped_by, second.usage.calls) == (800, "answered", 1)
        cut = rag.ask("What is the amount of South?")
        assert (cut.value, cut.stopped_by, cut.usage.calls) == (800, "budget", 1), "not judged any more"
        third = rag.ask("What is the amount of South?")
        assert (third.found, third.iterations, third.usage.calls) == (False, 0, 0)
        assert third.text.startswith("Stopped: today's 300 tokens")
        assert rag.ask("What is the amount of South?", context={"model": "offline"}).value == 800
    assert len(model_server.requests) == 3
