"""Runs one system over one benchmark: concurrent, resumable, every question counted."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from tablerag.agent.context import Context
from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.journal import Journal
from tablerag.evaluation.locking import held
from tablerag.evaluation.records import Answered, Outcome, RunSettings, changed_settings, failure_of
from tablerag.evaluation.working import done_by_threads
from tablerag.tools.errors import ConfigError

__all__ = ["ANSWERS", "DOING", "LOCK", "SETTINGS", "Asks", "drawn", "read_run", "run", "settings_of"]

ANSWERS = "answers.jsonl"
SETTINGS = "run.json"
LOCK = "run.lock"
DOING = "another process asks or judges in this folder"
"""Who holds the lock."""


class Asks(Protocol):
    """A system under evaluation."""

    name: str

    def ask(self, text: str, context: Context) -> Outcome: ...


def drawn(benchmark: Benchmark, limit: int, seed: int, group: str = "") -> list[Question]:
    """Return the questions of a run: all, or ``limit`` of them, the same for every system that has the same seed.

    With ``group``, of that group alone; raises ConfigError where the benchmark has none of that name.
    """
    asked = [q for q in benchmark.questions if group in ("", q.group)]
    if not asked:
        groups = sorted({q.group for q in benchmark.questions} - {""})
        raise ConfigError(
            f"{benchmark.name} has no group {group!r}: expected one of {', '.join(groups) or 'none, it has no groups'}"
        )
    return random.Random(seed).sample(asked, limit) if limit and limit < len(asked) else asked


def settings_of(
    benchmark: Benchmark, questions: Sequence[Question], context: Context, *, system: str, split: str, closed: bool,
    limit: int, seed: int, group: str = "",
) -> RunSettings:  # fmt: skip
    """Return what makes this run what it is."""
    told = "\n".join(f"{q.id}\t{q.text}" for q in questions)
    return RunSettings(
        benchmark=benchmark.name,
        split=split,
        system=system,
        model=context.model,
        closed=closed,
        group=group,
        limit=limit,
        seed=seed,
        questions=len(questions),
        digest=hashlib.sha256(told.encode()).hexdigest()[:16],
        main=benchmark.main,
        context=changed_settings(context),
    )


def read_run(folder: Path) -> tuple[RunSettings, list[Answered]]:
    """Return a run's settings and the answers that it has so far; raise ConfigError."""
    path = folder / SETTINGS
    if not path.is_file():
        raise ConfigError(f"{folder}: holds no run ({SETTINGS} is missing): give a folder that `tablerag eval` wrote")
    try:
        settings = RunSettings.model_validate_json(path.read_bytes())
    except ValueError as error:
        raise ConfigError(f"{path}: is no run's settings: {' '.join(str(error).split())[:200]}") from error
    answers = {a.id: a for a in Journal(folder / ANSWERS, Answered).read()}
    return settings, list(answers.values())


def run(
    benchmark: Benchmark,
    questions: Sequence[Question],
    system: Asks,
    context: Context,
    corpora: Mapping[str, str],
    folder: Path,
    settings: RunSettings,
    *,
    workers: int = 1,
    retry_failed: bool = False,
    on_answer: Callable[[Answered], None] = lambda answered: None,
) -> list[Answered]:
    """Ask what the folder has no answer to yet; return all answers in the questions' order.

    With ``retry_failed``, questions on which the system broke are asked again; the last answer counts.
    ``corpora`` gives the corpus of each question's id. Raises ModelUnavailable, StoreUnavailable and ConfigError, at
    once while another process writes into the folder; what was answered until then is kept, and the same call goes on.
    """
    with held(folder / LOCK, DOING):
        _claim(folder, settings)
        journal = Journal(folder / ANSWERS, Answered)
        journal.mend()
        answers = {a.id: a for a in journal.read()}
        if retry_failed:
            answers = {i: a for i, a in answers.items() if a.failure != "failed"}
        for answered in answers.values():
            on_answer(answered)

        def answer(question: Question) -> Answered:
            outcome = system.ask(question.text, context.model_copy(update={"corpus": corpora[question.id]}))
            answered = scored(benchmark, question, outcome)
            journal.append(answered)
            return answered

        for answered in done_by_threads([q for q in questions if q.id not in answers], answer, workers):
            answers[answered.id] = answered
            on_answer(answered)
        return [answers[q.id] for q in questions]


def _claim(folder: Path, settings: RunSettings) -> None:
    """Note the run's settings in its folder; raise ConfigError where another run lies there."""
    path = folder / SETTINGS
    if path.exists():
        found, _ = read_run(folder)
        differ = [k for k, v in found.model_dump().items() if v != settings.model_dump()[k]]
        if differ:
            told = ", ".join(f"{k} was {getattr(found, k)!r}, is {getattr(settings, k)!r}" for k in differ)
            raise ConfigError(f"{folder}: holds another run ({told}): give another folder with --out")
        return
    written = path.with_suffix(".new")
    written.write_text(settings.model_dump_json(indent=1) + "\n", encoding="utf-8")
    written.replace(path)


def scored(benchmark: Benchmark, question: Question, outcome: Outcome) -> Answered:
    """Score an outcome by the benchmark's metric; a blank or failed one scores 0 throughout."""
    scores = dict(benchmark.score(question, outcome.values))
    right = bool(outcome.values) and scores[benchmark.main] == 1.0
    return Answered(
        **outcome.model_dump(),
        id=question.id,
        question=question.text,
        group=question.group,
        gold=list(question.gold),
        scores=scores,
        right=right,
        failure=failure_of(outcome, right=right),
    )
