"""The facts behind the example corpus: a coffee roaster's orders, stock, suppliers and rules.

All invented. The documents are made from these lists, and the tests compute the expected answers from
them again, so that neither can drift from the other.
"""

import random
from datetime import date, timedelta

__all__ = ["ALLOWANCES", "ORDERS", "PRODUCTS", "QUARTERS", "SUPPLIERS", "WAREHOUSES"]

PRODUCTS = [
    # sku, product, origin, price per kg in EUR, organic
    ("0101", "Morning Ridge", "Ethiopia", 18.50, "yes"),
    ("0102", "Sidama Light", "Ethiopia", 21.00, "yes"),
    ("0103", "Harbour Blend", "Brazil", 12.40, "no"),
    ("0104", "Night Shift", "Brazil", 11.90, "no"),
    ("0105", "Volcán Dark", "Guatemala", 16.75, "no"),
    ("0106", "Highland Honey", "Guatemala", 19.25, "yes"),
    ("0107", "Lake Kivu", "Rwanda", 20.10, "yes"),
    ("0108", "Andes Classic", "Colombia", 14.30, "no"),
    ("0109", "Decaf Andes", "Colombia", 15.60, "no"),
    ("0110", "Geisha Reserve", "Panama", 64.00, "yes"),
]
WAREHOUSES = [
    # warehouse, city, capacity in kg, stock in kg
    ("Noordkade", "Rotterdam", 42000, 31800),
    ("Westhaven", "Rotterdam", 18500, 9400),
    ("Speicher Ost", "Hamburg", 36000, 28250),
    ("Molo Nuovo", "Trieste", 27500, 12700),
    ("Quai Sud", "Marseille", 15000, 14100),
]
SUPPLIERS = [
    # supplier, country, founded, farms, tonnes a year
    ("Finca Alta Vista", "Guatemala", 1987, 14, 320),
    ("Kaldi Cooperative", "Ethiopia", 1999, 212, 1450),
    ("Serra Azul", "Brazil", 1974, 9, 2880),
    ("Kivu Washing Station", "Rwanda", 2008, 640, 510),
    ("Cordillera Growers", "Colombia", 1992, 87, 1190),
    ("Hacienda Boquete", "Panama", 1961, 1, 38),
]
QUARTERS = [
    # quarter, revenue in EUR, cost in EUR
    ("Q1", 412000, 305500),
    ("Q2", 436500, 318200),
    ("Q3", 398250, 301900),
    ("Q4", 527750, 364400),
]
ALLOWANCES = [
    # destination, hotel per night in EUR, meals per day in EUR
    ("Netherlands", 140, 48),
    ("Germany", 135, 45),
    ("Italy", 125, 52),
    ("France", 150, 55),
    ("Ethiopia", 95, 30),
]
CUSTOMERS = [
    ("Café Lumen", "North"),
    ("The Copper Kettle", "North"),
    ("Bar Aurora", "South"),
    ("Station Espresso", "West"),
    ("Hotel Meridian", "South"),
    ("Brew & Bake", "East"),
    ("Atelier 9", "West"),
]
STATUSES = ("Delivered", "Delivered", "Delivered", "Shipped", "Cancelled")


def _orders() -> list[tuple[str, date, str, str, str, int, float, str]]:
    """Draw 120 orders: id, date, customer, region, product, quantity in kg, price per kg, status."""
    draw = random.Random(20250101)
    drawn = []
    for number in range(1, 121):
        customer, region = draw.choice(CUSTOMERS)
        _, product, _, price, _ = draw.choice(PRODUCTS)
        day = date(2025, 1, 6) + timedelta(days=draw.randrange(350))
        quantity = 1200 if number % 40 == 0 else draw.choice((5, 10, 12, 20, 25, 40, 60))
        drawn.append((f"{number:05d}", day, customer, region, product, quantity, price, draw.choice(STATUSES)))
    return drawn


ORDERS = _orders()
