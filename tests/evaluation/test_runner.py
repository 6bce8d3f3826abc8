"""Runs: every question counts, none is asked twice, and the gold table's id is never shown."""

import json
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tablerag.agent.context import Context
from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.corpora import corpora_of, open_corpus
from tablerag.evaluation.journal import Journal
from tablerag.evaluation.records import Answered, Outcome, RunSettings, failure_of
from tablerag.evaluation.runner import ANSWERS, LOCK, drawn, read_run, run, scored, settings_of
from tablerag.evaluation.systems import open_system, values_of
from tablerag.tools.errors import ConfigError, ModelUnavailable
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.evaluation.native_sets import RIVER_ID, hybridqa_folder, wikitq_folder
from tests.support.model_server import ModelServer, Reply


class Scripted:
    """A system with scripted answers and errors."""

    name = "scripted"

    def __init__(self, answers: dict[str, Outcome | Exception]) -> None:
        self.answers, self.asked, self.corpora = answers, [], set()
        self._lock = threading.Lock()

    def ask(self, text: str, context: Context) -> Outcome:
        with self._lock:
            self.asked.append(text)
            self.corpora.add(context.corpus)
        said = self.answers.get(text, Outcome())
        if isinstance(said, Exception):
            raise said
        return said


HOLDING = """
import sys, time
from pathlib import Path
from tablerag.evaluation.locking import held
with held(Path(sys.argv[1]), "held"):
    print("held", flush=True)
    time.sleep(60)
"""
LENGTH, DEPTH, PAINTER = "What is the length of Bela?", "What is the depth of Cora?", "Who painted the Mona Lisa?"
RIGHT = Outcome(answer="340", values=["340"], iterations=2, calls=4, input_tokens=10, output_tokens=2)


def started(root: Path, played: Scripted, **changes: object) -> list[Answered]:
    if not (root / "hybridqa").exists():
        hybridqa_folder(root)
    benchmark = load_benchmark("hybridqa", root)
    questions = drawn(benchmark, 0, 7)
    settings = settings_of(
        benchmark, questions, Context(), system="scripted", split="dev", closed=False, limit=0, seed=7
    ).model_copy(update=changes)
    corpora = {q.id: f"c-{q.id}" for q in questions}
    return run(benchmark, questions, played, Context(), corpora, root / "run", settings, workers=2)


def test_every_question_counts_and_failures_are_told_apart(tmp_path: Path) -> None:
    system = Scripted({LENGTH: RIGHT, DEPTH: Outcome(error="ReplyInvalid: no JSON"), PAINTER: Outcome()})
    answers = started(tmp_path, system)
    assert [(a.id, a.right, a.failure) for a in answers] == [
        ("q1", True, ""),
        ("q2", False, "failed"),
        ("q3", False, "refused"),
    ]
    assert answers[1].scores == {"em": 0.0, "f1": 0.0}
    assert system.corpora == {"c-q1", "c-q2", "c-q3"}
    settings, read = read_run(tmp_path / "run")
    assert (settings.questions, {a.id for a in read}) == (3, {"q1", "q2", "q3"})


def test_a_stopped_run_goes_on_without_asking_twice(tmp_path: Path) -> None:
    first = Scripted({LENGTH: RIGHT, DEPTH: RIGHT, PAINTER: ModelUnavailable("no connection")})
    with pytest.raises(ModelUnavailable):
        started(tmp_path, first)
    kept = {a.question for a in read_run(tmp_path / "run")[1]}
    assert LENGTH in kept and PAINTER not in kept
    with (tmp_path / "run" / ANSWERS).open("ab") as file:
        file.write(b'{"id": "q3", "quest')  # as a process killed amid a write leaves it
    second = Scripted({PAINTER: RIGHT, DEPTH: RIGHT})
    answers = started(tmp_path, second)
    assert set(second.asked) == {LENGTH, DEPTH, PAINTER} - kept
    assert [a.id for a in answers] == ["q1", "q2", "q3"]
    third = Scripted({})
    assert started(tmp_path, third) == answers and third.asked == []


