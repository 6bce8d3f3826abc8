"""Synthetic questions: asked of a stand-in model, indexed with their tables, asked for once."""

import json
import threading
from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.ingestion.questions import (
    PartialTable,
    estimate,
    least_questions,
    partial_table,
    pending,
    prompt,
    read_questions,
    write_questions,
)
from tablerag.tools.errors import ModelUnavailable
from tablerag.tools.evidence import search
from tablerag.tools.services import Services

CSV = "Depot,Crates,Since\n" + "".join(f"Depot {i},{i},20{i:02}\n" for i in range(15))
QUESTIONS = ["Where is the marmalade kept?", "How many crates does Depot 3 hold?"]
REPLY = json.dumps({"questions": QUESTIONS})


@pytest.fixture
def corpus(tmp_path: Path, services: Services) -> Services:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "storage.csv").write_text(CSV, encoding="utf-8")
    (folder / "staff.csv").write_text("Name,Age\nAda,36\nBo,41\n", encoding="utf-8")
    ingest([folder], services, "default")
    return services


def lacking(services: Services) -> list[PartialTable]:
    return [partial_table(s, services) for s in pending(services, "default")]


def test_the_model_sees_ten_rows_with_title_and_rule(corpus: Services) -> None:
    table = next(t for t in lacking(corpus) if t.schema.source == "storage.csv")
    assert table.headers == ("Depot", "Crates", "Since")
    assert len(table.rows) == 10
    assert least_questions(table) == 2
    asked = prompt(table)
    assert "Write 2 to 12 different questions" in asked
    assert '"source": "storage.csv"' in asked and "Depot 9" in asked and "Depot 10" not in asked


def test_questions_find_their_table_and_are_asked_for_once(corpus: Services) -> None:
    asked: list[str] = []
    progress: list[tuple[int, int]] = []

    def ask(text: str) -> str:
        asked.append(text)
        return REPLY if "storage.csv" in text else json.dumps({"questions": ["How old is Ada?"]})

    run = write_questions(corpus, "default", lacking(corpus), "m", ask, lambda d, t: progress.append((d, t)))
    assert (run.written, run.cached, run.failed) == (2, 0, {})
    assert progress[0] == (0, 2) and progress[-1] == (2, 2)
    assert pending(corpus, "default") == []
    chunks, schemas = search(corpus, "Where is the marmalade?", corpus="default", recall_n=30, top_k=1)
    assert [s.source for s in schemas] == ["storage.csv"]
    assert chunks[0].kind == "table"
    counts = sum(d.chunk_count for d in corpus.catalog.documents("default"))
    assert counts == corpus.vector_store("default").count() == corpus.lexical_index("default").count() == 4
    assert len(asked) == 2


def test_a_second_corpus_takes_them_from_the_cache(corpus: Services, tmp_path: Path) -> None:
    write_questions(corpus, "default", lacking(corpus), "m", lambda text: REPLY)
    ingest([tmp_path / "docs"], corpus, "other")
    tables = [partial_table(s, corpus) for s in pending(corpus, "other")]

    def never(text: str) -> str:
        raise AssertionError("asked again")

    run = write_questions(corpus, "other", tables, "m", never)
    assert (run.written, run.cached) == (2, 2)


def test_one_failure_is_reported_and_asked_for_again(corpus: Services) -> None:
    def ask(text: str) -> str:
        if "staff.csv" in text:
            raise ModelUnavailable("429 after all retries")
        return REPLY

    run = write_questions(corpus, "default", lacking(corpus), "m", ask)
    assert run.written == 1
    assert list(run.failed.values()) == ["429 after all retries"]
    assert [s.source for s in pending(corpus, "default")] == ["staff.csv"]
    assert write_questions(corpus, "default", lacking(corpus), "m", lambda text: REPLY).written == 1


def test_a_model_that_is_away_is_one_error(corpus: Services) -> None:
    def ask(text: str) -> str:
        raise ModelUnavailable("no connection")

    with pytest.raises(ModelUnavailable, match="no connection"):
        write_questions(corpus, "default", lacking(corpus), "m", ask)


def test_too_few_questions_are_asked_for_again(corpus: Services) -> None:
    replies = {"storage.csv": iter(['{"questions": ["Only one here?"]}', REPLY]), "staff.csv": iter(["what?", "no"])}
    lock = threading.Lock()

    def ask(text: str) -> str:
        with lock:
            return next(next(r for name, r in replies.items() if name in text))

    run = write_questions(corpus, "default", lacking(corpus), "m", ask)
    assert run.failed == {"staff": "the model's replies could not be read"}
    found = corpus.lexical_index("default").search("marmalade", 1)
    assert found[0].kind == "questions" and found[0].text.endswith("\n".join(QUESTIONS))


def test_removing_the_document_removes_its_questions(corpus: Services, tmp_path: Path) -> None:
    write_questions(corpus, "default", lacking(corpus), "m", lambda text: REPLY)
    (tmp_path / "docs" / "storage.csv").unlink()
    ingest([tmp_path / "docs"], corpus, "default", prune=True)
    assert corpus.lexical_index("default").count() == corpus.vector_store("default").count() == 2


def test_the_estimate_counts_calls_and_tokens(corpus: Services) -> None:
    cost = estimate(lacking(corpus))
    assert cost.calls == 2
    assert 300 < cost.input_tokens < 1500
    assert cost.output_tokens == 2 * 12 * 20


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (REPLY, QUESTIONS),
        ('["First question?", "Second \\"quoted\\" one?"]', ["First question?", 'Second "quoted" one?']),
        ('```json\n{"questions": ["Whole question?", "cut off in the mid', ["Whole question?"]),
        ('{"questions": ["Same one?", "Same one?", "x", ""]}', ["Same one?"]),
        ("I will not", []),
        ("", []),
    ],
)
def test_replies_of_every_kind(reply: str, expected: list[str]) -> None:
    assert read_questions(reply) == expected
