"""Runs one system over one benchmark, concurrently; a run can be stopped and resumed at any time."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from tablerag.agent.context import Context
from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.document_retrieval import hits
from tablerag.evaluation.journal import Journal
from tablerag.evaluation.locking import held
from tablerag.evaluation.records import Answered, Outcome, RunSettings, changed_settings, failure_of
from tablerag.evaluation.threads import in_threads
from tablerag.tools.errors import ConfigError

__all__ = ["ANSWERS", "DOING", "LOCK", "SETTINGS", "Asks", "drawn", "read_run", "run", "settings_of"]

ANSWERS = "answers.jsonl"
SETTINGS = "run.json"
LOCK = "run.lock"
DOING = "another process is using this run"
FOUND = (1, 3, 5)
"""Depths of Hit@k beside an answer: HD-RAG selects from five documents."""


class Asks(Protocol):
    """A system under evaluation."""

    name: str

    def ask(self, text: str, context: Context) -> Outcome: ...


def drawn(benchmark: Benchmark, limit: int, seed: int, group: str = "") -> list[Question]:
    """Return all questions, or ``limit`` of them, which depend on the seed alone, so that systems get the same ones.

    With ``group``, only the questions of that group; an unknown group raises ConfigError.
    """
    asked = [q for q in benchmark.questions if group in ("", q.group)]
    if not asked:
        groups = sorted({q.group for q in benchmark.questions} - {""})
        raise ConfigError(
            f"{benchmark.name} has no group {group!r}: "
            + (f"expected one of {', '.join(groups)}" if groups else "its questions have no groups, omit --group")
        )
    return random.Random(seed).sample(asked, limit) if limit and limit < len(asked) else asked


def settings_of(
    benchmark: Benchmark, questions: Sequence[Question], context: Context, *, system: str, split: str, closed: bool,
    limit: int, seed: int, group: str = "", embedding: str = "embedded",
) -> RunSettings:  # fmt: skip
    """Return the run's settings."""
    texts = "\n".join(f"{q.id}\t{q.text}" for q in questions)
    return RunSettings(
        benchmark=benchmark.name,
        split=split,
        system=system,
        model=context.model,
        embedding=embedding,
        closed=closed,
        group=group,
        limit=limit,
        seed=seed,
        questions=len(questions),
        digest=hashlib.sha256(texts.encode()).hexdigest()[:16],
        main=benchmark.main,
        context=changed_settings(context),
    )


def read_run(folder: Path) -> tuple[RunSettings, list[Answered]]:
    """Return a run's settings and its answers so far; raise ConfigError."""
    path = folder / SETTINGS
    if not path.is_file():
        raise ConfigError(f"{folder}: no run found ({SETTINGS} is missing): give a folder written by `tablerag eval`")
    try:
        settings = RunSettings.model_validate_json(path.read_bytes())
    except ValueError as error:
        raise ConfigError(f"{path}: invalid run settings: {' '.join(str(error).split())[:200]}") from error
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
    """Ask the questions that have no answer in the folder yet; return all answers in the questions' order.

    ``corpora`` maps question ids to corpora. With ``retry_failed``, questions that ended in an error are asked again,
    and the last answer counts. Answers whose gold answer was corrected are scored again. Raises ModelUnavailable,
    StoreUnavailable and ConfigError, the latter also while another process uses the folder. Answers are kept as they
    come, and the same call resumes the run.
    """
    if settings.closed:  # a question's own corpus holds its document alone: there is nothing to find
        benchmark = replace(benchmark, sources={})
    with held(folder / LOCK, DOING):
        _claim(folder, settings)
        journal = Journal(folder / ANSWERS, Answered)
        journal.repair()
        answers = {a.id: a for a in journal.read()}
        if retry_failed:
            answers = {i: a for i, a in answers.items() if a.failure != "failed"}
        for question in questions:
            if (known := answers.get(question.id)) and known.gold != list(question.gold):
                answers[known.id] = scored(benchmark, question, Outcome.model_validate(known.model_dump()))
                journal.append(answers[known.id])
        for answered in answers.values():
            on_answer(answered)

        def answer(question: Question) -> Answered:
            outcome = system.ask(question.text, context.model_copy(update={"corpus": corpora[question.id]}))
            answered = scored(benchmark, question, outcome)
            journal.append(answered)
            return answered

        for answered in in_threads([q for q in questions if q.id not in answers], answer, workers):
            answers[answered.id] = answered
            on_answer(answered)
        return [answers[q.id] for q in questions]


def _claim(folder: Path, settings: RunSettings) -> None:
    """Write the run's settings to its folder; raise ConfigError if another run is there."""
    path = folder / SETTINGS
    if path.exists():
        found, _ = read_run(folder)
        differ = [k for k, v in found.model_dump().items() if v != settings.model_dump()[k]]
        if differ:
            changes = ", ".join(f"{k} was {getattr(found, k)!r}, is {getattr(settings, k)!r}" for k in differ)
            raise ConfigError(f"{folder}: contains another run ({changes}): give another folder with --out")
        return
    written = path.with_suffix(".new")
    written.write_text(settings.model_dump_json(indent=1) + "\n", encoding="utf-8")
    written.replace(path)


def _found(benchmark: Benchmark, question: Question, outcome: Outcome) -> dict[str, float]:
    """Return Hit@k of the documents found, and with the selected one put first; {} if they are unknown."""
    wanted = benchmark.sources.get(question.own, "")
    if not wanted or not outcome.documents:
        return {}
    selected = [outcome.document] * bool(outcome.document) + [d for d in outcome.documents if d != outcome.document]
    after = {f"selected@{k}": float(wanted in selected[:k]) for k in FOUND}
    return hits(wanted, outcome.documents, FOUND) | after


def scored(benchmark: Benchmark, question: Question, outcome: Outcome) -> Answered:
    """Score an outcome by the benchmark's metrics; a failed one scores 0 on all of them, as does a blank one.

    Without a gold answer, only a blank one is right.
    """
    values = [outcome.scaled] if benchmark.with_scale and outcome.scaled else outcome.values
    scores = dict(benchmark.score(question, values))
    if benchmark.with_unit and outcome.shown:
        shown = benchmark.score(question, [outcome.shown])
        scores = {name: max(score, shown[name]) for name, score in scores.items()}
    if outcome.error or (question.gold and not outcome.values):
        scores = dict.fromkeys(scores, 0.0)
    scores |= _found(benchmark, question, outcome)
    right = scores[benchmark.main] == 1.0
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
