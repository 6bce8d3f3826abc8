"""Questions, what SQL or a text gives, and right and wrong answers in the natural words of a capable model."""

from dataclasses import dataclass

from tablerag.tools.records import Cell, Column, TableSchema

__all__ = ["CASES", "SALES", "WRONG", "Case"]

SALES = TableSchema(
    table_id="s",
    name="sales",
    title="Sales",
    columns=(
        Column(name="region", header="Region", type="text"),
        Column(name="customer", header="Customer", type="text"),
        Column(name="revenue_eur", header="Revenue (EUR)", type="decimal", unit="EUR"),
        Column(name="umsatz_eur", header="Umsatz (EUR)", type="decimal", unit="EUR"),
        Column(name="cost_keur", header="Cost (EUR thousands)", type="decimal", unit="EUR", scale="thousands"),
        Column(name="rate", header="Return rate (%)", type="decimal", unit="%"),
        Column(name="units", header="Units", type="integer"),
        Column(name="weight", header="Weight", type="decimal"),
        Column(name="hours", header="Hours", type="decimal"),
        Column(name="ordered_on", header="Order date", type="date"),
        Column(name="delivered_on", header="Delivery date", type="date"),
    ),
    row_count=9,
    source="sales.csv",
)


@dataclass(frozen=True)
class Case:
    """A question, what SQL or a text gives, and a right answer."""

    question: str
    answer: str
    sql: str = ""
    rows: tuple[tuple[Cell, ...], ...] = ()
    told: str = ""
    verdict: str = "sql_only"


def sql(question: str, selected: str, *rows: tuple[Cell, ...], answers: tuple[str, ...]) -> list[Case]:
    statement = f"SELECT {selected} FROM `sales`"
    return [Case(question, a, statement, rows) for a in answers]


def text(question: str, told: str, *answers: str) -> list[Case]:
    return [Case(question, a, told=told, verdict="text_only") for a in answers]


def both(question: str, selected: str, value: Cell, told: str, *answers: str) -> list[Case]:
    return [Case(question, a, f"SELECT {selected} FROM `sales`", ((value,),), told, "agree") for a in answers]


