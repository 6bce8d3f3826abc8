"""Threads that ask at once: no answer is lost, and none reaches another thread."""

import asyncio

from benchmarks.served_load import ask_at_once, report
from tests.support.graph_server import GraphServer
from tests.support.model_server import ModelServer
from tests.support.model_thoughts import lookup


def test_twelve_threads_at_once_are_neither_lost_nor_mixed(graph_server: GraphServer, thinking: ModelServer) -> None:
    thinking.responder = lookup
    turns = asyncio.run(ask_at_once(graph_server.url, threads=12, turns=2))
    assert len(turns) == 24
    assert [(t.expected, t.answer) for t in turns if t.lost or t.mixed] == [], report(turns)
    assert len({t.answer for t in turns}) == 24
