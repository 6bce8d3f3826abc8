"""`langgraph dev` that saves its list of threads every second, not every ten.

python -m tests.support.eager_server dev ...    # the arguments of `langgraph`
"""

from tablerag.serving.collector import collect_when_started

__all__ = ["main"]

SAVE_S = 1


def main() -> None:
    """Shorten the interval of the in-memory runtime, then run the command line in this process."""
    collect_when_started()
    from langgraph_cli.cli import cli

    from tablerag.serving.saved_state import guard_saved_state

    guard_saved_state()
    from langgraph_runtime_inmem import _persistence

    _persistence._flush_interval = SAVE_S
    cli()


if __name__ == "__main__":
    main()
