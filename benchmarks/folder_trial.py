"""Ask the questions of a folder of documents, and score the answers against the folder's own.

    python -m benchmarks.folder_trial FOLDER [--out results.jsonl] [--kind sum] [--limit 20] [--verbose] [--quiet]

FOLDER has the documents in docs/ and one question a line in questions.jsonl: ``id``, ``kind``, ``question``,
``follows`` (the id of the question before it, or null) and ``answer`` (evaluation/metrics/folder.py). A question is
right, wrong (the answer that was given is not right), offered (no answer, but one of its readings is right) or
unanswered; one that the documents do not answer is right if there is no answer.
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tablerag import TableRAG
from tablerag.evaluation.metrics.folder import Given, matches
from tablerag.tools.errors import TableRagError

__all__ = ["OUTCOMES", "Scored", "ask_all", "given_of", "outcome_of", "read_questions", "report"]

OUTCOMES = ("right", "wrong", "offered", "unanswered")
MOST_READINGS = 3
LONGEST_SHOWN = 300
Question = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scored:
    """One question with what was answered."""

    id: int
    kind: str
    question: str
    outcome: str
    answer: str
    gold: Mapping[str, Any]
    sql: tuple[str, ...]
    explanation: str
    readings: tuple[str, ...]
    seconds: float


def read_questions(path: Path) -> list[dict[str, Any]]:
    """Read questions.jsonl; raise SystemExit with the line that is not a question."""
    questions = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
        except json.JSONDecodeError as error:
            raise SystemExit(f"{path}: line {number} is not JSON: {error}") from None
        if missing := {"id", "kind", "question", "answer"} - set(asked):
            raise SystemExit(f"{path}: line {number} has no {', '.join(sorted(missing))}")
        questions.append(asked)
    return questions


def given_of(answer: Any) -> Given:
    """Return what an answer shows: its text, and the result of its last SQL step."""
    table = answer.table
    if table is None:
        return Given(answer.text)
    single = len(table.rows) == 1 and len(table.rows[0]) == 1
    computed = single and answer.value is None and table.rows[0][0] is not None
    return Given(answer.text, table.columns, table.rows, answer.unit, computed)


def outcome_of(answer: Any, gold: Mapping[str, Any]) -> str:
    """Return the outcome of one answer."""
    if answer.verdict == "none":
        if gold.get("none"):
            return "right"
        shown = (Given("", r.columns, r.rows) if r.rows else Given(r.text) for r in answer.readings[:MOST_READINGS])
        return "offered" if any(matches(given, gold) for given in shown) else "unanswered"
    return "right" if matches(given_of(answer), gold) else "wrong"


def ask_all(rag: TableRAG, questions: Sequence[Question], every: Sequence[Question]) -> Iterator[Scored]:
    """Ask questions, a follow-up in the thread of the question before it; ``every`` has the ones they follow."""
    by_id = {q["id"]: q for q in every}
    threads: dict[Any, str] = {}
    for number, asked in enumerate(questions):
        before = asked.get("follows")
        thread = threads.pop(before, None)
        if thread is None:
            thread = f"trial {number}"
            for earlier in _chain(before, by_id):
                rag.ask(earlier["question"], thread=thread)
        yield _scored(rag, asked, thread)
        threads[asked["id"]] = thread


def _chain(last: Any, by_id: Mapping[Any, Question]) -> list[Question]:
    chain: list[Question] = []
    while last in by_id:
        chain.insert(0, by_id[last])
        last = by_id[last].get("follows")
    return chain


def _scored(rag: TableRAG, asked: Question, thread: str) -> Scored:
    began = time.perf_counter()
    about = (asked["id"], asked["kind"], asked["question"])
    try:
        answer = rag.ask(asked["question"], thread=thread)
    except TableRagError as error:
        return Scored(*about, "unanswered", "", asked["answer"], (), f"error: {error}", (), time.perf_counter() - began)
    seconds = time.perf_counter() - began
    meanings = tuple(str(r.meaning) for r in answer.readings)
    outcome = outcome_of(answer, asked["answer"])
    rows = f" {[list(r) for r in answer.table.rows[:20]]}" if answer.table else ""
    return Scored(
        *about, outcome, answer.text + rows, asked["answer"], answer.sql, answer.explanation, meanings, seconds
    )


def report(scored: Sequence[Scored], *, quiet: bool = False, verbose: bool = False) -> Iterator[str]:
    """Yield the lines of the table by kind, of the wrong answers and, if wanted, of the unanswered questions."""
    kinds = list(dict.fromkeys(s.kind for s in scored))
    width = max(map(len, [*kinds, "all"]), default=3)
    yield f"{'kind':{width}}  asked  " + "  ".join(OUTCOMES)
    for kind in [*kinds, "all"]:
        counts = Counter(s.outcome for s in scored if kind in (s.kind, "all"))
        row = "  ".join(f"{counts[o]:{len(o)}}" for o in OUTCOMES)
        yield f"{kind:{width}}  {sum(counts.values()):5}  {row}"
    if scored:
        counts = Counter(s.outcome for s in scored)
        yield "share  " + ", ".join(f"{o} {counts[o] / len(scored):.1%}" for o in OUTCOMES)
        times = sorted(s.seconds for s in scored)
        p50, p95 = (times[min(len(times) - 1, int(len(times) * p))] for p in (0.5, 0.95))
        yield f"seconds per question: p50 {p50:.2f}, p95 {p95:.2f}"
    shown = [] if quiet else ["wrong", "offered", "unanswered"] if verbose else ["wrong"]
    for outcome in shown:
        for one in (s for s in scored if s.outcome == outcome):
            yield from _shown(one)


def _shown(one: Scored) -> Iterable[str]:
    yield f"\n{one.outcome}: {one.id} ({one.kind}) {one.question}"
    yield f"    answer  {one.answer[:LONGEST_SHOWN]}"
    yield f"    gold    {json.dumps(one.gold, ensure_ascii=False)[:LONGEST_SHOWN]}"
    yield from (f"    sql     {statement}" for statement in one.sql)
    yield from (f"    reading {meaning}" for meaning in one.readings)
    if one.outcome != "wrong":
        yield f"    why     {one.explanation}"


def _trial(folder: Path, home: Path, questions: Sequence[Question], every: Sequence[Question]) -> list[Scored]:
    with TableRAG(home, model="offline") as rag:
        counts = rag.ingest(folder / "docs").counts
        print("ingested: " + ", ".join(f"{n} {what}" for what, n in counts.items()), flush=True)
        return list(ask_all(rag, questions, every))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the trial and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, help="write every question with its answer to this file, one JSON a line")
    parser.add_argument("--kind", help="ask only this kind")
    parser.add_argument("--limit", type=int, help="ask only the first N questions")
    parser.add_argument("--home", type=Path, help="ingest into this folder and keep it")
    parser.add_argument("--verbose", action="store_true", help="show unanswered questions too")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--open", dest="quiet", action="store_false", help="show wrong answers (the default)")
    shown.add_argument("--quiet", action="store_true", help="show only the table, none of the questions")
    parser.set_defaults(quiet=False)
    options = parser.parse_args(arguments)
    path = options.folder / "questions.jsonl"
    if not path.is_file() or not (options.folder / "docs").is_dir():
        raise SystemExit(f"{options.folder} has no questions.jsonl or no docs/")
    every = read_questions(path)
    asked = [q for q in every if options.kind in (None, q["kind"])][: options.limit]
    with tempfile.TemporaryDirectory() as temporary:
        scored = _trial(options.folder, options.home or Path(temporary) / "home", asked, every)
    if options.out:
        lines = (json.dumps(asdict(s), ensure_ascii=False) for s in scored)
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(report(scored, quiet=options.quiet, verbose=options.verbose)))


if __name__ == "__main__":
    main()
