"""The output of ``tablerag verify``."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tablerag.cli.printing import printable
from tablerag.tools.sql.receipts import Verified

__all__ = ["show_verified"]

STYLES = {"same": "green", "changed": "red", "damaged": "red", "gone": "yellow", "unavailable": "yellow"}


def show_verified(out: Console, found: Sequence[Verified]) -> None:
    """Print the status of each receipt with its statement, current result and sources."""
    table = Table(show_lines=len(found) > 1)
    for name in ("status", "statement", "result now", "sources"):
        table.add_column(name, overflow="fold")
    for one in found:
        status = Text(one.status, style=STYLES[one.status])
        status.append(f"\n{printable(one.says)}", style="dim")
        rows = one.result.rows[:3] if one.result else ()
        now = "\n".join(", ".join("NULL" if c is None else printable(c) for c in row) for row in rows)
        sources = "\n".join(printable(s) for s in one.receipt.sources[:5])
        table.add_row(status, Text(printable(one.receipt.sql)), Text(now), Text(sources))
    out.print(table)
