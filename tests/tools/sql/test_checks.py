"""Statements held against their questions, over a real database."""

from collections.abc import Callable, Iterator

import pytest

from tablerag.agent.context import Context
from tablerag.graphs.deployment import Deployment
from tablerag.ingestion.pipeline import ingest
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

FILES = {
    "orders.csv": "Order,Customer,Country,Year,Amount\nA1,Birch,France,2023,10\nA2,Birch,France,2024,20\n"
    "A3,Cole,Spain,2024,30\n",
    "customers.csv": "Customer,Contact\nBirch,Ada\nBirch,Ben\nCole,Cy\n",
    "costs.csv": "Item,Cost\nRent,100\nHeat,50\nTotal,150\n",
    "rates.csv": "Land,Rate\nFrance,2\nSpain,3\n",
    "France trade notes.csv": "Country,Sum\nFrance,5\nSpain,7\n",
    "orders_2022.csv": "Order,Customer,Country,Year,Amount\nZ1,Cole,Spain,2022,70\n",
}
Doubted = Callable[..., list[str]]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("checks")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    ingest([folder / name for name in FILES], services, "default")
    yield Deployment(services)
    services.close()


@pytest.fixture
def doubted(tools: Deployment) -> Doubted:
    schemas = tools.contents(Context())[2]

    def check(question: str, sql: str) -> list[str]:
        result, _ = tools.run_sql(sql, schemas)
        return list(tools.doubts(question, result, schemas, ""))

    return check


SUM = "SELECT SUM(`amount`) FROM `orders`"
JOINED = "SELECT SUM(o.`amount`) FROM `orders` o JOIN `customers` c ON o.`customer` = c.`customer`"


@pytest.mark.parametrize(
    ("question", "sql", "says"),
    [
        ("What was the amount in 2023?", SUM, "the question says 2023"),
        ("What was the amount in 2023?", f"{SUM} WHERE `year` = 2023", ""),
        ("What was the amount of Cole in 2024?", f"{SUM} WHERE `customer` = 'Cole'", ""),
        ("What was the amount of Birch in 2024?", f"{SUM} WHERE `customer` = 'Birch'", "the question says 2024"),
        ("What was the amount from 2023 to 2024?", f"{SUM} WHERE `year` BETWEEN 2023 AND 2024", ""),
        ("What did orders of Birch come to?", SUM, "names 'Birch'"),
        ("What is the sum in the table 'France trade notes'?", "SELECT SUM(`sum`) FROM `france_trade_notes`", ""),
        ("What is the sum of France in the notes?", "SELECT SUM(`sum`) FROM `france_trade_notes`", "names 'France'"),
        ("What did orders of Birch come to?", f"{SUM} WHERE `customer` LIKE '%birch%'", ""),
        ("What did all orders come to, including Birch?", SUM, ""),
        ("What did Cole in Spain order?", f"{SUM} WHERE `customer` = 'Cole'", ""),
        ("What did Birch in Spain order?", f"{SUM} WHERE `customer` = 'Birch'", "names 'Spain'"),
        ("What did orders without Birch come to?", f"{SUM} WHERE `customer` = 'Birch'", "excludes nothing"),
        ("What did orders without Birch come to?", f"{SUM} WHERE `customer` <> 'Birch'", ""),
        ("Which order is the second largest?", "SELECT `order` FROM `orders` WHERE `amount` = 20", "ranks nothing"),
        (
            "Which order is the second largest?",
            "SELECT `order` FROM `orders` ORDER BY `amount` DESC LIMIT 1 OFFSET 1",
            "",
        ),
        ("What was the highest amount?", "SELECT MIN(`amount`) FROM `orders`", "gives the lowest"),
        ("What was the highest amount?", "SELECT `amount` FROM `orders` ORDER BY `amount` LIMIT 1", "gives the lowest"),
        ("What was the highest amount?", "SELECT `amount` FROM `orders` ORDER BY `amount` DESC LIMIT 1", ""),
        ("What was the highest amount?", "SELECT MAX(`amount`) FROM `orders`", ""),
        ("What was the smallest amount?", "SELECT MAX(`amount`) FROM `orders`", "gives the highest"),
        ("What was the highest and the lowest amount?", "SELECT MIN(`amount`), MAX(`amount`) FROM `orders`", ""),
        ("Which had the highest rank?", "SELECT MIN(`amount`) FROM `orders`", ""),
        ("What did all orders come to?", "SELECT SUM(`amount`) + 1000 FROM `orders`", "computes with 1000"),
        ("What did all orders come to?", "SELECT SUM(`amount`) * -37 FROM `orders`", "computes with 37"),
        ("What did all orders come to in thousands?", "SELECT SUM(`amount`) / 1000 FROM `orders`", ""),
        ("What is 19 % tax on all orders?", "SELECT SUM(`amount`) * 19 / 100 FROM `orders`", ""),
        ("What is half of all orders?", "SELECT SUM(`amount`) / 2 FROM `orders`", ""),
        ("How many orders are there?", "SELECT `order` FROM `orders`", "lists 3 rows"),
        ("How many orders are there?", "SELECT COUNT(*) FROM `orders`", ""),
        ("What are the costs in all?", "SELECT SUM(`cost`) FROM `costs`", "sum up others"),
        ("What are the costs in all?", "SELECT SUM(`cost`) FROM `costs` WHERE NOT `_total`", ""),
        ("What does the rent cost?", "SELECT SUM(`cost`) FROM `costs` WHERE `item` = 'Rent'", ""),
        ("What did orders of customers come to?", JOINED, "the join repeats rows of `orders`"),
        ("How many contacts are there?", JOINED.replace("SUM(o.`amount`)", "COUNT(c.`contact`)"), "repeats"),
        ("How many orders?", JOINED.replace("SUM(o.`amount`)", "COUNT(DISTINCT o.`order`)"), ""),
        ("How many contacts have orders of 20?", JOINED.replace("SUM(o.`amount`)", "SUM(o.`amount` = 20)"), ""),
        (
            "What did orders come to at the rates?",
            "SELECT SUM(r.`rate` * o.`amount`) FROM `orders` o JOIN `rates` r ON r.`land` = o.`country`",
            "",
        ),
        (
            "What did orders of 20 come to?",
            JOINED.replace("SUM(o.`amount`)", "SUM(CASE WHEN c.`contact` > '' THEN o.`amount` END)"),
            "the join repeats rows of `orders`",
        ),
    ],
)
def test_what_a_statement_leaves_out_is_told(doubted: Doubted, question: str, sql: str, says: str) -> None:
    found = doubted(question, sql)
    assert bool(found) is bool(says)
    assert says in " ".join(found)


