"""`langgraph` with its saved state guarded: python -m tablerag.serving dev ...    (the arguments of `langgraph`)."""

from langgraph_cli.cli import cli

from tablerag.serving.saved_state import guard_saved_state

if __name__ == "__main__":
    guard_saved_state()
    cli()
