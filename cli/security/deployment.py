"""What is attacked: the stores in use, and a server that was named."""

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import SplitResult, urlsplit

from tablerag.tools.errors import ConfigError
from tablerag.tools.records import TableSchema
from tablerag.tools.services import Services

__all__ = ["Deployment", "Skipped"]


class Skipped(Exception):
    """Why an attack is not tried."""


@dataclass
class Deployment:
    """The services, a corpus's tables, and the URL and API key of a server, "" for none."""

    services: Services
    own: list[TableSchema]
    server: str = ""
    key: str = ""

    @cached_property
    def place(self) -> SplitResult:
        """The server's URL. Raises Skipped without one, ConfigError for one that is not http(s)://host."""
        if not self.server:
            raise Skipped("give the server's URL with --server")
        try:
            place = urlsplit(self.server)
            known = place.scheme in ("http", "https") and place.hostname and (place.port or 1) > 0
        except ValueError:
            known = False
        if not known:
            raise ConfigError(f"invalid --server {self.server!r}: expected a URL such as http://127.0.0.1:2024")
        return place
