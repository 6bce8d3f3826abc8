"""Settings of a run: as context, as configurable, and what is wrong with them."""

from collections.abc import Iterator

import pytest

from tablerag.agent.context import Context
from tablerag.agent.hd_rag.context import HdRagContext
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.hd_rag import build as build_hd_rag
from tablerag.graphs.hd_rag_deployment import HdRagDeployment
from tablerag.graphs.tablerag import build_graph
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.errors import ConfigError
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

ASKED = {"question": "What is the total amount?"}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Return services with two corpora. Only to be read."""
    folder = tmp_path_factory.mktemp("contexts")
    filled = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    for corpus, amount in (("default", 10), ("other", 20)):
        (folder / f"{corpus}.csv").write_text(f"Region,Amount\nNorth,{amount}\nSouth,{amount}\n", encoding="utf-8")
        ingest([folder / f"{corpus}.csv"], filled, corpus)
    yield filled
    filled.close()


@pytest.fixture
def graph(filled: Services):
    return build_graph(Deployment(filled))


@pytest.mark.parametrize(
    ("context", "configurable", "answer"),
    [
        (None, {}, "20"),
        ({"corpus": "other"}, {}, "40"),
        (None, {"corpus": "other"}, "40"),
        ({"corpus": "default"}, {"corpus": "other"}, "20"),
        ({"top_k": 5}, {"corpus": "other"}, "40"),
        (Context(corpus="other"), {"corpus": "nowhere", "thread_id": "t", "user_id": "u"}, "40"),
    ],
)
def test_a_corpus_is_named_by_context_or_configurable(graph, context, configurable: dict, answer: str) -> None:
    assert graph.invoke(ASKED, {"configurable": configurable}, context=context)["answer"] == answer


@pytest.mark.parametrize(
    ("context", "configurable", "says"),
    [
        ({"corpus": "nowhere"}, {}, "unknown corpus 'nowhere': expected one of 'default', 'other'"),
        (None, {"corpus": "nowhere"}, "unknown corpus 'nowhere': expected one of 'default', 'other'"),
        ({"corpora": "other"}, {}, "unknown context field 'corpora': expected one of corpus, model, max_iterations"),
        (None, {"corpsu": "other"}, "unknown context field 'corpsu': expected one of corpus, model, max_iterations"),
        (None, {"top_k": 0}, "invalid context: top_k: Input should be greater than or equal to 1"),
        (HdRagContext(corpus="other"), {}, "context must be a Context or a dict, got HdRagContext"),
    ],
)
def test_what_is_wrong_is_said(graph, context, configurable: dict, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        graph.invoke(ASKED, {"configurable": configurable}, context=context)


def test_hd_rag_has_fields_of_its_own(graph, filled: Services) -> None:
    hd_rag = build_hd_rag(HdRagDeployment(filled)).compile()
    with pytest.raises(ConfigError, match="unknown corpus 'nowhere': expected one of 'default', 'other'"):
        hd_rag.invoke(ASKED, {"configurable": {"corpus": "nowhere"}})
    with pytest.raises(ConfigError, match="unknown context field 'top_k': expected one of corpus, model, level"):
        hd_rag.invoke(ASKED, context={"top_k": 3})
