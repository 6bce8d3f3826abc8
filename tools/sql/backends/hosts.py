"""Several hosts in one database URL, apart by commas.

In a parsed URL they are one text in place of the host: SQLAlchemy knows no list of them.
"""

import re
from typing import NamedTuple

from sqlalchemy import URL

from tablerag.tools.errors import ConfigError

__all__ = ["Host", "hosts_of", "one_host", "with_one_host"]

DEFAULT_PORT = 3306
MOST_PORT = 65_535
BETWEEN = ","
AUTHORITY = re.compile(r"([\w+]+://(?:[^:/@]*(?::[^@]*)?@)?)([^/?]*)(.*)", re.DOTALL)
"""The scheme and the user, the hosts, and what follows, as SQLAlchemy divides a URL."""
ONE = re.compile(r"(?:\[(?P<ipv6>[^\]]+)\]|(?P<name>[^:\[\]]+))(?::(?P<port>.*))?", re.DOTALL)


class Host(NamedTuple):
    """One server."""

    name: str
    port: int

    def __str__(self) -> str:
        return f"[{self.name}]:{self.port}" if ":" in self.name else f"{self.name}:{self.port}"


def with_one_host(url: str, setting: str) -> tuple[str, str]:
    """Return a URL with the first of its hosts, without its port, and all as one text; empty for a single host.

    Raises ConfigError, naming the setting, for a list of hosts that cannot be used. Its message shows no password.
    """
    found = AUTHORITY.fullmatch(url)
    if not found:
        return url, ""
    before, listed, after = found.groups()
    if "@" in listed:
        raise ConfigError(f"{setting} has an @ in the password: write it as %40")
    if BETWEEN not in listed:
        return url, ""
    hosts = [_host(text, setting) for text in listed.split(BETWEEN)]
    for place, host in enumerate(hosts):
        if host in hosts[:place]:
            raise ConfigError(f"{setting} names the host {host} twice: name each once")
    first = f"[{hosts[0].name}]" if ":" in hosts[0].name else hosts[0].name
    return f"{before}{first}{after}", BETWEEN.join(map(str, hosts))


def _host(text: str, setting: str) -> Host:
    if not text.strip():
        raise ConfigError(f"{setting} has an empty host in its list: write HOST:PORT,HOST:PORT")
    found = ONE.fullmatch(text.strip())
    if not found:
        raise ConfigError(f"{setting} has the invalid host {text.strip()!r} in its list: write HOST:PORT,HOST:PORT")
    name, port = found["ipv6"] or found["name"], found["port"]
    if port is None:
        return Host(name.casefold(), DEFAULT_PORT)
    if not (port.isascii() and port.isdecimal() and 0 < int(port) <= MOST_PORT):
        raise ConfigError(f"{setting} has the port {port!r} for the host {name}: write a number from 1 to {MOST_PORT}")
    return Host(name.casefold(), int(port))


def hosts_of(url: URL) -> list[Host]:
    """Return the hosts of a parsed URL."""
    if BETWEEN in (url.host or ""):
        return [_host(text, "the database URL") for text in str(url.host).split(BETWEEN)]
    return [Host((url.host or "localhost").casefold(), url.port or DEFAULT_PORT)]


def one_host(url: URL) -> URL:
    """Return a parsed URL with the first of its hosts only."""
    first = hosts_of(url)[0]
    return url.set(host=first.name, port=first.port) if BETWEEN in (url.host or "") else url
