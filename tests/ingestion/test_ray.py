"""Ingestion on a Ray cluster of three nodes, all on loopback."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablerag.ingestion import ray_reading
from tablerag.ingestion.pipeline import IngestReport
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

CSV = "Region,Amount\nNorth,{0}\nSouth,800\nEast,1000\n"
NODES = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a cluster of three nodes; it fails, never skips, where Ray is not installed."""
    import ray
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 100_000_000}
    with ray_reading._loopback():
        started = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
        for _ in range(NODES - 1):
            started.add_node(wait=False, **node)
        started.wait_for_nodes()
        ray.init(started.address, _node_ip_address="127.0.0.1", log_to_driver=False, logging_level=logging.CRITICAL)
    yield str(started.address)
    ray.shutdown()
    started.shutdown()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    (docs / "old").mkdir(parents=True)
    for i in range(12):
        (docs / f"sales{i}.csv").write_text(CSV.format(i), encoding="utf-8")
    (docs / "notes.md").write_text("# Notes\n\nThe northern region is led by Ada Birch.\n", encoding="utf-8")
    (docs / "old" / "page.html").write_text("<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>")
    (docs / "broken.xlsx").write_bytes(b"PK\3\4 no workbook")
    return docs


def opened(home: Path, **given: Any) -> Services:
    return Services(Settings(home=home, model="offline", _env_file=None, **given))


def stored(services: Services, report: IngestReport) -> dict[str, Any]:
    """Return all that an ingest wrote, without the ids, which have the run in them."""
    documents = {d.document_id: d.source for d in services.catalog.documents("default")}
    dense, lexical = services.vector_store("default"), services.lexical_index("default")

    def of_source(chunk_id: str) -> str:
        document, _, rest = chunk_id.partition(":")
        return f"{documents[document]}:{rest}"

    ids = sorted(dense.chunk_ids())
    assert sorted(lexical.chunk_ids()) == ids
    assert dense.misplaced(lexical.get(ids)) == [], "the vectors are those that the store would have made"
    schemas = services.catalog.schemas("default")
    return {
        "report": [replace(e, schemas=[s.name for s in e.schemas]) for e in report.entries],
        "chunks": sorted((of_source(c.id), c.text, c.kind, c.title, c.locator) for c in lexical.get(ids)),
        "windows": {of_source(i): n for i, n in dense.window_counts().items()},
        "tables": {s.name: (s.columns, services.database.run(f"SELECT * FROM `{s.stored_as}`")) for s in schemas},
    }
