"""`langgraph` with its saved state guarded: python -m tablerag.serving dev ...    (the arguments of `langgraph`)."""

from tablerag.serving.collector import collect_when_started

__all__ = ["main"]


def main() -> None:
    """Guard the saved state, then run the command line in this process."""
    collect_when_started()
    # here: without the collector they load faster
    from langgraph_cli.cli import cli

    from tablerag.serving.saved_state import guard_saved_state

    guard_saved_state()
    cli()


if __name__ == "__main__":
    main()
