"""The commands that answer: ask, chat and verify."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

import typer

from tablerag.cli.common import (
    CHANGED_STATUS,
    NO_ANSWER_STATUS,
    CorpusOption,
    ModelOption,
    corpus_name,
    err,
    out,
    services_in_use,
)
from tablerag.tools.errors import ConfigError, TableRagError

__all__ = ["HD_RAG_KEYS", "JSON_KEYS", "ask", "chat", "verify"]

Answer = Callable[[str], dict[str, Any]]
"""From a question to the graph's outcome."""
System = Literal["tablerag", "hd_rag"]
JSON_KEYS = (
    "question",
    "answer",
    "verdict",
    "explanation",
    "cause",
    "conflict_cause",
    "sql",
    "citations",
    "steps",
    "iterations",
    "stopped_by",
    "model",
    "usage",
)
HD_RAG_KEYS = (
    "question",
    "answer",
    "spans",
    "scale",
    "explanation",
    "document",
    "selected_because",
    "recap",
    "answered_by",
    "calculated",
    "citations",
    "candidates",
    "unseen",
    "model",
    "usage",
)

ApproveOption = Annotated[
    bool, typer.Option("--approve", help="Show every statement before it runs: run, edit or reject")
]


def ask(
    question: Annotated[str, typer.Argument(help="The question")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False,
    corpus: CorpusOption = "",
    model: ModelOption = "",
    system: Annotated[
        str, typer.Option("--system", help="tablerag, or hd_rag: one document, read whole, no SQL")
    ] = "tablerag",
    show_sql: Annotated[bool, typer.Option("--show-sql", help="Show the SQL and the rows it rests on")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every iteration, or every candidate document")] = False,
    approve: ApproveOption = False,
) -> None:
    """Answer one question with its verdict and citations."""
    if _system(system) == "hd_rag":
        if show_sql or approve:
            raise ConfigError("--show-sql and --approve concern SQL, and hd_rag runs none: leave them out")
        outcome, keys = _hd_rag(corpus, model)(question), HD_RAG_KEYS
        found = bool(outcome["spans"])
    else:
        outcome, keys = _tablerag(corpus, model, approve=approve)(question), JSON_KEYS
        found = outcome["verdict"] != "none" or not outcome["iterations"]
    if as_json:
        shown = {"corpus": corpus_name(corpus, services_in_use())} | {k: outcome[k] for k in keys}
        sys.stdout.write(json.dumps(shown, ensure_ascii=False, indent=1) + "\n")
    else:
        _show(outcome, system, show_sql=show_sql, trace=trace)
    if not found:
        raise typer.Exit(NO_ANSWER_STATUS)


def chat(corpus: CorpusOption = "", model: ModelOption = "", approve: ApproveOption = False) -> None:
    """Ask several questions in one conversation; an empty line ends it."""
    answer = _tablerag(corpus, model, approve=approve)
    while True:
        try:
            question = input("? ").strip()
        except EOFError:
            break
        if not question:
            break
        try:
            outcome = answer(question)
        except TableRagError as error:
            err.print(f"error: {error}", style="red", markup=False)
            continue
        _show(outcome, "tablerag", show_sql=True, trace=False)


def verify(
    answer: Annotated[Path, typer.Argument(help="A file that `tablerag ask --json` printed", metavar="ANSWER.json")],
    corpus: CorpusOption = "",
) -> None:
    """Compute an answer's numbers again from its receipts: same, changed or gone."""
    from tablerag.cli.verify import show_verified, verify_answer

    found = verify_answer(answer, services_in_use(), corpus)
    if not found:
        out.print("The answer rests on no SQL: there is nothing to compute again.")
        return
    show_verified(out, found)
    if any(v.status != "same" for v in found):
        raise typer.Exit(CHANGED_STATUS)


def _system(name: str) -> System:
    if name not in get_args(System):
        raise ConfigError(f"--system has no {name!r}: give one of {', '.join(get_args(System))}")
    return cast(System, name)


def _show(outcome: Mapping[str, Any], system: str, *, show_sql: bool, trace: bool) -> None:
    from tablerag.cli.hd_rag_views import candidates_view, recap_view
    from tablerag.cli.views import show_answer, show_usage

    if system == "hd_rag":
        if trace:
            out.print(candidates_view(outcome))
        out.print(recap_view(outcome))
    else:
        show_answer(out, outcome, show_sql=show_sql, trace=trace)
    show_usage(out, outcome)


def _hd_rag(corpus: str, model: str) -> Answer:
    """Return what answers one question by HD-RAG."""
    from tablerag.agent.hd_rag.context import HdRagContext
    from tablerag.cli.ask import run_shown
    from tablerag.graphs.hd_rag import build

    graph, context = build(services_in_use()).compile(), HdRagContext(corpus=corpus, model=model)
    return lambda question: run_shown(graph, question, {}, context, err)


def _tablerag(corpus: str, model: str, *, approve: bool) -> Answer:
    """Return what answers one question after another, in one conversation."""
    from langgraph.checkpoint.memory import InMemorySaver

    from tablerag.agent.context import Context
    from tablerag.cli.ask import decide, run_shown
    from tablerag.graphs.tablerag import RECURSION_LIMIT, build

    if approve and not err.is_terminal:
        raise ConfigError("--approve asks at a terminal, and there is none: leave it out, or run it by hand")
    graph = build(services_in_use()).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "terminal"}, "recursion_limit": RECURSION_LIMIT}
    context = Context(corpus=corpus, model=model, approve_sql=approve)
    return lambda question: run_shown(graph, question, config, context, err, lambda asked: decide(asked, err))
