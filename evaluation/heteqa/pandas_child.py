"""The child process that runs checked pandas code over one table at a time; see pandas_process.py.

It reads one JSON object a line from stdin and writes one a line to stdout. After pandas is loaded it can open no file,
socket or process any more, and its memory is bounded; its parent bounds its time.
"""

import ast
import builtins
import datetime
import json
import math
import os
import resource
import sys
import warnings
from typing import Any

import pandas as pd

MEMORY_BYTES = 3_000_000_000
NOBODY = 65534
NAMES = "abs all any bool float int len list max min range round set sorted str sum tuple zip".split()
DTYPES = {"integer": "Int64", "decimal": "float64", "boolean": "boolean", "text": "object"}


def main() -> None:
    """Answer jobs until stdin ends."""
    warnings.simplefilter("ignore")
    _warm_up()
    _lock_down()
    frame = pd.DataFrame()
    for line in sys.stdin:
        job = json.loads(line)
        if "columns" in job:
            frame = _frame(job)
            reply: dict[str, Any] = {"rows": len(frame)}
        else:
            reply = _run(job["code"], frame)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def _warm_up() -> None:
    """Use what pandas loads late, while files can still be opened."""
    frame = pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0], "c": pd.to_datetime(["2020-01-01", "2021-01-01"])})
    frame["d"] = pd.Series([1, None], dtype="Int64")
    frame.groupby("a").agg(n=("b", "mean")).sort_values("n").reset_index().merge(frame, on="a")
    frame["a"].str.contains("x").astype("boolean").sum()
    frame.nlargest(1, "b")["c"].dt.year.item()
    frame["d"].mean(), frame["d"].rank(), pd.concat([frame, frame]).drop_duplicates().value_counts()
    frame.groupby("a").filter(lambda g: len(g) > 0).groupby("a")["b"].apply(lambda s: s.median())


def _lock_down() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if os.geteuid() == 0:
        # The number of processes binds everybody but root.
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _frame(job: dict[str, Any]) -> pd.DataFrame:
    columns = {}
    for i, (name, kind) in enumerate(job["columns"]):
        cells = [row[i] for row in job["rows"]]
        if kind in ("date", "datetime"):
            columns[name] = pd.to_datetime(pd.Series(cells, dtype="object"), errors="coerce", format="ISO8601")
        else:
            columns[name] = pd.Series(cells, dtype=DTYPES[kind])
    return pd.DataFrame(columns)


def _run(code: str, frame: pd.DataFrame) -> dict[str, Any]:
    allowed = {name: getattr(builtins, name) for name in NAMES}
    names: dict[str, Any] = {"__builtins__": allowed, "df": frame.copy(), "pd": pd}
    try:
        tree = ast.parse(code)
        last = tree.body[-1]
        if isinstance(last, ast.Expr):
            tree.body[-1] = ast.Assign([ast.Name("result", ast.Store())], last.value)
            ast.fix_missing_locations(tree)
        exec(compile(tree, "<pandas>", "exec"), names)
        return {"rows": _rows(names["result"])}
    except KeyError as error:
        return {"error": f"KeyError: {error}: assign the answer to result, and name columns as df has them"}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def _rows(result: Any) -> list[list[Any]]:
    """Return what the code found as rows of plain cells, as a SELECT would."""
    if isinstance(result, pd.DataFrame):
        return [[_plain(v) for v in row] for row in result.itertuples(index=False)]
    if isinstance(result, (pd.Series, pd.Index, list, tuple, set)) or type(result).__name__ == "ndarray":
        return [[_plain(v) for v in row] if isinstance(row, (list, tuple)) else [_plain(row)] for row in result]
    return [[_plain(result)]]


def _plain(value: Any) -> Any:
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, (datetime.datetime, datetime.date)):
        text = value.isoformat()
        return text.removesuffix("T00:00:00")
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (bool, int, float, str)) else str(value)


if __name__ == "__main__":
    main()
