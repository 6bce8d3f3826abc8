"""TableRAG (arXiv 2506.10380): its tables and figures.

The published figures are the rows of Tables 2 and 4 that could be found, as others transcribed them. Where none is
given, none was found: quotations of Table 1 contradict each other.
"""

from collections.abc import Mapping

from tablerag.evaluation.papers.paper import MAIN, Cell, Figure, Paper
from tablerag.evaluation.trial import Trial

__all__ = ["PAPER"]

QWEN = "Qwen-2.5-72b"
OURS = "TableRAG"
SYSTEMS = {
    "direct reply": "direct",
    "NaiveRAG": "naive_rag",
    "ReAct": "react",
    "TableGPT2": "table_gpt",
    "program of thought": "program_of_thought",
    OURS: "tablerag",
}
SETS = {
    "HybridQA": Trial("hybridqa", variant="over-100-cells"),
    "WikiTQ": Trial("wikitq", split="test"),
    "HeteQA": Trial("heteqa", split="all"),
}
HETEQA = (
    "HeteQA is another set than the paper's, which has 304 questions on 136 tables of 9 domains, 82 % of them "
    "single-source: it is built by `tablerag heteqa build`. A question is multi-source if it needs a passage."
)
JUDGED = (
    "The paper has a model judge the answers; `--judge PROVIDER:NAME` does so with this project's prompt. Without it, "
    "the benchmark's own metric counts, which is stricter."
)
OPEN = (
    "All systems retrieve from one corpus with the documents of all questions. Of HybridQA the paper uses dev "
    "questions on tables with more than 100 cells; of WikiTQ, which split it uses is not known here: the test split."
)
GPT = (
    "TableGPT2 is `table_gpt` with `--model` naming an endpoint that serves it; with another model, the row shows that "
    "model reading tables as CSV. It sees whole retrieved tables and answers in one call; the paper's agent writes "
    "Python over them, as `program_of_thought` does."
)


def _trial(column: str, system: str = "tablerag", switches: Mapping[str, object] | None = None) -> Trial:
    named = SETS[column]
    return Trial(named.benchmark, named.split, named.variant, system, switches=tuple((switches or {}).items()))


MAIN_RESULTS = Figure(
    name="table-1",
    title="Main results: HybridQA, WikiTQ and HeteQA, all systems",
    cells=tuple(
        Cell(row, column, _trial(column, system), by=by)
        for column, by in (("HybridQA", ""), ("WikiTQ", ""), ("HeteQA", ""), ("HeteQA", "sources"))
        for row, system in SYSTEMS.items()
    ),
    ours=OURS,
    judged=True,
    notes=(JUDGED, OPEN, HETEQA, GPT, "The paper uses several models: repeat the command with each."),
)

LATENCIES: Mapping[tuple[str, str], tuple[float, float]] = {
    ("WikiTQ", OURS): (13.50, 5.92),
    ("WikiTQ", "ReAct"): (17.70, 7.93),
    ("HeteQA", OURS): (24.57, 7.70),
    ("HeteQA", "ReAct"): (45.65, 10.79),
}
LATENCY = Figure(
    name="table-2",
    title="Latency in seconds: of a question, and of each step",
    cells=tuple(
        Cell(row, f"{column}, {words}", _trial(column, SYSTEMS[row]), metric, published={"": seconds})
        for (column, row), both in LATENCIES.items()
        for words, metric, seconds in zip(("total", "per step"), ("seconds", "seconds per step"), both, strict=True)
    ),
    notes=(
        "Seconds depend on the model's server, on `--workers` and on what runs beside. The means are over questions; a "
        "step is an iteration of TableRAG and an action of ReAct.",
        HETEQA,
    ),
)

