"""What the database says of a deployment as a whole."""

from pathlib import Path

from sqlalchemy import select

from tablerag.tools import deployment
from tablerag.tools.catalog_tables import DEPLOYMENT
from tablerag.tools.services import OWNER, Services
from tablerag.tools.settings import Settings


def test_a_missing_id_does_not_keep_the_version_of_the_tables_from_being_raised(services: Services) -> None:
    services.catalog.create()
    with services.database.writing("test") as connection:
        connection.execute(DEPLOYMENT.delete())
        connection.execute(DEPLOYMENT.insert(), [{"name": "schema", "value": "1"}])
        deployment.note(connection, "0123456789abcdef")
        noted = {r.name: r.value for r in connection.execute(select(DEPLOYMENT))}
    assert noted == {"id": "0123456789abcdef", "schema": str(deployment.SCHEMA)}


def test_a_home_keeps_its_id_when_an_embedded_database_that_is_named_is_lost(tmp_path: Path) -> None:
    (tmp_path / OWNER).write_text("0123456789abcdef", encoding="ascii")
    url = f"sqlite:///{tmp_path / 'own.db'}"
    services = Services(Settings(home=tmp_path, database_url=url, _env_file=None))
    services.catalog.create()
    assert services.catalog.deployment_id() == "0123456789abcdef"
    services.close()
