"""Amounts whose date is in the table that they refer to, limits of another kind, and numbers instead of persons."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "sales_orders.csv": """Order No,Customer,Order Date,Region
10,Alder,2024-03-01,North
11,Birch,2025-02-01,South
12,Alder,2025-06-01,North
""",
    "order_lines.csv": """Order No,Line,Article,Line amount (EUR)
10,1,Rope,100
11,1,Rope,30
11,2,Winch,500
12,1,Winch,250
""",
    "budget_2025.csv": """Region,Budget EUR,Target orders
North,900,3
South,400,5
""",
    "employees.csv": """Employee ID,Name,Manager ID
1,Ada Brook,
2,Bo Ash,1
3,Cy Dale,1
""",
    "manual.md": """# Manual

## Status of a project

| Code | Meaning |
|---|---|
| 1 | proposed |
| 2 | active |
| 3 | closed |
""",
    "projects.csv": "Project,Lead,Status\nP1,Ann,1\nP2,Bea,2\nP3,Ann,2\nP4,Cid,3\n",
}
CASES = [
    ("What was the total line amount of the orders in 2025?", [(780,)]),
    ("Total line amount in 2024", [(100,)]),
    ("Total line amount by region in 2025", [("South", 530), ("North", 250)]),
]


def test_a_date_is_found_in_the_table_that_is_referred_to(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize(
    "question",
    [
        "Which regions had more orders in 2025 than their target?",  # euros are no orders
        "Who is the manager of Bo Ash?",  # a number is nobody
        "How many projects are not active?",  # the manual's codes are no projects
    ],
)
def test_nothing_of_another_kind_is_taken(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))
