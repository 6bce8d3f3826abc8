from agent.answer_text import answer_markdown

OUTCOME = {
    "answer": "10",
    "explanation": "a_b *c*\nd",
    "verdict": "sql_only",
    "sql": ["SELECT '```' FROM `t`"],
    "citations": [{"source": "a.csv", "locator": "", "quote": "![x](http://evil/`leak`)"}],
}


def test_document_content_cannot_become_markup() -> None:
    text = answer_markdown(OUTCOME, model="openai:x")
    assert "- `a.csv`: `![x](http://evil/'leak')`" in text
    assert "````sql\nSELECT '```' FROM `t`\n````" in text
    assert r"_a\_b \*c\* d_" in text
    assert "offline" not in text


def test_offline_answers_say_so() -> None:
    assert "no language model was used" in answer_markdown(OUTCOME, model="offline")
