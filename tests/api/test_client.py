"""TableRAG over real stores: documents in, answers, tables and errors out."""

import json
from pathlib import Path

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from tablerag import (
    Answer,
    AnswerEvent,
    ApprovalRequest,
    ConfigError,
    Context,
    Progress,
    SqlRejected,
    TableRAG,
    TurnEvent,
    build_graph,
)
from tests.support.command_line import CommandLine
from tests.support.fakes import FakeTools
from tests.support.model_server import ModelServer

TOTAL = "What is the total quantity of all orders?"


@pytest.fixture
def own(tmp_path: Path):
    """Return a client over a corpus of one small table."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "sales.csv").write_text("Region,Amount (EUR)\nNorth,10\nSouth,20\n", encoding="utf-8")
    with TableRAG(tmp_path / "home", model="offline") as opened:
        opened.ingest(tmp_path / "docs")
        yield opened


def test_a_new_corpus_needs_a_valid_name(tmp_path: Path) -> None:
    with (
        TableRAG(tmp_path / "home", corpus="a/b") as rag,
        pytest.raises(ConfigError, match="invalid corpus name 'a/b'"),
    ):
        rag.ingest(tmp_path)


def test_documents_come_and_go(own: TableRAG, tmp_path: Path) -> None:
    (tmp_path / "docs" / "notes.md").write_text(
        "# Cellar\n\nThe cellar was founded by Ada Lovelace.\n", encoding="utf-8"
    )
    steps: list[Progress] = []
    report = own.ingest([tmp_path / "docs" / "notes.md", str(tmp_path / "docs")], on_progress=steps.append)
    assert report.counts == {"added": 1, "unchanged": 1}
    assert (steps[-1].done, steps[-1].total, str(steps[-1])) == (2, 2, "2/2")
    assert own.ask("Who founded the cellar?").text == "Ada Lovelace"
    (tmp_path / "docs" / "notes.md").unlink()
    assert own.ingest(tmp_path / "docs", prune=True).counts == {"unchanged": 1, "removed": 1}
    assert own.remove("sales.csv") == ["sales.csv"]
    assert own.tables() == []


@pytest.mark.parametrize(
    ("question", "value", "unit", "verdict"),
    [
        (TOTAL, 6577, "kg", "sql_only"),
        ("What is the average price of the products from Ethiopia?", 19.75, "EUR", "sql_only"),
        ("How many orders have a quantity of more than 100 kg?", 3, "", "sql_only"),
        ("What was the total revenue of 2025?", 1774500, "EUR", "agree"),
        ("What is the total quantity of orders per region?", None, "", "sql_only"),
        ("How many days of paid leave does an employee have a year?", None, "", "text_only"),
        ("What is the phone number of the chief executive?", None, "", "none"),
    ],
)
def test_an_answer_has_its_value_with_its_unit(
    rag: TableRAG, question: str, value: float | None, unit: str, verdict: str
) -> None:
    answer = rag.ask(question)
    assert (answer.value, answer.unit, answer.verdict, answer.found) == (value, unit, verdict, verdict != "none")


def test_an_answer_has_its_table_and_what_it_rests_on(rag: TableRAG) -> None:
    answer = rag.ask("What is the total quantity of orders per region?")
    assert answer.table is not None and answer.table.columns == ("Region", "Total of Quantity (kg)")
    assert answer.table.rows == (("East", 449), ("North", 2150), ("South", 1956), ("West", 2022))
    assert [c.source for c in answer.citations] == ["orders.csv"]
    assert answer.steps[0].sql in answer.sql and answer.steps[0].receipt is not None
    assert (answer.model, answer.usage.calls, answer.stopped_by, answer.corpus) == ("offline", 0, "answered", "default")
    assert rag.ask("What is the phone number of the chief executive?").cause == "not_in_tables"


def test_an_answer_is_what_the_command_line_prints(own: TableRAG, command_line: CommandLine) -> None:
    question = "What is the total amount?"
    answer, home = own.ask(question), str(own.services.settings.home)
    status, printed, _ = command_line("ask", question, "--json", TABLERAG_HOME=home, TABLERAG_MODEL="offline")
    assert status == 0 and json.loads(printed) == json.loads(answer.to_json()) == answer.to_dict()
    outcome = own.build_graph().invoke({"question": question})
    assert {k: v for k, v in answer.to_dict().items() if k != "corpus"} == {
        k: json.loads(json.dumps(outcome[k])) for k in answer.to_dict() if k != "corpus"
    }
    assert Answer.from_json(printed) == answer


def test_what_is_no_model_is_refused(own: TableRAG) -> None:
    rag = TableRAG.over(own.services, model=42)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="or a chat model; got 42"):
        rag.ask("What is the total amount?")


def test_an_answer_is_verified_as_it_is_as_a_dict_and_as_a_file(own: TableRAG, tmp_path: Path) -> None:
    answer = own.ask("What is the total amount?")
    saved = tmp_path / "answer.json"
    saved.write_text(answer.to_json(), encoding="utf-8")
    for given in (answer, answer.to_dict(), saved, str(saved)):
        assert [v.status for v in own.verify(given)] == ["same"]
    assert [v.status for v in own.verify(answer.to_dict() | {"answer": "999"})] == ["changed"]
    own.remove("sales.csv")
    assert [v.status for v in own.verify(answer)] == ["gone"]
    with pytest.raises(ConfigError, match="answer: not an answer"):
        own.verify({"text": "30"})


def test_a_stream_ends_with_the_answer(rag: TableRAG) -> None:
    first, *_, last = rag.stream(TOTAL)
    assert isinstance(first, TurnEvent) and first.understood == TOTAL
    assert isinstance(last, AnswerEvent) and last.answer == rag.ask(TOTAL)


def test_questions_of_a_thread_are_one_conversation(rag: TableRAG) -> None:
    assert rag.ask("What is the total quantity of the orders in the region North?", thread="a").value == 2150
    assert rag.ask("What about South?", thread="a").value == 1956
    assert not rag.ask("What about South?", thread="b").found
    assert not rag.ask("What about South?").found


@pytest.mark.parametrize(
    ("reply", "rows"),
    [
        (True, ((30,),)),
        (False, ()),
        ({"type": "edit", "sql": "SELECT MAX(amount_eur) FROM sales"}, ((20,),)),
    ],
)
def test_a_statement_runs_as_it_is_approved(own: TableRAG, reply: bool | dict, rows: tuple) -> None:
    asked: list[ApprovalRequest] = []
    answer = own.ask("What is the total amount?", approve=lambda request: (asked.append(request), reply)[1])
    assert answer.steps[0].rows == rows
    assert "SUM(`amount_eur`)" in asked[0].sql and "Tables: sales" in asked[0].description
    with pytest.raises(ConfigError, match="approve_sql needs a function to ask"):
        own.ask("What is the total amount?", context={"approve_sql": True})


def test_tables_and_statements(own: TableRAG) -> None:
    (table,) = own.tables()
    assert own.describe("SALES") == table
    assert own.sql("SELECT SUM(amount_eur) FROM sales").rows == ((30,),)
    with pytest.raises(SqlRejected, match="only SELECT"):
        own.sql("DROP TABLE sales")
    with pytest.raises(ConfigError, match="unknown table 'costs': expected one of sales"):
        own.describe("costs")


@pytest.mark.parametrize(
    ("context", "says"),
    [
        ({"corpus": "nowhere"}, "unknown corpus 'nowhere': expected one of 'default'"),
        ({"corpsu": "default"}, "unknown context field 'corpsu': expected one of corpus, model, max_iterations"),
        ({"top_k": "many"}, "invalid context: top_k: Input should be a valid integer"),
        ({"model": "claude"}, "unknown model 'claude'"),
    ],
)
def test_what_cannot_be_asked_is_said(own: TableRAG, context: dict, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        own.ask("What is the total amount?", context=context)


def test_a_corpus_is_made_by_its_first_document(own: TableRAG, tmp_path: Path) -> None:
    other = TableRAG.over(own.services, corpus="other")
    for call in (other.tables, lambda: other.sql("SELECT 1"), lambda: other.ask("Anything?")):
        with pytest.raises(ConfigError, match="unknown corpus 'other': expected one of 'default'"):
            call()
    (tmp_path / "costs.csv").write_text("Kind,Cost\nRent,7\nHeat,3\n", encoding="utf-8")
    other.ingest(tmp_path / "costs.csv")
    assert (other.ask("What is the total cost?").text, other.corpus) == ("10", "other")
    assert own.ask("What is the total cost?", context=Context(corpus="other")).corpus == "other"
    assert [t.name for t in own.tables()] == ["sales"]
    with pytest.raises(ConfigError, match="expected one of 'default', 'other'"):
        own.ask("What is the total cost?", context={"corpus": "others"})


def test_a_new_home_holds_nothing_and_says_so(tmp_path: Path) -> None:
    with TableRAG(tmp_path / "new", model="offline") as rag:
        assert rag.tables() == [] and not (tmp_path / "new" / "chroma").exists()
        for call in (lambda: rag.describe("sales"), lambda: rag.sql("SELECT 1")):
            with pytest.raises(ConfigError, match="corpus 'default' has no tables in .*: run `tablerag ingest PATH`"):
                call()
        with pytest.raises(ConfigError, match="corpus 'default' has no documents"):
            rag.ask("What is the total amount?")
        with pytest.raises(ConfigError, match="has no document 'sales.csv'"):
            rag.remove("sales.csv")


def test_settings_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERAG_ROW_LIMIT", "7")
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = TableRAG("~/reports.tablerag", chroma_url="http://127.0.0.1:9", sql_timeout_s=2).services.settings
    assert (settings.home, settings.row_limit, settings.sql_timeout_s) == (tmp_path / "reports.tablerag", 7, 2)
    assert settings.chroma_url == "http://127.0.0.1:9"
    with pytest.raises(ConfigError, match="unknown setting 'row_limits': expected one of .*row_limit"):
        TableRAG(tmp_path, row_limits=3)
    with pytest.raises(ConfigError, match="TABLERAG_ROW_LIMIT: .* \\(got 'many'\\)"):
        TableRAG(tmp_path, row_limit="many")


class Thinking(GenericFakeChatModel):
    """A chat model of the caller's own, without tools."""

    def bind_tools(self, tools, **kwargs):
        return self


