"""The sandbox: programs that answer, what failures say, and what happens where nothing confines a program."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.tools.errors import ConfigError, ProgramFailed
from tablerag.tools.sandbox.process import ENVIRONMENT, Frame, Limits, Sandbox, run_program

TABLES = {"sales": Frame(("region", "amount"), [("North", 10), ("South", 20), ("North", 5), (None, None)])}
CITIES = {"cities": Frame(("city", "founded"), [("Bern", "1191-01-01"), ("Basel", None)], ("text", "date"))}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(Limits(seconds=5)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("answer = tables['sales'].dropna()", ["North, 10", "South, 20", "North, 5"]),
        ("answer = pd.Timestamp('2001-05-03')", ["2001-05-03"]),
        ("answer = [None, float('nan'), pd.NA, 'x']", ["x"]),
        ("answer = np.array([[1, 2], [3, 4]])", ["1, 2", "3, 4"]),
        ("df = tables['sales']\nanswer = df[df['region'] == 'North']['amount'].sum()", ["15"]),
        ("answer = tables['sales'].groupby('region')['amount'].sum().sort_values().index", ["North", "South"]),
        (
            "import re, math\nfrom collections import Counter\nanswer = [math.floor(2.5), re.sub('a', 'b', 'a')]",
            ["2", "b"],
        ),
        ("for row in tables['sales'].itertuples():\n    answer = row.region\n    break", ["North"]),
        ("answer = tables['sales']['amount'].mean()", ["11.66666667"]),
        ("def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nanswer = f(15)\nprint('noise')", ["610"]),
        ("answer = pd.to_datetime('3 May 2001').year", ["2001"]),
        ("answer = tables['sales'].query('amount > 5').eval('amount + 1').max()", ["21"]),
        ("if __name__ == '__main__':\n    answer = getattr('a', 'upper')()", ["A"]),
        ("for _i, row in enumerate(tables['sales'].itertuples()):\n    answer = row._asdict()['Index']", ["3"]),
    ],
)
def test_programs_answer(sandbox: Sandbox, code: str, answer: list[str]) -> None:
    assert sandbox.answer(code, TABLES) == answer


def test_a_program_answers_in_a_sandbox_of_its_own() -> None:
    assert run_program("answer = tables['sales'].dropna()", TABLES) == ["North, 10", "South, 20", "North, 5"]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("answer = 1 / 0", "ZeroDivisionError"),
        ("total = 3", "must set a variable named answer"),
        ("answer = []", "answer is empty"),
        ("answer = (", "SyntaxError"),
        ("answer = " + "(" * 5000 + ")" * 5000, "Error|crash"),
        ("answer = tables['nope']", "^the program raised KeyError: 'nope'$"),
        ("import wave", "No module named 'wave'; use only math, re, .*, pandas, numpy$"),
        ("open('/etc/passwd')", "a program has no files, network or processes: use the given tables$"),
        ("answer = pd.read_csv('http://127.0.0.1:9/')", "has no files, network|No module named"),
    ],
)
def test_programs_that_fail_say_why(sandbox: Sandbox, code: str, told: str) -> None:
    with pytest.raises(ProgramFailed, match=told):
        sandbox.answer(code, TABLES)


def test_time_and_memory_end_a_program(sandbox: Sandbox) -> None:
    started = time.monotonic()
    with pytest.raises(ProgramFailed, match="exceeded 1 s"):
        run_program("while True:\n    pass", TABLES, Limits(seconds=1))
    assert time.monotonic() - started < 30
    with pytest.raises(ProgramFailed, match="out of memory|Unable to allocate|MemoryError"):
        sandbox.answer("answer = 'x' * 10**10", TABLES)
    with pytest.raises(ProgramFailed, match="out of memory|Unable to allocate|MemoryError"):
        sandbox.answer("answer = np.ones((100000, 100000)).sum()", TABLES)


def test_one_program_leaves_nothing_to_the_next(sandbox: Sandbox) -> None:
    sandbox.run("pd.DataFrame.sum = lambda *a, **k: 666\npd.leaked = 1\nanswer = 1", TABLES)
    with pytest.raises(ProgramFailed, match="no attribute 'leaked'"):
        sandbox.run("answer = pd.leaked", TABLES)
    assert sandbox.run("answer = tables['sales'][['amount']].sum().iloc[0]", TABLES) == ((35.0,),)


def test_the_next_program_runs_after_one_that_was_ended() -> None:
    with Sandbox(Limits(seconds=1)) as opened:
        with pytest.raises(ProgramFailed, match="exceeded 1 s"):
            opened.run("while True:\n    pass", TABLES)
        with pytest.raises(ProgramFailed, match="larger than"):
            opened.run("answer = 'x' * 10**7", TABLES)
        assert opened.run("answer = 1", TABLES) == ((1,),)


def test_typed_columns_are_typed(sandbox: Sandbox) -> None:
    assert sandbox.run("answer = tables['cities']['founded'].min().year", CITIES) == ((1191,),)
    rows = sandbox.run("answer = tables['cities'].sort_values('city')", CITIES)
    assert rows == (("Basel", None), ("Bern", "1191-01-01"))


def _child_of(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    monkeypatch.setattr("tablerag.tools.sandbox.process.CHILD", source)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import time; time.sleep(60)", "the sandbox did not start: check that"),
        ("raise SystemExit", "the sandbox did not start: check that"),
        (
            "from tablerag.tools.sandbox import child; child.lock = lambda *limits: False; child.main()",
            "programs of a model run only where the kernel can confine them",
        ),
    ],
)
def test_no_program_runs_where_nothing_confines_it(
    source: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _child_of(monkeypatch, source)
    if "sleep" in source:
        monkeypatch.setattr("tablerag.tools.sandbox.process.START_S", 0.1)
    with pytest.raises(ConfigError, match=told):
        run_program(f"open({str(tmp_path / 'ran')!r}, 'w')\nanswer = 1", TABLES)
    assert not (tmp_path / "ran").exists()


def test_a_program_that_cannot_be_confined_later_does_not_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first lock, which the child tries, holds; the program's own one does not."""
    _child_of(
        monkeypatch,
        "from tablerag.tools.sandbox import child; child._confines = lambda *limits: True; "
        "child.lock = lambda *limits: False; child.main()",
    )
    with pytest.raises(ProgramFailed, match="was killed"):
        run_program(f"open({str(tmp_path / 'ran')!r}, 'w')\nanswer = 1", TABLES)
    assert not (tmp_path / "ran").exists()


