"""The systems under evaluation: graphs that take a question and a Context, and nothing else."""

import importlib
import time
from collections.abc import Mapping
from typing import Any

from langgraph.errors import GraphRecursionError

from tablerag.agent.context import Context
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.evaluation.datasets.benchmark import Benchmark
from tablerag.evaluation.document_retrieval import FINDERS, DocumentRetrieval, summarise
from tablerag.evaluation.question_decomposition import DecomposedRetrieval
from tablerag.evaluation.records import Outcome, RunSettings
from tablerag.evaluation.table_retrieval import TableRetrieval
from tablerag.evaluation.usage import counted_calls
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.hd_rag_deployment import HdRagDeployment
from tablerag.tools.errors import ConfigError, ModelUnavailable, StoreUnavailable, TableRagError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

__all__ = [
    "NEED_A_MODEL",
    "RETRIEVAL",
    "SYSTEMS",
    "System",
    "check_fits",
    "check_model",
    "open_system",
    "thinking",
    "values_of",
]

RETRIEVAL = ("retrieval", "reranked_retrieval", "decomposed_retrieval")
"""The retriever without a graph, for sets that ask for tables: with the embedded reranker, with the settings', and for
a model's sub-questions."""

SYSTEMS: Mapping[str, str] = {
    "tablerag": "tablerag.graphs.tablerag",
    "hd_rag": "tablerag.graphs.hd_rag",
    "direct": "tablerag.graphs.baselines.direct",
    "naive_rag": "tablerag.graphs.baselines.naive_rag",
    "table_retrieval": "tablerag.graphs.baselines.table_retrieval",
    "self_rag": "tablerag.graphs.baselines.self_rag",
    "react": "tablerag.graphs.baselines.react",
    "table_gpt": "tablerag.graphs.baselines.table_gpt",
    "text2sql": "tablerag.graphs.baselines.text2sql",
    "sql_agent": "tablerag.graphs.baselines.sql_agent",
    "program_of_thought": "tablerag.graphs.baselines.program_of_thought",
    "hd_rag_rcl": "tablerag.graphs.hd_rag",
    "hd_rag_table": "tablerag.graphs.hd_rag",
    "hd_rag_no_calculator": "tablerag.graphs.hd_rag",
    "document_direct": "tablerag.graphs.baselines.document_direct",
    "document_cot": "tablerag.graphs.baselines.document_cot",
    "document_eedp": "tablerag.graphs.baselines.document_eedp",
    "document_pot": "tablerag.graphs.baselines.document_pot",
}
HD_RAG: Mapping[str, dict[str, Any]] = {
    "hd_rag": {},
    "hd_rag_rcl": {"level": "rcl"},
    "hd_rag_table": {"level": "table"},
    "hd_rag_no_calculator": {"calculator": False},
    "document_direct": {},
    "document_cot": {},
    "document_eedp": {},
    "document_pot": {},
}
"""The systems that find documents by summaries, with what each changes in HD-RAG's settings."""
WITH_EMBEDDED = ("tablerag", "text2sql", *(name for name in HD_RAG if name.startswith("hd_rag")))
NEED_A_MODEL = (*(name for name in SYSTEMS if name not in WITH_EMBEDDED), RETRIEVAL[2])
"""The embedded reasoner cannot run these."""
WITHOUT_OPTIONS = (*HD_RAG, *FINDERS, "direct", *RETRIEVAL)
"""These retrieve in their own way or not at all, so the ablations and --top-k do not apply."""
MOST_STEPS = 100
"""LangGraph's recursion limit, well above every system's own limits."""


class System:
    """One system over one deployment; thread-safe."""

    def __init__(self, name: str, services: Services) -> None:
        self.name, self._services = name, services
        tools = HdRagDeployment(services) if name in HD_RAG else Deployment(services)
        self._graph = importlib.import_module(SYSTEMS[name]).build(tools).compile()

    def prepare(self, corpus: str) -> None:
        """Add what this system needs to a corpus: for HD-RAG, the summaries it finds documents by."""
        if self.name in HD_RAG:
            summarise(self._services, corpus, "table", HdRagContext(**HD_RAG[self.name]).level)

    def ask(self, text: str, context: Context) -> Outcome:
        """Ask one question; an error in the system becomes the outcome's error.

        Raises ModelUnavailable, StoreUnavailable and ConfigError: they are not the system's fault, and stop the run.
        """
        started = time.perf_counter()
        own = context
        if self.name in HD_RAG:
            own = HdRagContext(corpus=context.corpus, model=context.model, **HD_RAG[self.name])
        with counted_calls() as spent:
            try:
                found = self._graph.invoke({"question": text}, context=own, config={"recursion_limit": MOST_STEPS})
                outcome = _outcome(found)
            except (ModelUnavailable, StoreUnavailable, ConfigError):
                raise
            except (TableRagError, GraphRecursionError) as error:
                outcome = Outcome(error=f"{type(error).__name__}: {error}")
        seconds = round(time.perf_counter() - started, 3)
        return outcome.model_copy(update={"seconds": seconds, **spent.totals()})


