"""The checksum of a table's file: any changed byte is noticed before a statement reads the table."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, literal_column, select

from tablerag.tools.errors import TableLost
from tablerag.tools.sql.backends.parquet_tables import ParquetTables
from tablerag.tools.sql.backends.seals import MARK, is_sound
from tablerag.tools.sql.backends.tables import StoredColumn


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[ParquetTables]:
    opened = ParquetTables(tmp_path / "t.parquet")
    for name in ("a__0123456789ab_0", "b__0123456789ab_1"):
        texts = [f"{MARK.decode()}{i:08x}" for i in range(500)]  # cells may say anything
        opened.write(name, [StoredColumn("n", "integer"), StoredColumn("t", "text")], [[list(range(500)), texts]])
    yield opened
    opened.close()


def total(tables: ParquetTables, name: str) -> int:
    statement = select(func.sum(literal_column("n"))).select_from(tables.source(name))
    return int(tables.select(statement, 10)[0][0])


def test_every_changed_byte_is_noticed(tables: ParquetTables, exhaustive: bool) -> None:
    path = tables.path("a__0123456789ab_0")
    whole = path.read_bytes()
    assert is_sound(path) and total(tables, "a__0123456789ab_0") == 124_750
    places = range(len(whole)) if exhaustive else random.Random(3).sample(range(len(whole)), 60)
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        if is_sound(path):  # the seal itself is unreadable now: then the engine reads what it always has
            assert place in range(whole.rfind(MARK), whole.rfind(MARK) + len(MARK))
            continue
        with pytest.raises(TableLost, match=r"^the file of table a is damaged: run `tablerag doctor --fix`$"):
            total(tables, "a__0123456789ab_0")
    assert total(tables, "b__0123456789ab_1") == 124_750
    path.write_bytes(whole)
    assert total(tables, "a__0123456789ab_0") == 124_750


def test_a_file_without_a_seal_is_read(tables: ParquetTables) -> None:
    path = tables.path("a__0123456789ab_0")
    path.write_bytes(path.read_bytes().replace(MARK, MARK.upper()))
    assert is_sound(path)
    path.write_bytes(b"")
    assert not is_sound(path)


def test_checks_of_dropped_tables_are_forgotten(tables: ParquetTables) -> None:
    assert total(tables, "a__0123456789ab_0") and total(tables, "b__0123456789ab_1")
    tables.drop(["a__0123456789ab_0"])
    assert tables._sound.keys() == {"b__0123456789ab_1"}
