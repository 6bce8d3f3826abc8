"""Reports: fixed denominators, escaped text, and a self-contained page."""

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tablerag.evaluation.comparison import Run, compared, differences, figures, load_runs, summary_lines
from tablerag.evaluation.records import Answered, Judged, RunSettings
from tablerag.evaluation.report import answers_csv, markdown, write_report
from tablerag.evaluation.report_page import page
from tablerag.evaluation.report_plots import plots_of
from tablerag.tools.errors import ConfigError
from tests.support.hostile_markdown import HOSTILE, live_in

EVIL = "<script>alert(1)</script>"


def one(id_: str, right: bool, **fields: object) -> Answered:
    told = {"question": f"{EVIL} {id_}?", "gold": ["x|y"], "answer": "x" if right else "", "group": "film"}
    scores = {"em": float(right), "f1": 0.5}
    failure = "" if right else "refused"
    return Answered(id=id_, scores=scores, right=right, failure=failure, iterations=2, **(told | fields))


def run_of(
    system: str, rights: list[bool], questions: int, judged: int = 0, digest: str = "d", model: str = "m"
) -> Run:
    told = {"benchmark": "b", "split": "dev", "model": model, "main": "em", "digest": digest}
    settings = RunSettings(system=system, questions=questions, **told)
    answers = tuple(one(f"q{i}", right) for i, right in enumerate(rights))
    return Run(Path(system), settings, answers, tuple(Judged(id=f"q{i}", judge="j", right=True) for i in range(judged)))


def test_what_was_not_asked_counts_as_wrong() -> None:
    row = figures(run_of("a", [True, True, False], questions=10, judged=3))
    assert (row["right %"], row["asked"], row["judged right % (j)"]) == ("20.0", "3 of 10", "30.0")
    assert row["other metrics"] == "f1 15.0"
    assert (row["refused"], row["wrong"], row["iterations"]) == ("1", "0", "2.00")


def test_tokens_are_new_or_cached_and_set_against_what_was_right() -> None:
    run = run_of("a", [True, False], 2)
    costs = ({"input_tokens": 3000, "cached_tokens": 1000, "calls": 2}, {"input_tokens": 1000, "calls": 1})
    answers = tuple(a.model_copy(update=cost) for a, cost in zip(run.answers, costs, strict=True))
    row = figures(Run(run.folder, run.settings, answers, ()))
    assert [row[c] for c in ("calls", "tokens in", "new", "cached")] == ["1.50", "2000", "1500", "500"]
    assert row["right % per 1,000 tokens in"] == "25.00", "50 % for 2,000 tokens a question"
    (line,) = summary_lines([Run(run.folder, run.settings, answers, ())])
    assert "1.50 calls, 2000 tokens in (1500 new, 500 cached), 0 out" in line
    assert line.endswith("s per question; 25.00 right % per 1,000 tokens in")
    assert figures(run)["right % per 1,000 tokens in"] == ""
    assert "per 1,000" not in summary_lines([run])[0]


def test_only_runs_over_the_same_questions_are_compared() -> None:
    a, b, c = run_of("a", [True] * 8, 8), run_of("b", [False] * 8, 8), run_of("c", [True] * 8, 8, digest="other")
    groups = compared([b, c, a])
    assert sorted([r.title for r in g] for g in groups) == [["a", "b"], ["c"]]
    ((first, against, gain, alone, p),) = differences(groups[0])
    assert (first, against, gain, alone) == ("a", "b", "+100.0 (+100.0 to +100.0)", "8 : 0")
    assert float(p) == pytest.approx(2 / 2**8, rel=0.01)
    assert differences([a, run_of("d", [True], 8)]) == [], "an incomplete run is compared with nothing"
    assert "1 refused" in summary_lines([run_of("a", [True, False], 2)])[0]


def test_plots_are_whole_svg_with_every_run() -> None:
    plots = plots_of([run_of("tablerag", [True, False], 2), run_of("<b>", [False, False], 2)])
    assert set(plots) == {"accuracy", "iterations", "failures", "groups"}
    for svg in plots.values():
        texts = [t.text for t in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
        assert any("tablerag" in t for t in texts) and any("<b>" in t for t in texts)


def test_the_report_is_written_and_read_back(tmp_path: Path) -> None:
    runs = [run_of("a", [True, False], 2, judged=1), run_of("b", [False, False], 2)]
    for run in runs:
        folder = tmp_path / "runs" / run.title
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(run.settings.model_dump_json(), encoding="utf-8")
        lines = "".join(a.model_dump_json() + "\n" for a in run.answers)
        (folder / "answers.jsonl").write_text(lines, encoding="utf-8")
    read = load_runs([tmp_path / "runs", tmp_path / "runs" / "a"])
    assert sorted(r.title for r in read) == ["a", "b"]
    names = {p.suffix for p in write_report(read, tmp_path / "out")}
    assert names == {".md", ".csv", ".svg", ".html"}
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert EVIL not in page and "&lt;script&gt;" in page
    assert not re.search(r"(?:src|href)=|https?://(?!www\.w3\.org/2000/svg)", page)
    assert page.count("<svg") == 4
    table = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "| a | m | open | 2 of 2 | em | 50.0 |" in table and "gain in points" in table
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "figures.csv").read_text(encoding="utf-8"))))
    assert [(r["system"], r["right %"]) for r in rows] == [("a", "50.0"), ("b", "0.0")]


