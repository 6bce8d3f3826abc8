"""What is raised within lineage, and never beyond it."""

__all__ = ["NotTakenApart"]


class NotTakenApart(Exception):
    """The rows behind a part of a statement cannot be told; the message says why."""
