"""Statements made to keep the database busy, to be slow to check, or to read what they may not."""

import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from tablerag.cli.security.deployment import Deployment, Skipped
from tablerag.tools.errors import SqlProblem, SqlRejected
from tablerag.tools.sql.guard import guard

__all__ = ["borrowed_names", "freezing", "long_values", "slow_to_check"]

NUMBERS = ("'1e99999999'", f"'{'9' * 400}'")
CALLS = (
    "FLOOR({n})", "ROUND(1.5, {n})", "TRUNCATE({n}, 2)", "POWER({n}, {n})", "CAST({n} AS DECIMAL(65, 30))",
    "REPEAT('abc', {n})", "LPAD('a', {n}, 'b')", "SEC_TO_TIME({n})", "DATE_ADD('2024-01-31', INTERVAL {n} DAY)",
    "FORMAT(1, {n})",
)  # fmt: skip
LETTERS = "REPEAT('a', 100000)"
LONG = (
    f"{LETTERS} LIKE '%a%a%a%a%a%a%a%a%b'", f"{LETTERS} REGEXP '(a|aa)+b$'", f"REPLACE({LETTERS}, 'a', 'bbbbbbbb')",
    f"REGEXP_REPLACE({LETTERS}, 'a*', 'xx')", f"SUBSTRING_INDEX({LETTERS}, 'a', 90000)", f"REPEAT({LETTERS}, 1000000)",
    f"FIND_IN_SET('b', {LETTERS})",
)  # fmt: skip
LIMIT_S = 1.0
"""Of one statement; the deployment's own limit would make this take minutes."""
GRACE_S = 5.0
"""Over the time limit: the process of a statement is ended half a second after it, and the machine may be busy."""
CHECKED_S = 1.0
"""Of the processor's time, at the best of TRIES: a collection of garbage in a large process is not the guard's."""
TRIES = 3
GROWN = (
    "SELECT " + "(" * 9_000 + "1" + ")" * 9_000,
    "SELECT 1" + " + 1" * 4_900,
    "SELECT 1 WHERE " + " OR ".join(["1 = 1"] * 2_000),
    "SELECT CASE " + "WHEN 1 THEN 1 " * 1_300 + "END",
    "SELECT 1" + " UNION SELECT 1" * 1_250,
    "SELECT " + "NOT " * 4_900 + "1",
    "SELECT * FROM {t} AS a" + "".join(f" JOIN {{t}} AS t{n} ON 1 = 1" for n in range(400)),
    "WITH " + ", ".join(f"c{n} AS (SELECT * FROM c{n - 1} AS a, c{n - 1} AS b)" for n in range(1, 150)) + " SELECT 1",
    "SELECT " + "`" * 9_999,
    "SELECT '" + "\\'" * 9_900,
    "SELECT 1 /*" + "/*" * 9_000,
)


def freezing(deployment: Deployment) -> str:
    """Name a function of a huge number that runs past the time limit."""
    return _late(deployment, (f"SELECT {call.format(n=n)} AS a" for call in CALLS for n in NUMBERS))


def long_values(deployment: Deployment) -> str:
    """Name a function of a long value that runs past the time limit."""
    return _late(deployment, (f"SELECT LENGTH({call}) AS a" for call in LONG))


def _late(deployment: Deployment, attempts: Iterable[str]) -> str:
    database = deployment.services.database
    if database.backend.missing:
        raise Skipped("there is no database yet: run `tablerag ingest PATH` first")
    for sql in attempts:

        def run(sql: str = sql) -> None:
            with suppress(SqlProblem):  # refused or ended is as good as an answer in time
                list(database.scan(guard(sql, deployment.own, row_limit=1), LIMIT_S))

        if (took := _least_time(run, time.monotonic, LIMIT_S + GRACE_S)) > LIMIT_S + GRACE_S:
            return f"{sql[:80]} took {took:.0f} s, the limit is {LIMIT_S:g} s"
    return ""


def _least_time(run: Callable[[], object], clock: Callable[[], float], enough: float) -> float:
    """Return the seconds of the fastest of TRIES runs, or of the first that is fast enough.

    What freezes an engine or the guard does so each time; a busy machine does not.
    """
    least = math.inf
    for _ in range(TRIES):
        begun = clock()
        run()
        least = min(least, clock() - begun)
        if least <= enough:
            break
    return least


def slow_to_check(deployment: Deployment) -> str:
    """Name a statement that takes the guard long."""
    table = f"`{deployment.own[0].name}`" if deployment.own else "nothing"
    for grown in GROWN:
        sql = grown.replace("{t}", table)

        def check(sql: str = sql) -> None:
            with suppress(SqlRejected):
                guard(sql, deployment.own, row_limit=1)

        if (took := _least_time(check, time.thread_time, CHECKED_S)) > CHECKED_S:
            return f"the guard took {took:.1f} s for {sql[:60]}"
    return ""


def borrowed_names(deployment: Deployment) -> str:
    """Name a stored table that is read in place of the WITH query of its name."""
    if not deployment.own:
        raise Skipped("there are no tables yet: run `tablerag ingest PATH` first")
    for name in (deployment.own[0].name, deployment.own[0].name.upper(), "_tablerag_documents"):
        quoted = f"`{name.replace('`', '``')}`"
        for sql, expected in (
            (f"WITH {quoted} AS (SELECT 41 AS a) SELECT a FROM {quoted}", ((41,),)),
            (f"WITH {quoted} AS (SELECT 41 AS a UNION ALL SELECT 42) SELECT COUNT(*) AS n FROM {quoted}", ((2,),)),
        ):
            try:
                found = deployment.services.database.run(guard(sql, deployment.own, row_limit=5)).rows
            except SqlProblem:
                continue
            if found != expected:
                return f"{sql[:80]} read the stored table"
    return ""
