"""Follow-ups spelled out by rules."""

import pytest

from tablerag.agent.offline.follow_up import spelled_out
from tablerag.agent.reasoning import ResolveTask, Turn
from tablerag.tools.records import ValueHint
from tests.support.fakes import SALES


def hint(phrase: str, column: str = "region") -> ValueHint:
    return ValueHint(table="sales", column=column, value=phrase.title(), phrase=phrase, score=1.0)


def resolved(message: str, question: str, answer: str = "10", **hints: tuple[ValueHint, ...]) -> str:
    return spelled_out(ResolveTask(message, (Turn(question, answer),), schemas=(SALES,), **hints))


NORTH_2012 = "What was the total amount of the North in 2012?"


@pytest.mark.parametrize(
    ("message", "spelled"),
    [
        ("and in 2013?", "What was the total amount of the North in 2013?"),
        ("What about the South?", "What was the total amount of the South in 2012?"),
        ("and the average?", "What was the average amount of the North in 2012?"),
        ("South in 2014?", "What was the total amount of the South in 2014?"),
    ],
)
def test_a_part_is_exchanged(message: str, spelled: str) -> None:
    now = (hint("south"),) if "outh" in message else ()
    assert resolved(message, NORTH_2012, hints=now, earlier=(hint("north"),)) == spelled


def test_a_period_or_value_that_was_not_there_is_added() -> None:
    assert resolved("and in 2013?", "What was the total amount?") == "What was the total amount in 2013?"
    assert resolved("and in the South?", "What is the total amount?", hints=(hint("south"),)) == (
        "What is the total amount in the South?"
    )


def test_opposites_take_each_other_s_place() -> None:
    assert resolved("and the lowest?", "Which region has the highest amount?") == "Which region has the lowest amount?"


def test_those_are_the_things_of_the_last_answer() -> None:
    message = "which of those has the highest amount?"
    assert resolved(message, "Which regions grew?", "North, South") == "which of North, South has the highest amount?"
    assert resolved(message, "How many are there?", "12") == message
    told = (hint("north"),)
    assert resolved("which of those grew?", "How many are in the North?", "12", earlier=told) == "which of north grew?"


def test_it_is_what_the_last_turn_was_about() -> None:
    assert resolved("How large is it?", "Which region grew?", "North") == "How large is North?"
    assert resolved("What is its amount?", "Which region grew?", "North: 10") == "What is North's amount?"
    assert resolved("Who runs it?", "How much has the North?", "10", earlier=(hint("north"),)) == "Who runs north?"


@pytest.mark.parametrize(
    "message",
    ["What is the total amount?", "Which region grew most?", "and blue whales?", "List all regions", "why?"],
)
def test_what_stands_alone_or_fits_nowhere_stays_as_it_is(message: str) -> None:
    assert resolved(message, NORTH_2012, earlier=(hint("north"),)) == message
