from tablerag.agent.answer_text import answer_markdown

OUTCOME = {
    "answer": "10",
    "explanation": "a_b *c*\nd",
    "verdict": "sql_only",
    "iterations": 1,
    "sql": ["SELECT '```' FROM `t`"],
    "citations": [{"source": "a.csv", "locator": "", "quote": "![x](http://evil/`leak`)"}],
}


def test_document_content_cannot_become_markup() -> None:
    text = answer_markdown(OUTCOME, model="openai:x")
    assert "- `a.csv`: `![x](http://evil/'leak')`" in text
    assert "````sql\nSELECT '```' FROM `t`\n````" in text
    assert r"_a\_b \*c\* d_" in text
    assert "offline" not in text


def test_an_answer_out_of_a_cell_is_no_image_and_no_tag() -> None:
    text = answer_markdown(OUTCOME | {"answer": "![x](http://evil/a) <img src=x>"}, model="openai:x")
    assert text.startswith(r"!\[x](`http://evil/a`) \<img src=x>")


def test_an_aside_is_its_text_alone() -> None:
    assert answer_markdown(OUTCOME | {"iterations": 0, "answer": "- `t`"}, model="offline") == "- `t`"


def test_offline_answers_say_so() -> None:
    assert "no language model was used" in answer_markdown(OUTCOME, model="offline")
