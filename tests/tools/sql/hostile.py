"""Statements made to keep the embedded database busy or to fill its memory, run one after the other in this process.

``python -m tests.tools.sql.hostile FOLDER [NUMBER ...]`` prints for each, or for those, its seconds, the growth of the
memory in MB and the outcome, as lines of JSON.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tablerag.tools.errors import SqlProblem
from tablerag.tools.records import TableSchema
from tablerag.tools.sql.database import Database
from tablerag.tools.sql.guard import guard
from tests.tools.stored import store

__all__ = ["LIMIT_S", "statements"]

LIMIT_S = 1.0
ROWS = 12
LONG = 1_000_000
CELLS = {
    "big": "1e99999999",
    "tiny": "1e-99999999",
    "digits": "9" * 400,
    "day": "2024-01-31",
    "letters": "a" * LONG,
    "commas": "," * LONG,
    "needle": "a" * (LONG // 2) + "b",
}
LITERALS = {name: f"'{value}'" for name, value in CELLS.items() if len(value) < LONG // 2}
LITERALS |= {
    "letters": f"REPEAT('a', {LONG})",
    "commas": f"REPEAT(',', {LONG})",
    "needle": f"CONCAT(REPEAT('a', {LONG // 2}), 'b')",
}
NUMBERS = """
    ABS({n}) | ACOS({n}) | ASIN({n}) | ATAN({n}) | ATAN2({n}, {n}) | CEIL({n}) | COS({n}) | COT({n}) | DEGREES({n})
    EXP({n}) | FLOOR({n}) | FORMAT({n}, 2) | FORMAT(1, {n}) | FORMAT({n}, {n}) | LN({n}) | LOG({n}) | LOG({n}, {n})
    LOG2({n}) | LOG10({n}) | MOD({n}, 3) | MOD(3, {n}) | {n} % 7 | {n} DIV 3 | 3 DIV {n} | {n} * {n} | -{n} | {n} + 1
    POWER({n}, {n}) | POW(10, {n}) | RADIANS({n}) | ROUND({n}) | ROUND({n}, 2) | ROUND(1.5, {n}) | ROUND({n}, {n})
    SIGN({n}) | SIN({n}) | SQRT({n}) | TAN({n}) | TRUNCATE({n}, 2) | TRUNCATE(1.5, {n}) | TRUNCATE({n}, -{n})
    CAST({n} AS SIGNED) | CAST({n} AS UNSIGNED) | CAST({n} AS DECIMAL(65, 30)) | CAST({n} AS DOUBLE)
    CAST({n} AS CHAR(9)) | GREATEST({n}, 1) | LEAST({n}, 1) | FIELD({n}, 1, 2) | ELT({n}, 'a') | CHAR({n})
    STRCMP({n}, 1) | INTERVAL_OF
    SEC_TO_TIME({n}) | FROM_DAYS({n}) | MAKEDATE({n}, 1) | MAKEDATE(2024, {n}) | PERIOD_ADD({n}, 1)
    PERIOD_ADD(202401, {n}) | PERIOD_DIFF({n}, 202401) | PERIOD_DIFF(202401, {n}) | FROM_UNIXTIME({n})
    TIME_TO_SEC({n}) | TO_DAYS({n}) | LAST_DAY({n}) | YEAR({n}) | WEEK('2024-01-31', {n}) | YEARWEEK({n}, {n})
    DATE_ADD('2024-01-31', INTERVAL {n} DAY) | DATE_SUB('2024-01-31', INTERVAL {n} YEAR)
    DATE_ADD('2024-01-31', INTERVAL {n} MONTH) | DATE_ADD('2024-01-31', INTERVAL {n} QUARTER)
    DATE_ADD('2024-01-31', INTERVAL {n} SECOND) | DATE_ADD('2024-01-31', INTERVAL {n} MICROSECOND)
    DATE_ADD('2024-01-31', INTERVAL {n} DAY_SECOND) | DATE_ADD('2024-01-31', INTERVAL {n} YEAR_MONTH)
    TIMESTAMPDIFF(SECOND, {n}, '2024-01-31') | DATEDIFF({n}, '2024-01-31') | DATE_FORMAT({n}, '%Y') | MICROSECOND({n})
    STR_TO_DATE({n}, '%Y') | TIMESTAMPADD(HOUR, {n}, '2024-01-31')
    REPEAT('abc', {n}) | SPACE({n}) | LPAD('a', {n}, 'b') | RPAD('a', {n}, 'b') | LEFT('abc', {n}) | RIGHT('abc', {n})
    SUBSTRING('abc', {n}) | SUBSTRING('abc', 1, {n}) | SUBSTRING('abc', -{n}, {n}) | SUBSTRING_INDEX('a,b', ',', {n})
    INSERT('abc', {n}, {n}, 'x') | LOCATE('a', 'abc', {n}) | MID('abc', {n}, 2) | ELT({n}, 'a', 'b')
    STDDEV({n}) | VARIANCE({n}) | SUM({n}) | AVG({n}) | MAX({n}) | GROUP_CONCAT({n} ORDER BY {n})
    CONCAT(TRUNCATE(1.5, 1000000)) | CAST(CAST(1.5 AS DECIMAL(65, 30)) AS CHAR) | CONCAT(1.5 * {n}, ROUND({n}, 3))
