"""The embedded reasoner: a learned ranker of SQL readings, and rules; it abstains from what it is not sure of."""

from tablerag.agent.offline.reasoner import OfflineReasoner

__all__ = ["OfflineReasoner"]
