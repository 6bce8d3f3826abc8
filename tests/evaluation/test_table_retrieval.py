"""QGpT's sets: tables found by the retriever, measured by Recall@k."""

import json
from pathlib import Path

import pytest

from tablerag.agent.context import Context
from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.corpora import open_corpus, unread
from tablerag.evaluation.datasets.qgpt import QgptEntry, load_qgpt, write_files
from tablerag.evaluation.systems import RETRIEVAL, check_model, open_system
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer, Reply


def qgpt_folder(root: Path, name: str = "OTTQA", head: str = "") -> Path:
    """Write a corpus of two tables with two questions; ``head`` precedes each table."""
    (root / "qgpt").mkdir()
    texts = {
        "rivers": f"File name: rivers\n{head}Table:\n"
        "| River | Length |\n| --- | --- |\n| Anna | 120 |\n| Bela | 340 |\n",
        "films": f"File name: films\n{head}Table:\n| Film | Director |\n| --- | --- |\n| Dawn | Ada Birch |\n",
    }
    entries = [{"id": i, "FileName": f"key-{k}", "Text": t} for i, (k, t) in enumerate(texts.items())]
    questions = [
        {"query": "How long is the river Bela?", "Answer_table": ["key-rivers"]},
        {"query": "Who directed the film Dawn?", "Answer_table": ["key-films", "key-rivers"]},
    ]
    (root / "qgpt" / f"{name}_QGpT.json").write_text(json.dumps(entries), encoding="utf-8")
    (root / "qgpt" / f"{name}_questions.json").write_text(json.dumps(questions), encoding="utf-8")
    return root / "qgpt"


def test_tables_are_found_and_counted(tmp_path: Path, services: Services) -> None:
    qgpt_folder(tmp_path)
    benchmark = load_benchmark("qgpt-ottqa", tmp_path)
    corpus = open_corpus(benchmark, services)
    system = open_system("retrieval", services, "offline")
    first, second = benchmark.questions
    values = system.ask(first.text, Context(corpus=corpus)).values
    assert values[0] == "rivers.csv"
    assert benchmark.score(first, values) == {"recall@1": 1.0, "recall@5": 1.0, "recall@10": 1.0}
    assert benchmark.score(second, ["films.csv"]) == {"recall@1": 0.5, "recall@5": 0.5, "recall@10": 0.5}
    assert benchmark.score(second, ["nowhere.csv"])["recall@10"] == 0.0


@pytest.mark.parametrize(
    ("name", "corpus", "questions", "split"),
    [
        ("qgpt-fetaqa", "FetaQA", "FetaQA_test.json", "dev"),
        ("qgpt-e2e-wtq", "E2EWTQ", "E2E-WTQ_test.json", "dev"),
        ("qgpt-mmqa", "MMQA_2table", "MMQA-2tables_test.json", "2tables"),
        ("qgpt-mmqa", "MMQA_3table", "MMQA-3tables_test.json", "3tables"),
    ],
)
def test_published_files_are_read_by_their_names(
    tmp_path: Path, name: str, corpus: str, questions: str, split: str
) -> None:
    folder = qgpt_folder(tmp_path, corpus)
    (folder / f"{corpus}_questions.json").rename(folder / questions)
    benchmark = load_benchmark(name, tmp_path, split)
    assert benchmark.name.startswith(name) and [q.gold[0] for q in benchmark.questions] == ["key-rivers", "key-films"]
    (folder / questions).unlink()
    told = f"{corpus}_questions.json: file not found: .*{corpus}_questions.json or {questions}"
    with pytest.raises(ConfigError, match=told) as raised:
        load_benchmark(name, tmp_path, split)
    assert "\n" not in str(raised.value)


def test_mmqa_has_two_splits(tmp_path: Path) -> None:
    qgpt_folder(tmp_path, "MMQA_2table")
    assert load_benchmark("qgpt-mmqa", tmp_path).name == "qgpt-mmqa-2tables"
    with pytest.raises(ConfigError, match="unknown MMQA split '4tables': expected 2tables or 3tables"):
        load_benchmark("qgpt-mmqa", tmp_path, "4tables")


