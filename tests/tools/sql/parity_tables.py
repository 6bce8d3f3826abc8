"""Two tables on which the embedded database and a server are asked the same: orders, and the customers of them."""

from datetime import date, datetime
from typing import Any

from tablerag.tools.records import ColumnType

__all__ = ["CUSTOMERS", "CUSTOMERS_TYPES", "ORDERS", "ORDERS_TYPES"]

ORDERS_TYPES: dict[str, ColumnType] = {
    "id": "integer",
    "customer": "text",
    "product": "text",
    "code": "text",
    "quantity": "integer",
    "price": "decimal",
    "discount": "decimal",
    "ordered": "date",
    "shipped": "datetime",
    "paid": "boolean",
    "note": "text",
}
"""What kinds of values the columns hold: code is numbers kept as texts, some with letters behind."""


def _row(number: int, *cells: Any) -> tuple[Any, ...]:
    customer, product, code, quantity, price, discount, ordered, shipped, paid, note = cells
    day = date.fromisoformat(ordered) if ordered else None
    return (
        *(number, customer, product, code, quantity, price, discount, day),
        datetime.fromisoformat(shipped) if shipped else None,
        *(paid, note),
    )


_ROWS: list[tuple[Any, ...]] = [
    ("Alpha", "Widget", "12", 10, 2.5, 0.1, "2024-01-31", "2024-02-01 09:30:00", True, "first order; urgent"),
    ("alpha", "gadget", "7", 7, 1.25, None, "2024-02-29", "2024-03-01 18:05:07", False, "a_b 100%"),
    ("Beta", "Widget", "12abc", 30, 2.5, 0.25, "2023-12-31", "2024-01-01 00:00:00", True, None),
    ("Gamma", "Sprocket", "x9", -5, 10.05, 0.0, "2023-01-01", None, None, "returned"),
    ("Beta", "widget", "012", 7, 2.35, 0.15, "2022-12-31", "2023-01-02 23:59:59", False, "Later, maybe"),
    (None, "Bolt", None, 100, 0.05, None, "2024-12-30", "2024-12-31 12:00:00", True, "no name"),
    ("Delta", "Bolt", "1e2", 250, 0.15, 0.5, "2024-12-29", "2025-01-01 06:07:08", True, ""),
    ("Alpha", "Nut", "-3", 0, 0.01, None, "2021-01-03", "2021-01-04 00:00:01", False, "zero"),
    ("Gamma", "Widget", "3.7", 12, 99.99, 0.05, "2020-02-29", "2020-03-01 01:01:01", True, "leap"),
    ("Epsilon", "Gadget", "100", 3, 1.25, 0.33, "2020-12-28", "2021-01-03 13:14:15", None, "week 53"),
    ("Alpha", "Sprocket", "2", 5, 7.45, 0.1, "2024-04-30", "2024-05-02 08:00:00", True, "april"),
    ("beta", "Bolt", "20", 60, 0.25, None, "2024-05-31", None, False, "may-2024"),
    ("Delta", "Nut", "33", 9, 3.33, 0.2, "2024-06-30", "2024-06-30 23:00:00", True, "same day"),
    ("Epsilon", "Widget", "4", 4, 4.44, None, None, None, None, None),
    ("Gamma", "Gadget", "5", 5, 1005.0, 0.0, "2024-07-04", "2024-07-04 16:20:00", True, "fourth (of july)"),
    ("Delta", "gadget", "50", 50, 1.005, 0.07, "2024-08-15", "2024-08-16 10:10:10", False, "a.b+c"),
    ("Alpha", "Bolt", "8", 8, 1.15, 0.01, "2024-09-01", "2024-09-09 09:09:09", True, "tab\there"),
    ("Beta", "Nut", "15", -15, 2.675, 0.02, "2024-10-31", "2024-11-05 20:21:22", True, "refund -15"),
    ("Gamma", "Sprocket", "21", 21, 0.5, None, "2024-11-30", "2024-12-01 00:00:00", False, "line one"),
    ("Epsilon", "Bolt", "9", 9, 1.5, 0.9, "2025-01-01", "2025-01-01 00:00:01", True, "new year"),
    ("Delta", "Widget", "11", 11, 2.5, 0.1, "2025-02-28", "2025-03-01 11:11:11", None, "not leap"),
    ("Alpha", "Gadget", "12", 10, 3.5, 0.1, "2025-03-31", "2025-04-01 12:00:00", True, "quarter end"),
    ("Alpha", "Widget", "12", 10, 2.5, 0.1, "2024-01-31", "2024-02-01 09:30:00", True, "first order; urgent"),
    ("Zeta", "Nut", "0", 1, -2.75, 0.0, "1999-12-31", "2000-01-01 00:00:00", False, "millennium"),
    ("Zeta", "Bolt", " 6", 2, -0.5, None, "2000-02-29", "2000-02-29 12:30:30", True, "  spaces  "),
    ("Eta", "Cable", "abc", 13, 12.34, 0.12, "2023-05-15", "2023-05-20 05:06:07", True, "ABC-123"),
    ("Eta", "cable", "def", 17, 12.345, 0.12, "2023-05-16", "2023-05-16 17:18:19", False, "def-456 ghi-789"),
    ("Eta", "Cable", "77", 19, 23.45, None, "2023-05-17", None, True, "x"),
    ("Theta", "Plug", "1.50", 23, 45.67, 0.3, "2023-06-18", "2023-07-01 00:00:00", True, "one.two.three"),
    ("Theta", "Plug", "2.50", 29, 56.78, 0.4, "2023-07-19", "2023-07-31 21:22:23", None, "one,two,,four"),
]
ORDERS = [_row(number, *row) for number, row in enumerate(_ROWS, 1)]
ORDERS += [
    _row(
        30 + n,
        ("Iota", "Kappa", "iota")[n % 3],
        ("Lamp", "Desk", "Chair", "lamp")[n % 4],
        str(n * 11),
        n * 3 - 9,
        n * 1.25,
        n / 10,
        f"2022-{n:02}-{n + 3:02}",
        f"2022-{n:02}-{n + 9:02} {n:02}:{n * 4:02}:00",
        n % 2 == 0,
        f"batch {n % 3}",
    )
    for n in range(1, 11)
]

CUSTOMERS_TYPES: dict[str, ColumnType] = {
    "name": "text",
    "city": "text",
    "joined": "date",
    "rating": "integer",
    "credit": "decimal",
}
CUSTOMERS: list[tuple[Any, ...]] = [
    ("Alpha", "Münster", date(2020, 2, 29), 5, 100.5),
    ("Beta", "Köln", date(2021, 1, 31), 3, 20.25),
    ("Gamma", "São Paulo", date(2019, 12, 31), None, None),
    ("Delta", "Łódź", date(2022, 7, 15), 4, -10.0),
    ("Epsilon", None, None, 1, 0.0),
    ("Omega", "Zürich", date(2024, 2, 1), 5, 7.75),
    ("Iota", "münster", date(2018, 5, 5), 2, 15.0),
    ("Kappa", "東京", date(2017, 3, 1), 4, 33.33),
]
