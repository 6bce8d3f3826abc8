"""Reads a folder of one's own: documents of any supported format, and questions with their answers.

``documents/`` has the files, in subfolders if wanted, and ``questions.jsonl`` one question a line: ``id``,
``question``, ``answer`` (a text, a number, a list of them, or null where the documents have no answer) and ``kind``,
which may be left out.
"""

import json
import re
import shutil
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

from pydantic import AfterValidator, BeforeValidator, ValidationError

from tablerag.agent.turns import MAX_QUESTION_CHARS
from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.datasets.native import Filled, Native, first_error, read_text
from tablerag.evaluation.metrics.gold import read_gold, scores_of
from tablerag.tools.errors import ConfigError

__all__ = ["DOCUMENTS", "QUESTIONS", "folder_benchmark"]

DOCUMENTS = "documents"
QUESTIONS = "questions.jsonl"
WANTED = f"with {DOCUMENTS}/ and {QUESTIONS}"
ANSWER = "must be a text, a number, a list of them, or null if the documents have no answer"
Value = str | int | float


def _answer(value: Any) -> Any:
    """Check a gold answer."""
    values = value if isinstance(value, list) else [value]
    fits = all(isinstance(v, Value) and not isinstance(v, bool) and str(v).strip() for v in values)
    if value is not None and not (values and fits):
        raise ValueError(ANSWER)
    return tuple(value) if isinstance(value, list) else value


def _id(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _question(text: str) -> str:
    if len(text) > MAX_QUESTION_CHARS:
        raise ValueError(f"has {len(text)} characters, expected at most {MAX_QUESTION_CHARS}")
    return text


class _Line(Native):
    """One line of questions.jsonl."""

    id: Annotated[Filled, BeforeValidator(_id)]
    question: Annotated[Filled, AfterValidator(_question)]
    answer: Annotated[Any, BeforeValidator(_answer)]
    kind: str | None = None


def folder_benchmark(folder: Path, split: str) -> Benchmark:
    """Read a folder with ``documents/`` and ``questions.jsonl``; there is one split. Raises ConfigError."""
    questions = _questions(folder / QUESTIONS)
    documents = folder / DOCUMENTS
    if not any(p.is_file() for p in documents.rglob("*")):
        raise ConfigError(f"{documents}: contains no documents: give the folder {WANTED}")

    def write_documents(out: Path, _: Collection[str]) -> None:
        shutil.copytree(documents, out, dirs_exist_ok=True)

    return Benchmark(
        name="-".join(["folder", *re.findall(r"\w+", folder.resolve().name.casefold())]),
        questions=questions,
        write_documents=write_documents,
        score=_scores,
        main="right",
        with_unit=True,
    )


def _scores(question: Question, values: Sequence[str]) -> dict[str, float]:
    return scores_of(question.native, values)


def _questions(path: Path) -> tuple[Question, ...]:
    """Read the questions; raise ConfigError with the line that does not fit."""
    found: list[Question] = []
    places: dict[str, int] = {}
    for number, text in enumerate(read_text(path, WANTED).split("\n"), start=1):
        if not text.strip():
            continue
        line = _line(text, f"{path}, line {number}")
        if line.id in places:
            raise ConfigError(f"{path}, line {number}: id {line.id!r} is already used in line {places[line.id]}")
        places[line.id] = number
        gold = read_gold(line.answer)
        texts = tuple(value.text for value in gold.values)
        found.append(Question(line.id, line.question.strip(), texts, "", (line.kind or "").strip(), gold))
    if not found:
        raise ConfigError(f"{path}: contains no questions")
    return tuple(found)


def _line(text: str, place: str) -> _Line:
    try:
        read = json.loads(text, parse_constant=_not_finite)
        if not isinstance(read, dict):
            raise ValueError('expected a JSON object, {"id": ..., "question": ..., "answer": ...}')
        return _Line.model_validate(read)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{place}: invalid JSON: {error.msg} in column {error.colno}") from error
    except ValidationError as error:
        raise ConfigError(f"{place}: {first_error(error)}") from error
    except ValueError as error:
        raise ConfigError(f"{place}: {error}") from error


def _not_finite(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
