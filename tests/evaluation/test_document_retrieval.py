"""Finding a question's document: Hit@k by every way to search, beside answers, and over corpora of several sizes."""

import json
from pathlib import Path

import pytest

from tablerag.agent.context import Context
from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.corpora import open_corpus
from tablerag.evaluation.corpus_size import of_size
from tablerag.evaluation.document_retrieval import FINDERS, as_retrieval, hits
from tablerag.evaluation.records import Outcome
from tablerag.evaluation.runner import scored
from tablerag.evaluation.systems import HD_RAG, SYSTEMS, check_fits, open_system
from tablerag.evaluation.trial import Sample, Trial, plan_of
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.evaluation.native_sets import multihiertt_folder, wikitq_folder
from tests.support.model_server import ModelServer, Reply

RECAP = {"question_type": "span", "extracted": [], "answer": ["mills"], "scale": "", "formula": ""}


def test_every_finder_ranks_documents(tmp_path: Path, services: Services) -> None:
    multihiertt_folder(tmp_path)
    benchmark = as_retrieval(load_benchmark("multihiertt", tmp_path))
    corpus = open_corpus(benchmark, services)
    question = next(q for q in benchmark.questions if "Delta Bank" in q.text)
    assert (benchmark.name, benchmark.main) == ("multihiertt-documents", "hit@1")
    for name in FINDERS:
        system = open_system(name, services, "offline")
        system.prepare(corpus)
        found = system.ask(question.text, Context(corpus=corpus))
        first = [] if name == "documents_tables" else list(question.gold)  # its table does not name the bank
        assert found.values[: len(first)] == first and set(found.values) <= set(benchmark.sources.values()), name
        assert benchmark.score(question, question.gold) == {f"hit@{k}": 1.0 for k in (1, 3, 5, 10)}
    assert hits("b", ["a", "b"]) == {"hit@1": 0.0, "hit@3": 1.0, "hit@5": 1.0, "hit@10": 1.0}


def test_sets_without_single_documents_are_refused(tmp_path: Path) -> None:
    wikitq_folder(tmp_path)
    with pytest.raises(ConfigError, match="its questions have no single document: use tatqa"):
        as_retrieval(load_benchmark("wikitq", tmp_path))
    with pytest.raises(ConfigError, match="its questions have several documents: omit --variant"):
        plan_of(Trial("wikitq", variant="documents-1"), Sample(tmp_path, tmp_path / "runs", "offline"))
    multihiertt_folder(tmp_path)
    trial = Trial("multihiertt", system="documents_hrcl", closed=True)
    with pytest.raises(ConfigError, match="which --closed gives: omit --closed"):
        plan_of(trial, Sample(tmp_path, tmp_path / "runs", "offline"))


@pytest.mark.parametrize("size", ["0", "-1", "many", "", "3"])
def test_impossible_sizes_are_told(tmp_path: Path, size: str) -> None:
    multihiertt_folder(tmp_path)
    told = "has 2 documents" if size == "3" else "expected a number of documents, e.g. documents-500"
    with pytest.raises(ConfigError, match=told):
        of_size(load_benchmark("multihiertt", tmp_path), size)


def test_a_larger_corpus_contains_the_smaller_one_and_its_questions(tmp_path: Path) -> None:
    multihiertt_folder(tmp_path)
    whole = load_benchmark("multihiertt", tmp_path)
    one, two = of_size(whole, "1"), of_size(whole, "2")
    assert set(one.sources) < set(two.sources) and {q.id for q in one.questions} < {q.id for q in two.questions}
    assert one.write_whole is not None
    one.write_whole(tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").iterdir()} == set(one.sources.values())
    plan = plan_of(
        Trial("multihiertt", variant="documents-1", system="documents_bm25"), Sample(tmp_path, tmp_path, "offline")
    )
    assert plan.folder.name == "multihiertt-1documents-documents-dev-open-documents_bm25-embedded"
    check_fits(plan.benchmark, plan.settings)


def test_answers_are_scored_with_the_documents_found(tmp_path: Path) -> None:
    multihiertt_folder(tmp_path)
    benchmark = load_benchmark("multihiertt", tmp_path)
    question = benchmark.questions[1]
    wanted = benchmark.sources[question.own]
    found = ["other.html", wanted]
    answered = scored(benchmark, question, Outcome(answer="mills", values=["mills"], documents=found, document=wanted))
    assert answered.right and answered.scores["hit@1"] == 0.0
    assert answered.scores["hit@3"] == answered.scores["selected@1"] == answered.scores["selected@5"] == 1.0
    blank = scored(benchmark, question, Outcome(documents=found))
    assert (blank.scores["em"], blank.scores["hit@3"], blank.scores["selected@1"]) == (0.0, 1.0, 0.0)
    assert "hit@1" not in scored(benchmark, question, Outcome(answer="x", values=["x"])).scores


SAMPLE = ("hd_rag_table", "document_direct", "document_cot", "document_eedp", "document_pot")


def test_systems_over_one_document_run_with_a_model(tmp_path: Path, model_server: ModelServer) -> None:
    multihiertt_folder(tmp_path)
    benchmark = load_benchmark("multihiertt", tmp_path)
    question = benchmark.questions[1]

    def reply(body: dict) -> Reply:
        prompt = body["messages"][1]["content"]
        if prompt.startswith("One of these documents"):
            place = 1 if prompt.index("Boreal") < prompt.find('number="2"') else 2
            return Reply(json.dumps({"document": place, "reason": "It names Boreal Paper."}))
        if prompt.startswith("Write a Python"):
            return Reply("```python\nsold = 'mills'\nanswer = sold\n```")
        return Reply(
            json.dumps(RECAP if "five steps" in prompt else {"explanation": "It sold mills.", "answer": "mills"})
        )

    model_server.responder = reply
    settings = Settings(home=tmp_path / "home", openai_base_url=model_server.url, model="openai:test", _env_file=None)
    services = Services(settings)
    corpus = open_corpus(benchmark, services)
    assert set(SAMPLE) < set(HD_RAG) < set(SYSTEMS)
    for name in SAMPLE:
        system = open_system(name, services, "openai:test")
        system.prepare(corpus)
        outcome = system.ask(question.text, Context(corpus=corpus, model="openai:test"))
        answered = scored(benchmark, question, outcome)
        assert answered.right, (name, outcome)
        assert answered.scores["selected@1"] == answered.scores["hit@3"] == 1.0, name
    services.close()
