"""What every LexicalIndex must do, over real files."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag.tools.stores.lexical_index import LexicalIndex
from tests.support.fakes import chunk

__all__ = ["CHUNKS", "LexicalIndexContract", "Opens"]

Opens = Callable[..., LexicalIndex]
CHUNKS = [
    chunk("The northern warehouse stores coffee.", id="d1:0", document_id="d1", title="Warehouses", locator="page 2"),
    chunk(
        "| City | Stock |\n| --- | --- |\n| Oslo | 12 |", id="d2:0", document_id="d2", kind="table", table_id="d2:t0"
    ),
    chunk("1979_Detroit_Lions and unitPrice", id="d3:0", document_id="d3"),
    chunk("第三季度的销售额增长了", id="d4:0", document_id="d4"),
]
ELSEWHERE = """
import sys
from pathlib import Path
from tests.support.fakes import chunk
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

index = Services(Settings(home=Path(sys.argv[1]), _env_file=None)).lexical_index("default")
for i in range(int(sys.argv[2])):
    index.add([chunk(f"zebra {i}", id=f"z{i}", document_id="z")])
index.delete_documents(["d1"])
"""


class LexicalIndexContract:
    """Inherit, and override ``opens``: a function of a corpus's name (``default`` without one)."""

    @pytest.fixture
    def opens(self, tmp_path: Path) -> Opens:
        raise NotImplementedError("a suite opens its index")

    @pytest.fixture
    def index(self, opens: Opens) -> LexicalIndex:
        opened = opens()
        opened.add(CHUNKS)
        return opened

    def test_a_chunk_comes_back_whole(self, index: LexicalIndex) -> None:
        (found,) = index.search("Which warehouses are there?", 5)
        assert found.model_copy(update={"score": 0.0}) == CHUNKS[0]
        assert index.get(["d2:0", "d1:0", "none"]) == [CHUNKS[1], CHUNKS[0]]

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("detroit lion", "d3:0"),
            ("unit prices", "d3:0"),
            ("季度销售", "d4:0"),
            ("oslo?", "d2:0"),
            ("warehuose", "d1:0"),
            ("detriot", "d3:0"),
        ],
    )
    def test_names_match_however_they_are_written(self, index: LexicalIndex, query: str, expected: str) -> None:
        assert index.search(query, 1)[0].id == expected

    @pytest.mark.parametrize(
        "query", ["c++", "it's", "a@b", '"', "AND OR NOT", "title:x", "(", "", "the of which", "*", "\\"]
    )
    def test_no_query_is_a_syntax_error(self, index: LexicalIndex, query: str) -> None:
        assert isinstance(index.search(query, 3), list)
        assert isinstance(index.holding(query, 3), list)
        assert index.scores(query, ["d1:0"]).keys() == {"d1:0"}

    def test_kinds_and_scores(self, index: LexicalIndex) -> None:
        assert index.search("warehouse", 3, ["table"]) == []
        scores = index.scores("stock in oslo", ["d1:0", "d2:0", "nowhere"])
        assert scores["d1:0"] == scores["nowhere"] == 0.0 < scores["d2:0"]
        assert index.search("stock in oslo", 1)[0].score == pytest.approx(scores["d2:0"])

    def test_holding_wants_every_word(self, index: LexicalIndex) -> None:
        assert [c.id for c in index.holding("northern coffee", 3)] == ["d1:0"]
        assert index.holding("northern stock", 3) == index.holding("northern coffee", 3, ["table"]) == []

    def test_a_word_in_the_title_counts_more_than_one_in_a_cell(self, opens: Opens) -> None:
        index = opens()
        text = "| {} | b |\n| --- | --- |\n| {} | y |"
        index.add(
            [
                chunk(text.format("a", "coffee"), id="cell", kind="table"),
                chunk(text.format("coffee", "x"), id="header", kind="table"),
                chunk(text.format("a", "x"), id="title", kind="table", title="Coffee"),
            ]
        )
        assert [c.id for c in index.search("coffee", 3)] == ["title", "header", "cell"]

    def test_rare_words_weigh_more(self, index: LexicalIndex) -> None:
        weights = index.rarity(["coffee", "nowhere"])
        assert weights["nowhere"] > weights["coffee"] > 0

    def test_documents_are_read_in_the_order_of_their_chunks(self, index: LexicalIndex) -> None:
        parts = [chunk(f"part {i}", id=f"p:{i}", document_id="p") for i in (10, 2, 1)]
        index.add([*parts, chunk("| a |\n| --- |\n| 1 |", id="p:3", document_id="p", kind="table")])
        assert [c.id for c in index.of_documents(["p", "d1"])] == ["p:1", "p:2", "p:3", "p:10", "d1:0"]
        assert [c.id for c in index.of_documents(["p"], ["table"])] == ["p:3"]
        assert index.of_documents([]) == []

    def test_delete_and_replace(self, index: LexicalIndex) -> None:
        index.add(CHUNKS)
        assert index.count() == 4
        index.delete_documents(["d1", "nowhere"])
        assert index.chunk_ids() == {"d2:0": "d2", "d3:0": "d3", "d4:0": "d4"}
        index.delete(["d2:0", "nowhere"])
        index.add([CHUNKS[2].model_copy(update={"text": "tigers"})])
        assert [c.text for c in index.get(["d2:0", "d3:0"])] == ["tigers"]
        assert index.search("lions", 3) == []

    def test_an_empty_index_answers_and_asking_does_not_create_it(self, opens: Opens) -> None:
        empty = opens("new")
        assert not empty.exists
        assert empty.version() == 0
        assert not empty.exists
        assert (empty.count(), empty.chunk_ids(), empty.search("coffee", 3), empty.get(["d1:0"])) == (0, {}, [], [])
        assert empty.exists

    def test_corpora_never_mix(self, opens: Opens) -> None:
        names = ["Zahlen & Fakten", "季度", "度季", "a b", "a-b", "a_b", "A-B", "a" * 200, "../../etc"]
        for name in names:
            opens(name).add([CHUNKS[0].model_copy(update={"id": f"of {name}"})])
        assert [list(opens(name).chunk_ids()) for name in names] == [[f"of {name}"] for name in names]

    def test_what_another_process_adds_and_deletes_is_seen(
        self, index: LexicalIndex, opens: Opens, tmp_path: Path
    ) -> None:
        assert index.search("zebra", 1) == []
        before = index.version()
        root = Path(__file__).resolve().parents[3]
        other = subprocess.Popen([sys.executable, "-c", ELSEWHERE, str(tmp_path), "10"], cwd=root)
        while other.poll() is None:
            assert index.search("stock in oslo", 1)
            index.add([chunk("a lion", id="lion", document_id="lion")])
        assert other.returncode == 0
        assert index.version() != before
        assert index.count() == opens().count() == 14
        assert index.get(["d1:0"]) == []
