"""A corpus like DocRAGLib, as `tablerag docraglib build` writes it; each question is scored as its own set does."""

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.hitab import HiTabQuestion, hitab_scores
from tablerag.evaluation.datasets.merged_tables import file_names
from tablerag.evaluation.datasets.native import first_error
from tablerag.evaluation.datasets.tatqa import TatQaQuestion, tatqa_scores
from tablerag.evaluation.docraglib.records import DOCUMENTS, QUESTIONS, SPLITS, LibQuestion, read_questions
from tablerag.evaluation.metrics.multihiertt import multihiertt_scores
from tablerag.evaluation.metrics.spans import span_scores
from tablerag.tools.errors import ConfigError

__all__ = ["docraglib_benchmark"]


def docraglib_benchmark(folder: Path, split: str) -> Benchmark:
    """Read a split of a build: train, dev, test or all. Its open setting has the documents of all splits."""
    if split not in (*SPLITS, "all"):
        raise ConfigError(f"unknown DocRAGLib split {split!r}: expected one of {', '.join([*SPLITS, 'all'])}")
    every = read_questions(folder)
    asked = [q for q in every if split in (q.split, "all")]
    if not asked:
        raise ConfigError(f"{folder / QUESTIONS}: none of its {len(every)} questions is in the split {split}")
    documents = folder / DOCUMENTS

    def write_documents(out: Path, keys: Collection[str]) -> None:
        out.mkdir(parents=True, exist_ok=True)
        for key, name in file_names(keys).items():
            shutil.copyfile(documents / key, out / name)

    return Benchmark(
        name="docraglib",
        questions=tuple(
            Question(q.id, q.question, q.gold, q.document, q.operators, _native(q, folder), _facets(q)) for q in asked
        ),
        write_documents=write_documents,
        score=_scores,
        main="em",
        with_unit=True,
        write_whole=lambda out: shutil.copytree(documents, out, dirs_exist_ok=True),
        sources={p.name: p.name for p in sorted(documents.iterdir())},
        names_of=file_names,
    )


def _facets(question: LibQuestion) -> dict[str, str]:
    return {"source": question.source, "operators": question.operators, "evidence": question.evidence or "unknown"}


def _native(question: LibQuestion, folder: Path) -> tuple[str, Any]:
    """Return the set of a question with its record there; raise ConfigError if it does not fit."""
    try:
        if question.source == "tatqa":
            return question.source, TatQaQuestion.model_validate(question.native)
        if question.source == "hitab":
            return question.source, HiTabQuestion.model_validate(question.native)
        return question.source, (str(question.native["answer"]), bool(str(question.native["program"]).strip()))
    except ValidationError as error:
        raise ConfigError(f"{folder / QUESTIONS}: {question.id}: {first_error(error)}: build again") from error
    except KeyError as error:
        raise ConfigError(
            f"{folder / QUESTIONS}: {question.id}: native.{error.args[0]} is missing: build again"
        ) from error


def _scores(question: Question, values: Sequence[str]) -> dict[str, float]:
    """Score by the question's own set: TAT-QA's exact match, HiTab's denotation, MultiHiertt's exact match."""
    source, native = question.native
    if source == "tatqa":
        found = tatqa_scores(native, values)
        return {"em": found["em"], "f1": found["f1"]}
    if source == "multihiertt":
        gold, computed = native
        found = multihiertt_scores(gold, values, computed=computed)
        return {"em": found["em"], "f1": found["f1"]}
    right = hitab_scores(native, values)["denotation"]
    return {"em": right, "f1": max(right, span_scores(["; ".join(question.gold)], "; ".join(values))["f1"])}
