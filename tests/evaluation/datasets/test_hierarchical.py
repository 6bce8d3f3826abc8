"""MultiHiertt and HiTab: pages as people have them, groups by operation, and metrics."""

from pathlib import Path

from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.corpora import open_corpus
from tablerag.tools.services import Services
from tests.evaluation.native_sets import hitab_folder, multihiertt_folder, tatqa_folder


def test_multihiertts_examples_over_the_same_pages_share_a_document(tmp_path: Path) -> None:
    multihiertt_folder(tmp_path)
    benchmark = load_benchmark("multihiertt", tmp_path)
    first, second, third = benchmark.questions
    assert first.own == second.own != third.own
    assert [q.group for q in benchmark.questions] == ["divide + subtract", "span", "add"]
    assert benchmark.score(first, ["25%"])["em"] == benchmark.score(second, ["Mills"])["em"] == 1.0
    assert benchmark.score(first, ["26%"])["em"] == benchmark.score(second, [])["f1"] == 0.0
    benchmark.write_documents(tmp_path / "out", benchmark.sources)
    page = (tmp_path / "out" / benchmark.sources[first.own]).read_text(encoding="utf-8")
    assert page.index("Boreal Paper &lt; Pulp") < page.index("<table>") < page.index("It sold mills.")
    assert "##" not in page


def test_hitabs_headers_reach_the_catalog_with_their_levels(tmp_path: Path, services: Services) -> None:
    hitab_folder(tmp_path)
    benchmark = load_benchmark("hitab", tmp_path)
    assert [q.group for q in benchmark.questions] == ["none", "sum + div"]
    assert [q.gold for q in benchmark.questions] == [("52",), ("fishing", "mining")]
    assert benchmark.score(benchmark.questions[0], ["52.0"]) == {"denotation": 1.0}
    assert benchmark.score(benchmark.questions[1], ["fishing", "mining"]) == {"denotation": 1.0}
    assert benchmark.score(benchmark.questions[1], []) == {"denotation": 0.0}
    (schema,) = services.catalog.schemas(open_corpus(benchmark, services))
    assert [c.path for c in schema.columns][-2:] == [("workers", "men"), ("workers", "women")]
    assert schema.row_path, "the indented row header has a level of its own"
    page = next((services.settings.home / "documents").rglob("*.html")).read_text(encoding="utf-8")
    assert '<th rowspan="2">sector</th><th colspan="2">workers</th>' in page
    assert '<td style="padding-left: 1em">fishing</td>' in page, "a region outside of the grid is ignored"


def test_files_are_named_as_the_sources_say(tmp_path: Path) -> None:
    multihiertt_folder(tmp_path)
    hitab_folder(tmp_path)
    tatqa_folder(tmp_path)
    for name in ("multihiertt", "hitab", "tatqa"):
        benchmark = load_benchmark(name, tmp_path)
        benchmark.write_documents(tmp_path / name / "out", {q.own for q in benchmark.questions})
        written = {p.name for p in (tmp_path / name / "out").iterdir()}
        assert written == set(benchmark.sources.values())
        assert benchmark.names_of is not None and benchmark.names_of(benchmark.sources) == benchmark.sources
