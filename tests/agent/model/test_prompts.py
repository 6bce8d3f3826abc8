"""Each prompt's placeholders are exactly what its step supplies, and documents stay inside their blocks."""

import re
from string import Template

import pytest

from tablerag.agent.model import prompts, rendering
from tablerag.agent.reasoning import DecomposeTask, SqlTask, ValidateTask
from tablerag.tools.models import open_chat_model
from tablerag.tools.records import Column, SqlResult, SupportingRows
from tablerag.tools.settings import Settings
from tablerag.tools.token_count import count_tokens
from tests.support.fakes import SALES, chunk
from tests.support.model_server import ModelServer

SUPPLIED = {
    "RESOLVE": {"history", "question"},
    "OPENING": {"question", "tables", "chunks", "left"},
    "RESULT": {"result"},
    "FAILED": {"problem", "left"},
    "NEXT": {"left"},
    "TOLD": {"reply", "left"},
    "LAST": set(),
    "CONFLICT": set(),
    "GIVEN": set(),
    "REASK": {"problem"},
}


@pytest.mark.parametrize("name", SUPPLIED)
def test_placeholders_are_what_the_step_supplies(name: str) -> None:
    template = Template(getattr(prompts, name))
    assert template.is_valid()
    assert set(template.get_identifiers()) == SUPPLIED[name]


def test_every_prompt_is_covered() -> None:
    assert set(prompts.__all__) == {*SUPPLIED, "SAFETY", "SYSTEM", "OF_NUMBERS", "OF_RAW", "OF_TEXTS"}


def test_every_block_that_holds_documents_is_named_in_the_safety_rule_and_neutralised() -> None:
    used = set(re.findall(r"</(\w+)>", "".join(getattr(prompts, name) for name in SUPPLIED)))
    for tag in used:
        assert rendering.inert(f"</{tag}>") == f"‹/{tag}>"
    assert used - {"question", "conversation"} <= set(re.findall(r"<(\w+)>", prompts.SYSTEM))


def test_the_rules_are_short() -> None:
    assert count_tokens(prompts.SYSTEM) < 750


@pytest.mark.parametrize(
    "hidden", ["</evi\u200bdence>", "<\u200d/evidence>", "<\u202e/ evidence >", "</\x00evidence>", "< /EVIDENCE>"]
)
def test_invisible_characters_hide_no_tag(hidden: str) -> None:
    assert "<" not in rendering.inert(hidden)


def test_ordinary_text_is_left_alone() -> None:
    text = "a < b, <b>x</b>, Zürich, 東京, می\u200cخواهم\n\tend"
    assert rendering.inert(text) == text


def test_chunks_share_a_budget_and_cuts_show() -> None:
    long = "x" * 10_000
    text = rendering.chunks_text([chunk("short"), *(chunk(long) for _ in range(19))])
    assert len(text) < rendering.CHUNKS_CHARS + 20 * 150
    assert text.count("… [cut]") == 19
    assert "… [cut]" not in rendering.chunks_text([chunk("y" * 5900), chunk("short")])


def test_a_column_of_booleans_says_what_its_cells_are_in_sql() -> None:
    paid = Column(name="paid", header="Paid?", type="boolean", examples=("True", "False"))
    text = rendering.tables_text([SALES.model_copy(update={"columns": (paid,)})])
    assert "`paid` boolean" in text and "1 and 0" in text and "True" not in text


def rows_behind(table: str, total: int) -> SupportingRows:
    shown = tuple((i,) for i in range(min(total, 6)))
    return SupportingRows(table=table, columns=("points",), rows=shown, row_ids=(1,) * len(shown), total=total)


def test_rows_behind_a_result_are_counted_and_tables_without_any_left_out() -> None:
    result = SqlResult(sql="SELECT 1", columns=("n",), rows=((1,),))
    text = rendering.supporting_text(result, [rows_behind("a", 1), rows_behind("b", 0), rows_behind("c", 9)])
    assert text.splitlines()[:3] == ["computed from 1 stored row of `a`:", "points", "0"]
    assert "`b`" not in text and "computed from 9 stored rows of `c`, the first 5:" in text
    assert rendering.supporting_text(result, [rows_behind("b", 0)]) == "computed from no stored row"
    assert "cannot be told" in rendering.supporting_text(result, [])
    assert rendering.supporting_text(None, []) == ""


def test_many_wide_tables_lose_examples_but_no_column() -> None:
    columns = tuple(
        Column(name=f"c{i}", header=f"Header {i}", type="text", examples=("v" * 50,) * 3) for i in range(80)
    )
    tables = [SALES.model_copy(update={"name": f"t{i}", "columns": columns}) for i in range(3)]
    text = rendering.tables_text(tables)
    first, _, rest = text.partition("table `t1`")
    assert "e.g." in first
    assert "and 20 more columns" in first
    assert "e.g." not in rest
    assert all(text.count(f"`c{i}`") == 3 for i in range(80))


@pytest.mark.parametrize(
    ("step", "task"),
    [
        ("decompose", DecomposeTask("q?", (SALES,), ())),
        ("write_sql", SqlTask("q?", "s?", (SALES,))),
        ("cross_validate", ValidateTask("q?", "s?", (chunk("a t"),), steps_left=1)),
    ],
)
def test_a_step_leaves_no_placeholder_open(model_server: ModelServer, step: str, task: object) -> None:
    from tablerag.agent.model.llm import LlmReasoner

    settings = Settings(openai_base_url=model_server.url, llm_retries=0, _env_file=None)
    model_server.enqueue({"sql": "SELECT 1", "missing": "all"})
    getattr(LlmReasoner("openai:x", open_chat_model("openai:x", settings)), step)(task)
    assert not re.search(r"\$\w", "".join(m["content"] for m in model_server.requests[0]["messages"]))
