"""Stock, price lists, costings and property, in English."""

from datetime import date, timedelta
from random import Random

from openpyxl import Workbook

from benchmarks.spreadsheets.sheets import book, derive, form, merge, put, show, sums, table

__all__ = ["BOOKS"]


@book(
    "warehouse_stock",
    "en",
    table("Stock", "A:N", 1, (2, 61)),
    table("Lists", "A:B", 1, (2, 6)),
    table("Lists", "D:E", 1, (2, 5)),
)
def warehouse_stock(workbook: Workbook) -> None:
    """A plain export with leading zeros and a hidden column and row; the lists for its menus on a hidden sheet."""
    sheet = workbook.create_sheet("Stock")
    put(
        sheet,
        "A1",
        "SKU | Description | Category | Location | UoM | On hand | Allocated | Available | Reorder point | On order"
        " | Unit cost | Stock value | Last counted | ABC",
        bold=1,
    )
    chance = Random(23)
    goods = [
        "Hex bolt",
        "Wood screw",
        "Wall plug",
        "Cable tie",
        "Gate hinge",
        "Padlock",
        "Door closer",
        "Angle bracket",
    ]
    kinds = ["FIX", "FIX", "FIX", "ELE", "IRO", "SEC", "SEC", "IRO"]
    for row in range(2, 62):
        pick = chance.randrange(len(goods))
        size, hand, held = chance.choice([4, 5, 6, 8, 10, 12]), chance.randint(0, 900), chance.randint(0, 40)
        cost, counted = chance.randint(2, 1900) / 100, date(2024, 1, 8) + timedelta(chance.randint(0, 90))
        place = f"{chance.choice('ABC')}-{chance.randint(1, 24):02d} | {chance.choice(['EA', 'BOX'])}"
        orders = f"{chance.choice([20, 50, 100])} | {chance.choice(['', '', '200'])}"
        goods_text = f"'{row * 37:06d} | {goods[pick]} {size} mm | {kinds[pick]}"
        amounts = f"{hand} | {held} | | {orders} | {cost:.2f} | | {counted}"
        put(sheet, f"A{row}", f"{goods_text} | {place} | {amounts} | {chance.choice('AABC')}")
    derive(sheet, "H2:H61", "=F{0}-G{0}", "FG", lambda hand, held: hand - held)
    derive(sheet, "L2:L61", "=F{0}*K{0}", "FK", lambda hand, cost: round(hand * cost, 2))
    sheet.column_dimensions["K"].hidden = True
    sheet.row_dimensions[17].hidden = True
    sheet.auto_filter.ref = "A1:N61"
    sheet.freeze_panes = "C2"
    lists = workbook.create_sheet("Lists")
    put(
        lists,
        "A1",
        """
        Category | Name | | UoM | Meaning
        FIX | Fixings | | EA | Each
        ELE | Electrical | | BOX | Box of 100
        IRO | Ironmongery | | ROL | Roll
        SEC | Security | | PAL | Pallet
        TOO | Tools
        """,
    )
    lists.sheet_state = "hidden"


@book(
    "catering_prices",
    "en",
    table("Menu prices", "A:E", 5, (6, 10)),
    table("Menu prices", "A:F", 13, (14, 17)),
    table("Menu prices", "A:C", 20, (21, 25)),
)
def catering_prices(workbook: Workbook) -> None:
    """Three price lists under each other, each with its own columns and a merged title; prices on request."""
    sheet = workbook.create_sheet("Menu prices")
    put(
        sheet,
        "A1",
        """
        Pantry & Vine Catering
        Price list valid from 1 April 2024 – all prices per person in US dollars, excluding tax

        COLD BUFFETS
        Code | Buffet | 10–24 guests | 25–59 guests | 60+ guests
        CB1 | Market | 21.5 | 19.9 | 18.5
        CB2 | Harvest | 26 | 24.5 | 22.75
        CB3 | Coastal | 34 | 31.5 | on request
        CB4 | Vegan garden | 24 | 22.5 | 21
        CB5 | Children's | 12 | 11 | 10.5

        HOT DISHES
        Code | Dish | Contains | Small tray | Large tray | Notice
        HD1 | Chicken and leek pie | gluten, milk | 58 | 104 | 2 days
        HD2 | Chickpea curry | – | 49 | 88 | 2 days
        HD3 | Beef brisket | celery | 96 | 178 | 4 days
        HD4 | Mushroom lasagne | gluten, milk, egg | 62 | 112 | 2 days

        HIRE
        Item | Unit | Per day
        Round table, seats 8 | each | 11
        Folding chair | each | 2.25
        Linen, white | per table | 9.5
        Wine glasses | crate of 36 | 14
        Staff | hour | 32
        """,
        bold=2,
    )
    merge(sheet, "A1:F1", "A2:F2", "A4:F4", "A12:F12", "A19:F19")
    show(sheet, "C6:E25", '"$"0.00')


