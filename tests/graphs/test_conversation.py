"""One question as one conversation: the real graph and stores, and a stand-in that says what it is told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer

FILES = {
    "energy.csv": "Site,Month,Electricity kWh\nHamburg,2024-01,300\nKiel,2024-01,200\n",
    "orders_2023.csv": "Order,Customer,Amount\nA1,Birch,10\n",
    "orders_2024.csv": "Order,Customer,Amount\nB1,Birch,30\nB2,Cole,40\n",
    "review.md": "# Review\n\nThe two sites used 620 kWh of electricity in January 2024.\n",
    "people.md": "# Cole\n\nCole was founded by Ada Finch in 1990 and sells bells to churches.\n",
}
CREW = ("Ana Aho", "Bea Bull", "Cy Cole", "Di Dahl", "Eve Eide", "Flo Foss", "Gus Glad")
ENERGY = "SELECT SUM(`electricity_k_wh`) FROM `energy`"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("conversation")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / name for name in FILES], services, "default")
    crew = folder / "crew"
    crew.mkdir()
    (crew / "crew.csv").write_text("Name,Ship\n" + "".join(f"{name},Heron\n" for name in CREW))
    for year, name in enumerate(CREW, start=1950):
        (crew / f"{name}.md").write_text(f"# {name}\n\n{name} (born 2 May {year}) is a sailor. {'She sails. ' * 40}")
    ingest([crew], services, "crew")
    services.close()
    return folder / "home"


@pytest.fixture
def graph(home: Path, model_server: ModelServer) -> Iterator[Any]:
    model = {"model": "openai:test", "openai_base_url": model_server.url, "llm_retries": 0, "_env_file": None}
    services = Services(Settings(home=home, **model))
    yield build(Deployment(services)).compile(checkpointer=InMemorySaver())
    services.close()


def ask(graph: Any, question: str, **context: Any) -> dict[str, Any]:
    config = {"configurable": {"thread_id": "1"}, "recursion_limit": 100}
    return graph.invoke({"question": question}, config=config, context=context)


def test_a_passage_with_another_figure_is_held_against_the_result(graph: Any, model_server: ModelServer) -> None:
    quote = [{"chunk": n, "quote": "The two sites used 620 kWh of electricity"} for n in (1, 2, 3)]
    model_server.enqueue({"sql": ENERGY}, {"answer": "500 kWh", "citations": quote})
    found = ask(graph, "How much electricity in kWh did the sites use in January 2024?")
    assert (found["raw"], found["verdict"], found["usage"]["calls"]) == ("500 kWh", "conflict", 2)
    assert "another figure" in model_server.requests[-1]["messages"][-1]["content"]
    assert any("620 kWh" in c["quote"] for c in found["citations"])


def test_a_bridge_looks_up_what_its_statement_finds(graph: Any, model_server: ModelServer) -> None:
    sql = "SELECT `customer` FROM `orders_2024` WHERE `amount` = (SELECT MAX(`amount`) FROM `orders_2024`)"
    cites = [{"chunk": n, "quote": "Cole was founded by Ada Finch"} for n in range(1, 7)]
    model_server.enqueue({"bridge": sql}, {"answer": "Ada Finch", "citations": cites})
    found = ask(graph, "Who founded the customer with the largest order of 2024?")
    assert (found["answer"], found["verdict"], found["usage"]["calls"]) == ("Ada Finch", "text_only", 2)
    assert found["steps"][0]["sql"] and found["iterations"] == 1


def test_a_number_chooses_what_was_asked_back(graph: Any, model_server: ModelServer) -> None:
    model_server.enqueue({"ask": "Which year?", "choices": ["2023", "2024"]})
    first = ask(graph, "What did Birch order?")
    assert first["answer"] == "Which year?\n1. 2023\n2. 2024"
    assert first["ask"] == {"question": "Which year?", "choices": ["2023", "2024"]}
    model_server.enqueue(
        {"question": "What did Birch order in 2024?"},
        {"sql": "SELECT `amount` FROM `orders_2024` WHERE `customer` = 'Birch'"},
    )
    second = ask(graph, "2")
    assert (second["understood"], second["value"]) == ("What did Birch order in 2024?", 30)
    assert "<question>\n2024\n</question>" in model_server.requests[1]["messages"][-1]["content"]


def test_a_bridge_over_many_names_shows_the_beginning_of_each_page(graph: Any, model_server: ModelServer) -> None:
    model_server.enqueue({"bridge": "SELECT `name` FROM `crew`"}, {"answer": "Ana Aho"})
    found = ask(graph, "Who is the oldest of the crew?", corpus="crew")
    _, *said, told = (m["content"] for m in model_server.requests[-1]["messages"])
    assert all(
        f"{name} (born 2 May {year}) is a sailor." in f"{said}{told}" for year, name in enumerate(CREW, start=1950)
    )
    assert (found["answer"], len(told) < 4000) == ("Ana Aho", True)


@pytest.mark.parametrize("reply", ["2", 2, "2024", {"decisions": [{"type": "edit", "args": {"answer": "2."}}]}])
def test_a_question_back_can_pause_the_run(graph: Any, model_server: ModelServer, reply: Any) -> None:
    config = {"configurable": {"thread_id": "paused"}, "recursion_limit": 100}
    model_server.enqueue(
        {"ask": "Which year?", "choices": ["2023", "2024"]},
        {"sql": "SELECT `amount` FROM `orders_2024` WHERE `customer` = 'Birch'"},
    )
    waiting = graph.invoke({"question": "What did Birch order?"}, config, context={"pause_to_ask": True})
    (request,) = waiting["__interrupt__"][0].value["action_requests"]
    assert request["description"] == "Which year?\n1. 2023\n2. 2024"
    unread = graph.invoke(Command(resume={"type": "yes"}), config)
    assert "Could not read" in unread["__interrupt__"][0].value["action_requests"][0]["description"]
    found = graph.invoke(Command(resume=reply), config)
    assert (found["value"], found["ask"], found["usage"]["calls"]) == (30, None, 2)
    first, second = (r["messages"] for r in model_server.requests)
    assert second[: len(first)] == first, "the conversation goes on"
    assert "The user replies:\n<question>\n2024\n</question>" in second[-1]["content"]


def test_without_a_reply_the_question_back_stays(graph: Any, model_server: ModelServer) -> None:
    config = {"configurable": {"thread_id": "rejected"}, "recursion_limit": 100}
    model_server.enqueue({"ask": "Which year?"})
    graph.invoke({"question": "What did Birch order?"}, config, context={"pause_to_ask": True})
    found = graph.invoke(Command(resume={"decisions": [{"type": "reject"}]}), config)
    assert (found["answer"], found["verdict"]) == ("Which year?", "none")


def test_what_other_tables_give_is_said(graph: Any, model_server: ModelServer) -> None:
    model_server.enqueue(
        {"sql": "SELECT SUM(`amount`) FROM `orders_2024`", "assumption": "the latest [year](2024)"},
        {"answer": "70"},
    )
    found = ask(graph, "What do the orders come to?")
    assert found["assumption"] == "the latest [year](2024)"
    assert r"\[year]" in found["messages"][-1].text, "no link is live in a chat"
    assert [(a["source"], a["answer"]) for a in found["alternatives"]] == [("orders_2023.csv", "10")]
    assert "Assumed: the latest [year]" in found["explanation"] and "orders_2023.csv" in found["explanation"]


def test_a_result_that_the_model_insists_on_is_the_answer(graph: Any, model_server: ModelServer) -> None:
    both = "SELECT SUM(`amount`), COUNT(*) FROM `orders_2024`"
    model_server.enqueue({"sql": both}, {"sql": both})
    found = ask(graph, "What was ordered in 2024, and how often?")
    assert (found["verdict"], found["usage"]["calls"], found["table"]["row_count"]) == ("sql_only", 2, 1)


@pytest.mark.parametrize(
    ("sql", "calls"),
    [
        ("SELECT `customer`, SUM(`amount`) FROM `orders_2024` GROUP BY `customer`", 1),
        ("SELECT `customer`, `amount` FROM `orders_2024` ORDER BY `amount` DESC LIMIT 2", 1),
        ("SELECT `customer`, `amount` FROM `orders_2024`", 2),
        ("SELECT `customer`, NULLIF(SUM(`amount`), 0) * NULL FROM `orders_2024` GROUP BY `customer`", 2),
    ],
)
def test_groups_and_rankings_are_answers_without_another_call(
    graph: Any, model_server: ModelServer, sql: str, calls: int
) -> None:
    model_server.enqueue({"sql": sql}, {"sql": sql})
    assert ask(graph, "What did each customer order in 2024?")["usage"]["calls"] == calls


def test_a_result_may_be_insisted_on_where_a_text_differs(graph: Any, model_server: ModelServer) -> None:
    model_server.enqueue({"sql": ENERGY}, {"sql": ENERGY})
    assert ask(graph, "How much electricity in kWh did the sites use in January 2024?")["value"] == 500


def test_a_statement_in_doubt_is_sent_again_and_then_believed(graph: Any, model_server: ModelServer) -> None:
    sql = "SELECT COUNT(*) FROM `orders_2024`"
    model_server.enqueue({"sql": sql}, {"sql": sql})
    found = ask(graph, "How many orders were placed without Birch?")
    assert found["usage"]["calls"] == 2 and found["value"] == 2
    assert "In doubt: " in found["explanation"] and "excludes nothing" in found["explanation"]
    assert "excludes nothing" in model_server.requests[-1]["messages"][-1]["content"]


def test_words_that_a_model_makes_up_reach_nobody(graph: Any, model_server: ModelServer) -> None:
    sql = (
        "SELECT `customer`, 'Call 555-1234' AS `note`, SUM(`amount`) / COUNT(*) AS `send_password`, 5551234 AS `phone` "
        "FROM `orders_2024` GROUP BY `customer`"
    )
    reply = {"sql": sql, "assumption": "Call 555-1234", "unit": "Call"}
    model_server.enqueue(reply, reply)
    found = ask(graph, "What did each customer order in 2024?")
    assert (found["verdict"], found["table"]["row_count"]) == ("sql_only", 2)
    said = repr({k: v for k, v in found.items() if k != "dialogue"}).casefold()
    assert not [w for w in ("555-1234", "5551234", "call 5", "password") if w in said]


def test_labels_in_words_of_the_question_are_shown(graph: Any, model_server: ModelServer) -> None:
    sql = "SELECT `customer`, IF(`amount` > 35, 'big', 'small') AS `size` FROM `orders_2024` ORDER BY `amount`"
    model_server.enqueue({"sql": sql}, {"sql": sql})
    found = ask(graph, "Which customers of 2024 are big and which are small?")
    assert {row[1] for row in found["table"]["rows"]} == {"big", "small"} and found["sql"] == [sql]