def test_a_second_run_into_the_same_folder_is_refused_until_the_first_has_died(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path / "run" / LOCK)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    system = Scripted({LENGTH: RIGHT})
    with pytest.raises(ConfigError, match="run: another process is using this run: wait for it to finish"):
        started(tmp_path, system)
    assert system.asked == []
    holder.kill()
    holder.communicate()
    assert len(started(tmp_path, system)) == 3


def test_reading_leaves_a_line_alone_that_another_process_is_writing(tmp_path: Path) -> None:
    started(tmp_path, Scripted({}))
    path = tmp_path / "run" / ANSWERS
    written = path.read_bytes()
    path.write_bytes(written + b'{"id": "q4", "quest')
    assert len(read_run(tmp_path / "run")[1]) == 3
    assert path.read_bytes() == written + b'{"id": "q4", "quest'
    Journal(path, Answered).repair()
    assert path.read_bytes() == written


def test_another_runs_folder_is_refused(tmp_path: Path) -> None:
    started(tmp_path, Scripted({}))
    with pytest.raises(ConfigError, match="contains another run .*system was 'scripted', is 'other'"):
        started(tmp_path, Scripted({}), system="other")
    with pytest.raises(ConfigError, match="no run found"):
        read_run(tmp_path)


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.jsonl", Answered)
    journal.path.write_text('{"id": 1}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="a.jsonl, line 1: invalid line"):
        journal.read()


def test_the_same_seed_draws_the_same_questions(tmp_path: Path) -> None:
    hybridqa_folder(tmp_path)
    benchmark = load_benchmark("hybridqa", tmp_path)
    assert drawn(benchmark, 2, 1) == drawn(benchmark, 2, 1)
    assert len(drawn(benchmark, 2, 1)) == 2
    assert drawn(benchmark, 9, 1) == list(benchmark.questions)


def test_one_group_alone_is_drawn_from(tmp_path: Path) -> None:
    hybridqa_folder(tmp_path)
    benchmark = load_benchmark("hybridqa", tmp_path)
    first, *others = benchmark.questions
    grouped = replace(benchmark, questions=(replace(first, group="count"), *others))
    assert [q.id for q in drawn(grouped, 5, 1, "count")] == [first.id]
    with pytest.raises(ConfigError, match="no group 'sum': expected one of count"):
        drawn(grouped, 5, 1, "sum")


@pytest.mark.parametrize(
    ("outcome", "right", "failure"),
    [
        (Outcome(answer="x"), True, ""),
        (Outcome(answer="x"), False, "wrong"),
        (Outcome(), False, "refused"),
        (Outcome(stopped_by="iteration_limit"), False, "out_of_iterations"),
        (Outcome(stopped_by="iteration_limit", error="E"), False, "failed"),
    ],
)
def test_failure_classes(outcome: Outcome, right: bool, failure: str) -> None:
    assert failure_of(outcome, right=right) == failure


def test_values_are_what_sql_gave_where_the_answer_names_all_of_it() -> None:
    found = {"steps": [{"rows": [["Smith, J"], ["Birch"], [None]], "error": None}]}
    assert values_of("Smith, J, Birch", found) == ["Smith, J", "Birch"]
    assert values_of("Birch", found) == ["Birch"]
    assert values_of("a; b ;", {"steps": []}) == ["a", "b"]
    assert values_of("", found) == []
    assert values_of("Birch: 2", {"steps": [{"rows": [["Birch", 2]]}]}) == ["Birch", "2"]
    assert values_of("Birch: 2", {"steps": [{"rows": [["Birch", 3]]}]}) == ["Birch: 2"]


def test_systems_that_need_a_model_say_so(services: Services) -> None:
    with pytest.raises(ConfigError, match="unknown system 'nobody': expected one of"):
        open_system("nobody", services, "offline")
    with pytest.raises(ConfigError, match="direct needs a model"):
        open_system("direct", services, "offline")


def test_titles_tell_runs_apart() -> None:
    common = {"benchmark": "b", "split": "dev", "model": "m", "questions": 1, "digest": "d", "main": "em"}
    assert RunSettings(system="tablerag", **common).title == "tablerag"
    changed = {"sql_execution": False, "top_k": 5}
    assert (
        RunSettings(system="a", closed=True, context=changed, **common).title == "a (no sql_execution, top_k=5), closed"
    )


def answering(body: dict) -> Reply:
    """Answer as a model that finds the length by SQL."""
    return Reply(json.dumps({"sql": "SELECT `length` FROM `rivers_of_aland` WHERE `river` = 'Bela'"}))


@pytest.mark.parametrize("closed", [False, True])
def test_the_gold_tables_id_never_reaches_a_prompt(tmp_path: Path, model_server: ModelServer, closed: bool) -> None:
    model_server.responder = answering
    hybridqa_folder(tmp_path)
    benchmark = load_benchmark("hybridqa", tmp_path)
    questions = benchmark.questions[:1]
    services = Services(
        Settings(home=tmp_path / "home", openai_base_url=model_server.url, model="openai:test", _env_file=None)
    )
    corpora = corpora_of(benchmark, questions, services, closed=closed)
    context = Context(model="openai:test")
    settings = settings_of(
        benchmark, questions, context, system="tablerag", split="dev", closed=closed, limit=1, seed=7
    )
    system = open_system("tablerag", services, "openai:test")
    (answered,) = run(benchmark, questions, system, context, corpora, tmp_path / "run", settings)
    services.close()
    assert (answered.right, answered.failure, answered.iterations) == (True, "", 1)
    sent = json.dumps(model_server.requests)
    assert len(model_server.requests) == 1 == answered.calls
    assert "table_0000" in sent, "documents are shown by their names"
    for told in (RIVER_ID, "Zebra", "Quartz", "Onyx", tmp_path.name):
        assert told.casefold() not in sent.casefold()
    assert ("lakes" in sent.casefold()) is not closed


def test_hd_rag_finds_by_the_summaries_that_are_made_for_it(tmp_path: Path, services: Services) -> None:
    hybridqa_folder(tmp_path)
    benchmark = load_benchmark("hybridqa", tmp_path)
    corpus = open_corpus(benchmark, services)
    system = open_system("hd_rag", services, "offline")
    system.prepare(corpus)
    system.prepare(corpus)
    outcome = system.ask(LENGTH, Context(corpus=corpus, model="offline"))
    assert outcome.error == "" and outcome.iterations == 1
    (step,) = outcome.trace
    assert step["document"] in step["candidates"] and len(step["candidates"]) > 1
    unanswered = system.ask(PAINTER, Context(corpus=corpus, model="offline"))
    assert (unanswered.answer, unanswered.values, unanswered.stopped_by) == ("", [], "no_evidence")


def test_a_question_that_fails_is_charged_with_what_it_cost(
    tmp_path: Path, services: Services, model_server: ModelServer
) -> None:
    settings = services.settings.model_copy(update={"openai_base_url": model_server.url})
    system = open_system("direct", Services(settings), "openai:test")
    model_server.enqueue("no JSON", Reply("none either", cached=80))
    outcome = system.ask(LENGTH, Context(model="openai:test"))
    assert outcome.error.startswith("ReplyInvalid")
    assert (outcome.calls, outcome.input_tokens, outcome.output_tokens, outcome.cached_tokens) == (2, 200, 20, 80)


def test_a_cell_is_right_as_people_read_it(tmp_path: Path) -> None:
    benchmark = load_benchmark("wikitq", wikitq_folder(tmp_path))
    question = benchmark.questions[0]
    for gold, shown, right in (("1,400 tons", "1,400 tons", True), ("1,400 kg", "1,400 tons", False)):
        asked = replace(question, gold=(gold,))
        assert scored(benchmark, asked, Outcome(answer="1400", values=["1400"], shown=shown)).right is right
        assert not scored(benchmark, asked, Outcome(answer="1400", values=["1400"])).right
