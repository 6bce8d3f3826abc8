"""Questions that the documentation shows beside their answers are answered so, over the example corpus."""

import re
from pathlib import Path

from tablerag import TableRAG
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "how-to" / "questions.md"
TABLE = re.compile(r"^\| question \| answer \|\n\|---\|---\|\n((?:\|.*\|\n)+)", re.MULTILINE)


def test_documented_questions_have_their_answers(tmp_path: Path) -> None:
    rows = "".join(TABLE.findall(PAGE.read_text(encoding="utf-8"))).splitlines()
    expected = dict([cell.strip() for cell in row.strip("|").split("|")] for row in rows)
    assert expected
    rag = TableRAG(tmp_path / "home", model="offline")
    rag.ingest(ROOT / "examples" / "corpus")
    assert {question: rag.ask(question).text for question in expected} == expected
