"""Another embedding by setting: an endpoint, what it refuses, and embedding a corpus again."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablerag import TableRAG
from tablerag.cli.doctor import check
from tablerag.cli.reindexing import reindex_with_progress
from tablerag.ingestion.auditing import audit
from tablerag.ingestion.reindexing import reindex, to_reindex
from tablerag.ingestion.summaries import index_summaries, pending, summaries_of_document
from tablerag.tools.embedding.endpoint import EndpointEmbedding
from tablerag.tools.errors import ConfigError, EmbeddingMismatch, ModelUnavailable
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer, Reply

NAME = "openai:bge-m3"


def vectors(body: dict[str, Any]) -> Reply:
    """Answer as an embedding does: texts with a word in common are near to each other."""

    def vector(text: str) -> list[float]:
        found = [0.0] * 64
        for word in text.lower().split():
            found[int(hashlib.sha256(word.encode()).hexdigest(), 16) % 64] += 3.0
        return found

    data = [{"object": "embedding", "index": i, "embedding": vector(t)} for i, t in enumerate(body["input"])]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Reply(raw=json.dumps({"object": "list", "data": data, "model": body["model"], "usage": usage}).encode())


@pytest.fixture
def endpoint(model_server: ModelServer) -> ModelServer:
    model_server.responder = vectors
    return model_server


def settings(home: Path, url: str, **others: Any) -> Settings:
    return Settings(home=home, embedding=NAME, embedding_url=url, llm_retries=0, _env_file=None, **others)


@pytest.fixture
def ingested(tmp_path: Path) -> Path:
    """Return the home of a corpus with summaries, embedded by the embedded embedding."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "stock.csv").write_text("city,stock\nOslo,1\nRome,2\n", encoding="utf-8")
    (tmp_path / "docs" / "notes.md").write_text("# Leave\n\nParents get sixteen weeks of leave.\n", encoding="utf-8")
    services = Services(Settings(home=tmp_path / "home", _env_file=None))
    TableRAG.over(services, model="offline").ingest(tmp_path / "docs")
    documents = pending(services, "default", "table")
    tables = [t for d in documents for t in summaries_of_document(services, d, "table")]
    index_summaries(services, "default", "table", documents, tables)
    services.close()
    return tmp_path / "home"


@pytest.fixture
def changed(ingested: Path, endpoint: ModelServer) -> Iterator[Services]:
    """Return the services of the same home after the setting has changed."""
    services = Services(settings(ingested, endpoint.url))
    yield services
    services.close()


def test_a_corpus_is_embedded_again_and_answers(changed: Services, endpoint: ModelServer) -> None:
    with pytest.raises(EmbeddingMismatch, match=r"tablerag-static .* but openai:bge-m3 1 is configured: run `tablerag"):
        changed.retriever("default").search("stock", 3)
    wanted = to_reindex(changed, "default")
    assert wanted.chunks == 5 and wanted.texts >= 5 and wanted.tokens > 10
    seen: list[int] = []
    assert reindex(changed, "default", seen.append) == 5 == seen[-1]
    assert {r["model"] for r in endpoint.requests} == {"bge-m3"}
    assert changed.vector_store("default").search("weeks of leave", 1)[0].source == "notes.md"
    assert changed.vector_store("default~table").count() == changed.lexical_index("default~table").count()
    sent = len(endpoint.requests)
    assert audit(changed).flaws == [] and len(endpoint.requests) == sent, "an audit sends nothing"
    assert to_reindex(changed, "default").chunks == 0 and reindex(changed, "default") == 0
    answer = TableRAG.over(changed, model="offline").ask("What is the stock of Rome?")
    assert answer.text.startswith("2")


def test_new_documents_are_embedded_by_the_endpoint(changed: Services, tmp_path: Path, endpoint: ModelServer) -> None:
    reindex(changed, "default")
    (tmp_path / "docs" / "more.csv").write_text("river,length\nRhine,1230\n", encoding="utf-8")
    TableRAG.over(changed, model="offline").ingest(tmp_path / "docs")
    assert "river" in str(endpoint.requests[-1]["input"])
    assert changed.vector_store("default").search("river length", 1)[0].source == "more.csv"


