"""The papers by name; each is imported when it is asked for."""

import re
from importlib import import_module

from tablerag.evaluation.papers.paper import Figure, Paper
from tablerag.tools.errors import ConfigError

__all__ = ["PAPERS", "figure_of", "paper_of"]

PAPERS = {
    "tablerag": "tablerag.evaluation.papers.tablerag",
    "qgpt": "tablerag.evaluation.papers.qgpt",
    "hd_rag": "tablerag.evaluation.papers.hd_rag",
}
"""The module of each paper, which has it as PAPER."""


def paper_of(name: str) -> Paper:
    """Return a paper by its name; raise ConfigError."""
    if name not in PAPERS:
        raise ConfigError(f"unknown paper {name!r}: expected one of {', '.join(PAPERS)}")
    return import_module(PAPERS[name]).PAPER


SHORT = re.compile(r"(|t|tab|table|f|fig|figure)[ ._-]?(\d+)", re.IGNORECASE)
"""How people write "table-1" and "figure-4": 1, table 1, fig4."""


def figure_of(paper: Paper, name: str) -> Figure:
    """Return a paper's table or figure by its name; raise ConfigError, also if nothing of it can be measured."""
    found = next((f for f in paper.figures if f.name == _full(name)), None)
    if found is None:
        names = ", ".join(f.name for f in paper.figures)
        raise ConfigError(f"{paper.name} has no table {name!r}: expected one of {names}")
    if found.state.startswith("impossible"):
        raise ConfigError(f"{paper.name} {name} cannot be repeated: {found.state.removeprefix('impossible: ')}")
    return found


def _full(name: str) -> str:
    """Return a table's name as it is listed: figure-4 for fig4, table-5 for 5."""
    short = SHORT.fullmatch(name)
    return f"{'figure' if short[1][:1] in ('f', 'F') else 'table'}-{short[2]}" if short else name
