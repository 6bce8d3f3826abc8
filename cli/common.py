"""Shared by the commands: consoles, exit statuses and options."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tablerag.tools.errors import ConfigError

if TYPE_CHECKING:
    from tablerag import TableRAG
    from tablerag.tools.services import Services

__all__ = [
    "CHANGED_STATUS",
    "ERROR_STATUS",
    "FAILED_STATUS",
    "NO_ANSWER_STATUS",
    "UNAVAILABLE_STATUS",
    "UNSAFE_STATUS",
    "CorpusOption",
    "ModelOption",
    "YesOption",
    "client",
    "confirmed",
    "err",
    "out",
    "services_in_use",
]

UNSAFE_STATUS = 1
CHANGED_STATUS = 1
FAILED_STATUS = 1
ERROR_STATUS = 2
NO_ANSWER_STATUS = 3
UNAVAILABLE_STATUS = 4

out = Console(highlight=False, emoji=False)
err = Console(stderr=True, highlight=False, emoji=False)

CorpusOption = Annotated[str, typer.Option("--corpus", help="Named set of documents; default: TABLERAG_CORPUS")]
ModelOption = Annotated[
    str, typer.Option("--model", help="PROVIDER:NAME, gguf:PATH or offline; default: TABLERAG_MODEL")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before calls to a paid model")]


def services_in_use() -> "Services":
    """Return the environment's services; imported here because that takes a second."""
    from tablerag.tools.services import get_services

    return get_services()


def client(corpus: str = "", model: str = "") -> "TableRAG":
    """Return the API's client over the environment's services."""
    from tablerag import TableRAG

    return TableRAG.over(services_in_use(), corpus=corpus, model=model)


def confirmed(yes: bool) -> bool:
    """Ask for confirmation, unless it is given; raise ConfigError without a terminal to ask on."""
    if not yes and not sys.stdin.isatty():
        raise ConfigError("cannot ask for confirmation without a terminal: pass --yes")
    return yes or typer.confirm("Continue?", err=True)
