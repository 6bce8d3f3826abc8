"""The commands that answer: ask, chat and verify."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args

import typer

from tablerag.cli.common import (
    CHANGED_STATUS,
    NO_ANSWER_STATUS,
    UNAVAILABLE_STATUS,
    CorpusOption,
    ModelOption,
    client,
    err,
    out,
)
from tablerag.tools.errors import ConfigError, TableRagError

if TYPE_CHECKING:
    from tablerag import Answer, AnswerEvent, TableRAG
    from tablerag.agent.events import StepEvent
    from tablerag.asking import Approve

__all__ = ["HD_RAG_KEYS", "ask", "chat", "verify"]

System = Literal["tablerag", "hd_rag"]
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

TO_CHOOSE = "To choose one, ask in `tablerag chat` and type its number, or ask again in the words of its columns."
TERMINAL = "terminal"
"""The thread of a conversation at the terminal."""
SchemaOnlyOption = Annotated[
    bool, typer.Option("--schema-only", help="Show the model names and types only: no value and no text of a document")
]
ApproveOption = Annotated[bool, typer.Option("--approve", help="Ask before every statement: run, edit or reject it")]


def ask(
    question: Annotated[str, typer.Argument(help="The question")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False,
    corpus: CorpusOption = "",
    model: ModelOption = "",
    system: Annotated[
        str, typer.Option("--system", help="tablerag, or hd_rag: one document, read whole, no SQL")
    ] = "tablerag",
    show_sql: Annotated[bool, typer.Option("--show-sql", help="Show the SQL and the rows that it read")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every iteration, or every candidate document")] = False,
    approve: ApproveOption = False,
    schema_only: SchemaOnlyOption = False,
) -> None:
    """Answer one question with its verdict and citations."""
    if _system(system) == "hd_rag":
        if show_sql or approve:
            raise ConfigError("--show-sql and --approve do not apply to hd_rag, which runs no SQL: remove them")
        if schema_only:
            raise ConfigError("--schema-only does not apply to hd_rag, which shows whole documents: remove it")
        outcome = _hd_rag(client(corpus), model, question)
        found = bool(outcome["spans"])
    else:
        asked = _asker(client(corpus, model), approve=approve, schema_only=schema_only)
        may_pick = not as_json and err.is_terminal and sys.stdin.isatty()
        answer = asked(question, TERMINAL if may_pick else None)
        if may_pick and (answer.readings or answer.ask):
            from tablerag.cli.ask import pick, reply

            _show(answer.to_dict(), "tablerag", show_sql=show_sql, trace=trace)
            chosen = pick(len(answer.readings), err) if answer.readings else reply(err)
            if not chosen:
                raise typer.Exit(NO_ANSWER_STATUS)
            answer = asked(chosen, TERMINAL)
        outcome, found = answer.to_dict(), answer.found
    if as_json:
        sys.stdout.write(json.dumps(outcome, ensure_ascii=False, indent=1) + "\n")
    else:
        _show(outcome, system, show_sql=show_sql, trace=trace)
        if outcome.get("readings"):
            out.print(TO_CHOOSE, style="dim", markup=False)
    if not found:
        raise typer.Exit(NO_ANSWER_STATUS)


def chat(
    corpus: CorpusOption = "",
    model: ModelOption = "",
    approve: ApproveOption = False,
    schema_only: SchemaOnlyOption = False,
) -> None:
    """Ask several questions in one conversation; an empty line ends it."""
    ask_in = _asker(client(corpus, model), approve=approve, schema_only=schema_only)
    while True:
        try:
            question = input("? ").strip()
        except EOFError:
            break
        if not question:
            break
        try:
            answer = ask_in(question, TERMINAL)
        except TableRagError as error:
            err.print(f"error: {error}", style="red", markup=False)
            continue
        _show(answer.to_dict(), "tablerag", show_sql=True, trace=False)
        if answer.readings:
            out.print("To choose one, type its number.", style="dim")


def verify(
    answer: Annotated[Path, typer.Argument(help="Output of `tablerag ask --json`", metavar="ANSWER.json")],
    corpus: CorpusOption = "",
) -> None:
    """Recompute an answer's numbers from its receipts: same, changed, damaged, gone or unavailable."""
    from tablerag.cli.verify import show_verified

    found = client(corpus).verify(answer, corpus=corpus)
    if not found:
        out.print("The answer uses no SQL, so there are no numbers to verify.")
        return
    show_verified(out, found)
    if any(v.status not in ("same", "unavailable") for v in found):
        raise typer.Exit(CHANGED_STATUS)
    if any(v.status == "unavailable" for v in found):
        raise typer.Exit(UNAVAILABLE_STATUS)


def _system(name: str) -> System:
    if name not in get_args(System):
        raise ConfigError(f"unknown --system {name!r}: expected one of {', '.join(get_args(System))}")
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


def _hd_rag(rag: "TableRAG", model: str, question: str) -> dict[str, Any]:
    """Answer one question by HD-RAG."""
    from tablerag.agent.hd_rag.context import HdRagContext
    from tablerag.cli.ask import run_shown
    from tablerag.graphs.hd_rag import build
    from tablerag.graphs.hd_rag_deployment import HdRagDeployment

    graph, outcome = build(HdRagDeployment(rag.services)).compile(), {}

    def events() -> Iterator[dict[str, Any]]:
        context = HdRagContext.model_validate({"corpus": rag.corpus, "model": model})
        parts = graph.stream({"question": question}, context=context, stream_mode=["custom", "values"])
        for mode, part in cast("Iterator[tuple[str, dict[str, Any]]]", parts):
            if mode == "custom":
                yield part
            else:
                outcome.update(part)

    run_shown(lambda decide: events(), err)
    return {"corpus": rag.corpus} | {k: outcome[k] for k in HD_RAG_KEYS}


def _asker(rag: "TableRAG", *, approve: bool, schema_only: bool) -> "Callable[[str, str | None], Answer]":
    """Return a function that answers one question of a thread and shows its progress."""
    from tablerag.cli.ask import decide, run_shown

    if approve and not err.is_terminal:
        raise ConfigError("--approve needs a terminal: remove it, or run the command in one")

    def ask(question: str, thread: str | None) -> "Answer":
        def events(asked: "Approve") -> "Iterator[StepEvent | AnswerEvent]":
            context = {"schema_only": schema_only}
            return rag.stream(question, thread=thread, context=context, approve=asked if approve else None)

        return cast("AnswerEvent", run_shown(events, err, lambda request: decide(request, err))).answer

    return ask
