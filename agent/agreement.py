"""Majority vote among several statements for one subquery."""

from collections import Counter
from collections.abc import Sequence

from tablerag.agent.ports import RunSql
from tablerag.tools.counting import counted
from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import TableSchema

__all__ = ["agreed"]


def agreed(first: str, others: Sequence[str], schemas: Sequence[TableSchema], run_sql: RunSql) -> tuple[str, str]:
    """Return the statement with the commonest result, the earliest of equals, and a note on the vote; "" without one.

    Statements that fail or return no rows do not vote.
    """
    candidates = list(dict.fromkeys([first, *others]))
    if len(candidates) == 1:
        return first, ""
    results: dict[str, str] = {}
    for sql in candidates:
        try:
            result, _ = run_sql(sql, schemas)
        except SqlProblem:
            continue
        if result.empty is None and result.receipt is not None:
            results[sql] = result.receipt.result_hash
    if not results:
        return first, f"none of {len(candidates)} statements returned rows"
    votes = Counter(results.values())
    most = max(votes.values())
    chosen = next(sql for sql, found in results.items() if votes[found] == most)
    return chosen, f"{most} of {counted(len(candidates), 'statement')} gave this result"
