"""The output of ``tablerag selftest``."""

import json
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from tablerag.cli.printing import printable
from tablerag.cli.security.attacks import Outcome, attacked
from tablerag.cli.security.deployment import Deployment
from tablerag.tools.sql import selftest

__all__ = ["print_security"]

COLOURS = {"ok": "green", "warning": "yellow", "broken": "red", "skipped": "dim"}


def print_security(deployment: Deployment, out: Console, *, as_json: bool = False) -> bool:
    """Run the attacks, check the deployment, and print the results; return whether everything passed."""
    trials = selftest.tried(deployment.own)
    looked = list(selftest.checks(deployment.services, deployment.own))
    outcomes = list(attacked(deployment))
    attacks = [t for t in trials if t.kind != selftest.LEGAL]
    tried, refused = sum(t.tried for t in attacks), sum(t.refused for t in attacks)
    broken = [c for c in (*looked, *outcomes) if c.state == "broken"]
    passed = not broken and not any(t.unexpected for t in trials)
    if as_json:
        parts = {"statements": trials, "deployment": looked, "attacks": outcomes}
        found: dict[str, Any] = {name: [asdict(part) for part in rows] for name, rows in parts.items()}
        out.print_json(json.dumps({"passed": passed, "tried": tried, "refused": refused} | found))
        return passed
    table = Table(title="attacks and legal statements", title_justify="left", header_style="bold")
    for name in ("kind", "tried", "refused", "legal, passed", "stopped by the engine alone", "unexpected"):
        table.add_column(name, overflow="fold")
    for t in trials:
        legal = t.kind == selftest.LEGAL
        fine, stopped = (str(t.tried - t.refused), "") if legal else ("", str(t.stopped))
        table.add_row(t.kind, str(t.tried), str(t.refused), fine, stopped, "; ".join(t.unexpected) or "-")
    out.print(table)
    out.print(_table("this deployment", "check", [(c.what, c.state, c.says) for c in looked]))
    out.print(_table("other attacks", "kind", [(o.kind, o.state, _told(o)) for o in outcomes]))
    out.print(f"{refused} of {tried} attacks refused")
    kinds = [o for o in outcomes if o.state != "skipped"]
    out.print(f"{sum(o.state == 'ok' for o in kinds)} of {len(kinds)} other kinds of attack failed, as they should")
    return passed


def _table(title: str, first: str, rows: list[tuple[str, str, str]]) -> Table:
    made = Table(title=title, title_justify="left", header_style="bold")
    for name in (first, "", "result"):
        made.add_column(name, overflow="fold")
    for what, state, says in rows:
        made.add_row(what, f"[{COLOURS[state]}]{state}[/]", printable(says).replace("[", r"\["))
    return made


def _told(outcome: Outcome) -> str:
    says = f"{outcome.says}: {outcome.remedy}" if outcome.remedy else outcome.says
    return f"{outcome.tried}; {says}" if says else outcome.tried
