"""TABLERAG_CHECKPOINT_URL: checked before the server starts, as its log would show a traceback of ninety lines then."""

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from tablerag.tools.errors import ConfigError
from tablerag.tools.settings import get_settings
from tablerag.tools.sql.backends.backend import shown

__all__ = ["check_checkpoint_url", "shown_url"]

EXPECTED = "write postgresql://USER:PASSWORD@HOST/DATABASE"


def shown_url(url: str) -> str:
    """Return a URL without its password; raise ConfigError for one that names no PostgreSQL database."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise ConfigError(f"TABLERAG_CHECKPOINT_URL is not a database URL: {EXPECTED}") from None
    if parsed.drivername not in ("postgresql", "postgres"):
        raise ConfigError(f"TABLERAG_CHECKPOINT_URL has the scheme {parsed.drivername}://: {EXPECTED}")
    return shown(parsed)


def check_checkpoint_url() -> None:
    """End the process with one line if the setting cannot be used."""
    try:
        if url := get_settings().checkpoint_url:
            shown_url(url)
    except ConfigError as error:
        raise SystemExit(f"tablerag: {error}") from None
