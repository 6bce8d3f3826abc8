"""No statement keeps the embedded database busy past its limit, or fills the memory, whatever its values."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tablerag.tools.errors import SqlFailed
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tests.tools.sql import hostile
from tests.tools.stored import store

SAMPLED = 3
"""Every so many statements are run, and all in an exhaustive run."""
ALLOWED_S = 2.0
ALLOWED_MB = 200


def taken(folder: Path, *numbers: int) -> list[dict]:
    """Return the records of hostile.py, run in a process that a statement may freeze."""
    run = [sys.executable, "-m", "tests.tools.sql.hostile", str(folder), *map(str, numbers)]
    ended = subprocess.run(run, capture_output=True, text=True, timeout=120, check=True)
    assert ended.stderr == ""
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_hostile_statements_end_in_time_and_memory(tmp_path: Path, exhaustive: bool) -> None:
    numbers = range(0, len(list(hostile.statements())), 1 if exhaustive else SAMPLED)
    records = taken(tmp_path, *numbers)
    assert len(records) == len(numbers) > 200
    for record in records:
        assert "\n" not in record["outcome"] and "user-defined" not in record["outcome"], record
        assert record["mb"] < ALLOWED_MB, record
    # Another process may have held the processor: those that were slow run once more.
    slow = [n for n, record in zip(numbers, records, strict=True) if record["s"] >= ALLOWED_S]
    again = taken(tmp_path / "again", *slow) if slow else []
    assert not [record for record in again if record["s"] >= ALLOWED_S]


@pytest.fixture
def embedded(tmp_path: Path) -> tuple[Database, TableSchema]:
    database = Database(f"sqlite:///{tmp_path / 't.db'}", timeout_s=1, row_limit=5)
    return database, store(database, "cells", {"big": "text", "list": "text"}, [("1e99999999", "a,b,,c")])


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("FLOOR({n})", 1.79769313486231e308),
        ("TRUNCATE({n}, 2)", 1.79769313486231e308),
        ("SEC_TO_TIME({n})", "838:59:59"),
        ("FROM_DAYS({n})", None),
        ("MAKEDATE({n}, 1)", None),
        ("DATE_ADD('2024-01-31', INTERVAL ({n}) DAY)", None),
        ("CAST({n} AS SIGNED)", 1),
        ("FIND_IN_SET('c', list)", 4),
        ("FIND_IN_SET('', list)", 3),
        ("FIND_IN_SET('a,b', list)", 0),
        ("SUBSTRING_INDEX(list, ',', 2)", "a,b"),
        ("SUBSTRING_INDEX(list, ',', -2)", ",c"),
        ("SUBSTRING_INDEX(list, ',', -9)", "a,b,,c"),
        ("SUBSTRING_INDEX(list, ',', 9)", "a,b,,c"),
        ("list LIKE CONCAT('%', 'B_', '%C')", 1),
        ("list LIKE CONCAT('a_', 'b,,', '_')", 1),
        ("list LIKE CONCAT('%b', '_c%')", 0),
        ("REGEXP_REPLACE(list, '[a-c]', '<$0>')", "<a>,<b>,,<c>"),
    ],
)
def test_large_numbers_and_long_texts_have_mysqls_results(
    call: str, expected: object, embedded: tuple[Database, TableSchema]
) -> None:
    database, schema = embedded
    for number in ("'1e99999999'", "big"):
        sql = f"SELECT {call.replace('{n}', number)} AS a FROM cells"
        assert database.run(guard(sql, [schema], row_limit=5)).rows == ((expected,),)


@pytest.mark.parametrize("call", ["POWER(big, 2)", "EXP(big)", "big * big", "3 DIV POWER(10, -300)"])
def test_results_out_of_range_are_refused(call: str, embedded: tuple[Database, TableSchema]) -> None:
    database, schema = embedded
    with pytest.raises(SqlFailed, match="out of range"):
        database.run(guard(f"SELECT {call} AS a FROM cells", [schema], row_limit=5))
