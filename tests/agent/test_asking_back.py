"""Replies to a question back, as clients send them."""

from typing import Any

import pytest

from tablerag.agent.asking_back import MOST_CHARS, read_reply

CHOICES = ("2023", "2024")


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("the later one", "the later one"),
        ("2", "2024"),
        (" 1. ", "2023"),
        (3, "3"),
        ({"answer": "2"}, "2024"),
        ({"type": "edit", "args": {"answer": "2"}}, "2024"),
        ({"type": "edit", "edited_action": {"name": "answer_question", "args": {"answer": "both"}}}, "both"),
        ({"type": "response", "args": "both\nyears"}, "both years"),
        ({"decisions": [{"type": "reject", "message": "no"}]}, ""),
        ([{"type": "ignore"}], ""),
        ("x" * 5000, "x" * MOST_CHARS),
    ],
)
def test_replies_are_read_from_all_their_forms(reply: Any, read: str) -> None:
    assert read_reply(reply, CHOICES) == read


@pytest.mark.parametrize(
    "reply", ["", "  ", None, True, {}, [], ["1", "2"], {"type": "approve"}, {"answer": ["2"]}, {"answer": None}, 1.5]
)
def test_an_unclear_reply_is_asked_for_again(reply: Any) -> None:
    assert read_reply(reply, CHOICES) is None