""".replace(" | INTERVAL_OF", "")
TEXTS = """
    REGEXP_REPLACE({t}, '', 'x') | REGEXP_REPLACE({t}, 'a', 'bbbbbbbbbb') | REGEXP_REPLACE({t}, 'a*', '$0$0')
    REGEXP_REPLACE({t}, 'a*$|.', 'x') | REGEXP_REPLACE('abc', 'b', {t}) | REGEXP_SUBSTR({t}, '(a?a?a?)*b')
    REGEXP_SUBSTR({t}, '(a{1,50}){1,20}b') | REGEXP_SUBSTR({t}, '(\\\\w|a){300}$') | {t} REGEXP '(a|aa)+b$'
    REGEXP_INSTR({t}, '(.*)(.*)(.*)(.*)b') | {t} REGEXP {t} | 'a' REGEXP {t} | REGEXP_REPLACE({t}, {t}, {t})
    FIND_IN_SET('b', {t}) | FIND_IN_SET('b', {c}) | FIND_IN_SET({k}, {c})
    FIND_IN_SET({t}, CONCAT({t}, ',', {t})) | SUBSTRING_INDEX({t}, 'a', 900000)
    SUBSTRING_INDEX({t}, 'a', -900000) | SUBSTRING_INDEX({t}, {k}, -1) | SUBSTRING_INDEX({c}, ',', 999999)
    SUBSTRING_INDEX({c}, ',', -999999) | SUBSTRING_INDEX({k}, {t}, 1) | TRIM(BOTH 'a' FROM {t})
    TRIM(LEADING 'aa' FROM {t}) | TRIM(TRAILING {k} FROM {t}) | LTRIM(SPACE(1000000))
    REPLACE({t}, 'a', 'bbbbbbbb') | REPLACE({t}, 'a', {t}) | REPLACE({t}, {k}, 'x')
    REPLACE(REPLACE({t}, 'a', 'bb'), 'b', 'cc')
    REPLACE({t}, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', 'x') | LOCATE({k}, {t}) | INSTR({t}, {k})
    POSITION({k} IN {t}) | INSTR({t}, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')
    LOCATE({k}, CONCAT({t}, {t}, {t}), 2) | CONCAT({t}, {t}, {t}, {t}, {t}, {t}, {t}, {t}, {t})
    CONCAT_WS({t}, {t}, {t}, {t}) | CONCAT_WS({t}, 1, 2, 3, 4, 5, 6, 7) | REPEAT({t}, 1000000)
    LPAD('x', 1000000, {t}) | RPAD({t}, 1000000, {k}) | INSERT({t}, 1, 1, {t}) | LPAD({t}, 99999999, 'x')
    {t} LIKE '%a%a%a%a%a%a%a%a%b' | {t} LIKE '%aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab%'
    {t} LIKE '%a_a_a_a_a_a_a_a_b%' | {t} LIKE CONCAT('%', REPEAT('a', 150), 'é%')
    {t} LIKE CONCAT('%', REPEAT('a_', 50), 'b%') | {t} LIKE 'é%' | {t} LIKE {t}
    {t} LIKE CONCAT(REPEAT('%a', 90), 'b') | {t} LIKE CONCAT(REPEAT('_%', 90), 'b') | UPPER({t}) | LOWER({t})
    REVERSE({t}) | LENGTH({t}) | CHAR_LENGTH({t}) | ASCII({t}) | STRCMP({t}, {t}) | FIELD({t}, {t}, {k})
    LEFT({t}, 999999) | RIGHT({t}, 999999) | SUBSTRING({t}, -999999) | ELT(1, {t}) | {t} = {k}
    {t} IN ({k}, {t}) | DATE({t}) | STR_TO_DATE({t}, {t}) | STR_TO_DATE(SPACE(1000000), ' %Y')
    DATE_FORMAT('2024-01-31', {t}) | DATE_FORMAT('2024-01-31', REPLACE({t}, 'a', '%M')) | YEAR({t})
    TIME({t}) | DATE_ADD('2024-01-31', INTERVAL {t} DAY) | DATE_ADD('2024-01-31', INTERVAL {t} DAY_SECOND)
    CAST({t} AS SIGNED) | CAST({t} AS DECIMAL(10, 2)) | ROUND({t}, 2) | FLOOR(REPEAT('9', 1000000))
    FLOOR(CONCAT('1e', REPEAT('9', 300))) | POWER({t}, {t}) | SUM({t}) | STDDEV({t}) | GROUP_CONCAT({t})
    GROUP_CONCAT({t} ORDER BY {t}) | GROUP_CONCAT(DISTINCT {t}) | GROUP_CONCAT(1 SEPARATOR ',')
    COUNT(DISTINCT {t}, {k}) | MAX(CONCAT({t}, {k})) | LENGTH(GROUP_CONCAT(CONCAT({t}, {k}) ORDER BY 1 DESC))
"""
JOINED = (
    "SELECT LENGTH(GROUP_CONCAT(a.big ORDER BY b.big DESC, c.big, d.big)) FROM {many}",
    "SELECT LENGTH(GROUP_CONCAT(DISTINCT CONCAT(a._no, b._no, c._no, d._no, e._no) ORDER BY a.big)) FROM {many}",
    "SELECT COUNT(*) FROM {many} WHERE FIND_IN_SET('x', a.commas) + FIND_IN_SET('y', b.letters) = 1",
    "SELECT COUNT(*) FROM {many} WHERE REPLACE(a.letters, 'aaab', 'x') = b.needle",
    "SELECT COUNT(*) FROM {many} WHERE a.letters LIKE '%a%a%ab' OR b.letters LIKE '%aaaaaaaaaaaaaaaaaaab%'",
    "SELECT COUNT(*) FROM {many} WHERE LENGTH(CONCAT(a.letters, b.letters, c.letters)) = 1",
    "SELECT COUNT(*) FROM {many} WHERE UPPER(a.letters) = LOWER(b.needle)",
    "SELECT COUNT(*) FROM {many} WHERE a.letters = b.needle",
    "SELECT COUNT(*) FROM {many} WHERE FLOOR(a.big) + ROUND(b.digits, 3) < 0",
    "SELECT MAX(s) FROM (SELECT STDDEV(a._no) OVER (ORDER BY b._no) AS s FROM {many}) AS t",
)
MANY = "hostile AS a, hostile AS b, hostile AS c, hostile AS d, hostile AS e"


def statements() -> Iterator[str]:
    """Yield every statement, with its texts and numbers as literals and as cells."""
    columns = {name: f"`{name}`" for name in CELLS}
    for words, source in ((LITERALS, ""), (columns, " FROM hostile")):
        for call in _calls(NUMBERS):
            for number in ("big", "tiny", "digits"):
                yield f"SELECT {call.replace('{n}', words[number])} AS a{source}"
        for call in _calls(TEXTS):
            given = (
                call.replace("{t}", words["letters"]).replace("{c}", words["commas"]).replace("{k}", words["needle"])
            )
            yield f"SELECT {given} AS a{source}"
    for statement in JOINED:
        yield statement.format(many=MANY).replace("_no", "n")


def _calls(table: str) -> list[str]:
    return [call.strip() for line in table.strip().splitlines() for call in line.split(" | ")]


def _memory(field: str) -> float:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith(field)).split()[1]) / 1000


def _outcome(database: Database, schema: TableSchema, sql: str) -> str:
    try:
        return str(database.run(guard(sql, [schema], row_limit=10)).rows[:1])[:60]
    except SqlProblem as error:
        return f"{type(error).__name__}: {error}"


def main(folder: Path, numbers: list[int]) -> None:
    """Run every statement, or those of some numbers, and print what it took."""
    database = Database(f"sqlite:///{folder / 't.db'}", timeout_s=LIMIT_S, row_limit=10)
    rows = [(n, *CELLS.values()) for n in range(ROWS)]
    schema = store(database, "hostile", {"n": "integer", **dict.fromkeys(CELLS, "text")}, rows)
    _outcome(database, schema, "SELECT COUNT(*) FROM hostile")
    every = list(statements())
    for sql in [every[n] for n in numbers] or every:
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # The peak begins anew.
        before, begun = _memory("VmRSS"), time.perf_counter()
        outcome = _outcome(database, schema, sql)
        seconds = time.perf_counter() - begun
        record = {"sql": sql, "s": round(seconds, 2), "mb": round(_memory("VmHWM") - before), "outcome": outcome}
        print(json.dumps(record), flush=True)
    database.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(n) for n in sys.argv[2:]])