REPLIES = ({"sql": "SELECT SUM(amount_eur) FROM sales"},)


def thinking() -> Thinking:
    return Thinking(messages=iter([AIMessage(json.dumps(reply)) for reply in REPLIES]))


def test_a_chat_model_object_thinks(own: TableRAG) -> None:
    rag = TableRAG.over(own.services, model=thinking())
    answer = rag.ask("What is the total amount?")
    assert (answer.value, answer.unit, answer.usage.calls) == (30, "EUR", 1)
    assert answer.model == "generic-fake-chat-model"
    assert rag.ask("What is the total amount?", context={"model": "offline"}).model == "offline"


def test_a_model_is_asked_by_its_name(own: TableRAG, tmp_path: Path, model_server: ModelServer) -> None:
    model_server.enqueue(*REPLIES)
    settings = {"openai_base_url": model_server.url, "llm_retries": 0}
    with TableRAG(own.services.settings.home, model="openai:stand-in", **settings) as rag:
        answer = rag.ask("What is the total amount?")
    assert (answer.value, answer.model, len(model_server.requests)) == (30, "openai:stand-in", 1)


def test_the_graph_takes_tools_and_models_of_the_callers_own() -> None:
    tools = FakeTools()
    tools.schemas, tools.chunks = (), ()
    with pytest.raises(AssertionError, match="decompose was asked but nothing is enqueued"):
        build_graph(tools).invoke({"question": "How much?"})
    assert tools.searched == ["How much?"]
    with pytest.raises(ConfigError, match="tools or model, not both"):
        build_graph(tools, model="offline")


@pytest.mark.parametrize("reply", ["perhaps", None, {"type": "edit"}])
def test_an_unclear_approval_is_an_error(own: TableRAG, reply: object) -> None:
    with pytest.raises(ConfigError, match="approve must return True, False or .*, got"):
        own.ask("What is the total amount?", approve=lambda request: reply)


def test_a_coroutine_function_cannot_approve_in_the_sync_client(own: TableRAG) -> None:
    async def approve(request: object) -> bool:
        return True

    with pytest.raises(ConfigError, match="use AsyncTableRAG"):
        own.ask("What is the total amount?", approve=approve)