def check_fits(benchmark: Benchmark, settings: RunSettings) -> None:
    """Raise ConfigError if the system cannot run this benchmark, or does not support an option."""
    documents = settings.system in FINDERS
    if documents and settings.closed:
        raise ConfigError(f"{settings.system} looks for a question's document, which --closed gives: omit --closed")
    wanted = settings.system in RETRIEVAL
    if benchmark.retrieval != (wanted or documents) or (wanted and settings.closed):
        raise ConfigError(
            f"cannot run {settings.title} on {benchmark.name}: the table retrieval sets need --system {RETRIEVAL[0]} "
            "without --closed, and all other sets need another system"
        )
    if settings.closed and not any(q.own for q in benchmark.questions):
        raise ConfigError(f"{benchmark.name}: its documents are not divided by question: omit --closed")
    if settings.context and settings.system in WITHOUT_OPTIONS:
        raise ConfigError(f"{settings.system} does not support {', '.join(settings.context)}: omit the option")


def open_system(name: str, services: Services, model: str) -> System | TableRetrieval | DocumentRetrieval:
    """Open a system by its name; raise ConfigError if it is unknown or its model cannot run it."""
    check_model(name, model, services.settings)
    if name == RETRIEVAL[2]:
        return DecomposedRetrieval(services, model)
    if name in RETRIEVAL:
        return TableRetrieval(services, embedded=name == RETRIEVAL[0])
    if name in FINDERS:
        return DocumentRetrieval(name, services)
    return System(name, services)


def check_model(name: str, model: str, settings: Settings) -> None:
    """Raise ConfigError if a system is unknown or its model or reranker cannot run it."""
    if name not in (*SYSTEMS, *RETRIEVAL, *FINDERS):
        raise ConfigError(f"unknown system {name!r}: expected one of {', '.join([*SYSTEMS, *RETRIEVAL, *FINDERS])}")
    if name == RETRIEVAL[1] and settings.reranker == "embedded":
        raise ConfigError(
            f"{name} needs a reranker: set TABLERAG_RERANKER to the URL of a /rerank endpoint, such as one that serves "
            "a late-interaction model"
        )
    if model == "offline" and name in NEED_A_MODEL:
        raise ConfigError(
            f"{name} needs a model: set OPENAI_API_KEY or OPENAI_BASE_URL, or give --model PROVIDER:NAME "
            "(tablerag, hd_rag and text2sql run with the offline reasoner)"
        )


def thinking(name: str, model: str, settings: Settings) -> str:
    """Return what a run's model is: of retrieval, the reranker, and of documents_*, the embedding: none is asked."""
    if name not in (*RETRIEVAL, *FINDERS) or name in NEED_A_MODEL:
        return model
    return "embedded" if name != RETRIEVAL[1] else settings.reranker_model or settings.reranker


def _outcome(found: Mapping[str, Any]) -> Outcome:
    # Without an answer, graphs return an explanation for people; these fields show that it is not an answer.
    refused = found.get("verdict") == "none" or found.get("spans") == []
    # Metrics compare values as they are stored, not as people read them.
    answer = "" if refused else str(found.get("raw") or found.get("answer") or "").strip()
    counted_in = found.get("unit") or found.get("scale")
    return Outcome(
        answer=answer,
        values=values_of(answer, found),
        scale="%" if found.get("unit") == "%" else str(found.get("scale") or ""),
        shown=str(found.get("answer") or "").replace(" %", "%") if counted_in and not refused else "",
        documents=[c["source"] for c in found.get("candidates") or ()] or list(found.get("documents") or ()),
        document=found.get("document") or "",
        verdict=found.get("verdict") or "",
        explanation=found.get("explanation") or "",
        iterations=found.get("iterations") or int(bool(found.get("document"))),
        stopped_by=found.get("stopped_by") or ("answered" if answer else "no_evidence"),
        sql=[str(s) for s in found.get("sql") or ()],
        trace=_trace(found),
    )


def _trace(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps; for HD-RAG, the documents found, the one chosen, and the computation."""
    if candidates := found.get("candidates"):
        recap = found.get("recap") or {}
        trace = {"candidates": [c["source"] for c in candidates], "formula": recap.get("formula")}
        trace |= {k: found.get(k) for k in ("document", "selected_because", "calculated")}
        return [{k: v for k, v in trace.items() if v}]
    return [_shown(s) for s in found.get("steps") or ()]


def _shown(step: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a step that a report shows, with at most five rows."""
    left_out = ("supporting", "receipt", "citations", "conflict_cause")
    return {k: v[:5] if k == "rows" else v for k, v in step.items() if k not in left_out and v not in ("", None, [])}


def values_of(answer: str, found: Mapping[str, Any]) -> list[str]:
    """Return an answer's values: the single SQL row or column if the answer names all of it, else parts between ";"."""
    steps = [s for s in found.get("steps") or () if s.get("rows") and not s.get("error")]
    row = steps[-1]["rows"][0] if steps and len(steps[-1]["rows"]) == 1 else []
    if len(row) > 1 and answer == ": ".join(map(str, row)):
        return [str(cell) for cell in row]
    if answer and steps and len(steps[-1]["rows"][0]) == 1:
        column = list(dict.fromkeys(str(row[0]) for row in steps[-1]["rows"] if row[0] is not None))
        if len(column) > 1 and all(value in answer for value in column):
            return column
    return [v.strip() for v in answer.split(";") if v.strip()]
