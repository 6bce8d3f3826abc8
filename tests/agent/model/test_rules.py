"""Which rules a model is told beside those that always hold."""

import pytest

from tablerag.agent.model import prompts
from tablerag.agent.model.rules import rules_for
from tablerag.tools.records import Column, TableExtract, TableSchema
from tests.support.fakes import SALES, chunk


def table(*columns: Column) -> TableSchema:
    return SALES.model_copy(update={"name": "t", "columns": columns})


def text(*examples: str) -> Column:
    return Column(name="length", header="Length", type="text", examples=examples)


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ((text("Oslo", "Bergen"),), []),
        ((text("1,234 km", "56 km"),), [prompts.OF_NUMBERS]),
        ((text("$60,301", "(9.9)", "100.0 %"),), [prompts.OF_NUMBERS]),
        ((text(),), [prompts.OF_NUMBERS]),  # nothing is known of it
        ((Column(name="n", header="N", type="integer", raw="n_raw"),), [prompts.OF_RAW]),
        ((Column(name="n", header="N", type="integer"),), []),
    ],
)
def test_rules_come_with_the_columns_that_need_them(columns: tuple[Column, ...], told: list[str]) -> None:
    assert list(rules_for([table(*columns)])) == told


def test_the_rows_shown_tell_what_a_column_holds() -> None:
    rows = TableExtract(table="t", columns=("length",), rows=(("12 km",), ("13 km",), ("Oslo",)))
    assert list(rules_for([table(text("Oslo"))], [rows])) == [prompts.OF_NUMBERS]


def test_rules_about_texts_come_with_texts() -> None:
    assert list(rules_for([table(text("Oslo"))], (), [chunk("A text.")])) == [prompts.OF_TEXTS]
