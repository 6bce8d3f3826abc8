"""The lexical index over real tantivy."""

import subprocess
import sys
from pathlib import Path

import pytest

from tablerag.tools.errors import StoreUnavailable
from tablerag.tools.lexical_index import LexicalIndex
from tablerag.tools.retriever import HybridRetriever, fuse
from tests.support.fakes import chunk

CHUNKS = [
    chunk("The northern warehouse stores coffee.", id="d1:0", document_id="d1", title="Warehouses", locator="page 2"),
    chunk(
        "| City | Stock |\n| --- | --- |\n| Oslo | 12 |", id="d2:0", document_id="d2", kind="table", table_id="d2:t0"
    ),
    chunk("1979_Detroit_Lions and unitPrice", id="d3:0", document_id="d3"),
    chunk("第三季度的销售额增长了", id="d4:0", document_id="d4"),
]


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    opened = LexicalIndex("default", tmp_path)
    opened.add(CHUNKS)
    return opened


def test_a_chunk_comes_back_whole(index: LexicalIndex) -> None:
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
def test_names_match_however_they_are_written(index: LexicalIndex, query: str, expected: str) -> None:
    assert index.search(query, 1)[0].id == expected


@pytest.mark.parametrize(
    "query", ["c++", "it's", "a@b", '"', "AND OR NOT", "title:x", "(", "", "the of which", "*", "\\"]
)
def test_no_query_is_a_syntax_error(index: LexicalIndex, query: str) -> None:
    assert isinstance(index.search(query, 3), list)


def test_kinds_and_scores(index: LexicalIndex) -> None:
    assert index.search("warehouse", 3, ["table"]) == []
    scores = index.scores("stock in oslo", ["d1:0", "d2:0"])
    assert scores["d1:0"] == 0.0 < scores["d2:0"]
    assert index.search("stock in oslo", 1)[0].score == pytest.approx(scores["d2:0"])


def test_a_word_in_the_title_counts_more_than_one_in_a_cell(tmp_path: Path) -> None:
    index = LexicalIndex("default", tmp_path)
    text = "| {} | b |\n| --- | --- |\n| {} | y |"
    index.add(
        [
            chunk(text.format("a", "coffee"), id="cell", kind="table"),
            chunk(text.format("coffee", "x"), id="header", kind="table"),
            chunk(text.format("a", "x"), id="title", kind="table", title="Coffee"),
        ]
    )
    assert [c.id for c in index.search("coffee", 3)] == ["title", "header", "cell"]


def test_rare_words_weigh_more(index: LexicalIndex) -> None:
    weights = index.rarity(["coffee", "nowhere"])
    assert weights["nowhere"] > weights["coffee"] > 0


def test_delete_and_replace(index: LexicalIndex) -> None:
    index.add(CHUNKS)
    assert index.count() == 4
    index.delete_document("d1")
    assert index.document_ids() == {"d2", "d3", "d4"}


def test_what_another_process_adds_is_seen(index: LexicalIndex, tmp_path: Path) -> None:
    assert index.search("zebra", 1) == []
    code = (
        "import sys; from pathlib import Path; from tablerag.tools.lexical_index import LexicalIndex; "
        "from tablerag.tools.records import Chunk; "
        "zebra = Chunk(id='z', text='a zebra', kind='text', document_id='z', source='z'); "
        "LexicalIndex('default', Path(sys.argv[1])).add([zebra])"
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=root, timeout=60)
    assert [c.id for c in index.search("zebra", 1)] == ["z"]


def test_another_layout_is_refused(index: LexicalIndex, tmp_path: Path) -> None:
    (index.path / "layout").write_text("0", encoding="utf-8")
    with pytest.raises(StoreUnavailable, match="an emptied TABLERAG_HOME"):
        LexicalIndex("default", tmp_path).count()


def test_fusion_keeps_how_much_better_the_first_is() -> None:
    ranked = fuse({"a": 0.9, "b": 0.1, "c": -0.5}, {"b": 8.0, "d": 2.0}, 0.5)
    assert ranked == [("b", pytest.approx(0.5 + 0.05 / 0.9)), ("a", 0.5), ("d", 0.125), ("c", 0.0)]
    assert fuse({}, {}, 0.5) == []


def test_the_retriever_scores_what_one_index_missed(index: LexicalIndex) -> None:
    class Dense:
        def search(self, query, k, kinds=None):
            return [CHUNKS[2]]

        def scores(self, query, ids):
            return dict.fromkeys(ids, 0.5) | {"d3:0": 1.0}

    found = HybridRetriever(Dense(), index, dense_weight=0.5).search("stock in oslo", 5)
    assert [(c.id, c.score) for c in found] == [("d2:0", pytest.approx(0.75)), ("d3:0", pytest.approx(0.5))]
