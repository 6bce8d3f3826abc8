"""With schema_only no value and no text of a document reaches the model: every request is recorded and searched."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablerag import TableRAG
from tablerag.tools.errors import ConfigError
from tests.support.command_line import CommandLine
from tests.support.model_server import ModelServer, Reply

STOCK = """<h1>Confidential memorandum</h1><p>The keeper of the Timbuktu depot is Zuleika Abernathy.</p>
<table><caption>Animals on hand</caption>
<tr><th>Depot (city)</th><th>Animal kept</th><th>Weight (kg)</th><th>Since</th></tr>
<tr><td>Zanzibar</td><td>Quokka</td><td>4711.5</td><td>1987-03-04</td></tr>
<tr><td>Timbuktu</td><td>Axolotl</td><td>8128.25</td><td>1993-11-12</td></tr>
<tr><td>Reykjavik</td><td>Quokka</td><td>33.75</td><td>2001-01-31</td></tr></table>
<p>Nothing here may be shown to strangers.</p>"""
HELD = (
    "Zanzibar", "Timbuktu", "Reykjavik", "Quokka", "Axolotl", "4711", "8128", "33.75", "12873", "1987", "1993", "2001",
    "Confidential", "memorandum", "Zuleika", "Abernathy", "keeper", "Animals on hand", "strangers", "Depot (city)",
    "(kg)", "stock.html",
)  # fmt: skip
"""Every cell, title, header and text of the documents, the total, and the name of the file."""
TOTAL = "What do all of them weigh together?"


@pytest.fixture
def rag(tmp_path: Path, model_server: ModelServer) -> Iterator[TableRAG]:
    """A client with a model, which is the reranker too."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "stock.html").write_text(STOCK)
    limits = {"openai_base_url": model_server.url, "llm_retries": 0, "reranker": "openai:m"}
    with TableRAG(tmp_path / "home", model="openai:m", **limits) as opened:
        opened.ingest(tmp_path / "docs")
        yield opened


def writes(*statements: str, question: str = "") -> Any:
    """Return a responder that writes these statements in order, and resolves a follow-up as ``question``."""
    left = list(statements)

    def respond(request: dict[str, Any]) -> Reply:
        wants_sql = "SELECT" in json.dumps(request)
        return Reply(json.dumps({"sql": left.pop(0)} if wants_sql else {"question": question}))

    return respond


def table_of(rag: TableRAG) -> tuple[str, list[str]]:
    (schema,) = rag.tables()
    return schema.name, [c.name for c in schema.columns]


def check(server: ModelServer, least: int) -> None:
    sent = json.dumps(server.requests, ensure_ascii=False)
    assert len(server.requests) >= least
    assert [held for held in HELD if held.casefold() in sent.casefold()] == []


def test_a_number_is_computed_by_names_and_types_alone(rag: TableRAG, model_server: ModelServer) -> None:
    table, (_, _, weight, _) = table_of(rag)
    model_server.responder = writes(f"SELECT SUM(`{weight}`) AS t FROM `{table}`")
    answer = rag.ask(TOTAL, context={"schema_only": True})
    assert (answer.text, answer.value, answer.verdict) == ("12,873.5 kg", 12873.5, "sql_only")
    assert (answer.usage.calls, answer.model) == (1, "openai:m")
    assert "The model saw names and types only." in answer.explanation
    assert answer.citations[0].row_ids == (1, 2, 3)
    check(model_server, 1)
    assert re.search(rf"`{weight}` \w+", json.dumps(model_server.requests)), "its name and type are shown"


def test_repairs_show_no_value_either(rag: TableRAG, model_server: ModelServer) -> None:
    table, (city, animal, weight, _) = table_of(rag)
    model_server.responder = writes(
        f"SELECT `pounds` FROM `{table}`",
        f"SELECT `{weight}` FROM `{table}` WHERE `{animal}` = 'Quoka'",
        f"SELECT `{city}` FROM `{table}` WHERE `{weight}` = (SELECT MAX(`{weight}`) FROM `{table}`)",
    )
    answer = rag.ask("Where is the heaviest?", context={"schema_only": True})
    assert answer.text == "Timbuktu"
    check(model_server, 3)
    sent = json.dumps(model_server.requests)
    assert "pounds" in sent and "found nothing" in sent


def test_a_conversation_shows_no_earlier_answer(rag: TableRAG, model_server: ModelServer) -> None:
    table, (_, _, weight, _) = table_of(rag)
    sums = [f"SELECT {name}(`{weight}`) AS t FROM `{table}`" for name in ("SUM", "MIN")]
    model_server.responder = writes(*sums, question="What does the lightest weigh?")
    first = rag.ask(TOTAL, thread="t", context={"schema_only": True})
    second = rag.ask("and the lightest?", thread="t", context={"schema_only": True})
    assert (first.value, second.value) == (12873.5, 33.75)
    check(model_server, 3)


def test_a_sentence_is_found_without_the_model(rag: TableRAG, model_server: ModelServer) -> None:
    model_server.responder = lambda request: Reply('{"cannot_answer": "no such column"}')
    answer = rag.ask("Who is the keeper of the depot?", context={"schema_only": True})
    assert "Zuleika Abernathy" in answer.text + answer.citations[0].quote
    assert answer.verdict == "text_only"
    sent = json.dumps(model_server.requests)
    assert not [h for h in HELD if h != "keeper" and h.casefold() in sent.casefold()]


def test_without_it_the_model_sees_values(rag: TableRAG, model_server: ModelServer) -> None:
    model_server.responder = lambda request: Reply('{"missing": "everything"}')
    rag.ask(TOTAL)
    assert "Zanzibar" in json.dumps(model_server.requests), "what the others look for is there to be found"


def test_it_is_an_option_of_the_command_line(
    command_line: CommandLine, tmp_path: Path, model_server: ModelServer
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "stock.html").write_text(STOCK)
    assert command_line("ingest", "docs", TABLERAG_MODEL="offline")[0] == 0
    found = command_line("tables")[1]
    table = re.search(r"\b(\w*animals\w*)\b", found)[1]
    model_server.responder = writes(f"SELECT COUNT(*) AS n FROM `{table}`")
    model = {"OPENAI_BASE_URL": model_server.url, "TABLERAG_MODEL": "openai:m"}
    status, out, err = command_line("ask", TOTAL, "--schema-only", **model)
    assert (status, err) == (0, "") and "3" in out
    check(model_server, 1)
    status, _, err = command_line("ask", TOTAL, "--schema-only", "--system", "hd_rag")
    assert status == 2 and "--schema-only does not apply to hd_rag" in err


def test_systems_that_show_passages_refuse(rag: TableRAG) -> None:
    from tablerag.graphs.baselines import naive_rag, text2sql
    from tablerag.graphs.deployment import Deployment

    context = {"schema_only": True, "model": "openai:m"}
    with pytest.raises(ConfigError, match="schema_only needs the system tablerag or text2sql"):
        naive_rag.build(Deployment(rag.services)).compile().invoke({"question": TOTAL}, context=context)
    assert text2sql.build(Deployment(rag.services))
