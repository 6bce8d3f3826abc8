"""The embedded reasoner: rules instead of a model; it answers what it is sure of and abstains else."""

from agent.offline.reasoner import OfflineReasoner

__all__ = ["OfflineReasoner"]
