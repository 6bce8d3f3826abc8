"""The command line in its own process-like way: arguments in, text and exit status out."""

import json
from pathlib import Path

import pytest
from openpyxl import Workbook

from tablerag import Answer, TableRAG
from tablerag.tools.evidence import run_sql
from tablerag.tools.records import Chunk
from tablerag.tools.services import get_services
from tests.support.command_line import CommandLine
from tests.support.model_server import ModelServer

SALES = "Region,Amount\nNorth,10\nSouth,20\nEast,30\n"


@pytest.fixture
def run(command_line: CommandLine, tmp_path: Path) -> CommandLine:
    """Return the command line in a folder with one small document in docs/."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "sales.csv").write_text(SALES, encoding="utf-8")
    return command_line


def test_from_documents_to_an_answer(run: CommandLine) -> None:
    status, out, _ = run("ingest", "docs")
    assert status == 0 and "1 added" in out
    assert "1 unchanged" in run("ingest", "docs")[1]
    status, out, err = run("ask", "What is the total amount?", "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert list(answer) == [f.alias or name for name, f in Answer.model_fields.items()]
    assert (answer["corpus"], answer["cause"]) == ("default", "")
    assert (answer["answer"], answer["model"], answer["stopped_by"]) == ("60", "offline", "answered")
    status, out, _ = run("ask", "What is the total amount?", "--show-sql", "--trace")
    assert status == 0 and "60" in out and "SUM(`amount`)" in out


def test_what_cannot_be_answered_exits_with_3(run: CommandLine) -> None:
    run("ingest", "docs")
    status, out, _ = run("ask", "Who painted the Mona Lisa?")
    assert status == 3 and out
    assert json.loads(run("ask", "Who painted the Mona Lisa?", "--json")[1])["cause"] == "not_in_tables"


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_a_table_without_rows_is_told_when_it_is_read_and_when_it_is_asked(
    run: CommandLine, tmp_path: Path, suffix: str
) -> None:
    file, header = tmp_path / "docs" / f"returns.{suffix}", ["Return No", "Article", "Reason", "Refund (EUR)"]
    if suffix == "csv":
        file.write_text(",".join(header) + "\n", encoding="utf-8")
    else:
        book = Workbook()
        book.active.append(header)
        book.save(file)
    out = run("ingest", "docs", "--verbose", "--corpus", suffix)[1]
    assert "1 table, no rows" in out and "note: the table has no rows" in out
    for question in ("How many returns were there?", "What is the total refund of the returns in 2025?"):
        status, out, _ = run("ask", question, "--corpus", suffix)
        assert status == 3 and f"returns.{suffix} has no rows below its header." in " ".join(out.split())
    assert run("ask", "What is the total amount?", "--corpus", suffix)[0] == 0


def test_readings_are_listed_with_status_3_and_chosen_in_a_chat(
    run: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs" / "invoices.csv").write_text(
        "Invoice,Customer,Net amount (EUR),Gross amount (EUR)\nI1,Aurora,100,119\nI2,Lumen,200,238\nI3,Aurora,300,357\n"
    )
    run("ingest", "docs", "--corpus", "unclear")
    question = "What is the amount of Aurora?"
    status, out, _ = run("ask", question, "--corpus", "unclear")
    assert status == 3 and out.startswith("Not sure which you mean:\n1. ") and "(unsure)" in out
    assert "To choose one, ask in `tablerag chat` and type its number" in out
    status, out, _ = run("ask", question, "--corpus", "unclear", "--json")
    assert status == 3 and {r["value"] for r in json.loads(out)["readings"]} >= {400, 476}
    typed = iter([question, "7", "the first", ""])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    status, out, _ = run("chat", "--corpus", "unclear")
    assert status == 0 and "To choose one, type its number." in out
    assert "choose a number from 1 to" in out and "sql_only" in out


def test_an_answer_is_computed_again(run: CommandLine, tmp_path: Path) -> None:
    run("ingest", "docs")
    file = tmp_path / "answer.json"
    file.write_text(run("ask", "What is the total amount?", "--json")[1], encoding="utf-8")
    status, out, _ = run("verify", "answer.json")
    assert status == 0 and "same" in out and "60" in out and "sales.csv" in out
    (tmp_path / "docs" / "sales.csv").write_text(SALES + "West,1\n", encoding="utf-8")
    run("ingest", "docs")
    status, out, _ = run("verify", "answer.json")
    assert status == 1 and "changed" in out and "61" in out
    run("remove", "sales.csv")
    status, out, _ = run("verify", "answer.json")
    assert status == 1 and "gone" in out


def test_a_join_is_computed_again_from_both_tables(run: CommandLine, tmp_path: Path) -> None:
    stores = tmp_path / "docs" / "stores.csv"
    stores.write_text("Region,Manager\nNorth,Ada\nSouth,Bo\n", encoding="utf-8")
    run("ingest", "docs")
    sql = "SELECT SUM(s.amount) FROM sales s JOIN stores t ON t.region = s.region WHERE t.manager = 'Ada'"
    result, _ = run_sql(get_services(), sql, get_services().catalog.schemas("default"))
    assert result.receipt is not None
    steps = [{"receipt": result.receipt.model_dump(), "verdict": "sql_only"}]
    (tmp_path / "answer.json").write_text(json.dumps({"corpus": "default", "steps": steps}), encoding="utf-8")
    status, out, _ = run("verify", "answer.json")
    assert status == 0 and "same" in out and "stores.csv" in out
    stores.write_text("Region,Manager\nNorth,Ada\nSouth,Ada\n", encoding="utf-8")
    run("ingest", "docs")
    status, out, _ = run("verify", "answer.json")
    assert status == 1 and "changed" in out
    (found,) = TableRAG.over(get_services()).verify(tmp_path / "answer.json")
    assert "2 rows of stores contribute, previously 1" in found.says


def test_an_older_answer_is_computed_again(run: CommandLine, tmp_path: Path) -> None:
    run("ingest", "docs")
    answer = json.loads(run("ask", "What is the total amount?", "--json")[1])
    for step in answer["steps"]:
        (rows,) = step["receipt"].pop("rows")
        step["receipt"] |= {name: rows[name] for name in ("row_count", "row_ids", "rows_hash")}
    (tmp_path / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
    status, out, _ = run("verify", "answer.json")
    assert status == 0 and "same" in out
    (found,) = TableRAG.over(get_services()).verify(tmp_path / "answer.json")
    assert found.says == "the result and its rows are unchanged"
    assert len(found.receipt.rows[0].rows_hash) == 64


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not an answer: expected the output of `tablerag ask --json`"),
        ("[1]", "not an answer: expected the output of `tablerag ask --json`"),
        ('{"steps": [{"receipt": {"sql": 1}}]}', "not an answer: expected the output of `tablerag ask --json`"),
    ],
)
def test_what_is_no_answer_is_not_verified(run: CommandLine, tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "answer.json").write_text(content, encoding="utf-8")
    status, _, err = run("verify", "answer.json")
    assert status == 2 and said in err and len(err.splitlines()) == 1
    assert run("verify", "nowhere.json")[0] == 2


def test_an_answer_without_sql_has_nothing_to_compute(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text('{"steps": []}', encoding="utf-8")
    assert "uses no SQL" in run("verify", "answer.json")[1]


def test_tables_describe_sql_and_remove(run: CommandLine) -> None:
    run("ingest", "docs")
    assert "sales" in run("tables")[1]
    assert "integer" in run("describe", "SALES")[1]
    assert "20" in run("sql", "SELECT amount FROM sales WHERE region = 'South'")[1]
    assert "has no document 'nowhere.csv': expected one of sales.csv" in run("remove", "nowhere.csv")[2]
    assert run("remove", "sales.csv")[1] == "removed sales.csv\n"
    assert run("tables")[0] == 2
    assert "has no document 'sales.csv': it has no documents" in run("remove", "sales.csv")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("ask", "How much?"), "run `tablerag ingest PATH"),
        (("ingest", "nowhere"), "nowhere: no such file or folder"),
        (("describe", "nothing"), "run `tablerag ingest PATH"),
        (("ask", "How much?", "--model", "claude"), "expected PROVIDER:NAME such as openai:gpt-4o-mini, or offline"),
        (("ask", "How much?", "--model", "openai:x"), "set OPENAI_API_KEY"),
        (("ingest", "docs", "--questions"), "--questions needs a language model"),
        (("remove", "nothing.csv"), "has no document 'nothing.csv'"),
    ],
)
def test_errors_are_one_line_on_stderr(run: CommandLine, arguments: tuple[str, ...], said: str) -> None:
    status, _, err = run(*arguments)
    assert status == 2
    assert said in err
    assert err.count("\n") == 1 and "Traceback" not in err


def test_wrong_settings_are_named(run: CommandLine) -> None:
    status, _, err = run("tables", TABLERAG_ROW_LIMIT="many")
    assert status == 2 and "TABLERAG_ROW_LIMIT" in err and "'many'" in err


def test_a_statement_that_writes_is_refused(run: CommandLine) -> None:
    run("ingest", "docs")
    status, _, err = run("sql", "DROP TABLE sales")
    assert status == 2 and "only SELECT" in err


def test_doctor_finds_all_well_and_what_is_not(run: CommandLine) -> None:
    run("ingest", "docs")
    status, out, _ = run("doctor")
    assert status == 0 and "reranker: embedded answers" in out and "1 document, 1 table" in out
    status, out, _ = run("doctor", TABLERAG_RERANKER="http://127.0.0.1:9/rerank")
    assert status == 2 and "fix TABLERAG_RERANKER" in out


def test_the_doctor_asks_before_it_deletes(run: CommandLine) -> None:
    run("ingest", "docs")
    stores = (get_services().vector_store("default"), get_services().lexical_index("default"))
    for store in stores:
        store.add([Chunk(id="x:0", text="nobody's", kind="text", document_id="x", source="x.md")])
    status, out, err = run("doctor", "--fix")
    assert status == 2 and "cannot ask for confirmation without a terminal: pass --yes" in out
    assert "to delete: corpus 'default': the indexes hold chunks of 1 document not in the catalog" in err
    status, out, _ = run("doctor", "--deep")
    assert status == 2 and "chunks of 1 document not in the catalog" in out
    assert [len(store.chunk_ids()) for store in stores] == [2, 2]
    status, out, _ = run("doctor", "--fix", "--yes")
    assert status == 0 and "deleted the chunks of 1 unknown document" in out
    assert [len(store.chunk_ids()) for store in stores] == [1, 1]


def test_questions_are_written_once(run: CommandLine, model_server: ModelServer) -> None:
    model_server.enqueue({"questions": ["What was sold in the north?"]})
    status, out, err = run(
        "ingest", "docs", "--questions", "--yes", OPENAI_BASE_URL=model_server.url, TABLERAG_LLM_RETRIES="0"
    )
    assert status == 0 and "new questions for 1 table" in out
    assert "about 1 call to openai:gpt-4o-mini" in err
    assert "all tables have questions" in run("ingest", "docs", "--questions")[1]
    assert len(model_server.requests) == 1


def test_columns_are_described_by_a_model_for_a_person_to_accept(run: CommandLine, model_server: ModelServer) -> None:
    run("ingest", "docs")
    status, _, err = run("knowledge", "draft", "--columns")
    assert status == 2 and "--columns needs a language model" in err
    model_server.enqueue({"columns": {"amount": "amount of the sale without tax"}})
    settings = {"OPENAI_BASE_URL": model_server.url, "TABLERAG_LLM_RETRIES": "0"}
    status, out, err = run("knowledge", "draft", "--columns", "--yes", **settings)
    assert status == 0 and "about 1 call to openai:gpt-4o-mini" in err
    assert "amount: amount of the sale without tax  # by the model" in out


def test_questions_and_profiles_are_priced_together(run: CommandLine, model_server: ModelServer) -> None:
    status, _, err = run("ingest", "docs", "--profiles")
    assert status == 2 and "--profiles needs a language model" in err
    settings = {"OPENAI_BASE_URL": model_server.url, "TABLERAG_LLM_RETRIES": "0"}
    status, _, err = run("ingest", "docs", "--profiles", "--questions", **settings)
    assert status == 2 and "pass --yes" in err and not model_server.requests
    assert "1 table without questions: about 1 call" in err and "1 table without profiles: about 1 call" in err
    model_server.enqueue({"questions": ["What was sold?"]}, {"columns": {"amount": "sale without tax"}})
    status, out, _ = run("ingest", "docs", "--profiles", "--questions", "--yes")
    assert status == 0 and "new questions for 1 table" in out and "new profiles for 1 table" in out
    assert "all tables have profiles" in run("ingest", "docs", "--profiles")[1]
    assert "sale without tax (drafted by openai:" in " ".join(run("describe", "sales")[1].split())
    assert "amount: sale without tax  # by the model" in run("knowledge", "draft")[1]
    Path("knowledge.yaml").write_text("tables: {sales: {columns: {amount: net of returns}}}")
    assert run("knowledge", "import")[0] == 0
    shown = " ".join(run("describe", "sales")[1].split())
    assert "net of returns" in shown and "drafted by" not in shown
    assert len(model_server.requests) == 2


def test_a_model_answers_after_the_settings_have_changed(run: CommandLine, model_server: ModelServer) -> None:
    run("ingest", "docs")
    assert json.loads(run("ask", "What is the total amount?", "--json")[1])["model"] == "offline"
    model_server.responder = None
    status, _, err = run("ask", "How much?", OPENAI_BASE_URL=model_server.url, TABLERAG_LLM_RETRIES="0")
    assert status == 2 and "418" in err


def test_a_chat_keeps_on_after_an_error(run: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    run("ingest", "docs")
    asked = iter(["What is the total amount?", "And the highest amount?", ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(asked))
    status, out, _ = run("chat")
    assert status == 0 and "60" in out and "30" in out


def test_a_saved_answer_that_was_changed_by_hand_is_not_the_same(run: CommandLine, tmp_path: Path) -> None:
    run("ingest", "docs")
    _, out, _ = run("ask", "What is the total amount?", "--json")
    saved = json.loads(out)
    for number, change in enumerate(({"answer": "999"}, {"steps": [saved["steps"][0] | {"rows": [[999]]}]})):
        path = tmp_path / f"forged{number}.json"
        path.write_text(json.dumps(saved | change), encoding="utf-8")
        status, out, _ = run("verify", str(path))
        assert status == 1
        assert "changed" in out
    (tmp_path / "true.json").write_text(json.dumps(saved), encoding="utf-8")
    assert run("verify", str(tmp_path / "true.json"))[0] == 0


def test_files_that_failed_decide_the_exit_status(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "docs" / "empty.csv").touch()
    (tmp_path / "docs" / "film.mp4").touch()
    status, out, _ = run("ingest", "docs")
    assert status == 1 and "1 skipped, 1 failed, 1 added" in out
    assert run("ingest", "docs/sales.csv")[0] == 0
    assert run("ingest", "docs/empty.csv")[0] == 2


def test_a_new_home_is_closed_to_others_and_an_old_one_stays(run: CommandLine, tmp_path: Path) -> None:
    new, old = tmp_path / "above" / "new", tmp_path / "old"
    old.mkdir()
    old.chmod(0o755)
    run("ingest", "docs", TABLERAG_HOME=str(new))
    run("ingest", "docs", TABLERAG_HOME=str(old))
    assert [f.stat().st_mode & 0o777 for f in (new.parent, new, old)] == [0o700, 0o700, 0o755]


def test_a_folder_without_files_is_an_error(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    status, _, err = run("ingest", str(tmp_path / "empty"))
    assert status == 2 and "no files to read in" in err
    (tmp_path / "empty" / "song.mp3").write_bytes(b"ID3")
    status, out, err = run("ingest", str(tmp_path / "empty"))
    assert (status, out, err.count("\n")) == (2, "", 1) and "song.mp3: no reader for .mp3: save it as" in err


def test_an_unread_file_that_is_named_like_the_overrides_is_an_error(run: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "unread"
    folder.mkdir()
    (folder / "tablerag.yaml.bin").write_bytes(b"\0")
    status, _, err = run("ingest", str(folder))
    assert status == 2 and "tablerag.yaml.bin" in err
