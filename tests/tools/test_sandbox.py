"""The sandbox: programs that answer, and every way out tried, through each layer by itself."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.errors import ProgramFailed
from tools.sandbox import ENVIRONMENT, Frame, Limits, run_program

TABLES = {"sales": Frame(("region", "amount"), [("North", 10), ("South", 20), ("North", 5), (None, None)])}
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("code", "answer"),
    [
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
    with pytest.raises(ProgramFailed, match="refused|not defined"):
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


def test_sleeping_meets_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that uses no processor time is killed by the clock."""
    monkeypatch.setattr("tools.sandbox.START_S", 0.5)
    monkeypatch.setattr("tools.sandbox.subprocess.Popen", _sleeper)
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
        "import os, socket, subprocess, ctypes, threading\n"
        "from tools import sandbox_child as child\n"
        f"{layer}\n"
        "try:\n"
        f"    {attempt}\n"
        "    said = 'escaped'\n"
        "except BaseException as error:\n"
        "    said = type(error).__name__ + ': ' + str(error)\n"
        "os.write(1, said.encode())\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout or f"ended with {done.returncode}: {done.stderr[-300:]}"


KERNEL = "child.lock({'seconds': 2, 'memory_mb': 1500})"


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
def test_the_kernel_holds_without_the_hook(attempt: str, told: str) -> None:
    said = alone(KERNEL, attempt)
    assert re.search(told, said), said


HOOK = "sys.addaudithook(child.watch)"


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
    monkeypatch.setattr("tools.sandbox.subprocess.Popen", watched)
    with pytest.raises(ProgramFailed):
        run_program("import os", TABLES)
    assert given["env"] == ENVIRONMENT and not any("KEY" in name for name in ENVIRONMENT)


def test_bad_cells_and_big_tables_pass() -> None:
    rows = [[json.dumps({"a": i}), i] for i in range(20_000)]
    assert run_program("answer = len(tables['t'])", {"t": Frame(("a", "b"), rows)}) == ["20000"]
