"""Converts a job's tables to DataFrames, and a program's answer to rows of JSON-safe cells."""

import datetime
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from tablerag.tools.sandbox.protocol import MAX_ROWS

__all__ = ["frames", "rows_of", "warm_up"]

DTYPES = {"integer": "Int64", "decimal": "float64", "boolean": "boolean", "text": "object"}


def frames(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
    """Return a DataFrame for each table; pandas infers the column types if the job gives none."""
    return {
        name: _typed(**t) if t["types"] else pd.DataFrame(t["rows"], columns=t["columns"]) for name, t in tables.items()
    }


def _typed(columns: Sequence[str], rows: Sequence[Sequence[Any]], types: Sequence[str]) -> pd.DataFrame:
    series = {}
    for i, (name, kind) in enumerate(zip(columns, types, strict=True)):
        cells = [row[i] for row in rows]
        if kind in ("date", "datetime"):
            series[name] = pd.to_datetime(pd.Series(cells, dtype="object"), errors="coerce", format="ISO8601")
        else:
            series[name] = pd.Series(cells, dtype=DTYPES[kind])
    return pd.DataFrame(series)


def rows_of(answer: Any) -> list[list[Any]]:
    """Return an answer as rows of JSON-safe cells, as a SELECT would; a single value is one row with one cell."""
    if isinstance(answer, pd.DataFrame):
        listed = list(answer.head(MAX_ROWS).itertuples(index=False))
    elif isinstance(answer, np.ndarray):
        listed = np.atleast_1d(answer)[:MAX_ROWS].tolist()
    elif isinstance(answer, (pd.Series, pd.Index, list, tuple, set, frozenset)):
        listed = list(answer)[:MAX_ROWS]
    else:
        listed = [answer]
    return [[_json_safe(v) for v in row] if isinstance(row, (list, tuple)) else [_json_safe(row)] for row in listed]


def _json_safe(value: Any) -> Any:
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat().removesuffix("T00:00:00")
    if hasattr(value, "item"):
        value = value.item() if getattr(value, "size", 1) == 1 else str(value)  # an array in a cell becomes text
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (bool, int, float)):
        return value
    return str(value).encode("utf-8", "replace").decode()  # a lone surrogate is no text


def warm_up() -> None:
    """Use what pandas imports lazily, while files can still be opened."""
    warm = pd.DataFrame({"a": ["1", "2", None], "b": [1.0, 2.0, None], "c": ["x y", "z", "x"]})
    warm["d"] = pd.to_datetime(["2020-01-01", "2021-02-03", None])
    for value in (warm, warm.describe(), warm.groupby("c")["b"].agg(["sum", "mean"]), warm.pivot_table("b", "c")):
        str(value)
    warm.merge(warm, on="c").sort_values("c").drop_duplicates().value_counts()
    warm["a"].str.extract(r"(\d)"), warm["c"].str.split(expand=True), pd.to_numeric(warm["a"], errors="coerce")
    warm["d"].dt.strftime("%Y"), warm["b"].rolling(2).mean(), warm["b"].quantile(0.5), warm["b"].rank()
    warm["b"].astype("Int64").sum(), pd.cut(warm["b"], 2), warm.melt(), pd.concat([warm, warm]).reset_index()
    warm.resample("YE", on="d")["b"].sum(), warm.to_dict("records"), warm.nlargest(1, "b"), pd.get_dummies(warm["c"])
    pd.crosstab(warm["a"], warm["c"]), warm["b"].interpolate(), warm.apply(len, axis=1), warm.T.to_string()
    warm["a"].str.contains("x").astype("boolean").sum(), warm.groupby("a").agg(n=("b", "mean")).reset_index()
    warm.query("b > 1").eval("b + 1"), warm.to_csv()
    warm.groupby("a").filter(lambda g: len(g) > 0).groupby("a")["b"].apply(lambda s: s.median())
