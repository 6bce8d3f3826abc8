"""What was spent: not what was budgeted, no numbers of rows, and no key that numbers only happen to fit."""

from tests.agent.offline.conftest import Ask, Readings, is_unsure, misread

LESSONS = "\n".join(f"{n},{1 + n % 3},2025-{1 + n % 12:02d}-04,{1 + n % 4}" for n in range(1, 81))
EXAMS = "\n".join(f"{n},{7 * n % 40 + 21},2025-{1 + n % 12:02d}-20" for n in range(1, 26))
FILES = {
    "expenses.csv": """Expense ID,Expense Date,Category,Supplier,Amount (EUR)
1,2025-01-10,Fuel,Tank AG,110
2,2025-02-11,Office,Papier AG,45
3,2025-03-12,Fuel,Tank AG,135
4,2025-04-13,Rent,Halle AG,210
5,2024-05-14,Fuel,Tank AG,70
6,2025-06-15,Rent,Halle AG,230
""",
    "budget_2025.csv": "Category,Budget 2025 (EUR)\nFuel,500\nOffice,60\nRent,400\n",
    "instructors.csv": "Instructor ID,First Name,Last Name\n1,Marta,Holtz\n2,Luc,Moreau\n3,Erik,Lund\n",
    "lessons.csv": f"Lesson ID,Instructor ID,Lesson Date,Hours\n{LESSONS}\n",
    "exams.csv": f"Exam ID,Score,Exam Date\n{EXAMS}\n",
    "aircraft.csv": "Aircraft ID,Registration,State\n1,D-EKLA,ok\n2,D-ERVW,no-show\n3,D-EPTO,ok\n",
    "jobs.csv": "Job ID,Aircraft ID,Cost (EUR),Started On\n"
    "1,3,500,2025-01-05\n2,2,300,2025-02-05\n3,2,320,2025-03-05\n4,1,90,2025-04-05\n",
}


def test_what_was_spent_is_added_up(ask: Ask) -> None:
    cases = [
        ("What did we spend on fuel in 2025?", [(245,)]),
        ("What were the fuel expenses of 2025?", [(245,)]),
        ("Wie hoch waren die Ausgaben für Fuel im Jahr 2025?", [(245,)]),
        ("What are our total expenses in 2025?", [(730,)]),
        ("Expenses by category in 2025", [("Fuel", 245), ("Office", 45), ("Rent", 440)]),
        ("Which supplier did we pay the most in 2025?", [("Halle AG", 440)]),
    ]
    assert not misread(ask, cases)
    assert not any(is_unsure(ask(question)) for question, _ in cases)


def test_a_budget_is_given_if_it_is_asked_for(ask: Ask) -> None:
    assert not misread(ask, [("What was the budget for fuel in 2025?", [(500,)])])


def test_the_highest_cost_of_things_with_several_rows_is_their_total(ask: Ask) -> None:
    assert not misread(
        ask,
        [
            ("Which aircraft had the highest cost in 2025?", [("D-ERVW", 620)]),
            ("Which aircraft had the highest job cost in 2025?", [("D-ERVW", 620)]),
        ],
    )


def test_numbers_that_lie_among_others_refer_to_nothing(readings: Readings) -> None:
    found = readings("How many lessons did Marta Holtz give in 2025?")
    assert found[0].result.rows == ((26,),)
    assert not [r.sql for r in found if "`exams`.`score`" in r.sql]
    assert not [r.sql for r in readings("How many exams did Marta Holtz give?") if "`exams`.`score`" in r.sql]


def test_a_word_with_a_hyphen_is_a_value_as_a_whole(ask: Ask) -> None:
    assert not misread(ask, [("How many aircraft are a no-show?", [(1,)])])
