"""Many runs at the same moment: each ends right, or is refused with 503 and Retry-After."""

import asyncio
import re
from pathlib import Path

import pytest

from benchmarks.served_load import start_at_once
from tests.support.graph_server import CORPORA, GraphServer, fill_corpora, running_graph_server
from tests.support.model_server import ModelServer
from tests.support.model_thoughts import lookup


@pytest.mark.parametrize("stateless", [False, True])
def test_runs_that_start_at_once_are_all_right(
    graph_server: GraphServer, thinking: ModelServer, stateless: bool
) -> None:
    thinking.responder = lookup
    assert asyncio.run(start_at_once(graph_server.url, 40, stateless=stateless)) == {"right": 40}


def test_many_questions_to_the_embedded_reasoner_are_right_or_refused(tmp_path: Path, exhaustive: bool) -> None:
    most = 40 if exhaustive else 16
    fill_corpora(tmp_path, {"items": CORPORA["items"]})
    with running_graph_server(tmp_path, TABLERAG_MAX_WAITING_RUNS=str(most)) as server:
        ends = asyncio.run(start_at_once(server.url, 3 * most, stateless=True, model="offline"))
    assert set(ends) == {"right", "503 Retry-After 5"} and ends["right"] >= most


def test_runs_beyond_the_limit_are_refused_until_later(tmp_path: Path, model_server: ModelServer) -> None:
    model_server.responder = lookup
    fill_corpora(tmp_path, {"items": CORPORA["items"]})
    limits = {"TABLERAG_MAX_WAITING_RUNS": "3", "OPENAI_BASE_URL": model_server.url}
    with running_graph_server(tmp_path, 1, **limits) as server:
        ends = asyncio.run(start_at_once(server.url, 30))
        assert set(ends) == {"right", "503 Retry-After 5"} and ends["right"] >= 3
        assert asyncio.run(start_at_once(server.url, 3)) == {"right": 3}  # it takes runs again
    assert not re.search("Traceback", server.log)
