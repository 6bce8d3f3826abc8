"""Examples for the reader's confidence: the signs of a question's likeliest reading, and whether it is right."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tablerag.agent.context import Context
from tablerag.agent.offline.reading.reader import Reader, is_vetoed
from tablerag.evaluation.metrics.folder import Given, matches
from tablerag.graphs.deployment import EMBEDDED_TABLES
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.evidence import result_of, search
from tablerag.tools.records import SqlResult, TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.table_rows import RowReader

__all__ = ["Example", "Question", "examples_of", "questions_in", "sampled"]

CORPUS = "default"
TEXT_QUESTIONS = Path(__file__).parent / "business" / "text_questions.txt"


@dataclass(frozen=True, slots=True)
class Question:
    """A generated question and the corpus that it is asked of."""

    corpus: Path
    text: str
    gold: Mapping[str, Any]
    domain: str
    form: str
    language: str


@dataclass(frozen=True, slots=True)
class Example:
    """A question's likeliest reading."""

    domain: str
    source: str
    """Where the question is from: "generated" or "written"."""
    signs: Mapping[str, float]
    """Empty if the question was not read."""
    right: bool
    offered: bool
    """One of its three likeliest readings is right."""
    vetoed: bool = False


def questions_in(folder: Path) -> list[Question]:
    """Return the questions of a corpus that follow no other, also those that it does not answer."""
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Question(
            folder, q["question"], q["answer"], q.get("domain", folder.name), q.get("form", ""), q.get("language", "en")
        )
        for q in map(json.loads, lines)
        if not q["follows"]
    ]


def sampled(corpora: Sequence[Path], each: int, misplaced: int, texts: int, seed: int = 3) -> Iterator[Question]:
    """Yield ``each`` questions of a corpus, ``misplaced`` ones of others and ``texts`` that only texts answer."""
    random_ = random.Random(seed)
    found = {folder: questions_in(folder) for folder in corpora}
    for folder, own in found.items():
        yield from random_.sample(own, min(each, len(own)))
        known = {q.domain for q in own}
        others = [q for questions in found.values() for q in questions if q.domain not in known]
        written = [replace(q, text=t) for q, t in zip(own, text_questions(own[0].language), strict=False)]
        for form, some, count in (("misplaced", others, misplaced), ("text", written, texts)):
            for q in random_.sample(some, min(count, len(some))):
                yield replace(q, corpus=folder, gold={"none": True}, form=form)


def text_questions(language: str) -> list[str]:
    """Return the questions of a language that only texts answer."""
    lines = TEXT_QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [line[3:] for line in lines if line.startswith(f"{language} ")]


def examples_of(questions: Sequence[Question], home: Path, source: str) -> Iterator[Example]:
    """Yield an example for each question; each corpus is ingested into its own folder below ``home``, once."""
    limits = Context()
    for corpus in dict.fromkeys(q.corpus for q in questions):
        services = Services(Settings(home=home / corpus.name, model="offline", _env_file=None))
        if not services.catalog.documents(CORPUS):
            ingest([corpus / "docs"], services, CORPUS)
        judge = _judge_of(services)
        for q in questions:
            if q.corpus == corpus:
                _, schemas = search(
                    services, q.text, corpus=CORPUS, recall_n=limits.recall_n, top_k=limits.top_k,
                    tables=EMBEDDED_TABLES,
                )  # fmt: skip
                yield judge(q.text, schemas, lambda result, gold=q.gold: _is_gold(result, gold), q.domain, source)
        services.close()


def _judge_of(services: Services) -> Callable[..., Example]:
    def run(sql: str, schemas: Sequence[TableSchema]) -> SqlResult:
        return result_of(services, sql, schemas)

    rows = RowReader(services.database)
    reader = Reader(rows, run)

    def judge(
        text: str, schemas: Sequence[TableSchema], is_right: Callable[[SqlResult], bool], domain: str, source: str
    ) -> Example:
        hints = tuple(services.value_linker.hints(text, schemas))
        found = reader.readings(text, schemas, hints)
        if not found:
            return Example(domain, source, {}, False, False)
        right = [is_right(r.result) for r in found]
        return Example(domain, source, found[0].signs, right[0], any(right), is_vetoed(found[0]))

    return judge


def _is_gold(result: SqlResult, gold: Mapping[str, Any]) -> bool:
    return matches(Given("", tuple(result.columns), tuple(tuple(r) for r in result.rows)), gold)
