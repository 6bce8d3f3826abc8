"""What the arithmetic reads of small statements, and which questions it leaves alone, with the reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag.agent.hd_rag.offline_reasoner import HdRagOffline
from tablerag.agent.hd_rag.reasoning import Recap
from tablerag.agent.hd_rag.rendering import recap_task
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.whole_documents import read_whole

PAGES = {
    "nordwind.html": """<h1>Nordwind AG</h1><p>In thousands of EUR, except per share data and number of employees.</p>
<table><tr><td></td><td>2023</td><td>2022</td><td>2021</td></tr>
<tr><td>Net sales</td><td>1,200</td><td>1,000</td><td>900</td></tr>
<tr><td>Cost of sales</td><td>700</td><td>620</td><td>560</td></tr>
<tr><td>Gross profit</td><td>500</td><td>380</td><td>340</td></tr>
<tr><td>Gross margin</td><td>41.7%</td><td>38.0%</td><td>37.8%</td></tr>
<tr><td>Gross debt</td><td>250</td><td>300</td><td>310</td></tr>
<tr><td>Net loss</td><td>(20)</td><td>(35)</td><td>10</td></tr>
<tr><td>Taxes</td><td>(4)</td><td>(3)</td><td>(2)</td></tr>
<tr><td>EBITDA</td><td>90</td><td>80</td><td>70</td></tr>
<tr><td>Underlying EBITDA</td><td>95</td><td>88</td><td>72</td></tr>
<tr><td>Total assets</td><td>5,000</td><td>4,000</td><td>3,900</td></tr>
<tr><td>Earnings per share</td><td>1.25</td><td>1.10</td><td>0.90</td></tr>
<tr><td>Number of employees</td><td>1,700</td><td>1,500</td><td>1,400</td></tr></table>""",
    "regions.html": """<h1>Sales by region</h1><p>In millions. Targets and stores are told elsewhere.</p>
<table><tr><td></td><td>FY2024</td><td>FY2023</td></tr>
<tr><td>Germany</td><td>30.1</td><td>28</td></tr><tr><td>France</td><td>20</td><td>19</td></tr>
<tr><td>Total Europe</td><td>50.1</td><td>47</td></tr><tr><td>APAC</td><td>12</td><td>10</td></tr>
<tr><td>Other sales</td><td>1</td><td>2</td></tr><tr><td>Other sales</td><td>3</td><td>4</td></tr>
<tr><td>Total sales</td><td>62.1</td><td>57</td></tr></table>""",
    "quarters.html": """<h1>Quarterly figures</h1>
