"""Models in GGUF files, served inside this process by llama.cpp. Only this module uses xllamacpp."""

import atexit
import secrets
import threading
import time
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tablerag.tools.errors import ConfigError
from tablerag.tools.model_calls import CALL

__all__ = ["LocalServer", "serve", "stop_servers"]

LOOPBACK = "127.0.0.1"
QUIET = 0
"""llama.cpp's verbosity without progress, which it writes to stderr."""
CACHE_MIB = 256
"""Memory for the prompts of earlier questions."""
HANG_UP_S = 5.0
MAGIC = b"GGUF"
"""How every such file begins."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A running server of one model, with an OpenAI-compatible endpoint."""

    url: str
    """The base URL, on a free port of the loopback address."""
    key: str
    """Its API key, drawn at random: other users of this machine can reach the port too."""
    handle: Any
    """Stops the server when nothing refers to it any more."""


_SERVERS: dict[tuple[Path, int], LocalServer] = {}
_STARTING = threading.Lock()


def serve(path: str, context: int) -> LocalServer:
    """Return the server of a model file, which is started once and stops at exit.

    ``context`` is how many tokens a call may have together. Raises ConfigError if the file or the package is missing,
    or if llama.cpp cannot load the file.
    """
    file = Path(path).expanduser().resolve()
    with _STARTING:
        if (file, context) not in _SERVERS:
            _SERVERS[file, context] = _started(file, context)
        return _SERVERS[file, context]


def _started(file: Path, context: int) -> LocalServer:
    _check(file)
    if find_spec("xllamacpp") is None:
        raise ConfigError(f'gguf:{file} needs the extra "local": run pip install "tablerag[local]"')
    llama: Any = import_module("xllamacpp")
    params, key = llama.CommonParams(), secrets.token_urlsafe(24)
    params.model.path = str(file)
    params.hostnames, params.port = [LOOPBACK], 0  # 0: a free port
    params.api_keys, params.cors_origins = [key], ""
    params.n_ctx = context
    params.cache_ram_mib = CACHE_MIB  # its own limit is 8 GiB
    params.verbosity, params.ui = QUIET, False
    params.use_jinja = True  # tools need the model's own template
    try:
        server = llama.Server(params)
    except RuntimeError as error:
        raise ConfigError(
            f"could not load {file}: the file is damaged, of a kind that llama.cpp does not know, or too large for "
            "this machine's memory: download it again, or use a smaller model"
        ) from error
    if not _SERVERS:
        atexit.register(stop_servers)
    return LocalServer(f"{server.listening_address}/v1", key, server)


def _check(file: Path) -> None:
    """Raise ConfigError for a path that cannot be a model: llama.cpp's own error names no cause."""
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(MAGIC))
    except OSError as error:
        raise ConfigError(
            f"could not read the model file {file}: {error.strerror}: check the path after gguf:"
        ) from error
    if begins != MAGIC:
        raise ConfigError(f"{file} is not a GGUF file: expected one that begins with {MAGIC.decode()}")


def stop_servers() -> None:
    """Stop all servers.

    llama.cpp stops when its last reply is written, and no other thread runs meanwhile: a call that was given up first
    gets the time to hang up, which ends its reply.
    """
    ends = time.monotonic() + HANG_UP_S
    for call in [t for t in threading.enumerate() if t.name == CALL]:
        call.join(max(ends - time.monotonic(), 0))
    with _STARTING:
        _SERVERS.clear()
