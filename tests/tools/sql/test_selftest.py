"""The security self-test on SQLite and on a private server, as the command line runs it."""

from pathlib import Path

import pytest
from rich.console import Console

from tablerag.cli.doctor import check
from tablerag.cli.security import attacks
from tablerag.cli.security.deployment import Deployment
from tablerag.cli.selftest import print_security
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings
from tablerag.tools.sql import selftest
from tests.support.mysql_server import MysqlServer
from tests.tools.sql.sql_cases import read_cases
from tests.tools.stored import store

STATEMENTS = (attacks.ATTACKS[0], *attacks.ATTACKS[2:4])
"""Without long values: MariaDB finishes a REPLACE of 100,000 characters before it looks at its time limit."""


@pytest.fixture(autouse=True)
def statements_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the other kinds of attack, which tests/cli/security tries."""
    monkeypatch.setattr(attacks, "ATTACKS", ())


def served(folder: Path, url: str, query_url: str = "") -> tuple[Services, list[TableSchema]]:
    settings = Settings(home=folder, model="offline", database_url=url, query_database_url=query_url, _env_file=None)
    services = Services(settings)
    return services, [store(services.database, "people", {"name": "text"}, [("Ann",)])]


def printed(services: Services, own: list[TableSchema]) -> tuple[bool, str]:
    out = Console(record=True, width=200, quiet=False, file=open("/dev/null", "w"))  # noqa: PTH123, SIM115
    good = print_security(Deployment(services, own), out)
    out.file.close()
    return good, out.export_text()


def test_the_list_is_of_cases_that_the_tests_hold_too() -> None:
    cases = {c.sql: c.kind for c in read_cases("sql_guard.sql", "refuse", "pass")}
    for attempt in selftest.read_trials():
        assert cases[attempt.sql] == ("pass" if attempt.kind == selftest.LEGAL else "refuse"), attempt.title
    assert len(selftest.read_trials()) >= 120


def test_all_is_well_on_the_embedded_database(services: Services) -> None:
    assert printed(services, [])[0]
    good, text = printed(services, [store(services.database, "people", {"name": "text"}, [("Ann",)])])
    assert good
    assert "100 of 100 attacks refused" in text and "SELECT works on 1 table" in text


def test_all_is_well_on_a_server_with_a_select_only_user(
    tmp_path: Path, mysql_server: MysqlServer, mysql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attacks, "ATTACKS", STATEMENTS)
    services, own = served(tmp_path, mysql_url, mysql_server.select_only_url(mysql_url))
    good, text = printed(services, own)
    assert good and "SELECT only" in text and "warning" not in text, text
    services.close()


def test_a_query_user_who_can_write_is_told_of(tmp_path: Path, mysql_url: str) -> None:
    services, own = served(tmp_path, mysql_url)
    good, text = printed(services, own)
    assert good and "ALL PRIVILEGES" in text and text.count("warning") == 4, text
    (finding,) = [f for f in check(services) if f.what == "query user"]
    assert finding.state == "warning" and "ALL PRIVILEGES" in finding.says
    services.close()


def test_an_attack_that_passes_is_unexpected(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "guard", lambda *args, **kwargs: None)
    good, text = printed(services, [])
    assert not good and "0 of 100 attacks refused" in text


@pytest.mark.parametrize(
    ("grants", "rights"),
    [
        (["GRANT SELECT ON {db}.* TO {user}"], []),
        (["GRANT SELECT ON {db}.* TO {user} WITH GRANT OPTION"], ["GRANT OPTION"]),
        (["GRANT INSERT ON {db}.people TO {user}"], ["INSERT"]),
        (["GRANT FILE ON *.* TO {user}"], ["FILE"]),
        (["GRANT CREATE ROUTINE ON `test%`.* TO {user}"], ["CREATE ROUTINE"]),
        (["CREATE ROLE {role}", "GRANT SELECT ON {db}.* TO {role}", "GRANT {role} TO {user}"], []),
        (["CREATE ROLE {role}", "GRANT DELETE ON {db}.* TO {role}", "GRANT {role} TO {user}"], ["DELETE"]),
    ],
)
def test_rights_are_read_from_grants_and_roles(
    grants: list[str], rights: list[str], tmp_path: Path, mysql_server: MysqlServer, mysql_url: str
) -> None:
    reader, name = mysql_server.select_only_url(mysql_url), mysql_url.rpartition("/")[2]
    services, _ = served(tmp_path, mysql_url, reader)
    role = f"role_{name}"
    mysql_server.execute(*(g.format(db=f"`{name}`", user=f"`reader_{name}`@`%`", role=role) for g in grants))
    assert services.database.rights_beyond_reading() == rights
    (finding,) = [f for f in check(services) if f.what == "query user"]
    assert finding.state == ("warning" if rights else "ok") and all(r in finding.says for r in rights)
    services.close()
    mysql_server.execute(f"DROP ROLE IF EXISTS {role}", f"DROP USER `reader_{name}`@`%`")
