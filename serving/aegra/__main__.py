"""Serve on Aegra: python -m tablerag.serving.aegra [--host HOST] [--port PORT].

Threads, runs and steps are in the PostgreSQL database that DATABASE_URL names.
"""

import argparse
from pathlib import Path

CONFIG = Path(__file__).with_name("aegra.json")
MISSING = 'error: Aegra is not installed: pip install "tablerag[aegra]"'
NO_DATABASE = "error: DATABASE_URL is not set: name the PostgreSQL database that holds the threads"


def main() -> None:
    """Start the server; exit with one line if something is missing."""
    parser = argparse.ArgumentParser(prog="python -m tablerag.serving.aegra", description="Serve TableRAG on Aegra.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=2024, help="port to listen on (default: 2024)")
    given = parser.parse_args()
    try:
        import uvicorn
        from aegra_api.settings import settings
    except ModuleNotFoundError as error:
        if error.name in ("aegra_api", "uvicorn"):
            raise SystemExit(MISSING) from None
        raise
    if not (settings.db.DATABASE_URL or "").startswith(("postgres://", "postgresql://")):
        raise SystemExit(NO_DATABASE)
    settings.app.AEGRA_CONFIG = str(CONFIG)
    settings.app.AUTH_TYPE = "custom"
    from aegra_api.main import app  # reads these settings

    from tablerag.serving.aegra.app import guarded

    uvicorn.run(guarded(app), host=given.host, port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
