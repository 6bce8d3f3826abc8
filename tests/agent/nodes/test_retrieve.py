"""Names that a bridge finds are read from their cells in linear time."""

import time

import pytest

from tablerag.agent.nodes.retrieve import _names


@pytest.mark.parametrize("hostile", [" ", "(", "[ ", " + "])
def test_an_endless_cell_takes_no_time(hostile: str) -> None:
    started = time.process_time()
    names = _names({"result": {"rows": [["Gromov" + hostile * 50_000], ["Lyon (France)"]]}})
    assert time.process_time() - started < 0.5
    assert names[-1] == "Lyon"
