"""tablerag knowledge: a corpus's own terms, synonyms, metrics and notes on tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablerag.cli.common import (
    FAILED_STATUS,
    UNAVAILABLE_STATUS,
    CorpusOption,
    ModelOption,
    YesOption,
    confirmed,
    err,
    out,
    services_in_use,
)
from tablerag.cli.printing import cell_text, printable
from tablerag.cli.tables import FittingTable
from tablerag.tools.counting import counted
from tablerag.tools.errors import ConfigError

if TYPE_CHECKING:
    from tablerag.tools.knowledge.entries import Knowledge, TableEntry
    from tablerag.tools.services import Services

__all__ = ["knowledge_app"]

knowledge_app = typer.Typer(rich_markup_mode=None)
DEFAULT_FILE = Path("knowledge.yaml")
MOST_BYTES = 2_000_000
MOST_NAMED = 20
"""Entries that are named before they are deleted."""
FileArgument = Annotated[Path, typer.Argument(help="A YAML file", metavar="FILE")]
IMPORT_FIRST = "run `tablerag knowledge import FILE` first"


@knowledge_app.command("import")
def import_(
    file: FileArgument = DEFAULT_FILE,
    corpus: CorpusOption = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before entries are deleted")] = False,
) -> None:
    """Use a file for the corpus, in place of the one before; entries that do not fit are reported.

    Confirmed answers stay if the file has none. Entries that the file lacks are listed, and deleted after asking.
    """
    from tablerag.tools.knowledge.parsing import parse
    from tablerag.tools.knowledge.writing import with_confirmed

    services, name = _opened(corpus)
    services.catalog.create()
    text, before = _read(file), services.knowledge.of(name)
    if before.confirmed and not parse(text, file.name).confirmed:
        text = with_confirmed(text, before.confirmed, file.name)
    if lacking := parse(text, file.name).lacking(before):
        more = [f"and {len(lacking) - MOST_NAMED:,} more"] if len(lacking) > MOST_NAMED else []
        err.print("to delete, as the file lacks it:", markup=False)
        err.print(printable("\n".join([*lacking[:MOST_NAMED], *more])), markup=False, soft_wrap=True)
        if not confirmed(yes):
            return
    known = services.knowledge.save(name, text, file.name)
    out.print(f"{file.name}: {_counts(known)} for corpus {name!r}", markup=False)
    _report(services, name, known, "what does not fit is left out of answers")


@knowledge_app.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="A YAML file; without it, the corpus's own")] = None,
    corpus: CorpusOption = "",
) -> None:
    """Resolve every entry against the corpus's tables and run it; exit status 1 if one does not fit.

    It is 4 if entries could only not be checked, as a connected database is locked or does not answer.
    """
    from tablerag.tools.knowledge.parsing import parse

    services, name = _opened(corpus)
    known = parse(_read(file), file.name) if file else _known(services, name)
    _report(services, name, known)
    out.print(f"{known.file}: {_counts(known)}, all of them fit", markup=False)


@knowledge_app.command("list")
def list_(corpus: CorpusOption = "") -> None:
    """List the corpus's entries."""
    known = _known(*_opened(corpus))
    rows = [(w.line, "term" if w.is_term else "synonym", w.word, "; ".join(w.means)) for w in known.words]
    rows += [(m.line, "metric", m.name, f"{m.expression} over {m.table}") for m in known.metrics]
    rows += [(t.line, "table", t.table, "; ".join(_told(t))) for t in known.tables]
    rows += [(c.line, "confirmed", c.question, f"{c.answer}; {c.sql}".removeprefix("; ")) for c in known.confirmed]
    cells = [(str(line), kind, cell_text(name), cell_text(says)) for line, kind, name, says in sorted(rows)]
    out.print(FittingTable(("line", "kind", "name", "says"), cells, right=(True, False, False, False)), crop=False)


def _told(entry: "TableEntry") -> list[str]:
    fields = entry.model_dump(include=set(entry.lines)) | {f"column {c}": says for c, says in entry.columns.items()}
    return [f"{name}: {value}" for name, value in fields.items()]


@knowledge_app.command()
def show(name: Annotated[str, typer.Argument(help="A word, a metric or a table")], corpus: CorpusOption = "") -> None:
    """Show one entry as it stands in the file."""
    services, corpus = _opened(corpus)
    known = _known(services, corpus)
    named = [(w.word, w.line) for w in known.words] + [(m.name, m.line) for m in known.metrics]
    named += [(t.table, t.line) for t in known.tables] + [(c.question, c.line) for c in known.confirmed]
    found = [line for entry, line in named if entry.casefold() == name.casefold()]
    if not found:
        raise ConfigError(f"no entry is called {name!r}: `tablerag knowledge list` shows all of them")
    lines = services.knowledge.text(corpus)[0].splitlines()
    starts = sorted({line for _, line in named})
    for line in found:
        end = next((s for s in starts if s > line), len(lines) + 1)
        for number in range(line, max(end, line + 1)):
            text = lines[number - 1]
            if number > line and text and not text[0].isspace():
                break  # the next section
            out.print(f"{number:4}  {printable(text)}", markup=False, soft_wrap=True)


