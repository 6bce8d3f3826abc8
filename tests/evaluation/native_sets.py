"""Tiny benchmarks in the native layouts, with table ids that no document contains."""

import json
from collections.abc import Mapping
from pathlib import Path

from tablerag.evaluation.heteqa.building import DOCUMENTS
from tablerag.evaluation.heteqa.records import QUESTIONS as HETEQA_FILE
from tablerag.evaluation.heteqa.records import HeteQuestion, TableRecord, write_lines

__all__ = ["RIVER_ID", "heteqa_folder", "hitab_folder", "hybridqa_folder", "multihiertt_folder", "own_folder",
           "tatqa_folder", "wikitq_folder"]  # fmt: skip

RIVER_ID = "Zebra_Quartz_0"
"""A gold table id that no title, passage or file name reveals."""
TABLES = {
    RIVER_ID: ("Rivers of Aland", ["River", "Length"], [["Anna", "120"], ["Bela", "340"]]),
    "Onyx_Ibex_3": ("Lakes of Aland", ["Lake", "Depth"], [["Cora", "15"], ["Dora", "62"]]),
}
QUESTIONS = [
    {"question_id": "q1", "question": "What is the length of Bela?", "table_id": RIVER_ID, "answer-text": "340"},
    {"question_id": "q2", "question": "What is the depth of Cora?", "table_id": "Onyx_Ibex_3", "answer-text": "15"},
    {"question_id": "q3", "question": "Who painted the Mona Lisa?", "table_id": RIVER_ID, "answer-text": "Leonardo"},
]
PARTS = {"hybridqa": ("tables_tok", "request_tok"), "ottqa": ("data/traindev_tables_tok", "data/traindev_request_tok")}


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def hybridqa_folder(
    root: Path, layout: str = "hybridqa", questions: object = QUESTIONS, tables: Mapping[str, object] | None = None
) -> Path:
    """Write HybridQA's or OTT-QA's layout below ``root`` and return its folder."""
    folder = root / layout
    tables_part, passages_part = PARTS[layout]
    write(folder / "released_data" / "dev.json", questions)
    for key, (title, header, rows) in TABLES.items():
        native = {
            "title": title,
            "header": [[h, []] for h in header],
            "data": [[[c, [f"/wiki/{row[0]}"] if c == row[0] else []] for c in row] for row in rows],
            "section_title": "",
            "intro": "",
            "uid": key,
        }
        write(folder / tables_part / f"{key}.json", native)
        write(folder / passages_part / f"{key}.json", {f"/wiki/{row[0]}": f"{row[0]} lies in Aland." for row in rows})
    for key, native in (tables or {}).items():
        write(folder / tables_part / f"{key}.json", native)
    return folder


def own_folder(folder: Path) -> Path:
    """Write documents/ and questions.jsonl as a user writes them, and return the folder."""
    (folder / "documents" / "tables").mkdir(parents=True)
    orders = "Order,Region,Amount (EUR)\nA1,North,10\nA2,South,20\nA3,South,5\n"
    (folder / "documents" / "tables" / "orders.csv").write_text(orders, encoding="utf-8")
    (folder / "documents" / "notes.md").write_text("# Notes\n\nThe north sells apples.\n", encoding="utf-8")
    questions = [
        {"id": 1, "question": "What is the total amount?", "answer": 35, "kind": "sum"},
        {"id": "names", "question": "Which orders are in the South?", "answer": ["A2", "A3"]},
        {"id": "chief", "question": "Who is the chief executive?", "answer": None, "kind": "none"},
    ]
    lines = "".join(f"{json.dumps(q)}\n" for q in questions)
    (folder / "questions.jsonl").write_text(lines, encoding="utf-8")
    return folder