def test_what_was_embedded_before_an_interruption_is_not_sent_again(
    changed: Services, endpoint: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablerag.ingestion.reindexing.CHUNKS_AT_ONCE", 1)
    endpoint.responder = fails_after(2)
    with pytest.raises(ModelUnavailable, match="embedding openai:bge-m3: the server answered 500"):
        reindex(changed, "default")
    endpoint.forget()
    endpoint.responder = vectors
    assert to_reindex(changed, "default").chunks == 3
    assert reindex(changed, "default") == 3


def fails_after(calls: int) -> Any:
    """Return a responder that answers a number of calls, and then fails."""
    left = [calls]

    def respond(body: dict[str, Any]) -> Reply:
        left[0] -= 1
        return vectors(body) if left[0] >= 0 else Reply(status=500, error="gone")

    return respond


def test_a_server_whose_vectors_have_another_length_is_told(changed: Services, endpoint: ModelServer) -> None:
    reindex(changed, "default")
    data = [{"object": "embedding", "index": 0, "embedding": [1.0, 2.0]}]
    endpoint.responder = lambda body: Reply(raw=json.dumps({"object": "list", "data": data, "model": "m"}).encode())
    with pytest.raises(EmbeddingMismatch, match="has vectors of 64 numbers, and openai:bge-m3 gives 2 now"):
        changed.vector_store("default").search("another text", 1)
    assert {f.state for f in check(changed) if f.what == "embedding"} == {"ok"}


def test_the_way_back_needs_no_server(changed: Services, ingested: Path, endpoint: ModelServer) -> None:
    reindex(changed, "default")
    endpoint.forget()
    back = Services(Settings(home=ingested, _env_file=None))
    assert reindex(back, "default") == 5 and not endpoint.requests
    assert back.retriever("default").search("weeks of leave", 1)[0].source == "notes.md"
    back.close()


def test_the_command_prices_and_asks(
    changed: Services, endpoint: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.console import Console

    err = Console(stderr=True, width=300)
    with pytest.raises(ConfigError, match="pass --yes"):
        reindex_with_progress(changed, "default", err, yes=False)
    assert "5 chunks as" in (said := capsys.readouterr().err) and endpoint.url in said and not endpoint.requests
    assert reindex_with_progress(changed, "default", err, yes=True).startswith("5 chunks of corpus 'default' embedded")
    assert reindex_with_progress(changed, "default", err, yes=True).startswith("all chunks of corpus 'default' are")
    with pytest.raises(ConfigError, match="corpus 'none' has no documents"):
        reindex_with_progress(changed, "none", err, yes=True)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(status=401, error="no"), "401: .*no.*: check TABLERAG_EMBEDDING_API_KEY"),
        (Reply(status=404, error="no such model"), "404: .*no such model.*: check TABLERAG_EMBEDDING and TABLERAG_EMB"),
        (Reply(raw=b"{}"), "check that TABLERAG_EMBEDDING_URL is the path above /embeddings"),
        (Reply(raw=b"<html>"), "check that|expected"),
        (Reply(raw=b'{"data": [{"index": 0, "embedding": []}]}'), "check that"),
        (Reply(raw=b'{"data": [{"index": 0, "embedding": [null, 1]}]}'), "check that"),
    ],
)
def test_a_server_that_answers_wrongly_is_one_line(
    tmp_path: Path, endpoint: ModelServer, reply: Reply, says: str
) -> None:
    endpoint.enqueue(reply)
    with pytest.raises(ModelUnavailable, match=says):
        EndpointEmbedding(NAME, settings(tmp_path, endpoint.url)).embed_query("text")


def test_a_server_that_is_away_and_a_wrong_name_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="could not connect to http://127.0.0.1:9: start the server, or fix"):
        EndpointEmbedding(NAME, settings(tmp_path, "http://127.0.0.1:9")).embed_query("text")
    for name in ("bge-m3", "openai:", "cohere:x"):
        with pytest.raises(ConfigError, match="TABLERAG_EMBEDDING must be embedded or openai:NAME, got"):
            Services(Settings(home=tmp_path, embedding=name, _env_file=None)).chunk_embedding  # noqa: B018
    with pytest.raises(ConfigError, match="needs a key or a server"):
        EndpointEmbedding(NAME, Settings(home=tmp_path, openai_api_key=None, openai_base_url="", _env_file=None))
