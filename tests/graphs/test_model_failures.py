"""A model that is slow, refuses, breaks off or talks nonsense: each turn ends in an answer or in one clear line."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablerag.agent.nodes.finish import NO_ANSWER
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import RECURSION_LIMIT, build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ModelUnavailable, TableRagError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer, Reply
from tests.support.model_thoughts import lookup

ASKED = {"question": "What is the amount of North?"}
ALWAYS = 50
SQL = "SELECT `amount` FROM `sales` WHERE `region` = 'North'"
ALL_KEYS = {
    "sql": SQL,
    "part": SQL,
    "bridge": SQL,
    "find": ["North"],
    "answer": "977",
    "ask": "Which?",
    "missing": "all",
}
LONG = 200_000
Asked = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("failures")
    (folder / "sales.csv").write_text("Region,Amount\nNorth,1200\nSouth,800\n")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "sales.csv"], services, "default")
    services.close()
    return folder / "home"


@pytest.fixture(params=["invoke", "stream"])
def ask(request: pytest.FixtureRequest, home: Path, model_server: ModelServer) -> Asked:
    """Return a function that asks the graph, with whole replies or, as served messages are, with streamed ones."""
    return _asking(home, model_server, request.param)


@pytest.fixture
def ask_whole(home: Path, model_server: ModelServer) -> Asked:
    """Return a function that asks the graph with whole replies: what follows from them is the same if streamed."""
    return _asking(home, model_server, "invoke")


def _asking(home: Path, model_server: ModelServer, how: str) -> Asked:
    model_server.responder = lookup

    def asked(*first: Reply | str, retries: int = 0, timeout_s: float = 5.0) -> dict[str, Any]:
        model = {"model": "openai:test", "openai_base_url": model_server.url, "_env_file": None}
        settings = Settings(home=home, llm_retries=retries, llm_timeout_s=timeout_s, **model)
        services = Services(settings)
        graph = build(Deployment(services)).compile().with_config(recursion_limit=RECURSION_LIMIT)
        model_server.enqueue(*first)
        try:
            if how == "invoke":
                return graph.invoke(ASKED)
            modes = list(graph.stream(ASKED, stream_mode=["messages", "values"]))
            assert all(r["stream"] for r in model_server.requests)
            return [values for mode, values in modes if mode == "values"][-1]
        finally:
            services.close()

    return asked


@pytest.mark.parametrize(
    "first",
    [
        pytest.param([Reply("", delay_s=0.3)], id="slow"),
        pytest.param([""], id="empty once"),
        pytest.param(["Let me think."], id="no JSON once"),
        pytest.param(['{"subquery": "What is'], id="half of the JSON once"),
    ],
)
def test_what_happens_once_is_asked_again(ask: Asked, first: list) -> None:
    assert ask(*first)["answer"] == "1,200"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_a_server_refuses_once_is_retried(ask: Asked, status: int) -> None:
    assert ask(Reply(status=status), retries=1)["answer"] == "1,200"


def test_a_retry_is_told_to_who_watches_the_run(home: Path, model_server: ModelServer) -> None:
    model = {"model": "openai:test", "openai_base_url": model_server.url, "_env_file": None}
    services = Services(Settings(home=home, llm_retries=1, **model))
    graph = build(Deployment(services)).compile().with_config(recursion_limit=RECURSION_LIMIT)
    model_server.enqueue(Reply(status=503)).responder = lookup
    found = [e for e in graph.stream(ASKED, stream_mode="custom") if e["type"] == "retry"]
    services.close()
    assert [e["text"] for e in found] == ["The language model did not answer: asking it again"]
    assert 0 < found[0]["pause_s"] < 1


@pytest.mark.parametrize(
    ("reply", "error", "says"),
    [
        (Reply(status=429), ModelUnavailable, "openai:test: 429 after all retries"),
        (Reply(status=500), ModelUnavailable, "openai:test: the server answered 500"),
        (Reply(status=401), ModelUnavailable, "openai:test: 401, invalid API key"),
        (Reply("{}", delay_s=1.0), ModelUnavailable, "openai:test: timed out"),
        (Reply(endless="\\n "), ModelUnavailable, "openai:test: timed out"),
        (Reply('{"subquery": "What is it?"}', cut=True), ModelUnavailable, "openai:test: could not connect"),
        (Reply(raw=b"<html>hello</html>"), ModelUnavailable, "openai:test"),
    ],
    ids=["429", "500", "401", "too slow", "endless", "cut off", "a page"],
)
def test_what_happens_always_ends_in_one_clear_line(ask: Asked, reply: Reply, error: type, says: str) -> None:
    with pytest.raises(TableRagError, match=says) as failure:
        ask(*[reply] * ALWAYS, timeout_s=0.4 if reply.delay_s or reply.endless else 20.0)
    assert isinstance(failure.value, error)
    assert "\n" not in str(failure.value)


def test_a_silent_server_is_given_up_once_in_all(ask: Asked, model_server: ModelServer) -> None:
    begun = time.monotonic()
    with pytest.raises(ModelUnavailable, match="timed out"):
        ask(*[Reply("{}", delay_s=3.0)] * ALWAYS, retries=3, timeout_s=0.5)
    assert time.monotonic() - begun < 2.5
    assert len(model_server.requests) == 1, "a call that timed out is not sent again"


def test_a_reply_that_is_cut_off_later_ends_too(ask: Asked) -> None:
    solve = Reply(tool="solve_subquery", arguments={"subquery": "What is the amount of North?"})
    with pytest.raises(ModelUnavailable):
        ask(solve, *[Reply('{"sql": "SELECT 1"}', cut=True)] * ALWAYS)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(tool="delete_everything", arguments={"really": True}),
        Reply('{"sql": "SELECT `amount` FROM'),
        Reply("lorem,ipsum," * (LONG // 12)),
        Reply("<think>" * (LONG // 7)),
        Reply('{"a":' * (LONG // 5)),
        Reply("北部的金额是一千二百。"),
        Reply('{"Antwort": "1200", "Quelle": "sales.csv"}'),
        Reply("<think>The user wants the amount. " * 20),
        Reply("I'm sorry, but I cannot help with that."),
        Reply(""),
    ],
    ids=["a tool", "half", "long", "long thoughts", "deep", "Chinese", "German", "thinks on", "refuses", "empty"],
)
def test_what_is_no_reply_ends_without_an_answer(ask_whole: Asked, model_server: ModelServer, reply: Reply) -> None:
    begun = time.monotonic()
    outcome = ask_whole(*[reply] * ALWAYS)
    said = outcome["explanation"]
    assert (outcome["answer"], outcome["verdict"], outcome["usage"]["calls"]) == (NO_ANSWER, "none", 2)
    assert "openai:test sent 2 invalid replies" in said and "\n" not in said and len(said) < 400
    assert time.monotonic() - begun < 10.0
    assert len(model_server.requests) == 2
    assert len(str(model_server.requests[-1]["messages"])) < 40_000, "a long reply is not sent back whole"


@pytest.mark.parametrize(
    "reply",
    [
        ALL_KEYS,
        {"answer": "977;" * (LONG // 4)},
        {"answer": "".join(f"{n};" for n in range(2000, 35_000))},
        {"answer": "the-region-of-the-north;" * (LONG // 24)},
    ],
    ids=["all keys", "one number", "numbers", "words"],
)
def test_an_answer_that_nothing_shown_bears_is_none(ask_whole: Asked, model_server: ModelServer, reply: dict) -> None:
    outcome = ask_whole(*[Reply(json.dumps(reply))] * ALWAYS)
    assert (outcome["verdict"], outcome["answer"]) == ("none", NO_ANSWER)
    assert len(outcome["explanation"]) < 500
    assert len(model_server.requests) == 2


@pytest.mark.parametrize(
    ("step", "calls"),
    [
        (lambda n: {"sql": f"DELETE FROM `sales` WHERE `amount` = {n}"}, 17),
        (lambda n: {"sql": f"SELECT {n} FROM `information_schema`.`tables`"}, 17),
        (lambda n: {"sql": f"{n} " + "WITH/*a*/" * (LONG // 9)}, 17),
        (lambda n: {"part": f"SELECT `amount` + {n} FROM `sales`"}, 7),
        (lambda n: {"bridge": SQL}, 7),
        (lambda n: {"find": [f"North {n}"]}, 7),
        (lambda n: {"find": ["North"]}, 7),
    ],
    ids=["writes", "other tables", "long", "parts", "bridges", "searches", "one search"],
)
def test_steps_without_end_stop_at_the_limit_of_iterations(
    ask_whole: Asked, model_server: ModelServer, home: Path, step: Callable[[int], dict], calls: int
) -> None:
    model_server.responder = None
    outcome = ask_whole(*[Reply(json.dumps(step(n))) for n in range(ALWAYS)])
    assert (outcome["verdict"], outcome["answer"]) == ("none", NO_ANSWER)
    assert outcome["stopped_by"] == "iteration_limit"
    assert len(outcome["steps"]) == outcome["iterations"] == 5
    assert len(model_server.requests) <= calls
    services = Services(Settings(home=home, _env_file=None))
    assert len(services.catalog.tables("default")) == 1
    services.close()


def test_a_statement_that_is_refused_and_sent_again_ends_the_question(
    ask_whole: Asked, model_server: ModelServer
) -> None:
    model_server.responder = None
    outcome = ask_whole(*[Reply('{"sql": "DROP TABLE `sales`"}')] * ALWAYS)
    assert (outcome["answer"], outcome["iterations"], len(model_server.requests)) == (NO_ANSWER, 1, 3)


def test_a_model_that_always_asks_back_ends_each_turn_with_its_question(
    ask_whole: Asked, model_server: ModelServer
) -> None:
    back = Reply(json.dumps({"ask": "Which North?", "choices": [f"North {n}" for n in range(200)]}))
    for turn in range(1, 4):
        outcome = ask_whole(*[back] * ALWAYS)
        assert outcome["answer"].startswith("Which North?\n1. North 0\n2. North 1")
        assert len(outcome["answer"]) < 500
        assert len(model_server.requests) == turn
