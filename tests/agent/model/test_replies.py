"""What models really send, read into the forms asked for."""

import time

import pytest

from tablerag.agent.model.replies import (
    SqlReply,
    StepReply,
    read_reply,
    read_sql,
    read_step_reply,
    without_thinking,
)
from tablerag.tools.errors import ReplyInvalid


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"find": ["Who?"]}\n</tool_call>',
        '{"find": "Who?"}',
        '{"find": ["Who?", null, {"a": 1}]}}',
        'First {braces} in prose, then ```json\n{"find": ["Who?"]}',
    ],
)
def test_a_step_is_found_however_it_is_wrapped(text: str) -> None:
    assert read_step_reply(text).find == ("Who?",)


@pytest.mark.parametrize("text", ["{}", '{"citations": []}', "nothing", '{"find": []}', '{"answer": null}'])
def test_a_reply_without_a_step_is_none(text: str) -> None:
    with pytest.raises(ReplyInvalid):
        read_step_reply(text)


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("Here:\n```SQL\nSELECT 1", "SELECT 1"),
        ("```mysql\n-- the total\nSELECT 1\n```", "-- the total\nSELECT 1"),
        ("```\n(SELECT 1) UNION (SELECT 2)\n```", "(SELECT 1) UNION (SELECT 2)"),
        ("Draft:\n```sql\nSELECT 1\n```\nBetter:\n```sql\nSELECT 2\n```", "SELECT 2"),
        ("Sure!\n\nSELECT `a`\nFROM `t`;\n\nThis lists them.", "SELECT `a`\nFROM `t`"),
        ("SELECT `a` FROM `t` WHERE `b` = 'x; y';", "SELECT `a` FROM `t` WHERE `b` = 'x; y'"),
        ("SQLQuery: SELECT `a` FROM `t`", "SELECT `a` FROM `t`"),
        ("WITH x AS (SELECT 1 AS n) SELECT n FROM x", "WITH x AS (SELECT 1 AS n) SELECT n FROM x"),
        ('{"sql": "SELECT `a`\nFROM `t`"}', "SELECT `a`\nFROM `t`"),
    ],
)
def test_a_statement_is_found_in_every_form(text: str, sql: str) -> None:
    assert read_sql(text) == SqlReply(sql=sql)


@pytest.mark.parametrize("text", ["", "I cannot\nwith what I was given tell it from the table.", '{"sql": ""}', "```"])
def test_prose_is_no_statement(text: str) -> None:
    with pytest.raises(ReplyInvalid, match="expected"):
        read_sql(text)


@pytest.mark.parametrize("answer", ['"N/A"', '"Not found."', "null", '""', "[]"])
def test_saying_that_there_is_no_answer_is_none(answer: str) -> None:
    assert not read_reply(f'{{"answer": {answer}, "missing": "all"}}', StepReply).answer


def test_a_citation_without_words_costs_no_answer() -> None:
    text = (
        '{"answer": 3, "conflict": "Older version", "citations": [{"chunk": "[2]", "quote": null}, 7, {"quote": "x"}]}'
    )
    reply = read_step_reply(text)
    assert (reply.answer, reply.cause) == ("3", "older_version")
    assert [(c.chunk, c.quote) for c in reply.citations] == [(2, "")]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),
        ('<think>never ended {"answer": "no"}', ""),
        ("<b>kept</b>", "<b>kept</b>"),
    ],
)
def test_thoughts_are_dropped(text: str, left: str) -> None:
    assert without_thinking(text) == left


def test_hostile_nesting_fails_fast() -> None:
    with pytest.raises(ReplyInvalid):
        read_reply('{"a":' * 5000, StepReply)


@pytest.mark.parametrize("text", ["```\n" + " " * 200_000 + "x\n```", "```\n" + "( " * 100_000 + "x\n```"])
def test_a_reply_of_spaces_is_read_at_once(text: str) -> None:
    started = time.process_time()
    with pytest.raises(ReplyInvalid):
        read_step_reply(text)
    assert time.process_time() - started < 2
