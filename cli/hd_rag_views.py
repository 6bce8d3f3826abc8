"""Terminal views of HD-RAG's answers."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tablerag.cli.printing import printable
from tablerag.cli.views import citation_line

__all__ = ["candidates_view", "recap_view"]


def recap_view(outcome: Mapping[str, Any]) -> RenderableType:
    """Draw an answer with its document, its formula and its citations."""
    parts = [Text(printable(outcome["answer"]), style="bold")]
    if outcome["calculated"]:
        parts.append(Text(printable(f"{outcome['recap']['formula']} = {outcome['calculated']}"), style="cyan"))
    if outcome["document"]:
        because = f"  {outcome['selected_because']}" if outcome["selected_because"] else ""
        parts.append(
            Text.assemble(("document ", "dim"), (printable(outcome["document"]), "blue"), (printable(because), "dim"))
        )
    if outcome["explanation"]:
        parts.append(Text(printable(outcome["explanation"]), style="dim"))
    parts += [citation_line(i, c) for i, c in enumerate(outcome["citations"], start=1)]
    return Group(*parts)


def candidates_view(outcome: Mapping[str, Any]) -> Table:
    """Draw the candidate documents with their evidence, best first."""
    table = Table(title="candidates", title_justify="left", title_style="dim", header_style="bold")
    table.add_column("document", overflow="fold")
    for name in ("evidence", "dense", "BM25", "chunks"):
        table.add_column(name, justify="right")
    for found in outcome["candidates"]:
        numbers = (f"{found[k]:.2f}" for k in ("score", "dense", "lexical"))
        table.add_row(Text(printable(found["source"])), *numbers, str(len(found["chunks"])))
    return table
