"""Recomputes an answer's numbers from its receipts, and compares its text and rows with them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from tablerag.agent.model.grounding import numbers_in, strays
from tablerag.agent.presenting.table import SHOWN_ROWS
from tablerag.tools.errors import ConfigError
from tablerag.tools.records import Receipt, TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.receipts import Verified, verified
from tablerag.tools.sql.row_hash import row_hash

__all__ = ["SavedAnswer", "computed_again", "read_answer", "read_answer_file"]

MAX_BYTES = 50_000_000


class SavedAnswer(NamedTuple):
    """The parts of a saved answer that can be verified or confirmed."""

    question: str
    sql: list[str]
    corpus: str
    steps: list[dict[str, Any]]
    """Answered steps with a receipt."""
    receipts: list[Receipt]
    unsupported: list[str]
    """Numbers of the answer that are in none of its steps: its text was changed."""


def read_answer_file(path: Path) -> SavedAnswer:
    """Read an answer that ``tablerag ask --json`` printed; raise ConfigError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{path}: not an answer: larger than {MAX_BYTES:,} bytes")
        return read_answer(json.loads(path.read_text(encoding="utf-8")), str(path))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise _not_an_answer(str(path)) from error


def read_answer(answer: Mapping[str, Any], where: str = "answer") -> SavedAnswer:
    """Read an answer as a dict, such as ``Answer.to_dict()``; raise ConfigError."""
    try:
        steps = [s for s in answer["steps"] if s.get("receipt") and s.get("verdict") != "none"]
        receipts = [Receipt.model_validate(s["receipt"]) for s in steps]
        about = " ".join(str(answer.get("question", "")).split()), [str(s) for s in answer.get("sql") or ()]
        return SavedAnswer(*about, str(answer.get("corpus", "")), steps, receipts, _unsupported(answer))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError) as error:
        raise _not_an_answer(where) from error


def _not_an_answer(where: str) -> ConfigError:
    return ConfigError(
        f"{where}: not an answer: expected the output of `tablerag ask --json`, an object with answer and steps"
    )


def _unsupported(answer: Mapping[str, Any]) -> list[str]:
    """Return the answer's numbers that are neither in its steps nor in its citations."""
    given = [str(answer.get("question", ""))]
    for step in answer["steps"]:
        given += [str(cell) for row in step.get("rows") or () for cell in row]
        given += [step.get("subquery") or "", step.get("reason") or "", str(len(step.get("rows") or ()))]
        given += [str(rows.get("total", "")) for rows in step.get("supporting") or ()]
    given += [str(c.get("quote", "")) for c in answer.get("citations") or ()]
    if table := answer.get("table"):
        given += [*table["columns"], str(len(table["texts"][:SHOWN_ROWS])), str(table["row_count"])]
    return strays(str(answer.get("answer", "")), numbers_in(given), combined=True)


def computed_again(
    saved: SavedAnswer, schemas: Sequence[TableSchema], database: Database, *, row_limit: int
) -> list[Verified]:
    """Run every receipt of an answer again over the tables of its corpus.

    An answer whose text or rows differ from its receipts is changed, whatever is stored.
    """
    found = [verified(r, schemas, database, row_limit=row_limit) for r in saved.receipts]
    checked = [_compared(step, one) for step, one in zip(saved.steps, found, strict=True)]
    if saved.unsupported and checked:
        says = f"the answer has {', '.join(saved.unsupported)}, which is not in its steps"
        checked[-1] = checked[-1]._replace(status="changed", says=says)
    return checked


def _compared(step: dict[str, Any], one: Verified) -> Verified:
    """Mark a step as changed if its rows do not match its receipt."""
    rows = step.get("rows") or []
    if one.status != "same" or step.get("truncated") or one.result is None or len(rows) != len(one.result.rows):
        return one
    if row_hash([tuple(r) for r in rows]) == one.receipt.result_hash:
        return one
    return one._replace(status="changed", says="its rows do not match its receipt: the answer was edited")