def wikitq_folder(root: Path) -> Path:
    """Write WikiTableQuestions' layout below ``root`` and return its folder."""
    folder = root / "wikitq"
    (folder / "data").mkdir(parents=True)
    (folder / "csv" / "201-csv").mkdir(parents=True)
    (folder / "csv" / "201-csv" / "7.csv").write_text('"Team","Goals"\n"Lions","3"\n"Bears","5"\n', encoding="utf-8")
    lines = [
        "id\tutterance\tcontext\ttargetValue",
        "nt-1\thow many goals did bears score?\tcsv/201-csv/7.csv\t5",
        "nt-2\twhich teams are there?\tcsv/201-csv/7.csv\tLions|Bears",
    ]
    (folder / "data" / "random-split-1-dev.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def heteqa_folder(root: Path, **changed: object) -> Path:
    """Write a HeteQA build with one question, two tables and a passage; return its folder."""
    folder = root / "heteqa"
    documents = {
        "tables/Goals of 2001.csv": "Team,Goals\nLions,3\n",
        "tables/Medals of 2001.html": "<table><tr><th>Team</th></tr><tr><td>Bears</td></tr></table>",
        "passages/Lions.md": "# Lions\n\nA team.\n",
    }
    for source, text in documents.items():
        (folder / DOCUMENTS / source).parent.mkdir(parents=True, exist_ok=True)
        (folder / DOCUMENTS / source).write_text(text, encoding="utf-8")
    record = HeteQuestion(
        id="h1", question="How many goals?", answer="1,500", operations=("aggregate", "filter"), kind="k",
        domain="sport", tables=(TableRecord(source="tables/Goals of 2001.csv", title="T", sql_name="t"),), sql="S",
        pandas="P", sql_result=1500, pandas_result=1500,
    )  # fmt: skip
    write_lines(folder / HETEQA_FILE, [record.model_copy(update=changed)])
    return folder


def tatqa_folder(root: Path, **changed: object) -> Path:
    """Write one report with one question; return the set's folder."""
    question = {
        "uid": "q1", "question": "How many?", "answer": "2", "answer_type": "count", "answer_from": "table",
        "scale": "",
    }  # fmt: skip
    report = {
        "table": {"uid": "t1", "table": [["", "2019"], ["Revenue", "5"]]},
        "paragraphs": [],
        "questions": [question | changed],
    }
    write(root / "tatqa" / "tatqa_dataset_dev.json", [report])
    return root / "tatqa"


def multihiertt_folder(root: Path, **changed: object) -> Path:
    """Write two examples over one document and one over another; the first is changed. Return the set's folder."""
    table = (
        "<table><tr><td></td><td colspan='2'>Years</td></tr><tr><td></td><td>2008</td><td>2007</td></tr>"
        "<tr><td>Timber &amp; logs</td><td>$60</td><td>$48</td></tr></table>"
    )
    pages = {"paragraphs": ["Boreal Paper < Pulp grew.", "## Table 0 ##", "It sold mills."], "tables": [table]}
    other = {"paragraphs": ["Delta Bank lends."], "tables": ["<table><tr><td>Loans</td><td>7</td></tr></table>"]}
    added = {"question": "How much did timber grow?", "answer": 0.25, "program": "subtract(60,48),divide(#0,48)"}
    named = {"question": "What did Boreal Paper sell?", "answer": "mills", "program": ""}
    lent = {"question": "What were the loans of Delta Bank?", "answer": "7.0", "program": "add(7,0)"}
    examples = [
        {"uid": "m1", **pages, "qa": added | {"table_evidence": ["0-2-1"], "text_evidence": []}},
        {"uid": "m2", **pages, "qa": named},
        {"uid": "m3", **other, "qa": lent},
    ]
    write(root / "multihiertt" / "dev.json", [examples[0] | changed, *examples[1:]])
    return root / "multihiertt"


def hitab_folder(root: Path, **changed: object) -> Path:
    """Write two questions over one hierarchical table; the first is changed. Return the set's folder."""
    folder = root / "hitab"
    first = {
        "id": "h1", "table_id": "17", "table_source": "statcan", "question": "how many men work in fishing?",
        "answer": [52.0], "aggregation": ["none"],
    }  # fmt: skip
    second = first | {"id": "h2", "question": "which sectors are shown?", "answer": ["fishing", "mining"]}
    lines = [first | changed, second | {"aggregation": ["sum", "div"]}]
    write(folder / "data" / "tables" / "raw" / "17.json", {
        "title": "workers by sector, 2011",
        "texts": [["sector", "workers", ""], ["", "men", "women"], ["primary", "", ""], ["fishing", "52", "1,040"]],
        "merged_regions": [
            {"first_row": 0, "last_row": 1, "first_column": 0, "last_column": 0},
            {"first_row": 0, "last_row": 0, "first_column": 1, "last_column": 2},
            {"first_row": 3, "last_row": 9, "first_column": 0, "last_column": 0},
        ],
        "top_header_rows_num": 2,
        "left_header_columns_num": 1,
        "top_root": _node(-1, -1, _node(0, 1, _node(1, 1), _node(1, 2))),
        "left_root": _node(-1, -1, _node(2, 0, _node(3, 0))),
    })  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "data" / "dev_samples.jsonl").write_text(text, encoding="utf-8")
    return folder


def _node(row: int, column: int, *children: object) -> dict[str, object]:
    return {"row_index": row, "column_index": column, "children": children}
