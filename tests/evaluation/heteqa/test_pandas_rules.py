"""Pandas code as a program for the sandbox: results, and forbidden code."""

from collections.abc import Iterator

import pytest

from tablerag.evaluation.heteqa.pandas_rules import PandasRejected, program_of
from tablerag.tools.errors import ProgramFailed
from tablerag.tools.sandbox.process import Frame, Sandbox

ROWS = [
    ["North", 3, "2020-01-02", 1.5, True],
    ["South", 1, None, 2.5, None],
    ["North", None, "1815-03-04", None, False],
]


TABLES = {
    "df": Frame(
        ["team", "points", "day", "share", "home"], ROWS, ["text", "integer", "date", "decimal", "boolean"]
    )
}  # fmt: skip


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


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
def test_results_are_rows_of_plain_cells(sandbox: Sandbox, code: str, rows: tuple[tuple[object, ...], ...]) -> None:
    assert sandbox.run(program_of(code), TABLES) == rows


def test_code_does_not_change_the_table(sandbox: Sandbox) -> None:
    sandbox.run(program_of("df['points'] = 0\ndf['points'].sum()"), TABLES)
    assert sandbox.run(program_of("df['points'].sum()"), TABLES) == ((4,),)


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
        "x = 1",
        "",
        "df[",
        "x" * 5000,
    ],
)
def test_what_says_more_than_it_may_is_refused_before_it_runs(code: str) -> None:
    with pytest.raises(PandasRejected):
        program_of(code)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("df['goals'].sum()", "KeyError: 'goals'"),
        ("df['points'].max() / 0 * len(df.iloc[9])", "IndexError"),
    ],
)
def test_code_that_fails_says_why(sandbox: Sandbox, code: str, said: str) -> None:
    with pytest.raises(ProgramFailed, match=said):
        sandbox.run(program_of(code), TABLES)
