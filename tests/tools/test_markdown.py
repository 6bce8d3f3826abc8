"""Text that is not ours, in Markdown: whatever it holds, a renderer finds nothing live in it."""

import re

import pytest

from tablerag.tools.markdown import cell, code, escaped, fenced, inline
from tests.support.hostile_markdown import HOSTILE, live_in

WAYS = {
    "escaped": escaped,
    "inline": inline,
    "emphasis": lambda text: f"_{inline(text)}_",
    "cell": lambda text: f"| a | b |\n| --- | --- |\n| {cell(text)} | {cell(text)} |",
    "code": code,
    "fenced": lambda text: f"{fenced(text)}\n\nafter",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_is_live(way: str, text: str) -> None:
    assert live_in(WAYS[way](text)) == []


@pytest.mark.parametrize("text", HOSTILE)
def test_the_hostile_texts_are_live_as_they_are(text: str) -> None:
    assert live_in(text)


@pytest.mark.parametrize(
    "text", ["12 % of R&D", "a | b", "net_revenue", "- `t`: 3 rows", "up to 3.5. In 2024", "2 > 1", "10:30", "a@b"]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert escaped(text) == text


def test_a_url_is_code_without_the_sentence_around_it() -> None:
    assert (
        escaped("See https://a.example/b_c (or www.b.example).") == "See `https://a.example/b_c` (or `www.b.example`)."
    )
    assert inline("at https://a.example/b_c") == "at `https://a.example/b_c`"


def test_an_escape_in_the_text_undoes_none() -> None:
    assert live_in(escaped("\\<img src=x>")) == []


def test_a_row_keeps_its_cells() -> None:
    assert cell("a|b\\|c") == r"a\|b\\\|c"
    assert len(re.split(r"(?<!\\)\|", cell("`a|b` | c"))) == 1


def test_a_fence_is_longer_than_any_in_it() -> None:
    assert fenced("a\n`````\nb").startswith("``````\n")