@pytest.mark.parametrize(
    ("text", "rows", "questions"),
    [
        (
            "File name: a\nSheet name: s\nTable:\n| A | B | |:---|:---| | 1 | nan | | 2 | Unnamed: 3 |\n"
            'Questions: [\n "How many?",\n "Which one?"]',
            (("A", "B"), ("1", ""), ("2", "")),
            ("How many?", "Which one?"),
        ),
        (
            "| A | B\nin m | C |\n| --- | --- | --- |\n| 1 |  |  |\n| a|b | x\ny | 2 |\nHow many?\nWhich one?",
            (("A", "B in m", "C"), ("1", "", ""), ("a|b", "x y", "2")),
            ("How many?", "Which one?"),
        ),
        (
            "| A | B |\n(1) | 2\n(3) |\n| 4 | 5\nand more\nHow many?\nWhich one?",
            (("A", "B", "(1)", "2 (3)"), ("4", "5 and more")),
            ("How many?", "Which one?"),
        ),
        ("File name: a\nTable:\n", (), ()),
    ],
    ids=["one line", "cells of several lines", "cut within rows", "empty"],
)
def test_tables_and_questions_are_read_from_each_corpus_text(
    tmp_path: Path, text: str, rows: tuple, questions: tuple
) -> None:
    folder = qgpt_folder(tmp_path)
    (folder / "OTTQA_QGpT.json").write_text(json.dumps([{"FileName": "key", "Text": text}]), encoding="utf-8")
    asked = [{"query": "q?", "Answer_table": ["key"]}]
    (folder / "OTTQA_questions.json").write_text(json.dumps(asked), encoding="utf-8")
    (entry,) = load_qgpt(folder, "OTTQA").entries
    assert (entry.rows, entry.questions) == (rows, questions)


def test_files_without_a_name_are_numbered(tmp_path: Path) -> None:
    entries = [QgptEntry(key, "", "", (("A",), ("1",)), ()) for key in ("csv/200-csv/0.csv", "csv/200-csv/1.csv")]
    assert list(write_files(entries, tmp_path)) == [("0.csv", ""), ("1.csv", "")]


RELEASED = "Corpora/Table1_mimo_table_length_variation"


def released(root: Path, files: dict[str, object]) -> Path:
    """Write files as they lie in QGpT's repository."""
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return root


def entry(key: str, text: str) -> dict[str, str]:
    return {"id": "0", "FileName": key, "SheetName": "Blatt 1", "Text": text}


@pytest.mark.parametrize(
    ("asked", "gold"),
    [
        ({"query": "q?", "database_id": "a", "table_id": "other"}, ("a",)),
        ({"question": "q?", "Answer_table": "a", "table_id": "nt-1"}, ("a",)),
        ({"question": "q?", "spreadsheet_list": "['a', 'b']"}, ("a", "b")),
        ({"question": "q?", "table_names": "['b']"}, ("b",)),
        ({"query": "q?", "Answer_table": ["b"]}, ("b",)),
    ],
    ids=["OTT-QA", "E2E-WTQ", "MiMoTable", "MMQA", "flat"],
)
def test_questions_are_read_as_each_set_writes_them(tmp_path: Path, asked: dict, gold: tuple[str, ...]) -> None:
    folder = "Corpora/Table5_Single_Table_Retrieval/QGpT/OTTQA_QGpT.json"
    texts = [entry(key, f"File name: {key}\nTable:\n| A |\n| --- |\n| 1 |\n") for key in ("a", "b")]
    released(tmp_path, {folder: texts, "test_dataset/OTT-QA_test.json": [asked]})
    (question,) = load_benchmark("qgpt-ottqa", tmp_path).questions
    assert (question.text, question.gold) == ("q?", gold)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ('[{"question": "q?", "table_names": "[\'a"}]', r"OTT-QA_test.json: 0.*: must be a list of texts"),
        ('[{"question": "q?", "table_names": []}]', "at least 1 item"),
        ('[{"question": "q?"', r"OTT-QA_test.json, line 1: invalid JSON"),
        ("[]", "OTT-QA_test.json: file is empty"),
    ],
)
def test_a_damaged_file_is_told_in_one_line(tmp_path: Path, asked: str, told: str) -> None:
    folder = "Corpora/Table5_Single_Table_Retrieval/QGpT/OTTQA_QGpT.json"
    released(tmp_path, {folder: [entry("a", "Table:\n| A |")], "test_dataset/OTT-QA_test.json": []})
    (tmp_path / "test_dataset" / "OTT-QA_test.json").write_text(asked, encoding="utf-8")
    with pytest.raises(ConfigError, match=told) as raised:
        load_benchmark("qgpt-ottqa", tmp_path)
    assert "\n" not in str(raised.value)


