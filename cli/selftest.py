"""The output of ``tablerag selftest``."""

from rich.console import Console
from rich.table import Table

from tablerag.cli.printing import printable
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services
from tablerag.tools.sql import selftest

__all__ = ["print_security"]

COLOURS = {"ok": "green", "warning": "yellow", "broken": "red"}


def print_security(services: Services, own: list[TableSchema], out: Console) -> bool:
    """Run the attack list, check the deployment, and print both; return whether everything passed."""
    trials = selftest.tried(own)
    table = Table(title="attacks and legal statements", title_justify="left", header_style="bold")
    for name in ("kind", "tried", "refused", "legal, passed", "stopped by the engine alone", "unexpected"):
        table.add_column(name, overflow="fold")
    for t in trials:
        legal = t.kind == selftest.LEGAL
        passed, stopped = (str(t.tried - t.refused), "") if legal else ("", str(t.stopped))
        table.add_row(t.kind, str(t.tried), str(t.refused), passed, stopped, "; ".join(t.unexpected) or "-")
    out.print(table)
    looked = list(selftest.checks(services, own))
    deployment = Table(title="this deployment", title_justify="left", header_style="bold")
    for name in ("check", "", "result"):
        deployment.add_column(name, overflow="fold")
    for check in looked:
        deployment.add_row(
            check.what, f"[{COLOURS[check.state]}]{check.state}[/]", printable(check.says).replace("[", r"\[")
        )
    out.print(deployment)
    attacks = [t for t in trials if t.kind != selftest.LEGAL]
    tried, refused = sum(t.tried for t in attacks), sum(t.refused for t in attacks)
    out.print(f"{refused} of {tried} attacks refused")
    return not any(t.unexpected for t in trials) and not any(c.state == "broken" for c in looked)