def test_what_a_passage_has_led_to_is_no_doubt(tools: Deployment) -> None:
    schemas = tools.contents(Context())[2]
    result, _ = tools.run_sql("SELECT SUM(`amount`) FROM `orders` WHERE `country` = 'Spain'", schemas)
    told = "Spain joined in 1986."
    assert list(tools.doubts("What did the country that joined in 1986 order?", result, schemas, told)) == []
    result, _ = tools.run_sql("SELECT SUM(`amount`) / 1986 FROM `orders` WHERE `country` = 'Spain'", schemas)
    assert list(tools.doubts("What did Spain order for each of its members?", result, schemas, told)) == []


def test_other_tables_with_the_same_columns_are_alternatives(tools: Deployment) -> None:
    schemas = [s for s in tools.contents(Context())[2] if not s.members]
    result, _ = tools.run_sql(SUM, schemas)
    (found,) = tools.alternatives("What is the amount?", result, schemas)
    assert (found["table"], found["answer"], found["source"]) == ("orders_2022", "70", "orders_2022.csv")
    older, _ = tools.run_sql(SUM.replace("orders", "orders_2022"), schemas)
    assert tools.alternatives("What was the amount in 2022?", older, schemas) == [], "the question names the file"


def test_a_value_may_be_meant_by_the_condition_of_a_confirmed_statement(tools: Deployment) -> None:
    schemas = tools.contents(Context())[2]
    question = "How much was ordered from France in 2024?"
    sql = "SELECT SUM(o.`amount`) FROM `orders` o WHERE o.`customer` IN ('Birch', 'Cole') AND o.`year` = 2024"
    result, _ = tools.run_sql(sql, schemas)
    told = "How many orders come from France? SELECT COUNT(*) FROM orders x WHERE x.customer IN ('Birch', 'Cole')"
    other = "How many orders come from France? SELECT COUNT(*) FROM orders x WHERE x.customer = 'Birch'"
    assert tools.doubts(question, result, schemas, told) == []
    assert "names 'France'" in tools.doubts(question, result, schemas, other)[0]
    assert "names 'France'" in tools.doubts(question, result, schemas, told.replace("France", "Spain"))[0]
