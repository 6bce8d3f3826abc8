"""Several hosts in a database URL."""

from typing import Any

import pytest
from mysql.connector.errors import Error, OperationalError

from tablerag.tools.errors import ConfigError
from tablerag.tools.sql.backends import failover
from tablerag.tools.sql.backends.backend import shown
from tablerag.tools.sql.backends.failover import Hosts
from tablerag.tools.sql.backends.hosts import Host, hosts_of, one_host
from tablerag.tools.sql.backends.opening import parse_url
from tablerag.tools.sql.database import Database

BEGINS = "mysql+mysqlconnector://ann:hunter2@"
THREE = [Host("db1", 3307), Host("db2", 3306), Host("::1", 3309)]


def test_a_url_names_several_hosts() -> None:
    url = parse_url(f"{BEGINS}DB1:3307,db2,[::1]:3309/tablerag?ssl_disabled=true", "SETTING")
    assert hosts_of(url) == THREE
    assert (url.username, url.password, url.database) == ("ann", "hunter2", "tablerag")
    assert shown(url) == "mysql+mysqlconnector://ann:***@db1:3307,db2:3306,[::1]:3309/tablerag"
    assert one_host(url).render_as_string() == "mysql+mysqlconnector://ann:***@db1:3307/tablerag?ssl_disabled=true"


@pytest.mark.parametrize("host", ["db1", "db1:3307", "[::1]:3307", ""])
def test_a_url_of_one_host_stays_as_it_is(host: str) -> None:
    url = parse_url(f"{BEGINS}{host}/tablerag", "SETTING")
    assert one_host(url) == url and len(hosts_of(url)) == 1
    assert shown(url) == f"mysql+mysqlconnector://ann:***@{host}/tablerag"


@pytest.mark.parametrize(
    ("hosts", "told"),
    [
        ("db1,,db2", "has an empty host in its list"),
        ("db1,", "has an empty host in its list"),
        (",db1", "has an empty host in its list"),
        ("db1:3307,db2:http", "has the port 'http' for the host db2: write a number from 1 to 65535"),
        ("db1:0,db2", "has the port '0' for the host db1"),
        ("db1:65536,db2", "has the port '65536'"),
        ("db1:,db2", "has the port ''"),
        ("db1:²,db2", "has the port '²'"),
        ("db1,db2:3306,DB2", "names the host db2:3306 twice"),
        ("db1,::1", "has the port ':1' for the host|invalid host '::1'"),
        ("db1,[::1", r"invalid host '\[::1'"),
        ("pass,word@db1", "has an @ in the password: write it as %40"),
    ],
)
@pytest.mark.parametrize("setting", ["url", "query_url"])
def test_lists_of_hosts_that_cannot_be_used(hosts: str, told: str, setting: str) -> None:
    urls = {"url": f"{BEGINS}db9/x", "query_url": f"{BEGINS}db9/x"} | {setting: f"{BEGINS}{hosts}/x"}
    with pytest.raises(ConfigError, match=told) as caught:
        Database(**urls)
    message = str(caught.value)
    assert ("TABLERAG_DATABASE_URL" if setting == "url" else "TABLERAG_QUERY_DATABASE_URL") in message
    assert "hunter2" not in message and "pass" not in message.replace("the password", "") and "\n" not in message


def test_sqlite_has_no_hosts() -> None:
    with pytest.raises(ConfigError, match="names several hosts for SQLite"):
        parse_url("sqlite://db1,db2/tables.db", "SETTING")
    assert parse_url("sqlite:////folder/a,b@c.db", "SETTING").database == "/folder/a,b@c.db"


class Answers:
    """A cursor over what a server says of itself."""

    def __init__(self, says: dict[str, str]) -> None:
        self._says = says

    def execute(self, sql: str) -> None:
        self._sql = sql

    def fetchall(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self._says.items() if name in self._sql]

    def close(self) -> None:
        pass


class Server:
    """A server that says this of itself, and the connection to it."""

    def __init__(self, trouble: str = "", **says: str) -> None:
        self.trouble, self.says, self.closed = trouble, says, False

    def cursor(self) -> Answers:
        return Answers(self.says)

    def close(self) -> None:
        self.closed = True


GALERA = {"wsrep_on": "ON", "wsrep_ready": "ON", "wsrep_local_state_comment": "Synced"}


def chosen(servers: list[Server], hosts: Hosts) -> int:
    """Return the place of the server that a new connection is to."""

    def open_one(host: Host, seconds: int) -> Any:
        assert seconds == 3, "the hosts share the time"
        server = servers[THREE.index(host)]
        if server.trouble:
            raise OperationalError(msg=server.trouble, errno=2003)
        return server

    return servers.index(hosts.connect(open_one))


def test_connections_go_to_the_last_host_that_took_one() -> None:
    servers, hosts = [Server() for _ in THREE], Hosts(THREE, 10, writes=True)
    assert chosen(servers, hosts) == 0
    servers[0].trouble = "refused"
    assert chosen(servers, hosts) == 1
    servers[0].trouble = ""
    assert chosen(servers, hosts) == 1, "it stays"
    servers[1].trouble = servers[0].trouble = "refused"
    assert chosen(servers, hosts) == 2


@pytest.mark.parametrize(
    "passed_over",
    [
        {**GALERA, "wsrep_ready": "OFF", "wsrep_local_state_comment": "Initialized"},
        {"read_only": "ON"},
        {**GALERA, "wsrep_local_state_comment": "Donor/Desynced"},
    ],
)
def test_hosts_that_do_not_take_what_is_to_come_are_passed_over(passed_over: dict[str, str]) -> None:
    servers = [Server(**passed_over), Server(**passed_over), Server(**GALERA)]
    assert chosen(servers, Hosts(THREE, 10, writes=True)) == 2
    assert [s.closed for s in servers] == [True, True, False]


def test_a_replica_is_read_from() -> None:
    assert chosen([Server(read_only="ON") for _ in THREE], Hosts(THREE, 10, writes=False)) == 0


def test_a_node_that_sends_its_data_to_another_is_better_than_none() -> None:
    donor = Server(**{**GALERA, "wsrep_local_state_comment": "Donor/Desynced"})
    assert chosen([Server("refused"), donor, Server("refused")], Hosts(THREE, 10, writes=True)) == 1


def test_without_a_host_each_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    servers = [Server("refused"), Server(read_only="ON"), Server("no route")]
    with pytest.raises(Error, match=r"db1:3307 refused; db2:3306 is read-only; \[::1\]:3309 no route"):
        chosen(servers, Hosts(THREE, 10, writes=True))
    joining = Server(**{**GALERA, "wsrep_ready": "OFF"})
    monkeypatch.setattr(failover.time, "sleep", lambda _: joining.says.update(wsrep_ready="ON"))
    servers = [Server("refused"), joining, Server("refused")]
    assert chosen(servers, Hosts(THREE, 10, writes=True)) == 1, "a node that joins its cluster is waited for"
