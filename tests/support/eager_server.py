"""`langgraph dev` without idle waits: it polls its queue every 0.5 s and saves its list of threads every 10 s.

python -m tests.support.eager_server dev ...    # the arguments of `langgraph`
"""

import asyncio
from types import SimpleNamespace

from langgraph_cli.cli import cli
from langgraph_runtime_inmem import _persistence, ops

__all__ = ["main"]

POLL_S = 0.02
SAVE_S = 1


async def _short_sleep(seconds: float, *args: object) -> None:
    await asyncio.sleep(min(seconds, POLL_S), *args)


def main() -> None:
    """Shorten the waits of the in-memory runtime, then run the command line in this process."""
    _persistence._flush_interval = SAVE_S
    ops.asyncio = SimpleNamespace(**vars(asyncio) | {"sleep": _short_sleep})
    cli()


if __name__ == "__main__":
    main()
