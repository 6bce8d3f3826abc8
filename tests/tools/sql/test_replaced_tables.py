"""A statement on a table whose document was replaced meanwhile says so, on both engines."""

from pathlib import Path

import pytest

from tablerag import TableRAG
from tablerag.agent.causes import cause_of
from tablerag.agent.serialization import dump
from tablerag.tools.errors import TableLost
from tablerag.tools.services import Services
from tablerag.tools.sql.guard import guard


def test_a_replaced_table_is_told_from_a_lost_one(both: Services, tmp_path: Path) -> None:
    services, file = both, tmp_path / "orders.csv"
    rag = TableRAG.over(services)
    file.write_text("order,amount\n1,10\n2,20\n")
    rag.ingest(file)
    (before,) = services.catalog.schemas("default")
    file.write_text("order,amount\n1,10\n2,30\n")
    rag.ingest(file)
    (after,) = services.catalog.schemas("default")
    with pytest.raises(TableLost, match=r"^table orders was replaced or removed while .* ask again$") as replaced:
        services.database.run(guard("SELECT SUM(amount) FROM orders", [before], row_limit=9))
    services.database.tables.drop([after.stored_as])
    with pytest.raises(TableLost, match=r"^table orders is not in the database: run `tablerag doctor --fix`$"):
        services.database.run(guard("SELECT SUM(amount) FROM orders", [after], row_limit=9))
    state = {"schemas": dump([before]), "sql_error": str(replaced.value)}
    assert cause_of(state, None)["cause"] == "table_replaced"  # pyright: ignore[reportArgumentType]