<table><tr><td></td><td colspan="2">2023</td><td colspan="2">2022</td></tr>
<tr><td></td><td>Q1</td><td>Q2</td><td>Q1</td><td>Q2</td></tr>
<tr><td>Revenue</td><td>10</td><td>12</td><td>8</td><td>9</td></tr>
<tr><td>Expenses</td><td>6</td><td>7</td><td>5</td><td>5</td></tr></table>""",
    "long.csv": "item,2023,2022\n"
    + "".join(f"Item {'abcdefghij'[i % 10] * (i // 10 + 1)},{i},1\n" for i in range(320)),
}
Ask = Callable[[str, str], Recap]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    folder: Path = tmp_path_factory.mktemp("readings")
    for name, page in PAGES.items():
        (folder / name).write_text(page, encoding="utf-8")
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / name for name in PAGES], services, "default")
    ids = {d.source: d.document_id for d in services.catalog.documents("default")}
    read = {
        name: read_whole(services, ids[name], "", corpus="default", level="hrcl", tokens=8000) for name in PAGES
    }  # fmt: skip
    services.close()
    return lambda name, question: HdRagOffline().recap(recap_task(question, read[name])).value


@pytest.mark.parametrize(
    ("name", "question", "formula", "answer", "scale"),
    [
        (
            "regions",
            "What was the share of Germany in Total Europe sales in FY24?",
            "30.1 / 50.1 * 100",
            "60.0798",
            "percent",
        ),
        (
            "nordwind",
            "What is the difference between net sales and cost of sales in FY23?",
            "1200 - 700",
            "500",
            "thousand",
        ),
        ("nordwind", "What is the ratio of gross profit to net sales in 2022?", "380 / 1000", "0.38", ""),
        ("nordwind", "What is the ratio of net sales in 2023 to net sales in 2022?", "1200 / 1000", "1.2", ""),
        ("regions", "What share of total sales was APAC in FY2024?", "12 / 62.1 * 100", "19.3237", "percent"),
        ("regions", "What was APAC's share of total sales in FY2024?", "12 / 62.1 * 100", "19.3237", "percent"),
        ("nordwind", "What percentage of net sales is gross debt in 2023?", "250 / 1200 * 100", "20.8333", "percent"),
        ("nordwind", "What was the change in earnings per share 2022 to 2023?", "1.25 - 1.1", "0.15", ""),
        ("nordwind", "What was the change in the number of employees from 2022 to 2023?", "1700 - 1500", "200", ""),
        ("nordwind", "How much less was gross debt than net sales in 2023?", "1200 - 250", "950", "thousand"),
        ("quarters", "What was the change in revenue from Q1 2022 to Q1 2023?", "10 - 8", "2", ""),
        ("quarters", "What was the change in revenue from Q1 2023 to Q2 2023?", "12 - 10", "2", ""),
        (
            "quarters",
            "What is the difference between revenue and expenses in the second quarter of 2023?",
            "12 - 7",
            "5",
            "",
        ),
    ],
)
def test_it_reads(ask: Ask, name: str, question: str, formula: str, answer: str, scale: str) -> None:
    found = ask(f"{name}.html", question)
    assert (found.formula, found.answer, found.scale, found.unread) == (formula, (answer,), scale, "")


@pytest.mark.parametrize(
    ("name", "question", "why"),
    [
        ("nordwind", "What was the change in net sales of Contoso from 2022 to 2023?", "does not contain 'contoso'"),
        ("nordwind", "What was the change in net sales from 2022 to 2023, in USD?", "does not contain 'USD'"),
        ("nordwind", "What was the change in gross debt from Q1 2022 to Q1 2023?", "Q1 2022, Q1 2023"),
        ("nordwind", "What was the change in net sales from 2018 to 2019?", "2018, 2019"),
        ("nordwind", "What was the change in net sales from 2023 to 2021?", "forwards or backwards"),
        ("nordwind", "What were the total assets as reported?", "two years"),
        ("nordwind", "What was the total assets in 2022 and 2023?", "two figures"),
        ("nordwind", "What was the change in net sales and cost of sales from 2022 to 2023?", "each over time"),
        ("nordwind", "What is the difference between net sales of 2023 and gross debt of 2022?", "each over time"),
        ("nordwind", "What is the average difference between EBITDA and underlying EBITDA?", "more than one operation"),
        ("nordwind", "What is the change between 2022 and 2023 average net sales?", "contains 'change'"),
        ("nordwind", "What was the compound annual growth rate of net sales from 2021 to 2023?", "more than one"),
        ("nordwind", "What was the change in gross debt not including taxes from 2022 to 2023?", "more than one"),
        (
            "nordwind",
            "Is the increase in net sales larger than in gross debt from 2022 to 2023?",
            "does not ask for a number",
        ),
        ("nordwind", "Why did net sales increase from 2022 to 2023?", "ask for a number"),
        ("nordwind", "What was the increase in net loss from 2022 to 2023?", "negative figures"),
        ("nordwind", "What was the percentage change in taxes and net loss from 2022 to 2023?", "each over time"),
        ("nordwind", "What is the difference between gross profit and taxes in 2023?", "its sign"),
        ("nordwind", "What is the ratio of gross margin to net sales in 2023?", "is a percentage"),
        ("regions", "What is the ratio of APAC to other sales in FY24?", "several rows 'Other sales' match"),
        ("regions", "What was the change in the percent of total sales from APAC from 2023 to 2024?", "more than one"),
        ("regions", "What was the change in APAC per store from FY2023 to FY2024?", "contains 'store'"),
        ("regions", "What is the growth target of APAC from FY2023 to FY2024?", "contains 'target'"),
        ("regions", "What is the ratio of Germany to the target of APAC in FY24?", "contains 'target'"),
        ("regions", "Who audits the sales of APAC?", "does not ask for a difference"),
    ],
)
def test_it_says_what_it_does_not_read(ask: Ask, name: str, question: str, why: str) -> None:
    found = ask(f"{name}.html", question)
    assert (found.answer, found.formula, found.citations) == ((), "", ())
    assert why in found.unread


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("What was the percentage decrease in net sales from 2022 to 2023?", "20", "It rose; there was no decrease."),
        ("What was the increase in gross debt from 2022 to 2023?", "-50", "It fell; there was no increase."),
        ("What was the percentage change in net loss from 2022 to 2023?", "-42.8571", "absolute value fell"),
        ("What was the percentage change in net loss from 2021 to 2022?", "-450", "became negative"),
        ("What was the change in gross margin from 2022 to 2023?", "3.7", "Difference in percentage points."),
        ("How much less was net sales than gross debt in 2023?", "-950", "It was more, not less."),
    ],
)
def test_it_says_where_the_question_and_the_figures_disagree(ask: Ask, question: str, answer: str, said: str) -> None:
    found = ask("nordwind.html", question)
    assert found.answer == (answer,) and said in found.computation


def test_a_change_in_percent_from_below_zero_is_refused(ask: Ask) -> None:
    page = ask("nordwind.html", "What was the percentage increase in net loss from 2022 to 2021?")
    assert page.answer == ()


def test_both_rows_are_cited_by_their_place(ask: Ask) -> None:
    cited = ask("nordwind.html", "What is the ratio of gross profit to net sales in 2022?").citations
    assert [c.row_ids for c in cited] == [(3,), (1,)]
    assert [c.locator for c in cited] == ["Nordwind AG, data rows 3", "Nordwind AG, data rows 1"]
    assert "380" in cited[0].quote and "1,000" in cited[1].quote
    (one,) = ask("long.csv", "What was the change in item a from 2022 to 2023?").citations
    assert (one.row_ids, one.locator) == ((1,), "rows 2")


def test_what_was_read_of_a_long_table_is_said(ask: Ask) -> None:
    assert (
        "only the first 300 of 320 rows" in ask("long.csv", "What was the change in item zz from 2022 to 2023?").unread
    )
