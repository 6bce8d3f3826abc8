"""Every entry of a knowledge file is resolved and run."""

from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.tools.knowledge.checking import failures
from tablerag.tools.knowledge.drafting import abbreviations_in, drafted
from tablerag.tools.knowledge.parsing import parse
from tablerag.tools.services import Services


@pytest.fixture
def filled(services: Services, tmp_path: Path) -> Services:
    (tmp_path / "orders.csv").write_text(
        "Ordered,Shipped,Revenue,Costs\n2025-01-02,2025-01-05,10,4\n2025-02-02,2025-02-05,20,9\n"
    )
    (tmp_path / "notes.md").write_text(
        "# Notes\n\nWe report annual recurring revenue (ARR) and the NPS (net promoter score).\n"
    )
    TableRAG.over(services).ingest([tmp_path / "orders.csv", tmp_path / "notes.md"])
    return services


def test_entries_that_fit_are_not_reported(filled: Services) -> None:
    metric = "metrics: [{name: m, table: Orders, expression: SUM(Revenue)}]"
    text = f"{metric}\ntables: {{orders.csv: {{default_date: Shipped}}}}"
    assert failures(filled, "default", parse(text, "k.yaml")) == []


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("metrics: [{name: m, table: ordrs, expression: SUM(revenue)}]", "no table is called 'ordrs': expected one"),
        ("metrics: [{name: m, table: orders, expression: SUM(revenu)}]", "column 'revenu' is not one of its columns"),
        ("metrics: [{name: m, table: orders, expression: revenue}]", "expected an expression over aggregates"),
        ("metrics: [{name: m, table: orders, expression: SUM(revenue) + (SELECT 1)}]", "expected an expression over"),
        ("metrics: [{name: revenue, table: orders, expression: SUM(costs)}]", "its name is already that of a column"),
        ("metrics: [{name: m, table: orders, expression: 'SUM(revenue); DROP TABLE orders'}]", "is not valid SQL"),
        ("metrics: [{name: m, table: orders, expression: SUM(SLEEP(9))}]", "metric 'm': "),
        ("tables: {orders: {default_date: revenue}}", "is integer, expected a column of dates"),
        ("tables: {orders: {exclude: '1 = 1'}}", "expected a condition on columns of the table"),
        ("tables: {orders: {exclude: 'revenue > (SELECT 1)'}}", "expected a condition on columns of the table"),
    ],
)  # fmt: skip
def test_entries_that_do_not_fit_are_reported(filled: Services, entry: str, says: str) -> None:
    (problem,) = failures(filled, "default", parse(entry, "k.yaml"))
    assert says in problem.says
    assert problem.where == "k.yaml, line 1"


def test_a_draft_can_be_imported(filled: Services) -> None:
    text = drafted(filled, "default")
    known = parse(text, "k.yaml")
    assert [(w.word, w.means) for w in known.words] == [
        ("ARR", ("annual recurring revenue",)),
        ("NPS", ("net promoter score",)),
    ]
    assert [m.name for m in known.metrics] == ["margin"]
    assert [t.default_date for t in known.tables] == ["ordered"]
    assert failures(filled, "default", known) == []


def test_only_matching_initials_are_abbreviations() -> None:
    assert list(abbreviations_in("Our new office (HQ), and the Bank of England (BE).")) == [("BE", "Bank of England")]
    assert list(abbreviations_in("a-" * 20_000 + " (AB)")) == []
