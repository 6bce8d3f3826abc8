"""The sandbox: programs that answer, and every way out tried, through each layer by itself."""

import json
import logging
import platform
import re
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.errors import ProgramFailed
from tools.sandbox.process import ENVIRONMENT, Frame, Limits, Sandbox, run_program
from tools.sandbox.seccomp import ALLOW, ARCHITECTURES, CALLS, REFUSE, program_of

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
    ],
)
def test_programs_answer(code: str, answer: list[str]) -> None:
    assert run_program(code, TABLES) == answer


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("answer = 1 / 0", "ZeroDivisionError"),
        ("total = 3", "no variable named answer"),
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
def test_the_way_out_is_refused(way: str, tmp_path: Path) -> None:
    target = tmp_path / "written"
    with pytest.raises(ProgramFailed, match="refused|not defined|nothing more"):
        run_program(WAYS_OUT[way].replace("{path}", str(target)), TABLES)
    assert not target.exists()


def test_time_and_memory_end_a_program() -> None:
    started = time.monotonic()
    with pytest.raises(ProgramFailed, match="more than 1 s of work"):
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
        with pytest.raises(ProgramFailed, match="more than 1 s of work"):
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
    script = "import os, time; from tools.sandbox import child; child._work = lambda *a: time.sleep(60); "
    started = time.monotonic()
    run = f"{script}os.write(1, child.run_apart(b'', 1, 2000))"
    assert subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, check=True).stdout == b"{}"
    assert time.monotonic() - started < 30


def test_a_child_that_never_answers_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.sandbox.process.START_S", 0.5)
    monkeypatch.setattr("tools.sandbox.process.subprocess.Popen", _sleeper)
    started = time.monotonic()
    with pytest.raises(ProgramFailed, match="it was ended"):
        run_program("answer = 1", TABLES, Limits(seconds=0))
    assert time.monotonic() - started < 10


POPEN = subprocess.Popen


def _sleeper(command: list[str], **options: object) -> "subprocess.Popen[bytes]":
    return POPEN(["/bin/sleep", "60"], **options)


def alone(layer: str, attempt: str) -> str:
    """Run trusted code under one layer only; return what it prints: what escapes, or the error."""
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import os, socket, subprocess, ctypes, threading, time, signal\n"
        "from tools.sandbox import kernel, language\n"
        f"{layer}\n"
        "try:\n"
        f"    {attempt}\n"
        "    said = 'escaped'\n"
        "except BaseException as error:\n"
        "    said = type(error).__name__ + ': ' + str(error)\n"
        "os.write(1, said.encode())\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout or f"ended with {done.returncode}: {done.stderr[-300:]}"


LIMITS = "kernel.install_filter = lambda: False; kernel.lock(2, 1500)"


@pytest.mark.parametrize(
    ("attempt", "told"),
    [
        ("open('/etc/passwd')", "Too many open files"),
        ("open('/tmp/written-by-the-sandbox', 'w')", "Too many open files"),
        ("socket.socket()", "Too many open files"),
        ("os.pipe()", "Too many open files"),
        ("os.fork()", "Resource temporarily unavailable"),
        ("threading.Thread(target=print).start()", "can't start new thread"),
        ("os.system('id') and 1 / 0", "ZeroDivisionError"),
        ("os.ftruncate(1, 5)", "Invalid argument|File too large|EINVAL"),
        ("bytearray(3 * 10**9)", "MemoryError"),
        ("[i for i in iter(int, 1)]", "ended with -|MemoryError"),
        ("os.setuid(0)", "Operation not permitted"),
    ],
)
def test_the_kernels_limits_hold_alone(attempt: str, told: str) -> None:
    said = alone(LIMITS, attempt)
    assert re.search(told, said), said


