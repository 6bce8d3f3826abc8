"""The builder of a corpus like DocRAGLib: what is kept, resumed and told."""

import json
from pathlib import Path

import pytest

from tablerag.cli.app import main
from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.docraglib.ambiguity import FITS_MANY, NAMES_NOTHING, RuleFilter
from tablerag.evaluation.docraglib.records import DECISIONS, DOCUMENTS, MANIFEST, QUESTIONS, read_manifest
from tablerag.evaluation.docraglib.sources import Candidate
from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import get_settings
from tests.evaluation.native_sets import hitab_folder, multihiertt_folder, tatqa_folder
from tests.support.model_server import ModelServer, Reply


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    get_settings.cache_clear()
    for write in (multihiertt_folder, hitab_folder, tatqa_folder):
        write(tmp_path)
    yield tmp_path
    get_settings.cache_clear()


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["docraglib", "build", "--splits", "dev", *arguments])
    return ended.value.code or 0


ALL = ("--multihiertt", "multihiertt", "--hitab", "hitab", "--tatqa", "tatqa")


def candidate(question: str, document: str = "own") -> Candidate:
    return Candidate("q", "hitab", question, ("x",), document, lambda: "", "none", "table", {})


def test_the_rule_keeps_what_fits_few_documents() -> None:
    pages = {f"d{n}": "<td>Revenue</td><td>2019</td>" for n in range(6)}
    decide = RuleFilter(pages | {"own": "<p>Boreal Paper</p><td>Revenue</td><td>2019</td>"})
    assert decide(candidate("What was the revenue of Boreal Paper in 2019?")).kept
    assert decide(candidate("What was the revenue in 2019?")).reason == FITS_MANY
    assert decide(candidate("Who was it?")).reason == NAMES_NOTHING


def test_a_build_is_loaded_and_scored_by_each_sets_rules(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*ALL, "--filter", "none", "--out", "lib") == 0
    assert "kept 6 questions of 6 over 4 documents" in capsys.readouterr().out
    manifest = read_manifest(here / "lib")
    assert manifest.documents_by_source == {"hitab": 1, "multihiertt": 2, "tatqa": 1}
    assert (manifest.made.seed, manifest.rejected) == (7, {})
    benchmark = load_benchmark("docraglib", here / "lib", "all")
    by_id = {q.id: q for q in benchmark.questions}
    assert by_id["multihiertt:m1"].facets == {
        "source": "multihiertt", "operators": "divide + subtract", "evidence": "table",
    }  # fmt: skip
    for id_, right in (("multihiertt:m1", "25%"), ("hitab:h1", "52.0"), ("tatqa:q1", "2")):
        assert benchmark.score(by_id[id_], [right])["em"] == 1.0
        assert benchmark.score(by_id[id_], ["wrong"])["em"] == benchmark.score(by_id[id_], [])["em"] == 0.0
    benchmark.write_whole(here / "whole")
    assert {p.name for p in (here / "whole").iterdir()} == set(benchmark.sources) == set(benchmark.sources.values())
    assert call(*ALL, "--filter", "none", "--out", "lib") == 2
    assert "manifest.json already exists: choose another folder" in capsys.readouterr().err


def test_a_model_decides_after_its_price_and_an_interrupted_build_goes_on(
    here: Path, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    monkeypatch.setenv("TABLERAG_LLM_RETRIES", "0")
    command = (*ALL, "--filter", "openai:test", "--out", "lib", "--workers", "1", "--documents", "2")
    assert call(*command) == 2
    told = capsys.readouterr().err
    assert "6 undecided questions: about 6 calls to openai:test" in told and "pass --yes" in told
    assert not model_server.requests

    def reply(body: dict) -> Reply:
        prompt = body["messages"][-1]["content"]
        if len(model_server.requests) == 4:
            return Reply(status=500)
        return Reply(json.dumps({"names_its_document": "Bank" in prompt or "men work" in prompt, "reason": "r"}))

    model_server.responder = reply
    assert call(*command, "--yes") == 2
    assert "the decisions so far are kept" in capsys.readouterr().err
    decided = (here / "lib" / DECISIONS).read_bytes().count(b"\n")
    assert 0 < decided < 6 and not (here / "lib" / MANIFEST).exists()
    with pytest.raises(ConfigError, match="was interrupted: run the same"):
        load_benchmark("docraglib", here / "lib")
    assert call(*command, "--yes", "--seed", "8") == 2
    assert "contains another build (seed was 7, is 8)" in capsys.readouterr().err
    before = len(model_server.requests)
    assert call(*command, "--yes") == 0
    assert len(model_server.requests) - before == 6 - decided
    manifest = read_manifest(here / "lib")
    assert (manifest.questions, manifest.documents, sum(manifest.rejected.values())) == (2, 2, 4)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "no set given: use --multihiertt, --hitab or --tatqa"),
        (("--hitab", "nowhere"), "dev_samples.jsonl: file not found"),
        (("--tatqa", "tatqa", "--filter", "magic"), "--filter 'magic': expected rule, none, or a model"),
        (("--tatqa", "tatqa", "--splits", " , "), "--splits ' , ': expected names"),
        (("--tatqa", "tatqa", "--out", "tatqa"), "tatqa: folder is not empty"),
    ],
)
def test_bad_input_is_told(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    assert call("--out", "lib", *arguments) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lib: (lib / QUESTIONS).write_text(""), "questions.jsonl: contains no questions"),
        (lambda lib: (lib / QUESTIONS).write_bytes((lib / QUESTIONS).read_bytes()[:-40]), "line 6: invalid JSON"),
        (
            lambda lib: (lib / QUESTIONS).write_text((lib / QUESTIONS).read_text().split("\n")[0]),
            "has 1 questions, exp",
        ),
        (lambda lib: next((lib / DOCUMENTS).iterdir()).unlink(), "file not found, needed by"),
        (lambda lib: (lib / MANIFEST).write_text("{}"), "manifest.json: made: Field required: build again"),
        (
            lambda lib: (lib / QUESTIONS).write_text((lib / QUESTIONS).read_text().replace('"program"', '"prog"')),
            "native.program is missing: build again",
        ),
    ],
)
def test_an_incomplete_build_is_told(here: Path, change, told: str) -> None:
    assert call(*ALL, "--filter", "none", "--out", "lib") == 0
    change(here / "lib")
    with pytest.raises(ConfigError) as error:
        load_benchmark("docraglib", here / "lib", "all")
    assert told in str(error.value) and "\n" not in str(error.value)


def test_a_build_whose_sets_cannot_be_read_claims_no_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "hitab" / "data" / "dev_samples.jsonl").rename(here / "away")
    assert call(*ALL, "--filter", "none", "--out", "lib") == 2
    assert "dev_samples.jsonl: file not found" in capsys.readouterr().err and not (here / "lib").exists()
    (here / "away").rename(here / "hitab" / "data" / "dev_samples.jsonl")
    assert call(*ALL, "--filter", "none", "--documents", "2", "--out", "lib") == 0
    manifest = read_manifest(here / "lib")
    assert manifest.questions + sum(manifest.rejected.values()) == manifest.candidates == 6
    (here / "file").touch()
    assert call(*ALL, "--out", "file") == 2 and "file: not a folder" in capsys.readouterr().err