EXACT = {"ReAct": (29.5, 52.6, 12.5), OURS: (44.6, 76.0, 25.5)}
EXACT_MATCH = Figure(
    name="table-4",
    title="Exact match",
    cells=tuple(
        Cell(row, column, _trial(column, system), published={QWEN: EXACT[row][place]} if row in EXACT else {})
        for place, column in enumerate(SETS)
        for row, system in SYSTEMS.items()
    ),
    ours=OURS,
    notes=(
        "Ours is each benchmark's own metric: exact match of normalised words for HybridQA, of denotations for WikiTQ, "
        "of values for HeteQA.",
        OPEN,
        HETEQA,
        GPT,
    ),
)

ABLATIONS: Mapping[str, Mapping[str, object]] = {
    OURS: {},
    "without context-sensitive decomposition": {"context_sensitive": False},
    "without SQL execution": {"sql_execution": False},
    "without textual retrieval": {"text_retrieval": False},
}
ABLATION = Figure(
    name="figure-4",
    title="Ablations: context-sensitive decomposition, SQL execution, textual retrieval",
    cells=tuple(
        Cell(row, column, _trial(column, switches=switches))
        for column in ("HybridQA", "HeteQA")
        for row, switches in ABLATIONS.items()
    ),
    ours=OURS,
    judged=True,
    notes=(JUDGED, OPEN, HETEQA, "The switches are those of `tablerag eval`: --no-context, --no-sql and --no-text."),
)

MOST = 5
ITERATIONS = Figure(
    name="figure-5",
    title="Distribution of iterations on HeteQA",
    cells=tuple(
        Cell(row, words, _trial("HeteQA", SYSTEMS[row]), metric)
        for row in (OURS, "ReAct")
        for words, metric in (
            *((f"{n} iteration{'s' * (n > 1)}", f"iterations={n}") for n in range(1, MOST + 1)),
            ("limit reached", "failure=out_of_iterations"),
        )
    ),
    notes=(
        "Both systems stop after five iterations or actions. TableRAG counts one for each subquery, not the repairs of "
        "its statement.",
        HETEQA,
    ),
)
ERRORS = Figure(
    name="errors",
    title="Kinds of errors on HeteQA",
    cells=tuple(
        Cell(row, words, _trial("HeteQA", SYSTEMS[row]), f"failure={kind}")
        for row in ("ReAct", OURS)
        for words, kind in (
            ("wrong answer", "wrong"), ("no answer", "refused"), ("limit reached", "out_of_iterations"),
            ("error in the system", "failed"),
        )
    ),
    notes=("By the benchmark's own metric: a judge's verdicts do not enter.", HETEQA),
)  # fmt: skip


def _by_facet(name: str, title: str, facet: str) -> Figure:
    cells = (Cell(row, "HeteQA", _trial("HeteQA", system), MAIN, facet) for row, system in SYSTEMS.items())
    return Figure(name, title, tuple(cells), ours=OURS, judged=True, notes=(JUDGED, HETEQA, GPT))


KEPT = (1, 3, 5)
DEPTH = Figure(
    name="figure-11",
    title="Chunks kept after reranking: k = 1, 3, 5",
    cells=tuple(
        Cell(f"k = {k}", column, _trial(column, switches={"top_k": k}))
        for column in ("HybridQA", "HeteQA")
        for k in KEPT
    ),
    ours="k = 3",
    judged=True,
    notes=(JUDGED, OPEN, HETEQA),
)

PAPER = Paper(
    name="tablerag",
    title="TableRAG: A Retrieval Augmented Generation Framework for Heterogeneous Document Reasoning",
    arxiv="2506.10380",
    figures=(
        MAIN_RESULTS,
        LATENCY,
        Figure("table-3", "Not known", (), impossible="its content could not be found"),
        EXACT_MATCH,
        ABLATION,
        ITERATIONS,
        ERRORS,
        _by_facet("figure-7", "HeteQA by domain", "domain"),
        _by_facet("figure-10", "HeteQA by source: tables alone, or tables and text", "sources"),
        DEPTH,
    ),
)