def test_other_systems_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablerag.tools.sandbox.process.sys.platform", "darwin")
    with pytest.raises(ConfigError, match="use Linux"):
        Sandbox()


def test_a_child_that_is_gone_is_started_again(sandbox: Sandbox) -> None:
    assert sandbox.run("answer = 1", TABLES) == ((1,),)
    assert sandbox._child is not None
    sandbox._child.kill()
    sandbox._child.wait()
    with pytest.raises(ProgramFailed, match="was killed"):
        sandbox.run("answer = 1", TABLES)
    assert sandbox.run("answer = 1", TABLES) == ((1,),)


def test_a_child_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablerag.tools.sandbox.process.WAITING", 0.3)
    _child_of(monkeypatch, "import socket, time; socket.socket(fileno=0).send(b'c'); time.sleep(60)")
    started = time.monotonic()
    with pytest.raises(ProgramFailed, match="the program was killed"):
        run_program("answer = 1", TABLES, Limits(seconds=1))
    assert time.monotonic() - started < 30


POPEN = subprocess.Popen


def test_the_child_has_no_environment_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {}

    def watched(command: list[str], **options: object) -> "subprocess.Popen[bytes]":
        given.update(options)
        return POPEN(command, **options)

    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setattr("tablerag.tools.sandbox.process.subprocess.Popen", watched)
    with pytest.raises(ProgramFailed):
        run_program("import os", TABLES)
    assert given["env"] == ENVIRONMENT and not any("KEY" in name for name in ENVIRONMENT)


def test_bad_cells_and_big_tables_pass(sandbox: Sandbox) -> None:
    rows = [[json.dumps({"a": i}), i] for i in range(20_000)]
    assert sandbox.answer("answer = len(tables['t'])", {"t": Frame(("a", "b"), rows)}) == ["20000"]
