"""Questions over tables that refer to each other by numbers, in connected databases and in files exported from them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.ingestion.connecting import connect
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings

ARTISTS = [(1, "Nordlys"), (2, "Kveld"), (3, "Tåke")]
ALBUMS = [(n, f"Plate {n}", 1 + (n > 4)) for n in range(1, 8)] + [(8, "Kveld", 3)]
SONGS = [(n, f"Song {n}", 1 + n % 8, 100 + n) for n in range(1, 41)]
TABLES = """
CREATE TABLE artist (artist_no INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE album (album_no INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist(artist_no));
CREATE TABLE song (song_no INTEGER PRIMARY KEY, name TEXT, album INTEGER REFERENCES album(album_no), seconds INTEGER);
"""


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableRAG]:
    folder = tmp_path_factory.mktemp("keys")
    with closing(sqlite3.connect(folder / "music.db")) as database:
        database.executescript(TABLES)
        for table, rows in (("artist", ARTISTS), ("album", ALBUMS), ("song", SONGS)):
            database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        database.commit()
    services = Services(Settings(home=folder / "home", model="offline", _env_file=None))
    connect(services, "default", "music", f"sqlite:///{folder / 'music.db'}")
    yield TableRAG.over(services)
    services.close()


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Which artist has the most albums?", ["Nordlys", 1, 4]),
        ("How many songs does the album Plate 3 have?", [5]),
    ],
)
def test_declared_keys_join_tables(connected: TableRAG, question: str, row: list[object]) -> None:
    table = connected.ask(question).table
    assert table is not None
    assert [list(found) for found in table.rows] == [row]


def test_a_foreign_key_is_not_counted_in_place_of_the_rows_it_refers_to(connected: TableRAG) -> None:
    assert connected.ask("How many albums does Kveld have?").value in (None, 3)


def test_what_no_column_holds_is_not_answered_by_another(connected: TableRAG) -> None:
    for question in ("What is the average number of songs per album?", "Who is the best artist?"):
        assert connected.ask(question).value is None


def test_files_with_the_same_number_join(tmp_path: Path) -> None:
    (tmp_path / "customers.csv").write_text("Customer ID,Name,City\n1,Ann,Oslo\n2,Bob,Bergen\n3,Cid,Oslo\n4,Dan,Moss\n")
    rows = "".join(f"{n},{1 + n % 4},{10 * n}\n" for n in range(1, 9))
    (tmp_path / "orders.csv").write_text(f"Order ID,customer_id,Amount\n{rows}")
    services = Services(Settings(home=tmp_path / "home", model="offline", _env_file=None))
    rag = TableRAG.over(services)
    rag.ingest([tmp_path / "customers.csv", tmp_path / "orders.csv"])
    assert rag.ask("What is the total amount of orders from customers in Oslo?").value == 10 * (2 + 6 + 4 + 8)
    services.close()
