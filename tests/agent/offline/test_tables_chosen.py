"""The offline reasoner's choice among tables: the one of the month that is asked about, or none."""

import pytest

from tablerag.agent.offline.reasoner import OfflineReasoner
from tablerag.agent.reasoning import CannotAnswer, SqlQuery, SqlTask
from tablerag.tools.records import TableSchema
from tablerag.tools.uniting import united
from tests.support.fakes import SALES


def month(name: str) -> TableSchema:
    update = {"table_id": name, "name": f"sales_{name}", "title": f"sales_{name}", "source": f"sales_{name}.csv"}
    return SALES.model_copy(update=update | {"header_rows": 1})


JANUARY, FEBRUARY = month("jan_2024"), month("feb_2024")
(BOTH,) = united([JANUARY, FEBRUARY])


def statement(question: str, *schemas: TableSchema) -> str:
    thought = OfflineReasoner().write_sql(SqlTask(question, question, schemas))
    match thought.value:
        case SqlQuery(sql=sql):
            return sql
        case CannotAnswer(reason=reason):
            return reason


@pytest.mark.parametrize("order", [(JANUARY, FEBRUARY, BOTH), (BOTH, FEBRUARY, JANUARY), (FEBRUARY, JANUARY, BOTH)])
def test_the_table_of_the_month_is_read(order: tuple[TableSchema, ...]) -> None:
    assert "FROM `sales_feb_2024`" in statement("What is the total amount of sales in February 2024?", *order)


def test_a_table_that_does_not_know_the_month_or_year_is_not_read() -> None:
    assert (
        statement("What is the total amount of sales in March 2024?", JANUARY, BOTH)
        == 'Could not match "march" to the tables.'
    )
    assert (
        statement("What is the total amount of sales in January 2023?", JANUARY)
        == 'Could not match "2023" to the tables.'
    )
