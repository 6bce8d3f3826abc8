"""Correct answers, then ask their paraphrases and other questions: how many are right, and which became wrong.

    python -m benchmarks.confirmed_trial FOLDER

FOLDER holds docs/, and lists of {question, sql} in confirmed.json, of {question, expected} in paraphrases.json and
others.json, with the expected rows. All questions are asked without a model, before and after the corrections.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tablerag import Answer, TableRAG
from tablerag.tools.knowledge.entries import ConfirmedEntry

KIND = "as confirmed"
Asked = dict[str, Any]


def outcome(answer: Answer, expected: Sequence[Sequence[Any]]) -> str:
    """Return "right", "wrong" or "none": rows in any order, numbers to four significant decimals."""
    rows = answer.table.rows if answer.table else [[answer.value]] if answer.value is not None else []
    if answer.verdict == "none" or not rows:
        return "right" if not expected and answer.verdict != "none" else "none"
    return "right" if _holds(rows, expected) else "wrong"


def _holds(rows: Sequence[Sequence[Any]], expected: Sequence[Sequence[Any]]) -> bool:
    """Tell whether the expected cells are in the rows, each row beside others at most."""
    left = [[_cell(c) for c in row] for row in rows]
    if len(left) != len(expected):
        return False
    for row in expected:
        wanted = [_cell(c) for c in row]
        fits = next((r for r in left if all(c in r for c in wanted)), None)
        if fits is None:
            return False
        left.remove(fits)
    return True


def _cell(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    try:
        return round(float(value), 2)
    except (TypeError, ValueError):
        return str(value).strip().casefold()


def ask_all(rag: TableRAG, asked: Sequence[Asked]) -> list[tuple[str, bool]]:
    """Return each question's outcome, and whether a confirmed statement answered it; "offered" if one to choose is."""
    found = []
    for one in asked:
        answer = rag.ask(one["question"])
        result = outcome(answer, one["expected"])
        offered = any(_holds(r.rows, one["expected"]) for r in answer.readings)
        kept = result != "none" and KIND in answer.explanation.casefold()
        found.append(("offered" if result == "none" and offered else result, kept))
    return found


def main() -> None:
    """Print the outcomes before and after, and every question that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    lists = {n: json.loads((folder / f"{n}.json").read_text()) for n in ("confirmed", "paraphrases", "others")}
    with tempfile.TemporaryDirectory() as home, TableRAG(home=home, model="offline") as rag:
        rag.ingest(folder / "docs")
        before = {name: ask_all(rag, lists[name]) for name in ("paraphrases", "others")}
        for one in lists["confirmed"]:
            rag.services.knowledge.confirm(rag.corpus, ConfirmedEntry(**one, line=1))
        after = {name: ask_all(rag, lists[name]) for name in before}
    for name, found in after.items():
        then, now = (Counter(o for o, _ in f) for f in (before[name], found))
        kept = sum(is_kept for _, is_kept in found)
        print(f"{name}: before {dict(then)}, after {dict(now)}; {kept} by a confirmed statement")
        for one, (was, _), (result, is_kept) in zip(lists[name], before[name], found, strict=True):
            if result == "wrong" or (name == "paraphrases" and result != "right"):
                how = " by a confirmed statement" if is_kept else ""
                print(f"  {was} -> {result}{how}: {one['question']}")


if __name__ == "__main__":
    main()
