"""A limit that a rule sets is looked up where a table of rules states it, and never computed from rows."""

import pytest

from tablerag.agent.offline.choosing import Chooser
from tablerag.agent.offline.hops.planning import TwoHops
from tablerag.agent.offline.stated_limits import asks_limit, computes_limit, limit_of
from tablerag.agent.reasoning import SqlTask
from tablerag.tools.records import Column, TableSchema
from tablerag.tools.table_rows import TableRows

CLASSES = TableSchema(
    table_id="t1",
    name="classes",
    columns=(
        Column(name="class_name", header="Class", type="text"),
        Column(name="answer_within", header="Answer within", type="text"),
        Column(name="solve_within", header="Solve within", type="decimal", raw="solve_within_raw", unit="s"),
    ),
    row_count=2,
    title="Classes",
    source="fault_rules.docx",
)
ROWS = TableRows(
    ("_row_id", "class_name", "answer_within", "solve_within", "solve_within_raw"),
    ((1, "Severe", "2 hours", 86400.0, "1 day"), (2, "Minor", "2 working days", 864000.0, "10 days")),
    complete=True,
)
FAULTS = TableSchema(
    table_id="t2",
    name="faults",
    columns=(
        Column(name="opened", header="Opened", type="date"),
        Column(name="solved", header="Solved", type="date"),
        Column(name="rate", header="Hourly rate", type="decimal"),
    ),
    row_count=900,
    title="Faults",
    source="faults.csv",
)


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        (
            "Within how many days must a severe fault be solved?",
            "SELECT `solve_within_raw` FROM `classes` WHERE `class_name` = 'Severe'",
        ),
        (
            "How fast must minor faults be answered?",
            "SELECT `answer_within` FROM `classes` WHERE `class_name` = 'Minor'",
        ),
        ("Within how many days must a fault be solved?", ""),
        ("Within how many days must a severe or minor fault be solved?", ""),
        ("Within how many days must a severe fault be invoiced?", ""),
        ("Within how many days must a severe fault be solved in Leeds?", ""),
        ("How long does a severe fault take to be solved?", ""),
    ],
)
def test_a_limit_is_looked_up(question: str, statement: str) -> None:
    found = limit_of(question, (CLASSES, FAULTS), lambda schema, hints: ROWS, ())
    assert (found[0] if found else "") == statement


def test_a_limit_is_chosen_before_what_is_computed() -> None:
    chooser = Chooser(lambda schema, hints: ROWS, None, TwoHops(None, 0.5), 0.5)
    question = "Within how many days must a severe fault be solved?"
    choice = chooser.choose(SqlTask(question, question, (CLASSES, FAULTS)))
    assert choice is not None
    assert choice.meaning == 'Solve within where Class is "Severe"'


@pytest.mark.parametrize(
    ("question", "sql", "computed"),
    [
        ("Within how many days must faults be solved?", "SELECT SUM(DATEDIFF(`solved`, `opened`)) FROM `faults`", True),
        ("How long may a fault take?", "SELECT `rate` FROM `faults`", True),
        ("By when must the first fault be solved?", "SELECT MIN(`solved`) FROM `faults`", False),
        ("How many days did it take?", "SELECT SUM(DATEDIFF(`solved`, `opened`)) FROM `faults`", False),
    ],
)
def test_a_limit_is_not_computed(question: str, sql: str, computed: bool) -> None:
    assert computes_limit(question, sql, (CLASSES, FAULTS)) is computed


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("Innerhalb welcher Frist muss der Fehler behoben sein?", True),
        ("Sous quel délai faut-il répondre, ou doit-on attendre ?", True),
        ("How long must a repair take on average?", False),
        ("How long did the repair take?", False),
    ],
)
def test_what_asks_for_a_limit(question: str, limit: bool) -> None:
    assert asks_limit(question) is limit
