"""Questions over the tables of a normalized database: lines, their orders, customers and products."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import pytest

from tablerag import TableRAG
from tablerag.ingestion.connecting import connect
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

TABLES = """
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE products (sku TEXT PRIMARY KEY, name TEXT, category TEXT, list_price REAL);
CREATE TABLE orders (order_no INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients(client_id), order_date DATE);
CREATE TABLE order_lines (
    order_no INTEGER REFERENCES orders(order_no), line_no INTEGER, sku TEXT REFERENCES products(sku),
    quantity INTEGER, line_amount REAL, PRIMARY KEY (order_no, line_no)
);
CREATE TABLE travel_expenses (id INTEGER PRIMARY KEY, category TEXT, amount REAL, trip_date DATE);
"""
COUNTRIES = ("Italy", "France", "Spain")
CLIENTS = [
    (n, f"{name} Ltd", COUNTRIES[n % 3]) for n, name in enumerate(("Marten", "Fenwick", "Osprey", "Tarn", "Nova"), 1)
]
GOODS = (
    ("Hand winch", "Lifting"),
    ("Shackle", "Rigging"),
    ("Rope", "Rigging"),
    ("Helmet", "Safety"),
    ("Pulley", "Lifting"),
)
PRODUCTS = [(f"S{n}", name, category, 10.0 * n) for n, (name, category) in enumerate(GOODS, 1)]
ORDERS = [(1000 + n, 1 + n % 4, f"202{4 + n // 13}-{1 + n % 12:02d}-11") for n in range(1, 25)]
LINES = [
    (o, line, f"S{1 + (o // 3 + line) % 4}", 1 + (o + line) % 5, 7 * o % 90 + line)
    for o, *_ in ORDERS
    for line in (1, 2)
]
EXPENSES = [
    (n, ("hotel", "train", "Lifting gear")[n % 3], 100 + 7 * n % 45, f"2025-{1 + n % 12:02d}-02") for n in range(1, 31)
]


class Line(NamedTuple):
    """A line with all that it refers to."""

    product: str
    category: str
    client: str
    country: str
    year: int
    quantity: int
    amount: float


def _line(order: int, _: int, sku: str, quantity: int, amount: float) -> Line:
    day, (_, client, country) = next((d, CLIENTS[c - 1]) for o, c, d in ORDERS if o == order)
    _, product, category, _ = PRODUCTS[int(sku[1]) - 1]
    return Line(product, category, client, country, int(day[:4]), quantity, amount)


SOLD = [_line(*line) for line in LINES]


@pytest.fixture(scope="module", params=["connected", "files"])
def rag(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRAG]:
    """Return the shop as a connected database, which declares its keys, and as files exported from it."""
    folder = tmp_path_factory.mktemp("schemas")
    tables = dict(
        clients=CLIENTS, products=PRODUCTS, orders=ORDERS, order_lines=LINES, travel_expenses=EXPENSES
    )  # fmt: skip
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    with closing(sqlite3.connect(folder / "shop.db")) as database:
        database.executescript(TABLES)
        for table, rows in tables.items():
            database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
            if request.param == "files":
                header = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
                lines = [",".join(map(str, row)) for row in (header, *rows)]
                (folder / f"{table}.csv").write_text("\n".join(lines))
        database.commit()
    opened = TableRAG.over(services)
    if request.param == "files":
        opened.ingest(folder)
    else:
        connect(services, "default", "shop", f"sqlite:///{folder / 'shop.db'}")
    yield opened
    services.close()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the turnover in 2025?", sum(s.amount for s in SOLD if s.year == 2025)),
        ("How much did we sell in 2025?", sum(s.amount for s in SOLD if s.year == 2025)),
        ("Wie viel haben wir 2025 verkauft?", sum(s.amount for s in SOLD if s.year == 2025)),
        ("Combien avons-nous vendu en 2025 ?", sum(s.amount for s in SOLD if s.year == 2025)),
        (
            "How many hand winches did we sell in 2025?",
            sum(s.quantity for s in SOLD if s.product == "Hand winch" and s.year == 2025),
        ),
        (
            "What was the turnover of rigging products in 2024?",
            sum(s.amount for s in SOLD if s.category == "Rigging" and s.year == 2024),
        ),
        (
            "How many shackles did Osprey Ltd buy in 2025?",
            sum(s.quantity for s in SOLD if (s.product, s.client, s.year) == ("Shackle", "Osprey Ltd", 2025)),
        ),
    ],
)
def test_numbers_of_lines_are_narrowed_by_what_they_refer_to(rag: TableRAG, question: str, value: float) -> None:
    assert rag.ask(question).value == value > 0


@pytest.mark.parametrize(
    ("question", "columns", "years"),
    [
        ("Revenue by category", ("category",), (2024, 2025)),
        ("Umsatz nach Kategorie", ("category",), (2024, 2025)),
        ("Revenue by category in 2025", ("category",), (2025,)),
        ("Revenue per country in 2024", ("country",), (2024,)),
        ("Revenue per country and category in 2025", ("country", "category"), (2025,)),
    ],
)
def test_money_that_comes_in_is_grouped_over_several_tables(
    rag: TableRAG, question: str, columns: tuple[str, ...], years: tuple[int, ...]
) -> None:
    expected: dict[tuple[str, ...], float] = {}
    for line in SOLD:
        if line.year in years:
            key = tuple(getattr(line, c) for c in columns)
            expected[key] = expected.get(key, 0) + line.amount
    table = rag.ask(question).table
    assert table is not None
    assert {tuple(row[:-1]): row[-1] for row in table.rows} == expected


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which products were never ordered?", "Pulley"),
        ("Welche Produkte wurden nie bestellt?", "Pulley"),
        ("Which clients have no orders?", "Nova Ltd"),
        ("Clients in Spain without orders in 2024", "Nova Ltd"),
        ("Quels clients n'ont aucune commande ?", "Nova Ltd"),
        ("How many clients did not order in 2025?", "1"),
        ("How many clients have orders?", "4"),
    ],
)
def test_what_nothing_refers_to_is_found(rag: TableRAG, question: str, text: str) -> None:
    assert rag.ask(question).text == text


def test_columns_of_the_same_name_are_told_apart(rag: TableRAG) -> None:
    told = rag.ask("How many shackles did Osprey Ltd buy in 2025?").explanation
    assert 'where name of products is "Shackle" and name of clients is "Osprey Ltd"' in told


def test_what_is_spent_is_no_income(rag: TableRAG) -> None:
    assert rag.ask("What did we spend in 2025?").value == sum(e[2] for e in EXPENSES)
    assert rag.ask("What did we take in 2025?").value in (None, sum(s.amount for s in SOLD if s.year == 2025))


def test_an_average_is_of_what_is_named_not_of_its_lines(rag: TableRAG) -> None:
    of_2025 = [s.amount for s in SOLD if s.year == 2025]
    orders = [o for o, _, day in ORDERS if day.startswith("2025")]
    assert rag.ask("What is the average order value?").value == sum(s.amount for s in SOLD) / len(ORDERS)
    each = sum(s.quantity for s in SOLD) / len(SOLD)
    assert rag.ask("What is the average quantity per order line?").value == pytest.approx(each)
    assert rag.ask("What was the average order value in 2025?").value == sum(of_2025) / len(orders)
