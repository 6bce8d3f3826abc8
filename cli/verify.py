"""verify: compute an answer's numbers again from its receipts."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tablerag.agent.model.grounding import numbers_in, strays
from tablerag.cli.views import plain
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Receipt
from tablerag.tools.services import Services
from tablerag.tools.sql.receipts import Verified, verified
from tablerag.tools.sql.row_hash import row_hash
from tablerag.tools.uniting import united

__all__ = ["SavedAnswer", "read_answer", "show_verified", "verify_answer"]

MAX_BYTES = 50_000_000
STYLES = {"same": "green", "changed": "red", "gone": "yellow"}


class SavedAnswer(NamedTuple):
    """What of a saved answer can be held against what is stored."""

    corpus: str
    steps: list[dict[str, Any]]
    """Those with a receipt that the answer may rest on."""
    receipts: list[Receipt]
    unsupported: list[str]
    """Numbers of the answer that stand in none of its own steps: it was changed after it was given."""


def read_answer(path: Path) -> SavedAnswer:
    """Read an answer that ``tablerag ask --json`` printed; raise ConfigError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes: it is no answer")
        answer: Any = json.loads(path.read_text(encoding="utf-8"))
        steps = [s for s in answer["steps"] if s.get("receipt") and s.get("verdict") != "none"]
        receipts = [Receipt.model_validate(s["receipt"]) for s in steps]
        return SavedAnswer(str(answer.get("corpus", "")), steps, receipts, _unsupported(answer))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError) as error:
        raise ConfigError(
            f"{path}: is no answer as `tablerag ask --json` prints it, an object with answer and steps: save it anew"
        ) from error


def _unsupported(answer: dict[str, Any]) -> list[str]:
    """Return the answer's numbers that neither its steps nor its citations give."""
    given = [str(answer.get("question", ""))]
    for step in answer["steps"]:
        given += [str(cell) for row in step.get("rows") or () for cell in row]
        given += [step.get("subquery") or "", step.get("reason") or "", str(len(step.get("rows") or ()))]
        given += [str(rows.get("total", "")) for rows in step.get("supporting") or ()]
    given += [str(c.get("quote", "")) for c in answer.get("citations") or ()]
    return strays(str(answer.get("answer", "")), numbers_in(given), combined=True)


def verify_answer(path: Path, services: Services, corpus: str) -> list[Verified]:
    """Compute every receipt of an answer again; ``corpus`` "" is the answer's own.

    An answer whose own text or rows are not those of its receipts is changed, whatever is stored.
    """
    saved = read_answer(path)
    schemas = services.catalog.schemas(corpus or saved.corpus or services.settings.corpus)
    every = [*schemas, *united(schemas, (s.name for s in schemas))]
    limit = services.settings.row_limit
    found = [verified(r, every, services.database, row_limit=limit) for r in saved.receipts]
    forged = [_held_together(step, one) for step, one in zip(saved.steps, found, strict=True)]
    if saved.unsupported and forged:
        says = f"the answer says {', '.join(saved.unsupported)}, which its own steps do not give"
        forged[-1] = forged[-1]._replace(status="changed", says=says)
    return forged


def _held_together(step: dict[str, Any], one: Verified) -> Verified:
    """Tell a step whose rows were changed after its receipt was written."""
    rows = step.get("rows") or []
    if one.status != "same" or step.get("truncated") or one.result is None or len(rows) != len(one.result.rows):
        return one
    if row_hash([tuple(r) for r in rows]) == one.receipt.result_hash:
        return one
    return one._replace(status="changed", says="the file's rows are not those of its receipt: they were changed in it")


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
