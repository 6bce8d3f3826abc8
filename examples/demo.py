"""``make demo``: ingest the example corpus and answer its questions, each with SQL, rows, verdict and citations.

On the embedded default the answers are compared with the expected ones, and any difference is a failure.
"""

import json
import shutil
import sys
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from tablerag import Answer, TableRAG, TableRagError
from tablerag.cli.ingest import ingest_with_progress
from tablerag.cli.report_views import report_view
from tablerag.cli.views import answer_view
from tablerag.tools.records import Cell

__all__ = ["is_expected", "main"]

HERE = Path(__file__).parent
HOME = Path(".tablerag-demo")
CORPUS = "examples"


def is_expected(answer: Answer, expected: str | list[list[Cell]] | None) -> bool:
    """Return whether an answer is as expected: the same text or rows, a sentence that contains it, or none."""
    if expected is None:
        return answer.verdict == "none"
    if isinstance(expected, list):
        return answer.table is not None and [list(row) for row in answer.table.rows] == expected
    if answer.verdict == "text_only":
        return expected.casefold() in answer.text.casefold()
    return answer.text == expected


def main() -> int:
    """Run the demonstration; return how many answers were not as expected."""
    out = Console(highlight=False)
    shutil.rmtree(HOME, ignore_errors=True)
    rag = TableRAG(HOME, corpus=CORPUS)
    name = rag.services.settings.resolved_model
    offline = name == "offline"
    who = "the embedded offline reasoner (no language model; set OPENAI_API_KEY or OPENAI_BASE_URL for one)"
    out.print(f"Reasoner: {who if offline else name}")
    out.print(report_view(ingest_with_progress(rag, [HERE / "corpus"], Console(stderr=True)).entries))
    questions = json.loads((HERE / "questions.json").read_text(encoding="utf-8"))
    missed = 0
    for asked in questions:
        out.print(Rule(asked["kind"], align="left", style="dim"))
        out.print(Text(asked["question"], style="bold yellow"))
        answer = rag.ask(asked["question"])
        out.print(answer_view(answer.to_dict()))
        right = is_expected(answer, asked["expected"])
        missed += not right
        expected = asked["expected"] if asked["expected"] is not None else "no answer, since the corpus has none"
        expected = "; ".join(": ".join(map(str, row)) for row in expected) if isinstance(expected, list) else expected
        out.print(Text(f"{'as expected' if right else 'expected'}: {expected}", style="green" if right else "red"))
    out.print(Rule(style="dim"))
    out.print(f"{len(questions) - missed} of {len(questions)} answers are as expected.")
    rag.close()
    return missed if offline else 0


if __name__ == "__main__":
    try:
        sys.exit(1 if main() else 0)
    except TableRagError as error:
        sys.exit(f"error: {error}")
