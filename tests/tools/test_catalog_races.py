"""Hosts that create the catalog at the same time."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from mysql.connector.errors import Error
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from tablerag.tools import catalog
from tablerag.tools.errors import StoreUnavailable
from tablerag.tools.services import Services
from tablerag.tools.settings import Settings


@pytest.fixture
def services(tmp_path: Path, mysql_url: str) -> Iterator[Services]:
    opened = Services(Settings(home=tmp_path, database_url=mysql_url, _env_file=None))
    yield opened
    opened.close()


@pytest.mark.parametrize(("number", "tries"), [(1050, 2), (1213, 2), (1142, 1), (2013, 1)])
def test_only_what_another_host_causes_is_tried_again(
    services: Services, monkeypatch: pytest.MonkeyPatch, number: int, tries: int
) -> None:
    write, asked = services.database.writing, []

    @contextmanager
    def failing(doing: str) -> Iterator[Connection]:
        asked.append(doing)
        if len(asked) == 1:
            raise StoreUnavailable("no") from DBAPIError("CREATE", None, Error(errno=number))
        with write(doing) as connection:
            yield connection

    monkeypatch.setattr(services.database, "writing", failing)
    monkeypatch.setattr(catalog, "CREATE_WAIT_S", 0.0)
    if tries == 1:
        with pytest.raises(StoreUnavailable):
            services.catalog.create()
    else:
        services.catalog.create()
    assert asked.count("create the catalog") == tries


def test_hosts_create_one_catalog_together(tmp_path: Path, mysql_url: str) -> None:
    hosts = [Services(Settings(home=tmp_path / str(i), database_url=mysql_url, _env_file=None)) for i in range(6)]
    with ThreadPoolExecutor(len(hosts)) as threads:
        list(threads.map(lambda host: host.catalog.create(), hosts))
    assert len({host.catalog.deployment_id() for host in hosts}) == 1
    for host in hosts:
        host.close()
