"""Measure the graph's own time per question, with a model that answers immediately.

    python -m benchmarks.overhead [--questions 30]

Prints the median of a whole question on the example corpus, and its share per node.
"""

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from tablerag.agent.context import Context
from tablerag.agent.reasoning import Enough, SqlQuery, Subquery, Thought, Validation
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

CORPUS = Path(__file__).resolve().parent.parent / "examples" / "corpus"
QUESTIONS = ("How many rows are there?", "What is the total?", "Which is the largest?")


class InstantReasoner:
    """A fake model that takes no time: one subquery, one statement, one verdict."""

    name = "instant"

    def decompose(self, task):
        return Thought(Enough(task.steps[-1].intermediate_answer) if task.steps else Subquery(task.question))

    def write_sql(self, task):
        return Thought(SqlQuery(f"SELECT COUNT(*) AS n FROM `{task.schemas[0].name}`"))

    def cross_validate(self, task):
        return Thought(Validation(str(task.result.rows[0][0]) if task.result else "-", "sql_only", ""))

    def conclude(self, task):
        raise AssertionError("one iteration is enough")


def main() -> None:
    """Run the measurement and print medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=30)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        services = Services(Settings(home=Path(home)))
        ingest([CORPUS], services, "default")
        reasoner = InstantReasoner()
        graph = build(Deployment(services), reasoner_for=lambda context: reasoner).compile()
        graph.invoke({"question": QUESTIONS[0]}, context=Context(corpus="default"))  # opens the stores
        whole, nodes = [], defaultdict(list)
        for i in range(args.questions):
            begun = before = time.perf_counter()
            for update in graph.stream({"question": QUESTIONS[i % 3]}, context=Context(corpus="default")):
                now = time.perf_counter()
                nodes[next(iter(update))].append(now - before)
                before = now
            whole.append(time.perf_counter() - begun)
        services.close()
    print(f"median per question {statistics.median(whole) * 1000:.1f} ms over {len(whole)} questions")
    for name, times in nodes.items():
        print(f"  {name:<15} {statistics.median(times) * 1000:6.1f} ms, {len(times) / len(whole):.1f} per question")


if __name__ == "__main__":
    main()
