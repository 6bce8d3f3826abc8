"""Columns that a model describes for knowledge.yaml."""

from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.ingestion import column_profiles
from tablerag.ingestion.column_profiles import TableToDescribe
from tablerag.tools.services import Services


@pytest.fixture
def tables(services: Services, tmp_path: Path) -> list[TableToDescribe]:
    rows = "".join(f"{i},{'PQ'[i % 2]},{i}\n" for i in range(8))
    (tmp_path / "lines.csv").write_text(f"No,Sts,Qty\n{rows}")
    (tmp_path / "notes.md").write_text("# Notes\n\nP lines were packed and Q lines wait in the queue.\n")
    TableRAG.over(services).ingest([tmp_path / "lines.csv", tmp_path / "notes.md"])
    return column_profiles.to_describe(services, "default")


def test_the_model_sees_the_columns_and_the_passages_about_their_codes(tables: list[TableToDescribe]) -> None:
    (table,) = tables
    text = column_profiles.prompt(table)
    assert '"sts": {"header": "Sts", "type": "text"' in text
    assert "P lines were packed" in text
    assert column_profiles.estimate(tables).calls == 1


def test_each_table_is_described_once(services: Services, tables: list[TableToDescribe]) -> None:
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return 'Here: {"columns": {"sts": "state of a line", "qty": "Qty", "other": "nothing", "no": 7}}'

    for _ in range(2):
        meant, run = column_profiles.describe(services, tables, "m", ask)
        assert meant == {"lines": {"sts": "state of a line"}}
        assert (run.written, run.failed, len(asked)) == (1, {}, 1)


@pytest.mark.parametrize("reply", ["", "no", "[1]", '{"columns": []}', "{" * 5_000 + "}" * 5_000])
def test_an_unreadable_reply_is_reported(services: Services, tables: list[TableToDescribe], reply: str) -> None:
    meant, run = column_profiles.describe(services, tables, "m", lambda prompt: reply)
    assert (meant, dict(run.failed)) == ({}, {"lines": "the model's replies could not be read"})


def test_nothing_to_explain_is_an_answer(services: Services, tables: list[TableToDescribe]) -> None:
    meant, run = column_profiles.describe(services, tables, "m", lambda prompt: '{"columns": {}}')
    assert (meant, run.failed) == ({"lines": {}}, {})
