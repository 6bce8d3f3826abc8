"""Pandas code in the child process: what it finds, what is refused, and what cannot get out."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.heteqa.pandas_process import CHILD, PandasFailed, PandasProcess
from evaluation.heteqa.pandas_rules import PandasRejected, checked

COLUMNS = [("team", "text"), ("points", "integer"), ("day", "date"), ("share", "decimal"), ("home", "boolean")]
ROWS = [
    ["North", 3, "2020-01-02", 1.5, True],
    ["South", 1, None, 2.5, None],
    ["North", None, "1815-03-04", None, False],
]


@pytest.fixture(scope="module")
def pandas() -> Iterator[PandasProcess]:
    with PandasProcess() as process:
        process.load(COLUMNS, ROWS)
        yield process


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("df['points'].sum()", ((4,),)),
        ("result = df[df['team'] == 'North']['share'].mean()", ((1.5,),)),
        ("x = df.groupby('team').size()\nx.idxmax()", (("North",),)),
        ("df['day'].min()", (("1815-03-04",),)),
        ("len(df[df['day'] >= pd.Timestamp('2000-01-01')])", ((1,),)),
        ("df['points'].max() > 2", ((True,),)),
        ("df.loc[df['points'].isna(), 'points'].max()", ((None,),)),
        ("df[['team', 'points']].head(2)", (("North", 3), ("South", 1))),
        ("df['team'].unique()", (("North",), ("South",))),
        ("100 * (df['team'] == 'North').mean()", ((pytest.approx(200 / 3),),)),
    ],
)
def test_results_are_rows_of_plain_cells(
    pandas: PandasProcess, code: str, rows: tuple[tuple[object, ...], ...]
) -> None:
    assert pandas.run(code) == rows


def test_code_does_not_change_the_table(pandas: PandasProcess) -> None:
    pandas.run("df['points'] = 0\ndf['points'].sum()")
    assert pandas.run("df['points'].sum()") == ((4,),)


@pytest.mark.parametrize(
    "code",
    [
        "import os",
        "open('/etc/hostname').read()",
        "__import__('os').system('true')",
        "().__class__.__base__.__subclasses__()",
        "df.to_csv('x.csv')",
        "pd.read_csv('x.csv')",
        "df.agg('to_csv')",
        "df.eval('points')",
        "df.apply(lambda s: s.to_pickle('x'))",
        "def f():\n    return 1",
        "while True:\n    x = 1",
        "pd.io.common.os.system('true')",
        "len = 3",
        "df.values.flags",
        "",
        "df[",
        "x" * 5000,
    ],
)
def test_what_says_more_than_it_may_is_refused_before_it_runs(code: str) -> None:
    with pytest.raises(PandasRejected):
        checked(code)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("df['goals'].sum()", "KeyError: 'goals'"),
        ("df['points'].max() / 0 * len(df.iloc[9])", "IndexError"),
        ("x = 1", "assign the answer to result"),
    ],
)
def test_code_that_fails_says_why(pandas: PandasProcess, code: str, said: str) -> None:
    with pytest.raises(PandasFailed, match=said):
        pandas.run(code)


def test_a_job_that_takes_too_long_is_ended_and_the_next_one_runs() -> None:
    with PandasProcess(timeout_s=1.0) as process:
        process.load(COLUMNS, ROWS)
        with pytest.raises(PandasFailed, match="longer than 1 s"):
            process.run("sum(range(10**12))")
        assert process.run("len(df)") == ((3,),)


def test_what_the_rules_would_let_through_reaches_no_file_socket_or_process(tmp_path: Path) -> None:
    """The child itself is asked, past the rules: it holds although the code names every means there is."""
    reached = tmp_path / "reached"
    with socket.create_server(("127.0.0.1", 0)) as server:
        attempts = [
            f"df.agg('to_pickle', 0, {str(reached)!r})",
            f"pd.io.common.os.open({str(reached)!r}, 66)",
            f"pd.io.common.os.system('touch {reached}')",
            "pd.io.common.os.fork()",
            "pd.io.common.os.popen('id').read()",
            f"pd.read_csv({str(tmp_path / 'secret.csv')!r})",
            f"pd.read_csv('http://127.0.0.1:{server.getsockname()[1]}/')",
        ]
        (tmp_path / "secret.csv").write_text("a\n1\n")
        table = json.dumps({"columns": [["a", "integer"]], "rows": [[1]]})
        jobs = "\n".join([table, *(json.dumps({"code": a}) for a in attempts)]) + "\n"
        done = subprocess.run(
            [sys.executable, "-I", str(CHILD)], input=jobs, capture_output=True, text=True, timeout=60, check=False
        )
        server.settimeout(0.1)
        with pytest.raises(TimeoutError):
            server.accept()
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert replies[0] == {"rows": 1}
    assert not reached.exists()
    assert not any(r.get("rows") in ([[0]], [[1]]) for r in replies[1:])
