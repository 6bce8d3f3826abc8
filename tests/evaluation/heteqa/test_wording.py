"""The roles of columns, their wording, and the facts in passages."""

import pytest

from tablerag.evaluation.heteqa.facts import facts_of, is_about
from tablerag.evaluation.heteqa.roles import Measure, find_roles, spoken
from tablerag.evaluation.heteqa.sources import Passage, as_written
from tablerag.evaluation.heteqa.wording import measured, name_of, plural, quoted
from tablerag.tools.records import Column, TableSchema


def measure(header: str, unit: str = "", kind: str = "additive") -> Measure:
    return Measure("m", header, unit, kind, (1, 2, 3))


@pytest.mark.parametrize(
    ("tokenised", "written"),
    [
        ("Net worth ( USD ) , 2019", "Net worth (USD), 2019"),
        ("It 's the U.S. club . It won !", "It's the U.S. club. It won!"),
        ("1.5 km", "1.5 km"),
    ],
)
def test_the_tokenizers_spaces_are_taken_out(tokenised: str, written: str) -> None:
    assert as_written(tokenised) == written


def test_headers_are_said_as_within_a_sentence() -> None:
    said = [spoken(h) for h in ("Home Games", "GP", "City (s)", "Pos", "1st prize ($)")]
    assert said == ["home games", "GP", "city", "position", "1st prize ($)"]


@pytest.mark.parametrize(
    ("given", "name", "unit"),
    [
        (measure("Elevation (m)", "m"), "elevation", " (in m)"),
        (measure("Population (Census 2014)"), "population (Census 2014)", ""),
        (measure("Total Passengers"), "number of passengers", ""),
        (measure("Match"), "number of matches", ""),
        (measure("% change", "%"), "percentage change", " (in percent)"),
        (measure("Opened", kind="year"), "opening year", ""),
        (measure("Time", "s"), "time", " (in seconds)"),
    ],
)
def test_a_measure_is_named_with_its_unit_apart(given: Measure, name: str, unit: str) -> None:
    assert (name_of(given), measured(given)) == (name, unit)


def test_nouns_and_literals() -> None:
    assert [plural(n) for n in ("city", "match", "entry", "series", "flag bearer", "day")] == [
        "cities", "matches", "entries", "series", "flag bearers", "days",
    ]  # fmt: skip
    assert quoted("Ender's Game") == "'Ender''s Game'"


def column(name: str, header: str, type_: str, **more: str) -> Column:
    return Column(name=name, header=header, type=type_, **more)


def test_columns_are_sorted_by_what_they_are_good_for() -> None:
    columns = (
        column("page", "Page", "integer", raw="page_raw"),
        column("player", "Player", "text"),
        column("team", "Team", "text"),
        column("rank", "Rank", "integer"),
        column("goals", "Goals", "integer"),
        column("best", "Best score", "integer"),
        column("change", "Change", "integer"),
        column("founded", "Founded", "integer", kind="year"),
        column("notes", "Notes", "text"),
    )
    schema = TableSchema(table_id="t", name="t", columns=columns, row_count=12, source="t.csv")
    numbers = list(range(10, 22))
    cells = {
        "page": [2001] * 6 + [2002] * 6,
        "page_raw": ["2001 Cup"] * 6 + ["2002 Cup"] * 6,
        "player": [f"Player {'abcdefghijkl'[i]}" for i in range(12)],
        "team": ["Reds", "Blues", "Greens"] * 4,
        "change": [-1, *numbers[1:]],
        "founded": [1900 + i for i in range(12)],
        "notes": ["x", "y"] * 6,
    } | dict.fromkeys(("rank", "goals", "best"), numbers)
    roles = find_roles(schema, cells)
    assert (roles.key.name, roles.noun) == ("player", "player")
    assert [(c.column.name, c.counts[0][1]) for c in roles.categories] == [("page_raw", 6), ("team", 4)]
    assert [(m.name, m.kind) for m in roles.numbers] == [("goals", "additive")]
    assert [(m.name, m.kind) for m in roles.times] == [("founded", "year")]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Ada Birch (born 3 May 1970) is a rider.", {"born": "3 May 1970"}),
        ("Ada Birch (3 May 1870 - 1 June 1950) was a rider.", {"born": "3 May 1870", "died": "1 June 1950"}),
        ("FC Bern is a football club. It was founded in 1901.", {"founded": "1901"}),
        ("FC Bern is a club founded in 1901 and again founded in 1920.", {}),
        ("Bern is a city founded in 1191.", {}),
        ("Dawn is a 2001 film directed by Ada Birch and starring Bo Li.", {"directed": "Ada Birch"}),
        ("Dawn is a 2001 film directed by Ada Birch and Bo Li.", {}),
        ("One is a game released on May 1, 2001 in Japan and June 2, 2001 elsewhere.", {}),
        ("Park is a stadium located in Bern, Canton Bern.", {"located": "Bern, Canton Bern"}),
    ],
)
def test_facts_are_taken_only_where_they_are_stated_once(text: str, facts: dict[str, str]) -> None:
    found = facts_of(Passage("X", text))
    assert {f.kind: f.value for f in found} == facts
    assert all(f.value in f.quote for f in found)


def test_a_passage_of_the_same_name_about_something_else_is_told_apart() -> None:
    context = "Football stadiums of Switzerland Stadium Club Capacity"
    assert is_about(Passage("Park", "Park is a football stadium in Switzerland."), context)
    assert not is_about(Passage("Park", "Park is a surname of Korean origin."), context)