TOTAL = "What is the total revenue?"
SUM = "SUM(`revenue_eur`) AS `total`"
BOTH = "SELECT SUM(`hours`) AS `cost`, MAX(`weight`) AS `budget` FROM `sales`"
CASES = [
    *[
        Case("Did the cost stay within the budget?", answer, BOTH, ((616408, 600000),))
        for answer in (
            "No; the cost was 616,408, above the budget of 600,000",
            "No: 616,408 against a budget of 600,000",
            "The cost of 616,408 exceeds the budget of 600,000.",
            "No, the budget of 600,000 was below the cost of 616,408",
        )
    ],
    *sql(
        TOTAL,
        SUM,
        (1200000,),
        answers=(
            "EUR 1.2 million",
            "€1.2m",
            "The total revenue is EUR 1,200,000.",
            "1.2 million euros",
            "1,200,000 EUR",
            "Total revenue: EUR 1,200,000",
            "The total revenue was about EUR 1.2 million",
            "**EUR 1,200,000**",
        ),
    ),
    *sql(
        TOTAL,
        SUM,
        (1774512.35,),
        answers=("about EUR 1.77 million", "1,774,512 EUR", "EUR 1,774,512.35", "approximately €1.8 million"),
    ),
    *sql(
        "Wie hoch ist der Gesamtumsatz?",
        "SUM(`umsatz_eur`) AS `gesamt`",
        (1774512.35,),
        answers=(
            "1.774.512,35 EUR",
            "Der Gesamtumsatz beträgt 1.774.512,35 Euro.",
            "rund 1,77 Mio. EUR",
            "1,77 Millionen Euro",
        ),
    ),
    *sql(
        "Quel est le chiffre d'affaires total ?",
        SUM,
        (1774512.35,),
        answers=(
            "1 774 512,35 €",
            "Le chiffre d'affaires total est de 1 774 512,35 €.",
            "environ 1,77 million d'euros",
        ),
    ),
    *sql(
        "What share of the revenue comes from the North?",
        "ROUND(100 * SUM(CASE WHEN `region` = 'North' THEN `revenue_eur` END) / SUM(`revenue_eur`), 2) AS `share`",
        (37.52,),
        answers=("37.5%", "37.52 percent", "About 37.5% of the revenue comes from the North.", "37.52 %"),
    ),
    *sql(
        "What share of the revenue comes from the North?",
        "SUM(CASE WHEN `region` = 'North' THEN `revenue_eur` END) / SUM(`revenue_eur`) AS `share`",
        (0.3752,),
        answers=("37.5%", "37.52%", "about 38%"),
    ),
    *sql(
        "When was the first order?",
        "MIN(`ordered_on`) AS `first`",
        ("2024-03-05",),
        answers=("5 March 2024", "March 5, 2024", "2024-03-05", "The first order was on 5 March 2024."),
    ),
    *sql(
        "Wann war die erste Bestellung?",
        "MIN(`ordered_on`) AS `erste`",
        ("2024-03-05",),
        answers=("05.03.2024", "Am 5. März 2024"),
    ),
    *sql(
        "Which month had the highest revenue?",
        "DATE_FORMAT(`ordered_on`, '%Y-%m') AS `month`",
        ("2024-03",),
        answers=("March 2024", "2024-03"),
    ),
    *sql("Which year had the highest revenue?", "YEAR(`ordered_on`) AS `year`", (2024,), answers=("2024", "In 2024")),
    *sql(
        "How many customers are in the North?",
        "COUNT(DISTINCT `customer`) AS `n`",
        (42,),
        answers=("42", "42 customers", "There are 42 customers in the North."),
    ),
    *sql(
        "How many orders were placed by Alfa?",
        "COUNT(*) AS `n`",
        (12,),
        answers=("Twelve", "12 orders", "Twelve orders"),
    ),
    *sql(
        "How many orders over 500 EUR were placed in 2024?",
        "COUNT(*) AS `n`",
        (17,),
        answers=("17 orders over 500 EUR were placed in 2024.", "17 orders"),
    ),
    *sql(
        "How many kilograms were shipped?", "SUM(`weight`) AS `weight`", (1250,), answers=("1,250 kg", "1250 kilograms")
    ),
    *sql("How heavy were all shipments?", "SUM(`weight`) AS `weight_kg`", (1250,), answers=("1,250 kg",)),
    *sql(
        "How long did it take on average?",
        "AVG(`hours`) AS `avg_hours`",
        (12.3456,),
        answers=("12.3 hours", "about 12 hours"),
    ),
    *sql(
        "How many days passed between order and delivery?",
        "DATEDIFF(`delivered_on`, `ordered_on`) AS `d`",
        (45,),
        answers=("45 days",),
    ),
    *sql(
        "What is the range of the revenue?",
        "MIN(`revenue_eur`) AS `lo`, MAX(`revenue_eur`) AS `hi`",
        (120, 980),
        answers=("EUR 120 to EUR 980", "between 120 and 980 EUR", "From EUR 120 to EUR 980", "EUR 120–980"),
    ),
    *sql(
        "Which regions are there?",
        "DISTINCT `region`",
        ("North",),
        ("South",),
        ("East",),
        answers=(
            "North, South and East",
            "North; South; East",
            "- North\n- South\n- East",
            "There are three regions: North, South and East.",
        ),
    ),
    *sql(
        "What is the revenue of each region?",
        "`region`, SUM(`revenue_eur`) AS `total`",
        ("North", 1200),
        ("South", 900),
        answers=(
            "North: EUR 1,200; South: EUR 900",
            "North (EUR 1,200), South (EUR 900)",
            "North EUR 1,200 and South EUR 900",
        ),
    ),
    *sql(
        "Which region has the highest revenue?",
        "`region`, SUM(`revenue_eur`) AS `total`",
        ("North", 1200),
        answers=("North, with EUR 1,200", "North had the highest revenue at EUR 1,200.", "North (€1,200)"),
    ),
    *sql(
        "What is the revenue of each region and year?",
        "`region`, YEAR(`ordered_on`) AS `year`, SUM(`revenue_eur`) AS `total`",
        ("North", 2023, 1200),
        ("North", 2024, 1300),
        ("North East", 2024, 700),
        answers=("North: EUR 1,200 in 2023 and EUR 1,300 in 2024; North East: EUR 700 in 2024",),
    ),
    *sql(
        "By how much did the revenue change?",
        "SUM(`revenue_eur`) - MIN(`revenue_eur`) AS `change`",
        (-350,),
        answers=("-350 EUR", "It fell by EUR 350.", "a decrease of EUR 350", "−€350"),
    ),
    *sql(
        "Did the North sell more than the South?",
        "`region`, SUM(`revenue_eur`) AS `total`",
        ("North", 1200),
        ("South", 900),
        answers=("Yes", "Yes, the North sold EUR 1,200 and the South EUR 900.", "Yes: EUR 1,200 vs EUR 900"),
    ),
    *sql(
        "What are the total costs?",
        "SUM(`cost_keur`) AS `total`",
        (1250,),
        answers=("EUR 1.25 million", "EUR 1,250 thousand", "1,250 thousand EUR", "€1,250k", "EUR 1,250,000"),
    ),
    *sql(
        "What is the average number of units?",
        "AVG(`units`) AS `average`",
        (33.333333,),
        answers=("33.33", "33.3 units", "about 33"),
    ),
    *sql(
        "By how many percent did the revenue grow?",
        "100 * (MAX(`revenue_eur`) - MIN(`revenue_eur`)) / MIN(`revenue_eur`) AS `g`",
        (12.5,),
        answers=("12.5%", "an increase of 12.5%", "The revenue grew by 12.5%."),
    ),
    *sql(
        "How did the revenue develop from 2023 to 2024?",
        "MIN(`revenue_eur`) AS `y2023`, MAX(`revenue_eur`) AS `y2024`",
        (900, 1200),
        answers=("It rose from EUR 900 in 2023 to EUR 1,200 in 2024.",),
    ),
    *sql(
        "What is the highest return rate?",
        "MAX(`rate`) AS `rate`",
        (4.25,),
        answers=("4.25%", "4.3 percent", "4.25 per cent"),
    ),
    *sql(
        "How many orders were cancelled?", "COUNT(*) AS `n`", (0,), answers=("0", "None", "No orders were cancelled.")
    ),
    *text(
        "How long is the warranty?",
        "The warranty period is 24 months from delivery.",
        "24 months",
        "24 months from delivery",
        "The warranty is 24 months from delivery.",
        "The warranty lasts 24 months.",
    ),
    *text("What was the revenue?", "Der Umsatz betrug 1,2 Mio. EUR im Jahr 2023.", "EUR 1.2 million", "1,2 Mio. EUR"),
    *text(
        "How long does delivery take?",
        "Delivery takes between 10 and 15 working days.",
        "10–15 working days",
        "10 to 15 working days",
        "Between 10 and 15 working days",
    ),
    *text(
        "When does the contract begin?",
        "The contract begins on 1 July 2023.",
        "1 July 2023",
        "July 1, 2023",
        "2023-07-01",
    ),
    *text("What is the minimum order value?", "The minimum order value is €250.", "EUR 250", "€250", "250 euros"),
    *text(
        "Is smoking allowed?",
        "Smoking is prohibited in all buildings.",
        "No, smoking is prohibited in all buildings.",
        "No",
    ),
    *text(
        "Who signs the contracts?",
        "Contracts are signed by Ada Birch and Tom Ash.",
        "Ada Birch and Tom Ash",
        "Ada Birch; Tom Ash",
    ),
    *text("What is the share of women?", "Women make up 41.5 percent of the staff.", "41.5%", "41.5 %"),
    *both(
        TOTAL,
        SUM,
        1200000,
        "Revenue reached EUR 1.2 million.",
        "EUR 1,200,000",
        "EUR 1.2 million",
        "€1.2m",
        "The total revenue is EUR 1.2 million.",
    ),
    *both(TOTAL, SUM, 1774512.35, "Der Umsatz betrug 1.774.512,35 Euro.", "EUR 1,774,512.35", "1.774.512,35 EUR"),
    *both(
        "What is the highest return rate?", "MAX(`rate`) AS `rate`", 4.25, "The worst rate was 4.25 percent.", "4.25%"
    ),
]


