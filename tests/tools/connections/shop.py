"""The database that every engine's tests connect: customers and orders, and a table with difficult names."""

from collections.abc import Sequence
from typing import Any

__all__ = ["CUSTOMERS", "ODD", "ORDERS", "created"]

CUSTOMERS: list[tuple[Any, ...]] = [
    (1, "Bar Aurora", "Bergen"),
    (2, "Café Mokka", "Oslo"),
    (3, "delta", None),
]
ORDERS: list[tuple[Any, ...]] = [
    (1, 1, "Apple", 10, 2.5, "2024-01-31", "2024-01-31 09:30:00", True, "first"),
    (2, 2, "apple", 7, 1.25, "2024-02-29", "2024-02-29 18:05:07", False, None),
    (3, 1, "Pear", -5, 4.0, "2023-12-31", None, True, "50% off"),
    (4, 3, "ÄPFEL", 4, None, "2024-03-01", "2024-03-01 00:00:00", None, "a_b"),
    (5, 3, "Äpfel", 3, 0.5, None, "2024-03-02 12:00:00", False, ""),
    (6, 2, "Pear", 12, 3.75, "2024-12-29", "2024-12-29 23:59:59", True, "last"),
]
ODD: list[tuple[Any, ...]] = [("x", 1, "one"), ("y", 2, "two"), ("y", 2, "two")]

COLUMNS = {
    "customers": "id INTEGER PRIMARY KEY, name {text}, city {text}",
    "orders": (
        "id INTEGER PRIMARY KEY, customer_id INTEGER{references}, product {text}, quantity INTEGER, price {real}, "
        "ordered DATE, packed_at {moment}, paid BOOLEAN, note {text}"
    ),
    "Odd Names!": "{q}select{q} {text}, {q}Größe{q} INTEGER, {q}two words{q} {text}",
}


def created(quote: str, text: str, real: str, moment: str, references: str = "") -> list[str]:
    """Return the statements that create and fill the tables, in an engine's words."""
    words = {"q": quote, "text": text, "real": real, "moment": moment, "references": references}
    statements = [f"CREATE TABLE {quote}{name}{quote} ({columns.format(**words)})" for name, columns in COLUMNS.items()]
    rows = {"customers": CUSTOMERS, "orders": ORDERS, "Odd Names!": ODD}
    return statements + [f"INSERT INTO {quote}{name}{quote} VALUES {_values(of)}" for name, of in rows.items()]


def _values(rows: Sequence[Sequence[Any]]) -> str:
    return ", ".join("(" + ", ".join(_literal(v) for v in row) + ")" for row in rows)


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