def test_the_file_with_the_questions_tables_counts_where_two_languages_were_exchanged(tmp_path: Path) -> None:
    files = {
        f"{RELEASED}/mimo_en/top10_rows.json": [entry("./spreadsheet/Flüsse.xlsx", "| Fluss | | Anna |")],
        f"{RELEASED}/mimo_ch/top10_rows.json": [entry("./spreadsheet/rivers.xlsx", "| River | | Anna |")],
        "test_dataset/MiMoTable-English_test.json": [
            {"question": "Which?", "spreadsheet_list": "['./spreadsheet/rivers.xlsx']"}
        ],
    }
    benchmark = load_benchmark("qgpt-mimotable", released(tmp_path, files), "dev", "top10")
    benchmark.write_documents(tmp_path, [])
    assert (tmp_path / "00000.txt").read_text(encoding="utf-8") == "| River | | Anna |"
    (tmp_path / f"{RELEASED}/mimo_ch/top10_rows.json").unlink()
    with pytest.raises(ConfigError, match=r"rivers.xlsx' is not in the corpus: .*top10_rows.json is incomplete or"):
        load_benchmark("qgpt-mimotable", tmp_path, "dev", "top10")
    with pytest.raises(ConfigError, match="qgpt-mimotable: unknown variant '3k': expected one of 1k, 2k, 5k"):
        load_benchmark("qgpt-mimotable", tmp_path, "dev", "3k")


def test_a_table_in_several_entries_and_cells_of_several_lines_are_written_as_files(tmp_path: Path) -> None:
    """E2E-WTQ's long tables are in several entries; its headers have line breaks and its cells may be empty."""
    texts = [entry("csv/1.csv", f"| Year | UK\nrank |\n| --- | --- |\n| {year} |  |\nHow many?") for year in (1, 2)]
    folder = "Corpora/Table5_Single_Table_Retrieval/QGpT/E2EWTQ_QGpT.json"
    asked = [{"question": "When?", "Answer_table": "csv/1.csv"}]
    benchmark = load_benchmark(
        "qgpt-e2e-wtq", released(tmp_path, {folder: texts, "test_dataset/E2E-WTQ_test.json": asked})
    )
    (tmp_path / "out").mkdir()
    benchmark.write_documents(tmp_path / "out", [])
    written = {p.name: p.read_text(encoding="utf-8") for p in (tmp_path / "out").iterdir()}
    assert written == {"0.csv": "Year,UK rank\n1,\n", "1.csv": "Year,UK rank\n2,\n"}
    assert benchmark.score(benchmark.questions[0], ["1.csv"])["recall@1"] == 1.0


def test_texts_are_indexed_as_they_are_and_a_blank_one_is_told(tmp_path: Path, services: Services) -> None:
    folder = qgpt_folder(tmp_path)
    path = folder / "OTTQA_QGpT.json"
    texts = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps([*texts, entry("empty", " ")]), encoding="utf-8")
    benchmark = load_benchmark("qgpt-ottqa", tmp_path, "dev", "qgpt-untitled")
    assert benchmark.name == "qgpt-ottqa-qgpt-untitled"
    corpus = open_corpus(benchmark, services)
    assert unread([corpus], services) == ["00002.txt: the released text is blank"]
    (chunk,) = services.lexical_index(corpus).get(["00000.txt"])
    assert chunk.text.startswith("Table:\n| River | Length |")
    first = benchmark.questions[0]
    values = open_system("retrieval", services, "offline").ask(first.text, Context(corpus=corpus)).values
    assert benchmark.score(first, values)["recall@1"] == 1.0
    assert open_corpus(benchmark, services) == corpus


def test_a_corpus_is_ingested_with_its_own_questions(tmp_path: Path, services: Services) -> None:
    folder = qgpt_folder(tmp_path)
    path = folder / "OTTQA_QGpT.json"
    texts = json.loads(path.read_text(encoding="utf-8"))
    texts[0]["Text"] += 'Questions: [\n "Which stream is a zephyrine torrent?"]'
    path.write_text(json.dumps(texts), encoding="utf-8")
    plain, asked = (load_benchmark("qgpt-ottqa", tmp_path, "dev", v) for v in ("", "questions"))
    corpora = [open_corpus(b, services) for b in (plain, asked)]
    assert corpora[0] != corpora[1], "the same files with questions are another corpus"
    found = [services.lexical_index(c).holding("zephyrine torrent", 3) for c in corpora]
    assert [[c.kind for c in chunks] for chunks in found] == [[], ["questions"]]


