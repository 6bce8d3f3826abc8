"""A computed figure and the text: they differ only if a sentence is about the very same thing."""

import pytest

from tablerag.agent.offline.text.checking import contradicts, other_figure, stating
from tablerag.tools.records import Chunk


def chunks(text: str, title: str = "Report") -> list[Chunk]:
    return [Chunk(id=text, text=text, kind="text", document_id="d", source="report.md", title=title)]


@pytest.mark.parametrize(
    ("question", "text", "figure"),
    [
        ("How many employees are there in Lyon?", "There are 14 employees in Lyon.", "14"),
        ("How many employees are there in Lyon?", "There are 14 employees in Paris.", ""),
        ("How many employees are there?", "Every employee has 14 days of leave.", ""),
        ("How many employees work in Sales?", "Employees in Sales have 14 days of leave.", ""),
        ("What was the total revenue in 2025?", "The total revenue of 2025 was EUR 1.8 million.", "EUR 1.8 million"),
        ("What was the total revenue in 2025?", "The total revenue of 2024 was EUR 1.8 million.", ""),
        ("What was the total revenue in 2025?", "The total revenue per employee of 2025 was EUR 9,000.", ""),
        ("What did shipments with DHL cost in total?", "Shipments cost EUR 310,000 in total.", ""),
        ("What did shipments with DHL cost in total?", "Shipments with DHL cost EUR 310,000 in total.", "EUR 310,000"),
        ("What is the total value of orders?", "Orders above EUR 500 need approval.", ""),
        ("What were the total expenses in 2025?", "Total maintenance expenses in 2025: 500 EUR.", ""),
        ("What were the total expenses in 2025?", "Total expenses for maintenance came to 500 EUR in 2025.", ""),
        ("What were the total expenses in 2025?", "In 2025, expenses of the repair shop totalled 500 EUR.", ""),
        ("What were the total expenses in 2025?", "Expenses in Bergen totalled 500 EUR in 2025.", ""),
        ("total maintenance expenses in 2025", "Total maintenance expenses in 2025: 500 EUR.", "500 EUR"),
        ("What were the total expenses in 2025?", "The company's total expenses in 2025 were 930 EUR.", "930 EUR"),
        ("What were the total expenses in 2025?", "Total expenses of the company were 930 EUR in 2025.", "930 EUR"),
        ("What were the total expenses in 2025?", "In 2025 we recorded expenses of 930 EUR in total.", "930 EUR"),
        ("What was the total revenue?", "The total revenue was about 1.8 million EUR.", "about 1.8 million EUR"),
        ("What is the total units?", "The total units sold were 410.", "410"),
        ("What is the total units?", "In total 410 units were sold.", "410"),
        ("What is the total units?", "The total units are listed in section 4.", ""),
        ("What is the total units?", "The total units rose from 300 to 410.", ""),
        ("How many lessons were cancelled?", "We gave 177 lessons that were not cancelled.", ""),
        ("How many lessons were not cancelled?", "We gave 177 lessons that were not cancelled.", "177"),
    ],
)
def test_only_a_sentence_about_the_same_thing_contradicts(question: str, text: str, figure: str) -> None:
    found = other_figure(question, chunks(text))
    assert (found[1].text if found else "") == figure


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("What was the total revenue?", "The total revenue was about 1.8 million EUR.", True),
        ("What was the revenue?", "The revenue was 1.8 million EUR.", True),
        ("What was the revenue?", "The revenue was about 1.8 million EUR.", False),
    ],
)
def test_a_rough_figure_contradicts_only_as_a_total(question: str, text: str, is_other: bool) -> None:
    found = other_figure(question, chunks(text))
    assert found is not None and contradicts(*found) is is_other


@pytest.mark.parametrize(
    ("value", "question", "text", "agrees"),
    [
        ("1774500", "What was the total revenue of 2025?", "The total revenue of 2025 was 1,774,500 EUR.", True),
        ("6", "How many employees are there?", "The canteen opens at 6.", False),
        ("Ann Lee", "Who leads the Lyon office?", "The Lyon office is led by Ann Lee.", True),
        ("Ann", "Who leads the Lyon office?", "The Lyon office is led by Annabel Lee.", False),
        ("3", "How many trucks were there in 2024?", "There were 3 trucks in 2023.", False),
        ("3", "How many trucks were there?", "There were not 3 trucks.", False),
        ("3", "How many trucks were there?", "There were more than 3 trucks.", False),
        ("Ann Lee", "Who leads the Lyon office?", "The Lyon office was never led by Ann Lee.", False),
    ],
)
def test_a_value_agrees_with_a_sentence_about_it(value: str, question: str, text: str, agrees: bool) -> None:
    assert bool(stating(value, question, chunks(text))) is agrees
