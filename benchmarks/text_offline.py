"""Measure the embedded reasoner on questions about passages of office documents.

    python -m benchmarks.text_offline [--half develop] [--wrong] [--paraphrases]

The passages and questions are in tests/cases/text_answers.txt. Every question is asked of its own passage, which is
read and cut into chunks as a text file. A third of the questions cannot be answered from their passage.

With --paraphrases those of tests/cases/text_paraphrases.txt are asked, in other words than the text's, of all passages
of their half together.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tablerag.agent.offline.text.likely import text_answer
from tablerag.ingestion.chunking import chunk_text
from tablerag.ingestion.document import TextBlock
from tablerag.ingestion.readers.plain_text import read_plain_text
from tablerag.tools.records import Chunk
from tablerag.tools.text import tokens

__all__ = [
    "CASES",
    "HALVES",
    "PARAPHRASES",
    "Asked",
    "Outcome",
    "Passage",
    "asked_of",
    "asked_of_all",
    "outcome_of",
    "pooled",
    "read_passages",
]

CASES = Path(__file__).parents[1] / "tests" / "cases" / "text_answers.txt"
PARAPHRASES = CASES.with_name("text_paraphrases.txt")
HALVES = ("develop", "held out")
TOKENS, OVERLAP = 1000, 200
MOST = 14
"""Passages that a question is asked of."""
LONGER = 8
"""How many words an answer may have beyond the expected ones."""
Outcome = Literal["right", "wrong", "missed", "abstained", "invented"]
"""Of answerable questions: right, wrong or unanswered; of others: unanswered or answered."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with its headings, and questions with their answers ("" if it has none)."""

    headings: tuple[str, ...]
    half: str
    text: str
    questions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The outcome of one question."""

    question: str
    expected: str
    answer: str
    outcome: Outcome


def read_passages(path: Path = CASES) -> list[Passage]:
    """Read the case file."""
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("# "))
    return [_passage(block) for block in text.split("\n## ")[1:]]


def _passage(block: str) -> Passage:
    title, *lines = block.strip().splitlines()
    path, half = (part.strip() for part in title.split(" | "))
    asked = [line.removeprefix("? ").split(" => ") for line in lines if line.startswith("? ")]
    text = "\n".join(line for line in lines if not line.startswith("? "))
    questions = tuple((q, "" if a == "none" else a) for q, a in asked)
    return Passage(tuple(path.split(" > ")), half, f"{text.strip()}\n", questions)


def chunks_of(passage: Passage, folder: Path) -> list[Chunk]:
    """Return the chunks of a passage below its last heading."""
    file = folder / "passage.txt"
    file.write_text(passage.text, encoding="utf-8")
    source, headings = "document.txt", passage.headings
    if "." in headings[0]:
        source, headings = headings[0], headings[1:]
    title = " > ".join(headings)
    read = [b for b in read_plain_text(file).blocks if isinstance(b, TextBlock)]
    pieces = chunk_text([TextBlock(headings[-1], read[0].locator), *read], TOKENS, OVERLAP)
    return [
        Chunk(id=f"{title} {place}", text=p.text, kind="text", document_id=title, source=source, title=title)
        for place, p in enumerate(pieces)
    ]


def asked_of(passages: Sequence[Passage]) -> Iterator[Asked]:
    """Ask every question of its own passage."""
    with tempfile.TemporaryDirectory() as folder:
        for passage in passages:
            chunks = chunks_of(passage, Path(folder))
            for question, expected in passage.questions:
                found = text_answer(question, chunks)
                answer = found.text if found else ""
                yield Asked(question, expected, answer, outcome_of(expected, answer))


def pooled(passages: Sequence[Passage]) -> Iterator[tuple[str, str, list[Chunk]]]:
    """Yield each question with its answer and the chunks of all passages that have most of its rare words."""
    with tempfile.TemporaryDirectory() as folder:
        chunks = [c for p in passages for c in chunks_of(p, Path(folder))]
    words = {c.id: set(tokens(f"{c.title} {c.text}")) for c in chunks}
    rarity = Counter(w for found in words.values() for w in found)
    for question, expected in (q for p in passages for q in p.questions):
        said = set(tokens(question))
        yield question, expected, sorted(chunks, key=lambda c: -sum(1 / rarity[w] for w in said & words[c.id]))[:MOST]


def asked_of_all(passages: Sequence[Passage]) -> Iterator[Asked]:
    """Ask every question of all passages: the sure answer, or else the likeliest one."""
    for question, expected, chunks in pooled(passages):
        answer = text_answer(question, chunks)
        yield Asked(
            question, expected, answer.text if answer else "", outcome_of(expected, answer.text if answer else "")
        )


def outcome_of(expected: str, answer: str) -> Outcome:
    """Judge an answer: it has the expected words and few others, or is any sentence with them after "~"."""
    if not expected:
        return "invented" if answer else "abstained"
    if not answer:
        return "missed"
    for words in expected.removeprefix("~ ").split(" / "):
        short = expected.startswith("~") or len(answer.split()) <= len(words.split()) + LONGER
        if short and words.casefold() in answer.casefold():
            return "right"
    return "wrong"


def main() -> None:
    """Ask, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--wrong", action="store_true", help="list the wrong, missing and invented answers")
    parser.add_argument("--paraphrases", action="store_true", help="ask in other words, of all passages of a half")
    arguments = parser.parse_args()
    passages = read_passages(PARAPHRASES if arguments.paraphrases else CASES)
    ask = asked_of_all if arguments.paraphrases else asked_of
    for half in (arguments.half,) if arguments.half else HALVES:
        asked = list(ask([p for p in passages if p.half == half]))
        counted = Counter(a.outcome for a in asked)
        print(f"{half}: {len(asked)} questions", *(f"{n} {outcome}" for outcome, n in counted.most_common()), sep="  ")
        for a in asked if arguments.wrong else ():
            if a.outcome not in ("right", "abstained"):
                print(f"  {a.outcome}: {a.question} => {a.answer or 'none'} (expected: {a.expected or 'none'})")


if __name__ == "__main__":
    main()
