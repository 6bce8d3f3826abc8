"""Answers that use a company's own terms and metrics, without and with a model."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from tablerag import TableRAG
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tests.support.model_server import ModelServer

KNOWLEDGE = """\
terms: {FTE: full-time equivalent}
synonyms: {consignee: customer}
metrics:
  - {name: basket size, table: orders, unit: EUR, expression: SUM(amount) / COUNT(*)}
  - {name: gross margin, table: quarters, unit: "%", expression: (SUM(revenue) - SUM(cost)) / SUM(revenue)}
tables:
  orders: {description: one order per row, default_date: shipped, exclude: "status = 'cancelled'"}
"""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("knowledge")
    rows = [
        f"O{i:02d},2025-{1 + i % 6:02d}-09,2025-{2 + i % 6:02d}-03,{'Kiel Oslo Lyon'.split()[i % 3]} AG,"
        f"{'cancelled' if i % 4 == 3 else 'shipped'},{'EMEA' if i % 2 else 'APAC'},{10 * i}"
        for i in range(1, 25)
    ]
    (folder / "orders.csv").write_text(
        "Order No,Ordered,Shipped,Customer,Status,Region,Amount\n" + "\n".join(rows) + "\n"
    )
    lines = [f"{y},Q{q},{100 + q},{y - 1974 + q}" for y in (2024, 2025) for q in (1, 2, 3, 4)]
    (folder / "quarters.csv").write_text("Year,Quarter,Revenue,Cost\n" + "\n".join(lines) + "\n")
    (folder / "staff.csv").write_text("Employee,Site,FTE\nAnn,Bern,0.5\nBob,Bern,1.0\nCid,Basel,0.8\n")
    opened = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    TableRAG.over(opened).ingest([folder / f"{name}.csv" for name in ("orders", "quarters", "staff")])
    opened.knowledge.save("default", KNOWLEDGE, "k.yaml")
    yield opened
    opened.close()


COUNTED = [i for i in range(1, 25) if i % 4 != 3]
SIZE = sum(10 * i for i in COUNTED) / len(COUNTED)
EXCLUDED = "Without rows where Status = 'cancelled', as defined in k.yaml, line 7."
BASKET, MARGIN = (f"{name} as defined in k.yaml, line {n}." for name, n in (("Basket size", 4), ("Gross margin", 5)))
FTE = "“full-time equivalent” read as “FTE”, as defined in k.yaml, line 1."


@pytest.mark.parametrize(
    ("question", "value", "says"),
    [
        ("How many orders are there?", len(COUNTED), {EXCLUDED}),
        ("How many orders were cancelled?", 6, set()),
        ("What is the basket size?", SIZE, {BASKET, EXCLUDED}),
        ("What was the gross margin in 2024?", 100 * (410 - 210) / 410, {MARGIN}),
        ("What is the gross margin for Q2 2025?", 100 * (102 - 53) / 102, {MARGIN}),
        ("What is the total full-time equivalent in Bern?", 1.5, {FTE}),
        ("How many orders were there in March 2025?", sum(i % 6 == 1 for i in COUNTED), {EXCLUDED}),
    ],
)
def test_the_embedded_reasoner_keeps_to_the_definitions(
    services: Services, question: str, value: float, says: set[str]
) -> None:
    answer = TableRAG.over(services).ask(question)
    assert answer.value == pytest.approx(value)
    assert {note for note in (EXCLUDED, BASKET, MARGIN, FTE) if note in answer.explanation} == says


def test_a_reading_that_is_offered_shows_the_metric_written_out(services: Services) -> None:
    [*_, overall] = TableRAG.over(services).ask("Which size has EMEA?").readings
    assert overall.sql.startswith("SELECT SUM(`amount`) / COUNT(*) AS `result`")


def test_metrics_are_grouped_and_ranked_with_their_unit(services: Services) -> None:
    rag = TableRAG.over(services)
    table = rag.ask("Gross margin by year").table
    assert table is not None
    assert (table.columns, table.units) == (("Year", "gross margin (%)"), ("", "%"))
    by_region = {r: [10 * i for i in COUNTED if (i % 2 == 1) == (r == "EMEA")] for r in ("EMEA", "APAC")}
    best = max(by_region, key=lambda r: sum(by_region[r]) / len(by_region[r]))
    assert rag.ask("Which region has the largest basket size?").text.startswith(best)
    customers = rag.ask("How many orders does each consignee have?")
    assert customers.table is not None
    assert sorted(row[0] for row in customers.table.rows) == ["Kiel AG", "Lyon AG", "Oslo AG"]


def test_a_model_is_told_the_definitions_and_its_statement_keeps_to_them(
    services: Services, model_server: ModelServer
) -> None:
    model_server.enqueue({"sql": "SELECT COUNT(*) FROM `orders`"})
    settings = services.settings.model_copy(
        update={"openai_base_url": f"{model_server.url}", "openai_api_key": SecretStr("k"), "model": "openai:m"}
    )
    with_model = Services(settings)
    answer = TableRAG.over(with_model).ask("How many orders of a consignee are there?")
    with_model.close()
    told = "\n".join(m["content"] for m in model_server.requests[0]["messages"])
    for said in (
        '"consignee" in the question means "customer"',
        "described as: one order per row",
        "its date, where the question names none: `shipped`",
        "left out of every statement that does not read these columns: `status` = 'cancelled'",
        '"basket size" in EUR is always SUM(`amount`) / COUNT(*)',
    ):
        assert said in told
    assert answer.value == len(COUNTED)
    assert "“consignee” read as “customer”, as defined in k.yaml, line 2." in answer.explanation
    assert EXCLUDED in answer.explanation


KIEL = "SELECT SUM(`amount`) FROM `orders` WHERE `customer` = 'Kiel AG' AND `region` = 'EMEA'"


@pytest.fixture
def confirmed(services: Services, model_server: ModelServer) -> Iterator[TableRAG]:
    """Return the corpus asked with a model, where people have confirmed what a sale is."""
    entry = f'confirmed:\n  - {{question: "What did we sell to Kiel AG?", sql: "{KIEL}", by: Ann}}\n'
    services.knowledge.save("default", entry, "k.yaml")
    settings = services.settings.model_copy(
        update={"openai_base_url": model_server.url, "openai_api_key": SecretStr("k"), "model": "openai:m"}
    )
    with_model = Services(settings)
    yield TableRAG.over(with_model)
    with_model.close()
    services.knowledge.save("default", KNOWLEDGE, "k.yaml")


def sold(customer: int) -> int:
    return sum(10 * i for i in range(1, 25) if i % 3 == customer and i % 2)


@pytest.mark.parametrize(("customer", "place"), [("Kiel AG", 0), ("Oslo AG", 1)])
def test_a_confirmed_statement_answers_without_a_call(
    confirmed: TableRAG, model_server: ModelServer, customer: str, place: int
) -> None:
    answer = confirmed.ask(f"What did we sell to {customer}?")
    assert (answer.value, model_server.requests) == (sold(place), [])
    assert "As confirmed by Ann for “What did we sell to Kiel AG?” (k.yaml as exported, line 2)." in answer.explanation
    assert answer.citations


def test_other_questions_show_the_model_what_people_confirmed(confirmed: TableRAG, model_server: ModelServer) -> None:
    model_server.enqueue({"sql": KIEL.replace("Kiel", "Oslo")})
    assert confirmed.ask("Which sales came from that Oslo customer altogether?").value == sold(1)
    told = "\n".join(m["content"] for m in model_server.requests[0]["messages"])
    assert f"What did we sell to Kiel AG? -> {KIEL}" in told


def test_a_confirmed_statement_that_fails_is_written_by_the_model(
    confirmed: TableRAG, model_server: ModelServer, services: Services
) -> None:
    entry = f'confirmed:\n  - {{question: "What did we sell to Kiel AG?", sql: "{KIEL.replace("region", "area")}"}}\n'
    services.knowledge.save("default", entry, "k.yaml")
    model_server.enqueue({"sql": "SELECT SUM(`amount`) FROM `orders` WHERE `customer` = 'Kiel AG'"})
    model_server.enqueue({"answer": "1080"})
    answer = confirmed.ask("What did we sell to Kiel AG?")
    assert answer.value == sum(10 * i for i in range(1, 25) if i % 3 == 0)
    assert "As confirmed" not in answer.explanation
    assert "Not as confirmed for “What did we sell to Kiel AG?” (k.yaml as exported, line 2)" in answer.explanation
    assert "area" in "\n".join(m["content"] for m in model_server.requests[0]["messages"])


def test_a_number_of_a_confirmed_statement_is_not_doubted(
    confirmed: TableRAG, model_server: ModelServer, services: Services
) -> None:
    large = "SELECT SUM(`amount` - 87.5) FROM `orders` WHERE `amount` > 87.5"
    services.knowledge.save(
        "default", f'confirmed: [{{question: "What are large orders worth?", sql: "{large}"}}]', "k.yaml"
    )
    statement = {"sql": f"{large} AND `region` = 'EMEA'"}
    model_server.enqueue(statement, statement)
    value = confirmed.ask("In EMEA, how much do big ones among the orders come to?").value
    assert value == sum(10 * i - 87.5 for i in range(9, 25, 2))
    assert "computes with" not in str(model_server.requests)


def test_a_statement_that_differs_from_a_confirmed_one_in_its_values_is_not_doubted(
    confirmed: TableRAG, model_server: ModelServer, services: Services
) -> None:
    desk = "SELECT SUM(`amount`) FROM `orders` WHERE `customer` = 'Oslo AG'"
    entry = f'confirmed: [{{question: "What did the Nordic desk turn over?", sql: "{desk}"}}]'
    services.knowledge.save("default", entry, "k.yaml")
    model_server.enqueue({"sql": "SELECT SUM(o.`amount`) FROM `orders` AS o WHERE o.`customer` = 'Kiel AG'"})
    value = confirmed.ask("Which turnover did our EMEA desk make altogether?").value
    assert (value, len(model_server.requests)) == (sum(10 * i for i in range(1, 25) if i % 3 == 0), 1)
