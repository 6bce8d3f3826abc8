"""Progress bars, cost estimates and results of ingesting and of writing questions, profiles and summaries."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tablerag.cli.common import confirmed
from tablerag.cli.printing import printable
from tablerag.client import TableRAG
from tablerag.ingestion import column_profiles, questions, summaries, summary_prompts
from tablerag.ingestion.model_texts import Estimate, TextRun
from tablerag.ingestion.pipeline import IngestReport
from tablerag.ingestion.pipeline import Progress as Step
from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.summary_corpora import LEVELS, SummaryLevel

__all__ = [
    "agreed",
    "bar",
    "check_has_model",
    "check_level",
    "ingest_with_progress",
    "tell_failed",
    "write_summaries",
    "write_table_texts",
]


@contextmanager
def bar(doing: str, err: Console) -> Iterator[Callable[..., None]]:
    """Yield a function that shows (done, total, source) on stderr; the bar appears at its first call."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, TextColumn("{task.fields[source]}", markup=False), console=err, transient=True)
    task = progress.add_task("", total=None, source="")

    def show(done: int, total: int, source: str = "") -> None:
        if err.is_terminal:
            progress.start()
        progress.update(task, completed=done, total=total, source=source)

    try:
        yield show
    finally:
        if progress.live.is_started:
            progress.stop()


def ingest_with_progress(
    rag: TableRAG, paths: Sequence[str], err: Console, *, prune: bool = False, ray: str = "", only_failed: bool = False
) -> IngestReport:
    """Ingest with a progress bar; ``only_failed`` reads the files again that an earlier ingest could not read."""
    with bar(f"ingesting{' on Ray' * bool(ray)}", err) as show:

        def tell(step: Step) -> None:
            show(step.done, step.total, printable(step.doing)[-40:])

        if only_failed:
            return rag.retry_failed(on_progress=tell, ray=ray)
        return rag.ingest(paths, prune=prune, on_progress=tell, ray=ray)


def check_has_model(model: str, option: str) -> None:
    """Raise ConfigError if an option needs a language model and none is configured."""
    if model == "offline":
        raise ConfigError(f"{option} needs a language model: set OPENAI_API_KEY or OPENAI_BASE_URL, or omit {option}")


def write_table_texts(
    services: Services,
    corpus: str,
    model: str,
    err: Console,
    *,
    asks: bool = False,
    profiles: bool = False,
    connection: str = "",
    ask_first: bool,
) -> list[str]:
    """Have a model write the questions that tables answer (``asks``), the profiles of their columns, or both.

    Only of tables that have none, with a ``connection`` of those of its database; returns a summary line of each kind.
    Shows the estimated cost of both first and, on a terminal, asks for confirmation.
    """
    from tablerag.tools.models import asker

    lacking = [questions.partial_table(s, services) for s in questions.pending(services, corpus)] if asks else []
    described = column_profiles.to_describe(services, corpus, connection) if profiles else []
    costs = [
        (f"{counted(len(tables), 'table')} without {what}", module.estimate(tables))
        for what, module, tables in (("questions", questions, lacking), ("profiles", column_profiles, described))
        if tables
    ]
    wanted = [what for what, is_wanted in (("questions", asks), ("profiles", profiles)) if is_wanted]
    if costs and not agreed(costs, model, err, ask_first):
        return [f"no {what} written" for what in wanted]
    said = []
    ask = asker(model, services.settings) if costs else lambda prompt: ""
    for what, tables in (("questions", lacking), ("profiles", described)):
        if what not in wanted:
            continue
        if not tables:
            said.append(f"all tables have {what}")
            continue
        with bar(f"writing {what}", err) as show:
            if what == "questions":
                run = questions.write_questions(services, corpus, lacking, model, ask, show)
            else:
                run = column_profiles.write_profiles(services, corpus, described, model, ask, show)
        tell_failed(what, run, err)
        known = f", {run.cached} of them from the cache" if run.cached else ""
        said.append(f"new {what} for {counted(run.written, 'table')}{known}")
    return said


def check_level(named: str) -> SummaryLevel:
    """Return the summary level of a name; raise ConfigError for an unknown one."""
    levels: dict[str, SummaryLevel] = {str(level): level for level in LEVELS}
    if (level := levels.get(named.strip().lower())) is None:
        raise ConfigError(f"--summaries must be one of {', '.join(LEVELS)}, got {named!r}")
    return level


def write_summaries(
    services: Services, corpus: str, level: SummaryLevel, model: str, err: Console, *, ask_first: bool
) -> str:
    """Summarise the tables of all documents without summaries, at this level and at table level, which BM25 searches.

    Summaries come from a template; a configured model rewrites them after its estimated cost is confirmed.
    """
    said = []
    for wanted in dict.fromkeys(("table", level)):
        documents = summaries.pending(services, corpus, wanted)
        tables = [t for d in documents for t in summaries.summaries_of_document(services, d, wanted)]
        failed: frozenset[str] = frozenset()
        if documents and model != "offline":
            prompts = summaries.unwritten(services, tables, model)
            what = f"{counted(len(tables), 'table')} without {wanted} summaries"
            if prompts and not agreed([(what, summary_prompts.estimate(prompts))], model, err, ask_first):
                return "; ".join([*said, f"no {wanted} summaries written"])
            tables, failed = _rewritten(services, tables, model, err)
        count = summaries.index_summaries(services, corpus, wanted, documents, tables, failed)
        said.append(f"new {wanted} summaries of {counted(len(documents), 'document')}, {counted(count, 'chunk')}")
    return "; ".join(said)


def _rewritten(
    services: Services, tables: list[summaries.TableSummaries], model: str, err: Console
) -> tuple[list[summaries.TableSummaries], frozenset[str]]:
    """Return the tables with the model's summaries, and the ids of documents where it failed for some."""
    from tablerag.tools.models import asker

    with bar("writing summaries", err) as show:
        done, run = summaries.refine(services, tables, model, asker(model, services.settings), show)
    tell_failed("model's summaries", run, err)
    return done, frozenset(t.schema.table_id.partition(":")[0] for t in done if t.schema.name in run.failed)


def agreed(costs: Sequence[tuple[str, Estimate]], model: str, err: Console, ask_first: bool) -> bool:
    """Print what is to be written and its estimated cost, and ask for confirmation once.

    Raises ConfigError without a terminal to ask on.
    """
    for what, cost in costs:
        err.print(
            f"{what}: about {counted(cost.calls, 'call')} to {model}, {cost.input_tokens:,} input tokens, "
            f"at most {cost.output_tokens:,} output tokens",
            soft_wrap=True,
        )
    return confirmed(not ask_first)


def tell_failed(what: str, run: TextRun, err: Console) -> None:
    for table, reason in run.failed.items():
        err.print(
            f"no {what} for {printable(table)}: {printable(reason)}", style="yellow", markup=False, soft_wrap=True
        )
    if run.failed:
        err.print("run the same command again to retry only these")
