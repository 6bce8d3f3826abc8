"""Clean tokens and question words."""

import pytest

from tablerag.tools.text import content_tokens, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EmployeeOvertime_List(2)", ["employee", "overtime", "list", "2"]),
        ("unit_prices", ["unit", "price"]),
        ("HTMLPage", ["html", "page"]),
        ("1,234,567.5 and 1 234", ["1234567.5", "and", "1234"]),
        ("Fenerbahçe São Ünal", ["fenerbahce", "sao", "unal"]),
        ("| a |\n|:---|---:|\n| nan | Unnamed: 3 | column_12 |", ["a"]),
        ("第三季度", ["第三", "三季", "季度"]),
        ("companies boxes glasses bus", ["company", "box", "glass", "bus"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many goals does Ada score in the table?", ["goal", "ada", "score"]),
        ("Wie viele Einwohner hat die Stadt Bonn?", ["einwohner", "stadt", "bonn"]),
        ("Quelle est la population de Lyon ?", ["population", "lyon"]),
        ("¿Cuál es la población de Madrid?", ["poblacion", "madrid"]),
        ("第三季度的销售额是多少?", ["第三", "三季", "季度", "度的", "的销", "销售", "售额", "额是"]),
        ("which war did his son die in?", ["war", "son", "die"]),
        ("what is it?", ["what", "is", "it"]),
    ],
)
def test_question_words_go_in_the_questions_own_language(question: str, expected: list[str]) -> None:
    assert content_tokens(question) == expected
