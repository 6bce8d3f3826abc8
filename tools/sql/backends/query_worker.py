"""The process in which the embedded engine runs statements, so that it can be ended whatever a statement does.

``python -m tablerag.tools.sql.backends.query_worker`` reads pickled messages from its input: first a Setup, which it
answers with an empty Chunk, then for each statement its text and time limit in seconds, which it answers with a Chunk
or a Refusal. After a Chunk that is not the last, True asks for the next one. It ends with its input. It imports nothing
that it does not need, as it starts with the first question.
"""

import os
import pickle
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import BinaryIO

# The extension itself: the package around it would be half of the time that a worker takes to start.
import _duckdb as duckdb

from tablerag.tools.sql.backends.worker_messages import PLANNED, Chunk, Refusal, Setup

__all__ = ["Macros", "main"]

ROWS = 1_000
NATIVE = re.compile("m_pattern|m_conv", re.IGNORECASE)
FAILURES = (duckdb.Error, MemoryError, ValueError, OverflowError)
BASE_BYTES = 1_000_000_000
"""Address space of the interpreter and the engine's threads, most of it never used."""
MACRO = re.compile(r"CREATE MACRO (\w+)\(.*?;$", re.DOTALL | re.MULTILINE)
CALLED = re.compile(r"\bm_\w+", re.IGNORECASE)
THRIFT = "TProtocolException"
"""How an error about the description of a Parquet page begins; it names no file."""


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Control-C is for the process that asks.
    inbox, outbox = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Nothing else may write between the messages.
    try:
        setup = pickle.load(inbox)
        engine, macros = _opened(setup), Macros(setup.macros)
        deadline = _Deadline(engine)
        _send(outbox, Chunk((), [], True))
        while True:
            sql, timeout_s = pickle.load(inbox)
            with deadline.within(timeout_s):
                _serve(engine, macros, sql, inbox, outbox)
    except (EOFError, BrokenPipeError, MemoryError):
        return  # A worker without memory cannot even say so; its end does.


def _opened(setup: Setup) -> duckdb.DuckDBPyConnection:
    """Return an engine that reads files of the given folders and does nothing else."""
    _limit_memory(setup.memory_bytes)
    engine = duckdb.connect(config={"memory_limit": f"{setup.memory_bytes // 2}B", "temp_directory": ""})
    for statement in setup.statements:
        engine.execute(statement)
    folders = ", ".join("'" + f.replace("'", "''") + "'" for f in setup.folders)
    engine.execute(f"SET allowed_directories = [{folders}]")
    for name, value in setup.locked.items():
        engine.execute(f"SET {name} = {value}")
    return engine


def _limit_memory(most: int) -> None:
    try:
        import resource
    except ImportError:
        return  # Windows has no such limit.
    resource.setrlimit(resource.RLIMIT_AS, (most + BASE_BYTES, most + BASE_BYTES))


class Macros:
    """The macros that are not created yet; all of them would take half of the time that a worker takes to start."""

    def __init__(self, statements: str) -> None:
        self._missing = {m[1]: m[0] for m in MACRO.finditer(statements)}

    def create(self, engine: duckdb.DuckDBPyConnection, sql: str) -> None:
        """Create the macros that a statement calls, and those that they call, before it."""
        for name in sorted({m.lower() for m in CALLED.findall(sql)} & self._missing.keys()):
            if name not in self._missing:
                continue  # one before it calls it
            self.create(engine, self._missing[name].partition("(")[2])
            # An interruption may come after it was created.
            engine.execute(self._missing[name].replace("CREATE MACRO", "CREATE OR REPLACE MACRO", 1))
            del self._missing[name]


class _Deadline:
    """Interrupts the engine when the time of a statement is over.

    A thread for all statements: it sleeps until the deadline that it last saw, and looks then whether there is a later
    one, so that most statements need not wake it.
    """

    def __init__(self, engine: duckdb.DuckDBPyConnection) -> None:
        self._engine = engine
        self._changed = threading.Condition()
        self._at: float | None = None
        self._wakes = float("inf")
        threading.Thread(target=self._watch, daemon=True).start()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Interrupt what runs in the block once it has taken so long, and nothing after it."""
        with self._changed:
            self._at = time.monotonic() + seconds
            if self._at < self._wakes:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._at = None

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                if self._at is not None and self._at <= now:
                    self._at = None
                    self._engine.interrupt()
                self._wakes = float("inf") if self._at is None else self._at
                self._changed.wait(None if self._at is None else self._at - now)


def _serve(engine: duckdb.DuckDBPyConnection, macros: Macros, sql: str, inbox: BinaryIO, outbox: BinaryIO) -> None:
    """Answer one statement, a chunk at a time."""
    part = _first(engine, macros, sql)
    while True:
        part = _send(outbox, part)
        if isinstance(part, Refusal) or part.last or not pickle.load(inbox):
            return
        part = _fetched(engine)


def _send(outbox: BinaryIO, message: Chunk | Refusal) -> Chunk | Refusal:
    """Send a message, or that there is no memory for it; return which. Pickled first: half a message helps nobody."""
    try:
        pickled = pickle.dumps(message)
    except MemoryError:
        message = Refusal("memory", "")
        pickled = pickle.dumps(message)
    outbox.write(pickled)
    outbox.flush()
    return message


def _first(engine: duckdb.DuckDBPyConnection, macros: Macros, sql: str) -> Chunk | Refusal:
    """Start a statement."""
    try:
        statements = engine.extract_statements(sql.removeprefix(PLANNED))
        if [s.type for s in statements] != [duckdb.StatementType.SELECT]:
            return Refusal("not one SELECT", "")
        if NATIVE.search(sql):
            _register(engine)
        macros.create(engine, sql)
        engine.execute(sql if sql.startswith(PLANNED) else statements[0])
    except FAILURES as error:
        return _refusal(error)
    return _fetched(engine)


@cache
def _register(engine: duckdb.DuckDBPyConnection) -> None:
    """Add the functions in Python, once and not before a statement calls one: they load the parser."""
    from tablerag.tools.sql.dialect.native import register

    register(engine)


def _fetched(engine: duckdb.DuckDBPyConnection) -> Chunk | Refusal:
    """Return the next rows."""
    try:
        rows = engine.fetchmany(ROWS)
        return Chunk(tuple(c[0] for c in engine.description or ()), rows, len(rows) < ROWS)
    except FAILURES as error:
        return _refusal(error)


def _refusal(error: Exception) -> Refusal:
    if isinstance(error, duckdb.InterruptException):
        return Refusal("timed out", "")
    if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
        return Refusal("memory", "")
    says = str(error)
    return Refusal("file" if ".parquet" in says or says.startswith(THRIFT) else "refused", says)


if __name__ == "__main__":
    main()
