"""The command that serves the documents to an MCP client."""

import sys

from tablerag.cli.common import CorpusOption, ModelOption, err, services_in_use
from tablerag.tools.errors import ConfigError

__all__ = ["mcp"]

BY_HAND = "Serving MCP over standard input and output, for a client that starts this command; Ctrl-D ends it."


def mcp(corpus: CorpusOption = "", model: ModelOption = "") -> None:
    """Serve the documents to an MCP client, such as Claude Desktop or an editor, over standard input and output."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise ConfigError('tablerag mcp needs the package mcp: pip install "tablerag[mcp]"')
    from asyncio import run
    from threading import Thread

    from tablerag.serving.mcp.server import make_server, serve_stdio
    from tablerag.serving.mcp.tools import Caller

    caller = Caller(services_in_use(), corpus=corpus, model=model)
    caller.corpus_of("")  # a client shows why a server did not start, and a wrong name would fail every call
    if sys.stdin.isatty():
        err.print(BY_HAND)
    Thread(target=_load, name="tablerag loading").start()
    run(serve_stdio(make_server(lambda request: caller)))


def _load() -> None:
    """Load what answers questions, which takes seconds, while the client asks what tools there are."""
    from importlib import import_module

    for name in ("tablerag.graphs.tablerag", "tablerag.asking"):
        import_module(name)