TWO = (
    "Did the North sell more than the South?",
    "`region`, SUM(`revenue_eur`) AS `total`",
    ("North", 1200),
    ("South", 900),
)
WRONG = [
    *[
        Case("Did the cost stay within the budget?", answer, BOTH, ((616408, 600000),))
        for answer in (
            "Yes; the cost was 616,408, below the budget of 600,000",
            "No; the budget of 600,000 was above the cost of 616,408",
            "The cost was over 616,408, with a budget of 600,000",
            "The cost was 616,408, and the budget of 600,000 was above",
        )
    ],
    *sql(
        TOTAL,
        SUM,
        (1200000,),
        answers=(
            "The total revenue is USD 1,200,000.",
            "The total revenue was EUR 12 million",
            "about $1.2 million",
            "The total revenue was at least EUR 1,200,000",
            "The total revenue is EUR 1,200,000 or higher",
            "The total revenue fell by EUR 1,200,000.",
            "The total revenue is EUR -1,200,000.",
            "EUR 1,200,000–1,900,000",
            "The total loss is EUR 1,200,000.",
            "**EUR 1,200,001**",
            "The total revenue is EUR 1,200,000 according to the auditors",
            "Twelve",
            "EUR 1.3 million",
            "The total revenue is more than EUR 1,200,000.",
            "The total revenue is EUR 1,200,000 %",
        ),
    ),
    *sql(
        "By how much did the revenue change?",
        "MIN(`revenue_eur`) - MAX(`revenue_eur`) AS `change`",
        (-350,),
        answers=("It rose by EUR 350.", "an increase of EUR 350"),
    ),
    *sql(
        "How did the revenue develop?",
        "MIN(`revenue_eur`) AS `a`, MAX(`revenue_eur`) AS `b`",
        (900, 1200),
        answers=("It fell from EUR 900 to EUR 1,200.", "It rose from EUR 1,200 to EUR 900."),
    ),
    *sql(
        "When was the first order?",
        "MIN(`ordered_on`) AS `first`",
        ("2024-03-05",),
        answers=("6 March 2024", "5 April 2024", "May 3, 2024", "5 March 2023"),
    ),
    *sql("Wann war die erste Bestellung?", "MIN(`ordered_on`) AS `erste`", ("2024-03-05",), answers=("03.05.2024",)),
    *sql(
        *TWO,
        answers=(
            "North: EUR 900; South: EUR 1,200",
            "EUR 900 for North and EUR 1,200 for South",
            "Yes, the North sold EUR 900 and the South EUR 1,200.",
        ),
    ),
    *sql(TOTAL, SUM, (1200000,), answers=("The total revenue is EUR 1,200,000/1,900,000",)),
    *text("What is the minimum order value?", "The minimum order value is €250.", "USD 250", "EUR 2,500", "EUR 260"),
    *text("When does the contract begin?", "The contract begins on 1 July 2023.", "1 July 2024", "2 July 2023"),
]
