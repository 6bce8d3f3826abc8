"""Every text of an answer that is not ours, in turn hostile: chat clients find no link, image, URL or HTML in it."""

import pytest

from tablerag.agent import answer_text, approval, asides, asking_back, readings
from tablerag.agent.hd_rag import answer_text as hd_rag
from tablerag.agent.nodes.finish import _assumed
from tablerag.graphs.baselines.state import BaselineState
from tests.support.fakes import SALES
from tests.support.hostile_markdown import HOSTILE, live_in

CITATION = {"source": "a.csv", "locator": "row 1", "quote": "a"}
READING = {
    "meaning": "Total of Amount", "text": "1", "listed": True, "columns": ["Region", "Amount"],
    "rows": [["North", 1], ["South", 2]], "texts": [["North", "1"], ["South", "2"]], "numeric": [False, True],
    "row_count": 2,
}  # fmt: skip
TABLE = {k: READING[k] for k in ("columns", "rows", "texts", "numeric", "row_count")} | {"units": (), "scales": ()}
OUTCOME = {
    "answer": "10", "explanation": "", "verdict": "sql_only", "iterations": 1, "sql": [], "citations": [],
}  # fmt: skip
HD_OUTCOME = {"answer": "10", "explanation": "", "calculated": "", "citations": []}
HD_STATE = {"document": "a.pdf", "model": "offline", "recap": {"formula": "1 + 1"}}


def chat(**changed: object) -> str:
    return answer_text.answer_markdown(OUTCOME | changed, model="offline")


def of_hd_rag(**changed: object) -> str:
    state = HD_STATE | {k: changed[k] for k in HD_STATE.keys() & changed.keys()}
    return hd_rag.answer_markdown(HD_OUTCOME | changed, state)


def read(listed: bool = False, **changed: object) -> str:
    offered = [READING | {"listed": listed} | changed, READING]
    return chat(readings=offered, answer=readings.unsure_answer(offered), verdict="none")


def tabled(**changed: object) -> str:
    table = TABLE | changed
    shown = answer_text.table_of({"answer": "", "table": table}).markdown
    return f"{chat(table=table, answer=shown)}\n\n{chat(table=table, answer='Two regions.')}"


def asked(question: str, *choices: str) -> str:
    ask = {"question": question, "choices": list(choices)}
    request = asking_back.request_for(ask)["action_requests"][0]["description"]
    return f"{request}\n\n{chat(answer=asking_back.asked_back(ask), verdict='none')}"


def about(**changed: object) -> str:
    schema = SALES.model_copy(update=changed)
    return chat(answer=asides.reply_to("contents", "default", 1, [schema]), iterations=0)


def other(**changed: str) -> str:
    alternative = {"title": "Sales", "table": "sales", "source": "a.csv", "answer": "1"} | changed
    return chat(explanation=_assumed("", "", [alternative]))


WAYS = {
    "answer": lambda t: chat(answer=t),
    "error": lambda t: chat(answer=t, verdict="none"),
    "explanation": lambda t: chat(explanation=t),
    "assumption": lambda t: chat(explanation=_assumed("", t, [])),
    "alternative title": lambda t: other(title=t),
    "alternative source": lambda t: other(source=t),
    "alternative answer": lambda t: other(answer=t),
    "statement": lambda t: chat(sql=[f"SELECT '{t}'"]),
    "header": lambda t: tabled(columns=[t, "Amount"]),
    "cell": lambda t: tabled(texts=[[t, "1"], ["South", t]]),
    "cited source": lambda t: chat(citations=[CITATION | {"source": t}]),
    "cited place": lambda t: chat(citations=[CITATION | {"locator": t}]),
    "quote": lambda t: chat(citations=[CITATION | {"quote": t}]),
    "meaning of a reading": lambda t: read(meaning=t, listed=True),
    "text of a reading": lambda t: read(text=t, listed=True),
    "meaning of a reading with rows": lambda t: read(meaning=t),
    "header of a reading": lambda t: read(columns=[t, "Amount"]),
    "cell of a reading": lambda t: read(texts=[[t, "1"], ["South", t]]),
    "question back": lambda t: asked(t, "2022", "2023"),
    "choice": lambda t: asked("Which year?", t, "2023"),
    "statement to approve": lambda t: approval.request_for("SELECT 1", t, [t])["action_requests"][0]["description"],
    "listed title": lambda t: about(title=t),
    "listed file": lambda t: about(source=t),
    "HD-RAG answer": lambda t: of_hd_rag(answer=t),
    "HD-RAG explanation": lambda t: of_hd_rag(explanation=t),
    "HD-RAG document": lambda t: of_hd_rag(document=t),
    "HD-RAG formula": lambda t: of_hd_rag(calculated=t, recap={"formula": t}),
    "HD-RAG quote": lambda t: of_hd_rag(citations=[CITATION | {"quote": t}]),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_live(way: str) -> None:
    assert [(t, found) for t in HOSTILE if (found := live_in(WAYS[way](t)))] == []


def test_a_table_of_hostile_cells_keeps_its_shape() -> None:
    line = tabled(texts=[["a|`b\\|c`", "1"]], row_count=1).split("\n")[2]
    assert line == r"| a\|\`b\\\|c\` | 1 |"


def test_baselines_send_no_messages() -> None:
    assert "messages" not in BaselineState.__annotations__, "write its answers with tools/markdown.py"