@book(
    "recipe_costing",
    "en",
    table("Costing", "A:E", 2, (3, 9)),
    table("Costing", "A:E", 12, (13, 18)),
    table("Costing", "A:E", 21, (22, 28)),
)
def recipe_costing(workbook: Workbook) -> None:
    """The same small table three times, one blank row between, the recipe's name over each; sums by formula."""
    sheet = workbook.create_sheet("Costing")
    put(
        sheet,
        "A1",
        """
        Sourdough loaf (yield: 12)
        Ingredient | Quantity | Unit | Price per unit | Cost
        Strong white flour | 6.5 | kg | 1.1 |
        Wholemeal flour | 1.2 | kg | 1.25 |
        Water | 5.4 | l | 0 |
        Salt | 0.15 | kg | 0.6 |
        Starter | 1.4 | kg | 0.85 |
        Energy | 1 | batch | 3.2 |
        Total

        Almond croissant (yield: 30)
        Ingredient | Quantity | Unit | Price per unit | Cost
        Croissant dough | 2.4 | kg | 4.9 |
        Frangipane | 1.1 | kg | 7.8 |
        Flaked almonds | 0.4 | kg | 11.5 |
        Icing sugar | 0.1 | kg | 1.9 |
        Energy | 1 | batch | 2.6 |
        Total

        Carrot cake (yield: 2 trays)
        Ingredient | Quantity | Unit | Price per unit | Cost
        Carrots | 1.8 | kg | 0.95 |
        Sunflower oil | 0.9 | l | 2.1 |
        Eggs | 18 | pc | 0.28 |
        Flour | 1.3 | kg | 1.1 |
        Cream cheese | 1 | kg | 5.4 |
        Energy | 1 | batch | 2.9 |
        Total
        """,
    )
    for first, last in ((3, 8), (13, 17), (22, 27)):
        derive(sheet, f"E{first}:E{last}", "=B{0}*D{0}", "BD", lambda quantity, price: quantity * price)
        sums(sheet, f"E{last + 1}:E{last + 1}", (first, last))
    show(sheet, "D3:E28", '#,##0.00 "€"')


@book(
    "property_cards",
    "en",
    form("Cards", "B:E", (4, 8)),
    form("Cards", "B:E", (13, 17)),
    table("Viewings", "A:E", 1, (2, 7)),
)
def property_cards(workbook: Workbook) -> None:
    """One card for each flat, pairs side by side without colons; the viewings as a table with empty cells."""
    sheet = workbook.create_sheet("Cards")
    put(
        sheet,
        "B2",
        """
        FLAT 3, 18 LARCH STREET

        Rent per month | 1180 | Deposit | 2360
        Bedrooms | 2 | Floor | 3rd, no lift
        Area (sq ft) | 690 | Heating | Gas
        Furnished | No | Pets | By arrangement
        Available | 2024-08-01 | Council tax band | C


        FLAT 1, 4 OLD BREWERY YARD

        Rent per month | 1495 | Deposit | 2990
        Bedrooms | 3 | Floor | Ground
        Area (sq ft) | 905 | Heating | Heat pump
        Furnished | Part | Pets | No
        Available | 2024-07-15 | Council tax band | D
        """,
    )
    merge(sheet, "B2:E2", "B11:E11")
    put(
        workbook.create_sheet("Viewings"),
        "A1",
        """
        Flat | When | Who | Phone | Outcome
        18 Larch Street, 3 | 2024-06-11 17:30 | Ms Adeyemi | '07700 900112 | second viewing
        18 Larch Street, 3 | 2024-06-11 18:00 | Mr Holt | '07700 900845 |
        18 Larch Street, 3 | 2024-06-12 12:15 | Mr and Mrs Pike | '07700 900377 | too small
        4 Old Brewery Yard, 1 | 2024-06-12 17:00 | Dr Sandoval | | offer
        4 Old Brewery Yard, 1 | 2024-06-13 09:00 | Ms Quigley | '07700 900291 |
        4 Old Brewery Yard, 1 | 2024-06-13 17:45 | Mr Teo | '07700 900660 | did not come
        """,
        bold=1,
    )


BOOKS = (warehouse_stock, catering_prices, recipe_costing, property_cards)