FILTER = "assert kernel.install_filter()"
FILTERED = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ARCHITECTURES, reason="no filter is made for this machine"
)
REFUSED_CALLS = [
    "open('/etc/passwd')",
    "open('/tmp/written-by-the-sandbox', 'w')",
    "os.listdir('/')",
    "os.remove('/tmp/nowhere')",
    "os.truncate('/tmp/nowhere', 0)",
    "socket.socket()",
    "socket.socketpair()",
    "os.pipe()",
    "os.fork()",
    "threading.Thread(target=print).start()",
    "os.execv('/bin/true', ['true'])",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "os.kill(os.getpid(), 0)",
    "signal.signal(signal.SIGXCPU, signal.SIG_IGN)",
    "os.setuid(0)",
    "os.chroot('/')",
    "os.dup(1)",
]


@FILTERED
@pytest.mark.parametrize("attempt", REFUSED_CALLS)
def test_the_filter_of_system_calls_holds_alone(attempt: str) -> None:
    said = alone(FILTER, attempt)
    assert re.search("Operation not permitted|can't start new thread", said), said


@FILTERED
def test_calls_past_python_are_refused_and_computing_goes_on() -> None:
    """ptrace, connect, clone3 and unshare by their numbers, as code that broke out of Python would call them."""
    numbers = {"x86_64": (101, 42, 435, 272), "aarch64": (117, 203, 435, 97)}[platform.machine()]
    layer = f"libc = ctypes.CDLL(None, use_errno=True); {FILTER}"
    attempt = f"raise ValueError([(libc.syscall(n, 0, 0, 0), ctypes.get_errno()) for n in {numbers}])"
    assert alone(layer, attempt) == f"ValueError: {[(-1, 1)] * 4}"
    assert alone(layer, "raise ValueError(sum(range(10**6)), time.monotonic() > 0)").endswith("(499999500000, True)")


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_filter_allows_what_is_listed_and_nothing_else(machine: str) -> None:
    """The filter's own few instructions, carried out here for every call there may be."""
    code = program_of(machine)
    steps = [struct.unpack_from("HBBI", code, at) for at in range(0, len(code), 8)]

    def verdict(architecture: int, number: int) -> int:
        at, loaded = 0, 0
        while True:
            kind, if_equal, if_not, value = steps[at]
            if kind == 0x06:
                return value
            if kind == 0x20:
                loaded = {0: number, 4: architecture}[value]
                at += 1
            else:
                at += 1 + (if_equal if loaded == value else if_not)

    name, column = ARCHITECTURES[machine]
    assert {n for n in range(1000) if verdict(name, n) == ALLOW} == {c[column] for c in CALLS.values()}
    assert verdict(name, 0x40000000) == verdict(name ^ 1, CALLS["write"][column]) == REFUSE


def test_a_warning_says_that_there_is_no_filter(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies = iter([{"rows": [[1]], "filtered": False}] * 2)
    with Sandbox() as opened, caplog.at_level(logging.WARNING):
        monkeypatch.setattr(opened, "_reply", lambda job: next(replies))
        opened.run("answer = 1", TABLES)
        opened.run("answer = 1", TABLES)
    (told,) = caplog.messages
    assert "no filter of system calls" in told


HOOK = "sys.addaudithook(language.watch)"


@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/passwd')",
        "socket.socket()",
        "subprocess.run(['id'])",
        "os.system('id')",
        "os.fork()",
        "os.listdir('/')",
        "os.remove('/nowhere')",
        "os.execv('/bin/id', ['id'])",
        "ctypes.CDLL(None)",
        "ctypes.string_at(0)",
        "import wave",
    ],
)
def test_the_hook_holds_without_the_kernel(attempt: str) -> None:
    said = alone(HOOK, attempt)
    assert "refused" in said or "nothing more can be imported" in said, said


def test_the_child_has_no_environment_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {}

    def watched(command: list[str], **options: object) -> "subprocess.Popen[bytes]":
        given.update(options)
        return POPEN(command, **options)

    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setattr("tools.sandbox.process.subprocess.Popen", watched)
    with pytest.raises(ProgramFailed):
        run_program("import os", TABLES)
    assert given["env"] == ENVIRONMENT and not any("KEY" in name for name in ENVIRONMENT)


def test_bad_cells_and_big_tables_pass() -> None:
    rows = [[json.dumps({"a": i}), i] for i in range(20_000)]
    assert run_program("answer = len(tables['t'])", {"t": Frame(("a", "b"), rows)}) == ["20000"]
