"""Whatever is in place of a table's file: doctor, verify and answers say so, and it is written again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.cli import doctor
from tablerag.cli.doctor import check, check_deeply
from tablerag.tools.services import Services

QUESTION = "What is the total amount of the orders?"


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(content)


def become_a_folder(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    path.mkdir()
    (path / "inner.parquet").write_bytes(content)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a changed byte": flip,
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-20]),
    "empty": lambda path: path.write_bytes(b""),
    "gone": Path.unlink,
    "a folder": become_a_folder,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_table_is_reported_and_written_again(damage: str, services: Services, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "orders.csv").write_text("order,amount\n1,10\n2,20\n3,5\n", encoding="utf-8")
    (docs / "cities.csv").write_text("city,population\nBern,100\nBasel,200\n", encoding="utf-8")
    rag = TableRAG.over(services)
    rag.ingest(docs)
    answer = rag.ask(QUESTION)
    assert answer.value == 35
    (stored,) = (s.stored_as for s in services.catalog.schemas("default") if s.name == "orders")
    DAMAGES[damage](services.settings.home / "tables.parquet" / f"{stored}.parquet")
    told = rag.ask(QUESTION)
    assert told.cause == "table_lost"
    assert "run `tablerag doctor --fix`" in told.text
    assert [v.status for v in rag.verify(answer)] == ["damaged"]
    assert any("damaged or gone, such as orders.csv" in f.says for f in check(services))
    if damage == "a changed byte":  # which is too slow for ingestion to look for
        assert [f.state for f in check_deeply(services, agree=lambda _: True)].count("warning") == 1
    else:
        assert {e.source: e.status for e in rag.ingest(docs).entries} == {
            "cities.csv": "unchanged",
            "orders.csv": "replaced",
        }
    assert rag.ask(QUESTION).value == 35
    assert [p.stem for p in (services.settings.home / "tables.parquet").iterdir()].count(stored) == 0


def test_doctor_says_which_tables_it_did_not_read(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.csv").write_text("order,amount\n1,10\n2,20\n", encoding="utf-8")
    rag = TableRAG.over(services)
    rag.ingest([*tmp_path.glob("*.csv")])
    files = sorted((services.settings.home / "tables.parquet").iterdir())

    def said() -> str:
        (finding,) = (f for f in check(services) if f.what == "tables")
        return f"{finding.state} {finding.says}"

    assert said() == "ok 3 files not damaged"
    monkeypatch.setattr(doctor, "MOST_READ_BYTES", files[0].stat().st_size)
    flip(files[2])
    assert said() == "ok 1 file not damaged, 2 more not read: `tablerag doctor --deep` reads all"
