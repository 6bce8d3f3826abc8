"""Text that is not ours, in Markdown: whatever it holds, a renderer finds nothing live in it."""

import json
import re
import time

import pytest

from tablerag.tools.markdown import cell, code, escaped, fenced, inert_json, inert_statement, inline
from tests.support.hostile_markdown import HOSTILE, live_in

WAYS = {
    "escaped": escaped,
    "inline": inline,
    "emphasis": lambda text: f"_{inline(text)}_",
    "cell": lambda text: f"| a | b |\n| --- | --- |\n| {cell(text)} | {cell(text)} |",
    "code": code,
    "fenced": lambda text: f"{fenced(text)}\n\nafter",
    "JSON": lambda text: inert_json([{text: text}, {"a": [text, None], text: 1}]),
    "text of JSON": lambda text: json.loads(inert_json([text]))[0],
    "key of JSON": lambda text: next(iter(json.loads(inert_json({text: 1})))),
    "statement": lambda text: inert_statement(f"SELECT '{text}' AS `{text}`"),
    "statement of lines": lambda text: inert_statement(f"SELECT '\n{text}'\n"),
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


def test_json_keeps_ordinary_values() -> None:
    found = [{"Net_revenue (EUR)": 1.5, "Region": "R&D, 12 %", "Day": "2024-01-05", "Open": True, "None": None}]
    assert inert_json(found) == json.dumps(found)
    assert json.loads(inert_json({"a": "x [1] \\ y"})) == {"a": "x \\[1] \\\\ y"}


def test_the_end_of_a_link_has_no_bracket_of_json_before_it() -> None:
    assert live_in(inert_json(["x](/api/runs)", "y"])) == []


def test_an_ordinary_statement_stays_as_it_is() -> None:
    sql = "SELECT SUM(`amount`) / 2 AS x FROM `sales__1` WHERE `day` <= '2024-05-01' AND n < 5"
    assert inert_statement(sql) == sql


def test_an_escape_in_the_text_undoes_none() -> None:
    assert live_in(escaped("\\<img src=x>")) == []


def test_a_row_keeps_its_cells() -> None:
    assert cell("a|b\\|c") == r"a\|b\\\|c"
    assert len(re.split(r"(?<!\\)\|", cell("`a|b` | c"))) == 1


def test_a_fence_is_longer_than_any_in_it() -> None:
    assert fenced("a\n`````\nb").startswith("``````\n")


@pytest.mark.parametrize(
    "part",
    [
        "a",
        "a_",
        "a-",
        "a.",
        "a@",
        "- ",
        "1. ",
        "//",
        "http:",
        "www.",
        "`",
        "` ",
        "*",
        "_ ",
        "&a",
        "<",
        "=",
        "\n",
        " ",
        "|",
    ],
)
def test_endless_texts_are_escaped_in_a_moment(part: str) -> None:
    text, started = part * (30_000 // len(part)) + "!", time.process_time()
    for write in (escaped, inline, cell, code, fenced, inert_statement, lambda t: inert_json([t])):
        write(text)
    assert time.process_time() - started < 3
