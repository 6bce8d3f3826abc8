"""The sandbox: programs that answer, and every way out tried, through all of its layers."""

import json
import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.tools.errors import ProgramFailed
from tablerag.tools.sandbox.process import ENVIRONMENT, Frame, Limits, Sandbox, run_program

TABLES = {"sales": Frame(("region", "amount"), [("North", 10), ("South", 20), ("North", 5), (None, None)])}
CITIES = {"cities": Frame(("city", "founded"), [("Bern", "1191-01-01"), ("Basel", None)], ("text", "date"))}
ROOT = Path(__file__).parents[2]


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
        ("for _i, row in enumerate(tables['sales'].itertuples()):\n    answer = row._asdict()['Index']", ["3"]),
    ],
)
def test_programs_answer(code: str, answer: list[str]) -> None:
    assert run_program(code, TABLES) == answer


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("answer = 1 / 0", "ZeroDivisionError"),
        ("total = 3", "must set a variable named answer"),
        ("answer = []", "answer is empty"),
        ("answer = (", "SyntaxError"),
        ("answer = " + "(" * 5000 + ")" * 5000, "Error|crash"),
        ("answer = tables['nope']", "KeyError"),
    ],
)
def test_programs_that_fail_say_why(code: str, told: str) -> None:
    with pytest.raises(ProgramFailed, match=told):
        run_program(code, TABLES)


WAYS_OUT = {
    "os.system": "import os\nos.system('touch {path}')",
    "subprocess": "import subprocess\nanswer = subprocess.run(['id'])",
    "open": "open('{path}', 'w').write('x')",
    "read": "answer = open('/etc/passwd').read()",
    "pandas reads": "answer = pd.read_csv('/etc/passwd')",
    "pandas writes": "tables['sales'].to_csv('{path}')",
    "numpy writes": "np.save('{path}', np.array([1]))",
    "subclasses": "answer = [c for c in ().__class__.__base__.__subclasses__()]",
    "string dunder": "answer = getattr((), '__cl' + 'ass__')",
    "pandas to os": "answer = pd.io.common.os.getcwd()",
    "method by name": "answer = tables['sales'].agg('to_csv', 0, '{path}')",
    "modules of modules": "import collections\nanswer = collections._sys.modules['os'].getcwd()",
    "private modules": "import statistics\nanswer = statistics.random._os.getcwd()",
    "a pattern's attributes": (
        "import collections\nmatch collections._sys:\n case object(modules=m): answer = str(m['posix'].getcwd())"
    ),
    "a pattern's private attributes": (
        "import statistics\nmatch statistics.random:\n case object(_os=os): answer = os.getcwd()"
    ),
    "dataframe eval": "answer = tables['sales'].eval('@pd')",
    "numpy reads": "answer = np.genfromtxt('/etc/passwd')",
    "from url": "answer = pd.read_json('http://127.0.0.1:9/')",
    "query": "answer = tables['sales'].query('@pd.io.common.os.system(\"id\")')",
    "frames": "g = (x for x in [1])\nanswer = g.gi_frame.f_back.f_globals",
    "traceback": "try:\n    1 / 0\nexcept Exception as e:\n    answer = e.__traceback__.tb_frame.f_globals",
    "ctypes": "import ctypes\nanswer = ctypes.CDLL(None).getpid()",
    "numpy ctypes": "answer = np.ctypeslib.ctypes.CDLL(None)",
    "import": "answer = __import__('os').getcwd()",
    "importlib": "import importlib\nanswer = importlib.import_module('os')",
    "socket": "import socket\nanswer = socket.socket()",
    "pickle": "import pickle\nanswer = pickle.loads(b'')",
    "eval": "answer = eval('1')",
    "alias": "from pandas import io as harmless\nanswer = 1",
    "builtins": "answer = __builtins__['__import__']",
    "exit": "exit(0)",
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_the_way_out_is_refused(way: str, tmp_path: Path, sandbox: Sandbox) -> None:
    target = tmp_path / "written"
    with pytest.raises(ProgramFailed, match="not allowed|not defined|no further modules"):
        sandbox.run(WAYS_OUT[way].replace("{path}", str(target)), TABLES)
    assert not target.exists()


def test_time_and_memory_end_a_program() -> None:
    started = time.monotonic()
    with pytest.raises(ProgramFailed, match="exceeded 1 s"):
        run_program("while True:\n    pass", TABLES, Limits(seconds=1))
    assert time.monotonic() - started < 30
    with pytest.raises(ProgramFailed, match="out of memory|Unable to allocate|MemoryError"):
        run_program("answer = 'x' * 10**10", TABLES)
    with pytest.raises(ProgramFailed, match="out of memory|Unable to allocate|MemoryError"):
        run_program("answer = np.ones((100000, 100000)).sum()", TABLES)


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


def test_sleeping_meets_the_deadline() -> None:
    """What uses no processor time is killed by the clock: here by the child, which waits for its copy."""
    script = "import os, time; from tablerag.tools.sandbox import child; child._work = lambda *a: time.sleep(60); "
    started = time.monotonic()
    run = f"{script}os.write(1, child.run_apart(b'', 1, 2000))"
    assert subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, check=True).stdout == b"{}"
    assert time.monotonic() - started < 30


def test_a_child_that_never_answers_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablerag.tools.sandbox.process.START_S", 0.1)
    monkeypatch.setattr("tablerag.tools.sandbox.process.WAITING", 0.1)
    monkeypatch.setattr("tablerag.tools.sandbox.process.subprocess.Popen", _sleeper)
    started = time.monotonic()
    with pytest.raises(ProgramFailed, match="the program was killed"):
        run_program("answer = 1", TABLES, Limits(seconds=0))
    assert time.monotonic() - started < 30


POPEN = subprocess.Popen


def _sleeper(command: list[str], **options: object) -> "subprocess.Popen[bytes]":
    return POPEN(["/bin/sleep", "60"], **options)


def test_a_warning_says_that_there_is_no_filter(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies = iter([{"rows": [[1]], "filtered": False}] * 2)
    with Sandbox() as opened, caplog.at_level(logging.WARNING):
        monkeypatch.setattr(opened, "_reply", lambda job: next(replies))
        opened.run("answer = 1", TABLES)
        opened.run("answer = 1", TABLES)
    (told,) = caplog.messages
    assert "no system call filter" in told


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


def test_bad_cells_and_big_tables_pass() -> None:
    rows = [[json.dumps({"a": i}), i] for i in range(20_000)]
    assert run_program("answer = len(tables['t'])", {"t": Frame(("a", "b"), rows)}) == ["20000"]
