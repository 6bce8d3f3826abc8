"""What the database says of a deployment as a whole: its id, and the version of the product's own SQL tables."""

import uuid

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from tablerag.tools.catalog_tables import DEPLOYMENT
from tablerag.tools.errors import ConfigError

__all__ = ["ID", "SCHEMA", "VECTORS", "check", "check_vectors", "note", "note_vectors"]

SCHEMA = 3
"""Version of the product's own tables, 1 in databases without a note. Raise it when older hosts must not write."""
VECTORS = select(DEPLOYMENT.c.value).where(DEPLOYMENT.c.name == "vectors")
ID = select(DEPLOYMENT.c.value).where(DEPLOYMENT.c.name == "id")


def check(connection: Connection, shown_url: str) -> None:
    """Raise ConfigError if a newer version has written the tables, as this one would write them wrongly."""
    found = int(_noted(connection).get("schema") or SCHEMA)
    if found > SCHEMA:
        raise ConfigError(
            f"a newer version of TableRAG has written {shown_url} (its tables are of version {found}, this host knows "
            f"{SCHEMA}): upgrade TableRAG on this host, which can only read until then"
        )


def check_vectors(noted: str | None, *, on_server: bool) -> None:
    """Raise ConfigError if a deployment's chunks are on a server, as it has noted, and this host has none set."""
    if noted == "server" and not on_server:
        raise ConfigError(
            "this deployment keeps its chunks on a Chroma server, and this host names none: set TABLERAG_CHROMA_URL as "
            "on the other hosts"
        )


def note_vectors(connection: Connection, on_server: bool) -> None:
    """Note that a deployment's chunks are on a server; raise ConfigError if they are and this host has none set."""
    noted = connection.execute(VECTORS).scalar()
    check_vectors(noted, on_server=on_server)
    if on_server and noted != "server":
        connection.execute(DEPLOYMENT.insert().values(name="vectors", value="server"))


def note(connection: Connection, known_id: str) -> None:
    """Give a deployment its id, the known one or a new one, if it has none; raise the version of its tables."""
    has = _noted(connection)
    wanted = {"id": has.get("id") or known_id or uuid.uuid4().hex[:16], "schema": str(SCHEMA)}
    if new := [{"name": name, "value": value} for name, value in wanted.items() if name not in has]:
        connection.execute(DEPLOYMENT.insert(), new)
    if has.get("schema", wanted["schema"]) != wanted["schema"]:
        connection.execute(update(DEPLOYMENT).where(DEPLOYMENT.c.name == "schema").values(value=wanted["schema"]))


def _noted(connection: Connection) -> dict[str, str]:
    """Return all notes: one statement for whatever is asked, as SQLAlchemy compiles each for every new engine."""
    return {r.name: r.value for r in connection.execute(select(DEPLOYMENT))}
