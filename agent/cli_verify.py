"""verify: compute an answer's numbers again from its receipts."""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.cli_views import plain
from tools.errors import ConfigError
from tools.receipts import Verified, verified
from tools.records import Receipt
from tools.services import Services
from tools.uniting import united

__all__ = ["receipts_in", "show_verified", "verify_answer"]

MAX_BYTES = 50_000_000
STYLES = {"same": "green", "changed": "red", "gone": "yellow"}


def receipts_in(path: Path) -> tuple[str, list[Receipt]]:
    """Return the corpus and the receipts of an answer that ``tablerag ask --json`` printed; raise ConfigError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes: it is no answer")
        answer: Any = json.loads(path.read_text(encoding="utf-8"))
        found = [s["receipt"] for s in answer["steps"] if s.get("receipt") and s.get("verdict") != "none"]
        return str(answer.get("corpus", "")), [Receipt.model_validate(r) for r in found]
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError) as error:
        raise ConfigError(f"{path}: is no answer as `tablerag ask --json` prints it: {type(error).__name__}") from error


def verify_answer(path: Path, services: Services, corpus: str) -> list[Verified]:
    """Compute every receipt of an answer again; ``corpus`` "" is the answer's own."""
    own, receipts = receipts_in(path)
    schemas = services.catalog.schemas(corpus or own or services.settings.corpus)
    every = [*schemas, *united(schemas, (s.name for s in schemas))]
    limit = services.settings.row_limit
    return [verified(r, every, services.database, row_limit=limit) for r in receipts]


def show_verified(out: Console, found: list[Verified]) -> None:
    """Print what became of each receipt."""
    table = Table(show_lines=len(found) > 1)
    for name in ("status", "statement", "result now", "sources"):
        table.add_column(name, overflow="fold")
    for one in found:
        status = Text(one.status, style=STYLES[one.status])
        status.append(f"\n{plain(one.says)}", style="dim")
        rows = one.result.rows[:3] if one.result else ()
        now = "\n".join(", ".join("NULL" if c is None else plain(c) for c in row) for row in rows)
        sources = "\n".join(plain(s) for s in one.receipt.sources[:5])
        table.add_row(status, Text(plain(one.receipt.sql)), Text(now), Text(sources))
    out.print(table)
