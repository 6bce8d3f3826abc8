"""A question about a table whose file is damaged is told so; the other tables answer as before."""

from pathlib import Path

from tablerag import TableRAG
from tablerag.tools.services import Services

ORDERS = "What is the total amount of the orders?"
CITIES = "What is the total population of the cities?"


def test_a_damaged_table_is_named_and_other_tables_answer(services: Services, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order,amount\n1,10\n2,20\n3,5\n")
    (tmp_path / "cities.csv").write_text("city,population\nBern,100\nBasel,200\n")
    rag = TableRAG.over(services)
    rag.ingest(tmp_path)
    (stored,) = (s.stored_as for s in services.catalog.schemas("default") if s.name == "orders")
    path = services.settings.home / "tables.parquet" / f"{stored}.parquet"
    content = path.read_bytes()
    path.write_bytes(content[:100])
    told = rag.ask(ORDERS)
    assert told.value is None
    assert "the file of table orders is damaged: run `tablerag doctor --fix`" in told.text.lower()
    assert rag.ask(CITIES).value == 300
    path.unlink()
    assert "able orders is not in the database: run `tablerag doctor --fix`" in rag.ask(ORDERS).text
    path.write_bytes(content)
    assert rag.ask(ORDERS).value == 35