@knowledge_app.command()
def export(file: FileArgument = DEFAULT_FILE, corpus: CorpusOption = "") -> None:
    """Write the corpus's file, for a team that keeps it in version control; "-" prints it."""
    services, name = _opened(corpus)
    _known(services, name)
    if str(file) == "-":
        out.print(services.knowledge.text(name)[0], markup=False, highlight=False, soft_wrap=True, end="")
        return
    try:
        file.write_text(services.knowledge.text(name)[0], encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}") from error
    out.print(f"written to {file}", markup=False)


@knowledge_app.command()
def remove(
    question: Annotated[str, typer.Argument(help="A confirmed question; without it, all entries")] = "",
    corpus: CorpusOption = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask")] = False,
) -> None:
    """Delete a confirmed answer or, after asking, all of the corpus's entries."""
    services, name = _opened(corpus)
    if question:
        if not services.knowledge.withdraw(name, question):
            raise ConfigError(f"no answer is confirmed for {question!r}: `tablerag knowledge list` shows all of them")
        out.print(f"removed: {question}", markup=False, soft_wrap=True)
        return
    err.print(f"to delete: {_counts(_known(services, name))} of corpus {name!r}", markup=False)
    if confirmed(yes):
        services.knowledge.remove(name)
        out.print(f"removed all entries of corpus {name!r}", markup=False)


@knowledge_app.command()
def draft(
    columns: Annotated[
        bool, typer.Option("--columns", help="Have a model describe the columns of tables without profiles, too")
    ] = False,
    model: ModelOption = "",
    corpus: CorpusOption = "",
    yes: YesOption = False,
) -> None:
    """Propose entries from the corpus's headers and texts, as YAML for a person to accept."""
    from tablerag.tools.knowledge.drafting import drafted

    services, name = _opened(corpus)
    described = _described(services, name, model or services.settings.resolved_model, yes) if columns else {}
    out.print(printable(drafted(services, name, described)), markup=False, soft_wrap=True, end="")


def _described(services: "Services", corpus: str, model: str, yes: bool) -> dict[str, dict[str, str]]:
    """Return what a model says of the columns of tables without profiles, after its estimated cost is confirmed."""
    from tablerag.cli.ingest import agreed, bar, check_has_model, tell_failed
    from tablerag.ingestion import column_profiles
    from tablerag.tools.models import asker

    check_has_model(model, "--columns")
    tables = column_profiles.to_describe(services, corpus)
    costs = [(counted(len(tables), "table"), column_profiles.estimate(tables))]
    if not tables or not agreed(costs, model, err, not yes):
        return {}
    with bar("describing columns", err) as show:
        meant, run = column_profiles.describe(services, tables, model, asker(model, services.settings), show)
    tell_failed("descriptions", run, err)
    return meant


def _opened(corpus: str) -> "tuple[Services, str]":
    from tablerag.ingestion.refreshing import refreshing
    from tablerag.tools.access.corpora import known_corpus

    services = refreshing(services_in_use())
    return services, known_corpus(corpus or services.settings.corpus, services.settings, services.catalog)


def _known(services: "Services", corpus: str) -> "Knowledge":
    known = services.knowledge.of(corpus)
    if not known:
        raise ConfigError(f"corpus {corpus!r} has no entries: {IMPORT_FIRST}")
    return known


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ConfigError(f"{file} is larger than {MOST_BYTES // 1_000_000} MB: expected a file of entries")
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8 text (byte {error.start}): save it as UTF-8") from error


def _report(services: "Services", corpus: str, known: "Knowledge", follows: str = "") -> None:
    """Print what is wrong with entries, and what ``follows`` from it; exit if anything is.

    The exit status is FAILED_STATUS if an entry does not fit, UNAVAILABLE_STATUS if some could only not be checked.
    """
    from tablerag.tools.knowledge.checking import failures

    found = failures(services, corpus, known)
    for problem in found:
        err.print(printable(f"{problem.where}: {problem.says}"), style="yellow", markup=False, soft_wrap=True)
    if wrong := sum(not p.unchecked for p in found):
        if follows:
            err.print(f"{counted(wrong, 'problem')}: {follows}", markup=False)
        raise typer.Exit(FAILED_STATUS)
    if found:
        raise typer.Exit(UNAVAILABLE_STATUS)


def _counts(known: "Knowledge") -> str:
    words = sum(w.is_term for w in known.words), sum(not w.is_term for w in known.words)
    sizes = (*words, len(known.metrics), len(known.tables), len(known.confirmed))
    counts = zip(sizes, ("term", "synonym", "metric", "table", "confirmed answer"), strict=True)
    return ", ".join(counted(n, what) for n, what in counts if n) or "no entries"
