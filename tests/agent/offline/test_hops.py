"""Two hops through the whole graph: a row by a passage that its cell names, and a passage by a row."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablerag.agent.offline.reasoner import OfflineReasoner
from tablerag.graphs.deployment import Deployment
from tablerag.graphs.tablerag import build
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.linked_passages import LinkedPassages
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.table_rows import RowReader

TABLE = """<html><head><title>Harbour Cup</title></head><body><h1>Harbour Cup</h1><h2>Results of 2004</h2><table>
<tr><th>Pos</th><th>Skipper</th><th>School</th><th>Boat</th></tr>
<tr><td>1</td><td>Ada Marsh</td><td>Stonegate College</td><td>Heron</td></tr>
<tr><td>2</td><td>Bo Quill</td><td>Fennick Academy</td><td>Petrel</td></tr>
<tr><td>3</td><td>Cy Lund</td><td>Ravenhall School</td><td>Osprey</td></tr>
</table></body></html>"""
PASSAGES = {
    "Ada Marsh": "Ada Marsh ( born 3 March 1970 ) is a Scottish sailor . She lives in Oban .",
    "Bo Quill": "Bo Quill ( born 9 June 1981 ) is a Norwegian sailor and painter . He won a regatta in Bergen .",
    "Cy Lund": "Cy Lund ( born 21 May 1965 ) is a Danish sailor .",
    "Stonegate College": "Stonegate College is a boarding college in Perth , founded in 1888 .",
    "Fennick Academy": "Fennick Academy is a day school whose teams are called the Blue Otters .",
    "Ravenhall School": "Ravenhall School is a public school beside the Tolven lighthouse .",
}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder: Path = tmp_path_factory.mktemp("hops")
    (folder / "files").mkdir()
    (folder / "files" / "cup.html").write_text(TABLE, encoding="utf-8")
    for title, text in PASSAGES.items():
        (folder / "files" / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    opened = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / "files"], opened, "default")
    yield opened
    opened.close()


def asked(services: Services, question: str) -> dict[str, Any]:
    known = {"least_confidence": 0.0, "linked": LinkedPassages(services)}
    reasoner = OfflineReasoner(RowReader(services.database), services.embedding.embed, **known)
    return build(Deployment(services), lambda context: reasoner).compile().invoke({"question": question})


def test_a_passage_tells_which_row_is_meant(services: Services) -> None:
    outcome = asked(services, "Which boat was sailed by the school with teams called the Blue Otters?")
    assert outcome["answer"] == "Petrel"
    (statement,) = outcome["sql"]
    assert "SELECT `boat`" in statement and "'Fennick Academy'" in statement
    assert [c["source"] for c in outcome["citations"]] == ["cup.html", "Fennick Academy.md"]
    assert "Blue Otters" in outcome["citations"][1]["quote"]
    assert "\"School\" is 'Fennick Academy'" in outcome["explanation"]


def test_a_row_tells_which_passage_is_read(services: Services) -> None:
    outcome = asked(services, "What nationality was the skipper who finished in position 2 in the Harbour Cup?")
    assert outcome["answer"] == "Norwegian"
    first, second = outcome["steps"]
    assert first["intermediate_answer"] == "Bo Quill" and "`pos` = 2" in first["sql"]
    assert second["verdict"] == "text_only" and second["subquery"].startswith("About Bo Quill")
    assert {c["source"] for c in outcome["citations"]} == {"cup.html", "Bo Quill.md"}


def test_below_its_confidence_it_abstains_and_says_between_what(services: Services) -> None:
    reasoner = OfflineReasoner(
        RowReader(services.database), services.embedding.embed, least_confidence=1.0, linked=LinkedPassages(services)
    )
    question = "What nationality was the skipper who finished in position 2 in the Harbour Cup?"
    outcome = build(Deployment(services), lambda context: reasoner).compile().invoke({"question": question})
    assert outcome["verdict"] == "none" and not outcome["citations"]
    assert "Norwegian" in outcome["explanation"]


def test_cells_name_passages_by_their_titles(services: Services) -> None:
    (schema,) = services.catalog.schemas("default")
    found = LinkedPassages(services)(schema, ["Ada Marsh", "Marsh", "2", "Heron", "Bo Quill ( captain )", "Ada Marsh"])
    assert {text: c.title for text, c in found.items()} == {
        "Ada Marsh": "Ada Marsh", "Marsh": "Ada Marsh", "Bo Quill ( captain )": "Bo Quill",
    }  # fmt: skip


def test_what_cells_name_is_looked_up_anew_after_an_ingest(services: Services, tmp_path: Path) -> None:
    (schema,) = services.catalog.schemas("default")
    linked = LinkedPassages(services)
    assert linked(schema, ["Osprey"]) == {}
    (tmp_path / "Osprey.md").write_text("# Osprey\n\nThe Osprey is a bird of prey .\n", encoding="utf-8")
    ingest([tmp_path], services, "default")
    assert linked(schema, ["Osprey"])["Osprey"].source.endswith("Osprey.md")
