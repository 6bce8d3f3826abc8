"""Hostile programs in the sandbox: ways out, which the kernel refuses, and replies that a program forges."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.tools.errors import ProgramFailed
from tablerag.tools.sandbox.process import Frame, Limits, Sandbox

CASES = Path(__file__).parents[1] / "cases" / "sandbox_hostile.txt"
REFUSED = "Operation not permitted"
PRELUDE = """
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
PARENT, SERVER, SIBLING, LEFT = map(int, tables["targets"].iloc[0])
def checked(done):
    if done == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done
def call(name, *arguments):
    return checked((getattr(libc, name, None) or by_name(name))(*arguments))
def by_name(name):
    return lambda *arguments: number({"openat": {"x86_64": 257, "aarch64": 56}}[name], *arguments)
def number(n, *arguments):
    return checked(libc.syscall(n[platform.machine()] if isinstance(n, dict) else n, *arguments))
answer = "it got through"
"""


def hostile() -> list[tuple[str, str, str]]:
    """Return the title, the expected outcome and the program of every case of the file."""
    found = []
    for part in CASES.read_text(encoding="utf-8").removeprefix("-- ").split("\n-- "):
        head, _, code = part.partition("\n")
        title, _, told = head.partition(" => ")
        found.append((title, told or REFUSED, code))
    return found


class Trial:
    """A sandbox beside a process that programs may try to reach, and a descriptor left open by carelessness."""

    def __init__(self, sandbox: Sandbox, sibling: "subprocess.Popen[bytes]", left: int) -> None:
        self.sandbox, self.sibling, self.left = sandbox, sibling, left
        sandbox.run("pd.leaked = 1\nanswer = 1", {"t": Frame(("a",), [("sk-earlier",)])})

    @property
    def server(self) -> int:
        assert self.sandbox._child is not None
        return self.sandbox._child.pid

    def outcome(self, code: str) -> str:
        """Return the rows of a program, or why it failed."""
        child = self.sandbox._child
        targets = [(os.getpid(), child.pid if child else 0, self.sibling.pid, self.left)]
        tables = {
            "targets": Frame(("parent", "server", "sibling", "left"), targets),
            "sales": Frame(("region", "amount"), [("North", 10), ("South", 20)]),
        }
        try:
            return str(self.sandbox.run(code, tables))
        except ProgramFailed as failed:
            return str(failed)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    secret = tmp_path_factory.mktemp("secret") / "key"
    secret.write_text("sk-secret")
    with pytest.MonkeyPatch.context() as patch, secret.open() as left, Sandbox(Limits(seconds=5)) as sandbox:
        patch.setenv("OPENAI_API_KEY", "sk-secret")
        os.set_inheritable(left.fileno(), True)
        sibling = subprocess.Popen(["/bin/sleep", "600"])
        yield Trial(sandbox, sibling, left.fileno())
        assert sibling.poll() is None
        sibling.kill()
        sibling.wait()


@pytest.mark.parametrize(("title", "told", "code"), [pytest.param(*case, id=case[0]) for case in hostile()])
def test_the_kernel_holds_a_hostile_program(title: str, told: str, code: str, trial: Trial) -> None:
    before = trial.outcome("answer = 1") and trial.server
    outcome = trial.outcome(PRELUDE + code)
    assert re.search(told, outcome) and "it got through" not in outcome and outcome.isprintable(), outcome[:500]
    assert len(outcome) < 50_000
    assert trial.server == before, "the process that is forked has ended"


def test_programs_left_nothing_behind() -> None:
    assert not list(Path("/tmp").glob("*-by-a-program"))


INVALID = "the program wrote an invalid reply: set the variable answer instead"
FORGED: list[tuple[str, bytes, str]] = [
    ("what any answer could be", b'{"rows": [[1, "x", null, true, 2.5]]}', "((1, 'x', None, True, 2.5),)"),
    ("no rows", b'{"rows": []}', "()"),
    ("no answer", b"{}", "the program must set a variable named answer"),
    ("an exception", b'{"raised": ["Error", "text"]}', "the program raised Error: text"),
    (
        "our message as an exception",
        b'{"raised": ["KeyError", "the program was killed: it exceeded 10 s"]}',
        "the program raised KeyError: the program was killed: it exceeded 10 s",
    ),
    ("our message as a name", b'{"raised": ["the program was killed: it exceeded 10 s", ""]}', INVALID),
    ("a name with a line", b'{"raised": ["a\\nb", ""]}', INVALID),
    ("a name of many", b'{"raised": ["' + b"E" * 10**6 + b'", ""]}', INVALID),
    ("no text", b'{"raised": ["Error"]}', INVALID),
    ("a text too many", b'{"raised": ["Error", "a", "b"]}', INVALID),
    ("a number for a text", b'{"raised": ["Error", 1]}', INVALID),
    ("an exception beside rows", b'{"raised": ["Error", "text"], "rows": [[1]]}', INVALID),
    ("the old error", b'{"error": "the program was killed: it exceeded 10 s"}', INVALID),
    ("a claim of the filter", b'{"rows": [[1]], "filtered": true}', INVALID),
    ("the server's words", b"c", INVALID),
    ("the server's end", b"e", INVALID),
    ("nothing", b"", "the program was killed: it exceeded 5 s or 2000 MB, or crashed"),
    ("two replies", b'{"rows": [[1]]}{"rows": [[2]]}', INVALID),
    ("two lines", b'{"rows": [[1]]}\n{"rows": [[2]]}\n', INVALID),
    ("a line break", b'{"rows": [[1]]}\n', INVALID),
    ("half a reply", b'{"rows": [[1], [', INVALID),
    ("blanks", b' {"rows": [[1]]}', INVALID),
    ("another spelling", b'{"rows":[[1]]}', INVALID),
    ("escapes", b'{"rows": [["\\u0041"]]}', INVALID),
    ("a key twice", b'{"rows": [[1]], "rows": [[2]]}', INVALID),
    ("nested too deeply", b"[" * 1_000_000, INVALID),
    ("objects nested too deeply", b'{"rows": ' * 100_000, INVALID),
    ("cells nested too deeply", b'{"rows": [[' + b"[" * 500 + b"]" * 500 + b"]]}", INVALID),
    ("NaN", b'{"rows": [[NaN]]}', INVALID),
    ("infinity", b'{"rows": [[Infinity]]}', INVALID),
    ("minus infinity", b'{"rows": [[-Infinity]]}', INVALID),
    ("a number beyond floats", b'{"rows": [[1e999]]}', INVALID),
    ("an endless integer", b'{"rows": [[' + b"9" * 1_000_000 + b"]]}", INVALID),
    ("a lone surrogate", b'{"rows": [["\\ud800"]]}', INVALID),
    ("no UTF-8", b'{"rows": [["\xff"]]}', INVALID),
    ("UTF-16", '{"rows": [[1]]}'.encode("utf-16"), INVALID),
    ("a byte order mark", b'\xef\xbb\xbf{"rows": [[1]]}', INVALID),
    ("zeros", bytes(1000), INVALID),
    ("rows that are a number", b'{"rows": 5}', INVALID),
    ("rows that are a text", b'{"rows": "abc"}', INVALID),
    ("rows that are an object", b'{"rows": {"0": [1]}}', INVALID),
    ("rows that are null", b'{"rows": null}', INVALID),
    ("a row that is a text", b'{"rows": ["abc"]}', INVALID),
    ("a row that is an object", b'{"rows": [{"a": 1}]}', INVALID),
    ("a row that is null", b'{"rows": [null]}', INVALID),
    ("a cell that is a list", b'{"rows": [[[1]]]}', INVALID),
    ("a cell that is an object", b'{"rows": [[{"a": 1}]]}', INVALID),
    ("too many rows", b'{"rows": [' + b", ".join([b"[1]"] * 1001) + b"]}", INVALID),
    ("a list", b"[[1]]", INVALID),
    ("a text", b'"rows"', INVALID),
    ("null", b"null", INVALID),
    ("too much", b"x" * 2_000_001, "the program was killed: it wrote more than 2000000 bytes"),
]


@pytest.mark.parametrize(("title", "reply", "told"), [pytest.param(*case, id=case[0]) for case in FORGED])
def test_a_forged_reply_is_an_answer_or_invalid(title: str, reply: bytes, told: str, trial: Trial) -> None:
    forge = "left = memoryview(reply)\nwhile left:\n    left = left[os.write(1, left):]\nos._exit(0)"
    source = repr(reply) if len(reply) < 5000 else _repeated(reply)
    assert trial.outcome(f"import os\nreply = {source}\n{forge}") == told
    assert trial.outcome("answer = 1") == "((1,),)"


def _repeated(reply: bytes) -> str:
    """Return a reply that repeats itself as a short expression."""
    found = re.search(rb"(.{1,12}?)\1{99,}", reply, re.DOTALL)
    assert found
    times = len(found[0]) // len(found[1])
    made = f"{reply[: found.start()]!r} + {found[1]!r} * {times} + {reply[found.end() :]!r}"
    assert eval(made) == reply
    return made


def test_a_forged_reply_cannot_follow_a_true_one(trial: Trial) -> None:
    """What a program writes before its reply makes one invalid reply of both."""
    assert trial.outcome("import os\nos.write(1, b'{\"rows\": [[2]]}')\nanswer = 1") == INVALID
    assert trial.outcome("import os\nos.close(1)\nanswer = 1").startswith("the program was killed")
    assert trial.outcome("answer = 1") == "((1,),)"


@pytest.mark.parametrize(
    "attempt",
    ["import time\ntime.sleep(600)", "while True:\n    pass", "import os\nos.close(1)\nwhile True:\n    pass"],
)
def test_the_kernel_ends_a_program_that_goes_on(attempt: str) -> None:
    with Sandbox(Limits(seconds=1)) as opened:
        assert opened.run("answer = 1", {}) == ((1,),)
        child = opened._child
        with pytest.raises(ProgramFailed, match="exceeded 1 s"):
            opened.run(attempt, {})
        assert opened.run("answer = 1", {}) == ((1,),) and opened._child is child


def test_no_job_reply_or_key_enters_the_process_that_is_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that reads its whole memory, a copy of that process's, finds no earlier program's data in it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-parent")
    with Sandbox() as opened:
        tables = {"t": Frame(("a",), [("in-the-job",)] * 1000)}
        assert opened.run("answer = 'in-the-' + 'reply' + tables['t']['a'][0]", tables)
        assert opened._child is not None
        memory = _memory(opened._child.pid)
    assert b"warm_up" in memory  # a name of the child: the search sees what is there
    assert not re.search(b"in-the-job|in-the-reply|sk-of-the-parent", memory)


def _memory(process: int) -> bytes:
    parts = []
    with Path(f"/proc/{process}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            if re.match(r"\S+ rw", line) and "[v" not in line:
                start, end = (int(n, 16) for n in line.split()[0].split("-"))
                memory.seek(start)
                parts.append(memory.read(end - start))
    return b"".join(parts)
