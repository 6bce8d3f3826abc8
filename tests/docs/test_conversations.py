"""The conversations of the documentation are what is sent: each is held again, with the same replies."""

import re
from collections.abc import Iterator

import pytest

from tablerag.client import TableRAG
from tests.docs.pages import ROOT
from tests.support.model_server import ModelServer

PAGE = (ROOT / "docs/explanation/conversations.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^````(text|json)\n(.*?)\n````$", re.MULTILINE | re.DOTALL)
HELD = {title: FENCE.findall(body) for title, body in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = str(tmp_path_factory.mktemp("conversations"))
    with TableRAG(folder, model="offline") as rag:
        rag.ingest(ROOT / "examples" / "corpus")
    yield folder


@pytest.mark.parametrize("question", HELD)
def test_what_the_page_shows_is_sent(home: str, model_server: ModelServer, question: str) -> None:
    said = HELD[question]
    model_server.enqueue(*(text for kind, text in said if kind == "json"))
    with TableRAG(home, model="openai:stand-in", openai_base_url=model_server.url, llm_retries=0) as rag:
        answer = rag.ask(question)
    assert answer.text.split()[-1] in PAGE.partition(question)[2]
    sent = model_server.requests[-1]["messages"][1:]
    assert [m["content"] for m in sent] == [text for _, text in said[:-1]]
    assert len(model_server.requests) == sum(kind == "json" for kind, _ in said)
