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

from tablerag.agent.context import Context
from tablerag.cli.ingest import ingest_with_progress
from tablerag.cli.report_views import report_view
from tablerag.cli.views import answer_view
from tablerag.graphs.tablerag import RECURSION_LIMIT, build
from tablerag.tools.errors import TableRagError
from tablerag.tools.services import Services
from tablerag.tools.settings import get_settings

__all__ = ["is_expected", "main"]

HERE = Path(__file__).parent
HOME = Path(".tablerag-demo")
CORPUS = "examples"


def is_expected(outcome: dict, expected: str | None) -> bool:
    """Say whether an outcome gives the expected answer, or rightly none; a sentence may hold it."""
    if expected is None:
        return outcome["verdict"] == "none"
    if outcome["verdict"] == "text_only":
        return expected.casefold() in outcome["answer"].casefold()
    return outcome["answer"] == expected


def main() -> int:
    """Run the demonstration; return how many answers were not as expected."""
    out = Console(highlight=False)
    shutil.rmtree(HOME, ignore_errors=True)
    services = Services(get_settings().model_copy(update={"home": HOME}))
    name = services.settings.resolved_model
    offline = name == "offline"
    who = "the embedded offline reasoner (no language model; set OPENAI_API_KEY or OPENAI_BASE_URL for one)"
    out.print(f"Reasoner: {who if offline else name}")
    out.print(report_view(ingest_with_progress([HERE / "corpus"], services, CORPUS, Console(stderr=True))))
    graph = build(services).compile().with_config(recursion_limit=RECURSION_LIMIT)
    questions = json.loads((HERE / "questions.json").read_text(encoding="utf-8"))
    missed = 0
    for asked in questions:
        out.print(Rule(asked["kind"], align="left", style="dim"))
        out.print(Text(asked["question"], style="bold yellow"))
        outcome = graph.invoke({"question": asked["question"]}, context=Context(corpus=CORPUS))
        out.print(answer_view(outcome))
        right = is_expected(outcome, asked["expected"])
        missed += not right
        expected = asked["expected"] if asked["expected"] is not None else "no answer, since the corpus holds none"
        out.print(Text(f"{'as expected' if right else 'expected'}: {expected}", style="green" if right else "red"))
    out.print(Rule(style="dim"))
    out.print(f"{len(questions) - missed} of {len(questions)} answers are as expected.")
    services.close()
    return missed if offline else 0


if __name__ == "__main__":
    try:
        sys.exit(1 if main() else 0)
    except TableRagError as error:
        sys.exit(f"error: {error}")
