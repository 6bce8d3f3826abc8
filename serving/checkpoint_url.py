"""TABLERAG_CHECKPOINT_URL: tried before the server starts, as its log would show a traceback of ninety lines then."""

from tablerag.tools.errors import TableRagError
from tablerag.tools.settings import get_settings
from tablerag.tools.threads_database import ping

__all__ = ["check_checkpoint_url"]


def check_checkpoint_url() -> None:
    """End the process with one line if the setting cannot be used, or its database does not answer."""
    try:
        if url := get_settings().checkpoint_url:
            ping(url)
    except TableRagError as error:
        raise SystemExit(f"tablerag: {error}") from None
