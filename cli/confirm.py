"""The commands for confirmed answers: confirm, and eval replay."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablerag.cli.common import CHANGED_STATUS, UNAVAILABLE_STATUS, CorpusOption, ModelOption, client, err, out
from tablerag.cli.printing import cell_text, printable
from tablerag.cli.tables import FittingTable
from tablerag.tools.errors import ConfigError, TableAway, TableRagError

if TYPE_CHECKING:
    from tablerag import TableRAG
    from tablerag.tools.knowledge.entries import ConfirmedEntry

__all__ = ["confirm", "replay"]

UNCHECKED = "could not be checked"


def confirm(
    answer: Annotated[Path, typer.Argument(help="Output of `tablerag ask --json`", metavar="ANSWER.json")],
    statement: Annotated[
        str | None, typer.Option("--sql", help="The right SELECT, if the answer's own is wrong", metavar="SELECT")
    ] = None,
    by: Annotated[str, typer.Option("--by", help="Who confirms it; default: the user's name")] = "",
    corpus: CorpusOption = "",
) -> None:
    """Keep an answer's statement, or a corrected one, for this question and others like it."""
    from tablerag.agent.confirming import confirmed_entry
    from tablerag.ingestion.refreshing import refreshing
    from tablerag.tools.connections.refreshing import current_tables
    from tablerag.verification import read_answer_file

    saved = read_answer_file(answer)
    if not saved.question:
        raise ConfigError(f"{answer}: not an answer: it has no question")
    if statement is not None and not statement.strip():
        raise ConfigError("--sql is empty: give the right SELECT, or omit --sql to confirm the answer's own")
    sql = statement or next(iter(saved.sql[-1:]), "")
    if not sql:
        raise ConfigError(f"the answer in {answer} has no SQL: give the right statement with --sql")
    rag = client(corpus)
    tables = current_tables(refreshing(rag.services), rag.corpus)
    entry, _ = confirmed_entry(rag.services, rag.corpus, tables, saved.question, sql, by or _user())
    rag.services.knowledge.confirm(rag.corpus, entry)
    out.print(printable(f"confirmed: {entry.question} -> {entry.answer}"), markup=False, soft_wrap=True)


def replay(corpus: CorpusOption = "", model: ModelOption = "") -> None:
    """Ask all confirmed questions again; exit status 1 if an answer is not that of its statement any more.

    It is "data changed" if rows are others, and "definition changed" if which rows do not count is.
    """
    rag = client(corpus, model)
    entries = rag.services.knowledge.of(rag.corpus).confirmed
    if not entries:
        raise ConfigError(f"corpus {rag.corpus!r} has no confirmed answers: run `tablerag confirm ANSWER.json` first")
    rows = []
    for place, entry in enumerate(entries, start=1):
        err.print(f"asking {place} of {len(entries)}", style="dim")
        rows.append((entry.question, *_replayed(rag, entry)))
    cells = [tuple(map(cell_text, row)) for row in rows]
    out.print(FittingTable(("question", "outcome", "confirmed", "now"), cells), crop=False)
    outcomes = [outcome for _, outcome, _, _ in rows]
    out.print(f"{outcomes.count('same')} of {len(rows)} the same")
    if {*outcomes} - {"same", UNCHECKED}:
        raise typer.Exit(CHANGED_STATUS)
    if UNCHECKED in outcomes:
        raise typer.Exit(UNAVAILABLE_STATUS)


def _replayed(rag: "TableRAG", entry: "ConfirmedEntry") -> tuple[str, str, str]:
    """Return whether the answer is still right, what was confirmed, and what is answered now."""
    from tablerag.agent.confirming import changed_since, run_confirmed
    from tablerag.ingestion.refreshing import refreshing
    from tablerag.tools.connections.refreshing import current_tables

    try:
        tables = current_tables(refreshing(rag.services), rag.corpus)
        right, expected = run_confirmed(rag.services, rag.corpus, tables, entry.sql)
        changed = changed_since(rag.services, rag.corpus, tables, entry, expected)
    except TableAway as away:
        return UNCHECKED, entry.answer, str(away)
    except TableRagError as error:
        return "statement fails", entry.answer, str(error)
    answer = rag.ask(entry.question)
    same = answer.table is not None and sorted(map(str, answer.table.rows)) == sorted(map(str, right.rows))
    if not same:
        return "another answer", expected, answer.text
    return f"{changed} changed" if changed else "same", entry.answer, expected


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return ""
