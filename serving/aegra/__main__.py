"""Serve on Aegra: python -m tablerag.serving.aegra [--host HOST] [--port PORT].

Threads, runs and steps are in the PostgreSQL database that DATABASE_URL names.
"""

import argparse
from pathlib import Path

from tablerag.serving.collector import collect_when_started

CONFIG = Path(__file__).with_name("aegra.json")
MISSING = 'error: Aegra is not installed: pip install "tablerag[aegra]"'
CONNECT_S = 10
NO_DATABASE = "error: DATABASE_URL is not set: name the PostgreSQL database that holds the threads"


def _check(database_url: str) -> None:
    """Exit with one line if a setting cannot be used; note what is not shared with other hosts."""
    if not database_url:
        raise SystemExit(NO_DATABASE)
    if not database_url.startswith(("postgres://", "postgresql://")):
        raise SystemExit(
            f"error: DATABASE_URL has the scheme {database_url.partition(':')[0][:20]}: expected postgresql://"
        )
    import psycopg

    from tablerag.tools.errors import ConfigError
    from tablerag.tools.settings import get_settings

    try:
        own = get_settings()
        psycopg.connect(database_url, connect_timeout=CONNECT_S).close()
    except ConfigError as error:
        raise SystemExit(f"error: {error}") from None
    except psycopg.Error as error:
        reason = " ".join(str(error).split())[:200]
        raise SystemExit(f"error: the database of DATABASE_URL cannot be used: {reason}") from None
    if not own.database_url:
        print("note: TABLERAG_DATABASE_URL is not set: other hosts do not see this one's documents", flush=True)
    if own.uploads and not own.uploads.is_dir():
        raise SystemExit(f"error: TABLERAG_UPLOADS is {own.uploads}, which is no folder: create it")


def main() -> None:
    """Start the server; exit with one line if something is missing."""
    parser = argparse.ArgumentParser(prog="python -m tablerag.serving.aegra", description="Serve TableRAG on Aegra.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=2024, help="port to listen on (default: 2024)")
    given = parser.parse_args()
    collect_when_started()
    try:
        import uvicorn
        from aegra_api.settings import settings
    except ModuleNotFoundError as error:
        if error.name in ("aegra_api", "uvicorn"):
            raise SystemExit(MISSING) from None
        raise
    _check(settings.db.DATABASE_URL or "")
    settings.app.AEGRA_CONFIG = str(CONFIG)
    settings.app.AUTH_TYPE = "custom"
    from aegra_api.main import app  # reads these settings

    from tablerag.serving.aegra.app import guarded

    uvicorn.run(guarded(app), host=given.host, port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