def test_the_sub_questions_of_a_question_are_searched_one_by_one(tmp_path: Path, services: Services) -> None:
    folder = qgpt_folder(tmp_path, "MMQA_3table")
    questions = json.loads((folder / "MMQA_3table_questions.json").read_text(encoding="utf-8"))
    parts = [
        {"question": q["query"], "separate_sub_questions": "['Who directed Dawn?', 'How long is Bela?']"}
        for q in questions
    ]
    path = folder / "gpt4o_subquestions_processed_3table.json"
    path.write_text(json.dumps(parts), encoding="utf-8")
    benchmark = load_benchmark("qgpt-mmqa", tmp_path, "3tables", "qgpt-by-gpt4o")
    corpus, question = open_corpus(benchmark, services), benchmark.questions[1]
    assert question.text == "Who directed Dawn?\nHow long is Bela?"
    values = open_system("retrieval", services, "offline").ask(question.text, Context(corpus=corpus)).values
    assert values[:2] == ["00001.txt", "00000.txt"]
    path.write_text(json.dumps(parts[:1]), encoding="utf-8")
    with pytest.raises(ConfigError, match="no sub-questions of 'Who directed the film Dawn\\?'"):
        load_benchmark("qgpt-mmqa", tmp_path, "3tables", "qgpt-by-gpt4o")


def test_an_endpoint_orders_the_tables(tmp_path: Path, model_server: ModelServer) -> None:
    """The endpoint prefers what the embedded reranker puts last."""
    qgpt_folder(tmp_path)
    benchmark = load_benchmark("qgpt-ottqa", tmp_path, "dev", "qgpt")

    def scores(body: dict) -> Reply:
        rows = [{"index": i, "relevance_score": 0.9 * ("Film" in t)} for i, t in enumerate(body["documents"])]
        return Reply(raw=json.dumps({"results": rows}).encode())

    model_server.responder = scores
    settings = Settings(home=tmp_path / "home", model="offline", reranker=model_server.url, _env_file=None)
    services = Services(settings)
    try:
        context = Context(corpus=open_corpus(benchmark, services))
        text = benchmark.questions[0].text
        first = {n: open_system(n, services, "").ask(text, context).values[0] for n in RETRIEVAL[:2]}
    finally:
        services.close()
    assert first == {"retrieval": "00000.txt", "reranked_retrieval": "00001.txt"}
    assert model_server.requests[0]["query"] == text
    with pytest.raises(ConfigError, match="reranked_retrieval needs a reranker: set TABLERAG_RERANKER"):
        check_model("reranked_retrieval", "", settings.model_copy(update={"reranker": "embedded"}))


@pytest.mark.parametrize(
    ("reply", "parts"),
    [
        ({"search_questions": ["Which films are there?", "Which  parks are there?", ""]}, 2),
        ({"search_questions": []}, 0),
        ("no JSON", 0),
    ],
)
def test_a_model_s_sub_questions_are_searched(
    tmp_path: Path, model_server: ModelServer, reply: dict | str, parts: int
) -> None:
    qgpt_folder(tmp_path)
    benchmark = load_benchmark("qgpt-ottqa", tmp_path, "dev", "qgpt")
    settings = Settings(home=tmp_path / "home", openai_base_url=model_server.url, _env_file=None)
    services = Services(settings)
    model_server.enqueue(reply)
    try:
        context = Context(corpus=open_corpus(benchmark, services))
        found = open_system("decomposed_retrieval", services, "openai:any").ask("Compare <films> and parks", context)
    finally:
        services.close()
    assert set(found.values) == {"00000.txt", "00001.txt"} and found.calls == 1
    assert len(found.trace[0]["search_questions"]) == parts
    assert "Compare" in str(model_server.requests[0]["messages"])
    with pytest.raises(ConfigError, match="decomposed_retrieval needs a model"):
        check_model("decomposed_retrieval", "offline", settings)


def test_a_set_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="MiMoTable_QGpT.json: file not found"):
        load_benchmark("qgpt-mimotable", tmp_path)
