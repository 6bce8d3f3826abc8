"""Value links: the pure matching, and the linker over real databases."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablerag.tools.linking import values
from tablerag.tools.linking.keys import edits
from tablerag.tools.linking.large import LargeValues
from tablerag.tools.linking.matching import ValueIndex, best_matches
from tablerag.tools.linking.values import ValueLinker
from tablerag.tools.sql.database import Database
from tablerag.tools.uniting import united
from tests.tools.stored import store

CITIES = ["New York", "York", "São Paulo", "Paris", "St. John's", "Washington", "Zürich", "北京", "12", "O'Brien"]
WORDS = ["Yes", "No", "The", "Total", "First", "Player", "Goalkeeper", "Championship"]
NAMES = ["Smith, John", "Smith, Jane", "Müller GmbH & Co. KG", "Department of Energy", "Energy Union", "Lee"]


def matched(question: str, known: list[str]) -> list[tuple[str, float]]:
    return [(value, score) for value, _, score in best_matches(question, ValueIndex.of(known))]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many people live in new york?", [("New York", 1.0)]),
        ("Which is larger, New York or York?", [("New York", 1.0), ("York", 1.0)]),
        ("sales in SAO PAULO, please", [("São Paulo", 1.0)]),
        ("what of St Johns?", []),
        ("what of St. John's?", [("St. John's", 1.0)]),
        ("how far is Washington in miles", [("Washington", 1.0)]),
        ("how far is Wahsington in miles", [("Washington", 0.8)]),
        ("how far is Washingtn in miles", [("Washington", 0.8)]),
        ("how far is Tashington in miles", []),
        ("flights from Zurich", [("Zürich", 1.0)]),
        ("what happened in pariss", []),
        ("北京 ?", [("北京", 1.0)]),
        ("who wore number 12", [("12", 1.0)]),
        ("is it o'brien’s", [("O'Brien", 1.0)]),
        ("", []),
        ("???", []),
    ],
)
def test_names_of_places(question: str, expected: list[tuple[str, float]]) -> None:
    assert matched(question, CITIES) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is the total of the first one more than no other?", []),
        ("how many players are there", [("Player", 0.95)]),
        ("how many goalkeepers won championships", [("Goalkeeper", 0.95), ("Championship", 0.95)]),
        ("who is the goalkeepr", [("Goalkeeper", 0.8)]),
        ("how is the champion chosen", []),
    ],
)
def test_common_words_and_plurals(question: str, expected: list[tuple[str, float]]) -> None:
    assert matched(question, WORDS) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("when did John Smith start", [("Smith, John", 0.9)]),
        ("when did Smith start", [("Smith, John", 0.55), ("Smith, Jane", 0.55)]),
        ("what does muller gmbh sell", [("Müller GmbH & Co. KG", 0.7)]),
        ("budget of the department of energy", [("Department of Energy", 1.0)]),
        ("budget for energy", [("Department of Energy", 0.55), ("Energy Union", 0.55)]),
    ],
)
def test_parts_and_other_orders_are_looser(question: str, expected: list[tuple[str, float]]) -> None:
    assert matched(question, NAMES) == expected


def test_a_part_of_many_values_means_none_of_them() -> None:
    assert matched("what of the union", [f"Union {n}" for n in "abcdef"]) == []


NOTES = [
    "Second oldest city in Brazil",
    "Oldest of all cities that Spanish settlers founded along the north coast",
    "Won in 1988, 1991, 1994, 1997, 2003, 2005, 2009",
    "Sold to the Nevada Northern Railway in 1941 and scrapped after",
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which city in Peru", [("Second oldest city in Brazil", 0.55)]),  # one word, not two
        ("which of them are in the north", []),  # a word of a note
        ("which club won in 1997", [(NOTES[2], 0.55)]),  # a number of a list
        ("what did Nevada Northern buy", [(NOTES[3], 0.7)]),  # two words of a note
    ],
)
def test_single_words_of_notes_mean_nothing(question: str, expected: list[tuple[str, float]]) -> None:
    assert matched(question, NOTES) == expected


def test_phrase_is_the_questions_words() -> None:
    (hint,) = best_matches("Where is Wahsington?", ValueIndex.of(CITIES))
    assert hint == ("Washington", "wahsington", 0.8)


@pytest.mark.parametrize(
    ("one", "other", "most", "count"),
    [
        ("same", "same", 2, 0),
        ("acress", "access", 2, 1),
        ("recieve", "receive", 2, 1),
        ("abcdef", "abcde", 2, 1),
        ("kitten", "sitting", 2, 3),
        ("kitten", "sitting", 3, 3),
        ("abcdefgh", "zyxwvuts", 1, 2),
        ("", "ab", 3, 2),
    ],
)
def test_edits(one: str, other: str, most: int, count: int) -> None:
    assert edits(one, other, most) == edits(other, one, most) == count


def test_twenty_thousand_values_answer_in_a_tenth_of_a_second() -> None:
    index = ValueIndex.of(f"Station{n * 7919 % 20011} Riverside{n}" for n in range(20_000))
    question = "how many trains left Statoin11 Riversid777 before noon, and were any of the stations closed that day"
    best = min(_seconds(question, index) for _ in range(3))
    assert best < 0.1


def _seconds(question: str, index: ValueIndex) -> float:
    """Return processor seconds, which a busy machine does not stretch."""
    start = time.thread_time()
    best_matches(question, index)
    return time.thread_time() - start


# -- the linker


@pytest.fixture(params=["sqlite", "server"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    url = request.getfixturevalue("mysql_url") if request.param == "server" else f"sqlite:///{tmp_path / 't.db'}"
    opened = Database(url, row_limit=2)
    yield opened
    opened.close()


@pytest.fixture
def large(tmp_path: Path) -> LargeValues:
    return LargeValues(tmp_path / "values")


@pytest.fixture
def linker(database: Database, large: LargeValues) -> ValueLinker:
    return ValueLinker(database, large)


def test_hints_carry_the_stored_spelling_surest_first(database: Database, linker: ValueLinker) -> None:
    rows = [("São Paulo", "Brazil", 1), ("Paris", "France", 2), ("Paris", None, 3), ("Lyon", "France", 4)]
    cities = store(database, "cities", {"city": "text", "select": "text", "n": "integer"}, rows)
    trips = store(database, "my trips", {"to": "text"}, [("paris",), ("The French Riviera",)])
    hints = linker.hints("trips to PARIS, Sao Paulo or the riviera in France", [cities, trips])
    assert [(h.table, h.column, h.value, h.phrase, h.score) for h in hints] == [
        ("cities", "city", "São Paulo", "sao paulo", 1.0),
        ("cities", "select", "France", "france", 1.0),
        ("cities", "city", "Paris", "paris", 1.0),
        ("my trips", "to", "paris", "paris", 1.0),
        ("my trips", "to", "The French Riviera", "riviera", 0.55),
    ]
    assert len(linker.hints("Paris, Lyon, France", [cities], limit=2)) == 2


def test_parts_that_name_a_column_or_belong_to_a_longer_name_are_left_out(
    database: Database, linker: ValueLinker
) -> None:
    players = store(database, "players", {"player": "text", "home_town": "text"}, [("Geno Hayes", "Spanish Town")])
    columns = tuple(c.model_copy(update={"header": c.name.replace("_", " ")}) for c in players.columns)
    players = players.model_copy(update={"columns": columns})
    actors = store(database, "actors", {"actor": "text"}, [("Helen Hayes",), ("Ann Town",)])
    hints = linker.hints("which towns did geno hayes play for", [players, actors])
    assert [(h.column, h.value, h.score) for h in hints] == [("player", "Geno Hayes", 1.0)]
    assert [h.value for h in linker.hints("films of hayes", [players, actors])] == ["Helen Hayes", "Geno Hayes"]
    assert [h.value for h in linker.hints("which town", [actors])] == ["Ann Town"]


def test_values_are_read_once_per_column_and_few_columns_are_kept(
    database: Database, large: LargeValues, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "CACHED_KEYS", 4)
    linker = ValueLinker(database, large)
    one = store(database, "one", {"a": "text"}, [("Paris",)])
    two = store(database, "two", {"a": "text"}, [("Paris",)])
    assert len(linker.hints("Paris", [one])) == 1
    database.tables.drop(["one"])
    assert len(linker.hints("Paris", [one])) == 1, "from the cache"
    assert len(linker.hints("Paris", [two])) == 1
    assert linker.hints("Paris", [one]) == [], "gone, and so are its values"


def test_no_schemas_no_hints(linker: ValueLinker) -> None:
    assert linker.hints("Paris", []) == []


def test_the_values_of_a_united_column_are_read_together(
    database: Database, large: LargeValues, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [store(database, f"s_{i}", {"city": "text"}, [(f"Town {i}",), ("Paris",)]) for i in range(5)]
    (union,) = united(
        p.model_copy(update={"table_id": p.name, "source": f"sales_2024_0{i}.csv"}) for i, p in enumerate(parts, 1)
    )
    linker, reads = ValueLinker(database, large), []
    read = database.distinct
    monkeypatch.setattr(database, "distinct", lambda columns, most: reads.append(1) or read(columns, most))
    assert [(h.table, h.value) for h in linker.hints("Paris", [union])] == [(union.name, "Paris")]
    assert [h.value for h in linker.hints("Town 3", [union])][:1] == ["Town 3"]
    assert len(reads) == 1