def test_answers_stand_side_by_side_differences_first(tmp_path: Path) -> None:
    runs = [run_of("a", [True, True, False], 3), run_of("b", [True, False], 3)]
    write_report(runs, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    beside = page[page.index("Side by side") : page.index("a: every answer")]
    assert re.findall(r"<small>(\w+)</small>", beside) == ["q1", "q0", "q2"]
    assert re.findall(r'class="(right|wrong)"|(not asked)', beside) == [
        ("right", ""), ("wrong", ""), ("right", ""), ("right", ""), ("wrong", ""), ("", "not asked"),
    ]  # fmt: skip
    alone = tmp_path / "alone"
    write_report(runs[:1], alone)
    assert "Side by side" not in (alone / "report.html").read_text(encoding="utf-8")


def test_columns_that_no_run_fills_are_left_out(tmp_path: Path) -> None:
    plain, judged = run_of("a", [True], 1), run_of("b", [True], 1, judged=1)
    for runs, shown in (([plain], False), ([plain, judged], True)):
        write_report(runs, tmp_path)
        for name in ("report.html", "report.md"):
            assert ("judged right %" in (tmp_path / name).read_text(encoding="utf-8")) is shown


def test_spreadsheets_take_no_answer_for_a_formula() -> None:
    run = run_of("a", [True], 1)
    evil = run.answers[0].model_copy(update={"answer": "=HYPERLINK(1)"})
    rows = list(csv.DictReader(io.StringIO(answers_csv([Run(run.folder, run.settings, (evil,), ())]))))
    assert rows[0]["answer"] == "'=HYPERLINK(1)"


def test_folders_without_runs_are_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no run found"):
        load_runs([tmp_path])
    (tmp_path / "run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match="run.json: invalid run settings"):
        load_runs([tmp_path])


def test_the_model_stands_in_the_title_where_runs_differ_by_it(tmp_path: Path) -> None:
    runs = [run_of("tablerag", [True, True], 2, model="openai:big"), run_of("tablerag", [True, False], 2, model="s")]
    write_report(runs, tmp_path)
    table = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert r"| tablerag \[openai:big] | tablerag \[s] | +50.0" in table
    rows = list(csv.DictReader(io.StringIO((tmp_path / "answers.csv").read_text(encoding="utf-8"))))
    about = [(r["split"], r["system"], r["model"], r["setting"]) for r in rows[::2]]
    assert about == [("dev", "tablerag [openai:big]", "openai:big", "open"), ("dev", "tablerag [s]", "s", "open")]
    (plot,) = tmp_path.glob("*-accuracy.svg")
    assert "tablerag [openai:big]" in plot.read_text(encoding="utf-8")
    write_report(runs[:1], tmp_path / "alone")
    assert "tablerag [" not in (tmp_path / "alone" / "report.html").read_text(encoding="utf-8")


def test_a_long_title_keeps_its_model_in_plots() -> None:
    run = run_of("tablerag", [True], 1, model="openai:small")
    context = {"sql_execution": False, "text_retrieval": False, "top_k": 5}
    long = Run(run.folder, run.settings.model_copy(update={"context": context}), run.answers, (), shows_model=True)
    assert "[openai:small]</text>" in plots_of([long])["accuracy"]


def test_a_run_that_asked_nothing_is_listed_as_not_run(tmp_path: Path) -> None:
    runs = [run_of("a", [], 2), run_of("b", [False, False], 2)]
    write_report(runs, tmp_path)
    table = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| a | m | open | 0 of 2 | em | not run |" in table and table.index("| b |") < table.index("| a |")
    (plot,) = tmp_path.glob("*-accuracy.svg")
    assert ">a</text>" not in plot.read_text(encoding="utf-8")
    assert summary_lines(runs[:1]) == ["b a [m]: not run"]
    write_report(runs[:1], tmp_path / "alone")
    assert not list((tmp_path / "alone").glob("*.svg"))


def runs_named(text: str) -> list[Run]:
    """Return two runs whose system, model and split have a text."""
    runs = [run_of(name, [True, False], 2, model=text) for name in (text, f"other {text}")]
    return [Run(r.folder, r.settings.model_copy(update={"benchmark": "b", "split": text}), r.answers, ()) for r in runs]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_name_or_text_of_a_run_is_live_in_a_report(tmp_path: Path, text: str) -> None:
    runs = runs_named(text)
    texts = ["\n\n".join(markdown(group) for group in (some, some[:1])) for some in (runs, runs_named("plain"))]
    assert live_in(texts[0]) == live_in(texts[1]), "nothing but the report's own headings"
    groups = [(runs, plots_of(runs))]
    assert not re.search(r"<(?:img|script|a)\b", page(groups)), "no tag but the page's own"
