"""Statements that try to see what a key's rights hide, on real engines, each also run without rights."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablerag.ingestion.pipeline import ingest
from tablerag.tools import evidence
from tablerag.tools.access.restricted import services_for
from tablerag.tools.errors import SqlProblem
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql.receipts import verified
from tests.support.mysql_server import MysqlServer

FILES = {
    "employees.csv": "Name,Region,Salary,IBAN\nAnn,EMEA,51827364,DE-SECRET-1\nBob,APAC,92222221,US-SECRET-2\n"
    "Cid,AMER,53333331,FR-SECRET-3\n",
    "orders.csv": "Order,Region,Amount,Note\n1,EMEA,10,fine\n2,APAC,7654321,HIDDENROWVALUE7\n3,EMEA,30,good\n",
    "vault.csv": "Code,Owner\nVAULTCODE9,APAC\n",
    "pay_2023.csv": "Region,Total\nEMEA,5\nAPAC,8888123\n",
    "pay_2024.csv": "Region,Total\nEMEA,6\nAPAC,8888456\n",
}
MARKERS = re.compile(
    r"51827364|92222221|53333331|SECRET-\d|HIDDENROWVALUE7|7654321|7654361|VAULTCODE9|8888123|8888456|17776590"
)
KEYS = """{"all": ["*"], "one": {"corpora": ["default"], "tables": ["orders", "employees", "pay_*"],
    "hidden": {"employees": ["salary", "iban"]},
    "rows": {"orders": "region = 'EMEA'", "pay_*": "Region = 'EMEA'"}}}"""
LINES = (Path(__file__).parents[2] / "cases" / "rights_attacks.sql").read_text(encoding="utf-8").splitlines()
ATTACKS = [line for line in LINES if not line.startswith("--")]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Return services over FILES, with a key for everything and one with rights. Only to be read."""
    with closing(_filled(tmp_path_factory.mktemp("rights"), "")) as services:
        yield services


@pytest.fixture(scope="module")
def on_server(tmp_path_factory: pytest.TempPathFactory, mysql_server: MysqlServer) -> Iterator[Services]:
    """The same on a server."""
    with mysql_server.fresh_database() as url, closing(_filled(tmp_path_factory.mktemp("rights"), url)) as services:
        yield services


def _filled(folder: Path, url: str) -> Services:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    made = Services(Settings(home=folder / "home", model="offline", database_url=url, api_keys=KEYS, _env_file=None))
    ingest([folder / name for name in FILES], made, "default")
    return made


def outcome(whole: Services, sql: str, key: str) -> str:
    """Return everything that a caller gets for a statement, as text."""
    services = services_for(whole, whole.settings.api_keys.owner_of(key))
    tables = services.catalog.tables("default")
    try:
        result, supporting = evidence.run_sql(services, sql, tables)
    except SqlProblem as problem:
        return f"error: {problem}"
    assert result.receipt is not None
    again = verified(result.receipt, tables, services.database, row_limit=100)
    told = (result.columns, result.rows, [s.model_dump() for s in supporting], result.empty, again.says, again.rows)
    return repr(told)


def test_there_are_at_least_150_attacks() -> None:
    assert len(ATTACKS) >= 150 and len(set(ATTACKS)) == len(ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_statement_shows_what_is_hidden(embedded: Services, attack: str) -> None:
    withstands(embedded, attack)


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_statement_shows_what_is_hidden_on_a_server(on_server: Services, attack: str) -> None:
    withstands(on_server, attack)


def withstands(filled: Services, attack: str) -> None:
    """Fail if a statement shows what a key's rights hide, or is refused where it should not be."""
    always_refused, sql = attack.startswith("! "), attack.removeprefix("! ").removeprefix("+ ")
    stored = {s.name: s.stored_as for s in filled.catalog.tables("default")}
    sql = sql.format(orders=stored["orders"], employees=stored["employees"], view="view") if always_refused else sql
    found = outcome(filled, sql, "one")
    assert not MARKERS.search(found.replace(sql, "")), found
    whole = outcome(filled, sql, "all")
    if always_refused:
        assert found.startswith("error: ") and whole.startswith("error: ")
    elif attack.startswith("+ "):
        assert not found.startswith("error: ") and found != whole
    else:
        assert not whole.startswith("error: ") and found != whole
