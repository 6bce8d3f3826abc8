"""The embedded reasoner: a learned ranker of SQL programs, and rules. It abstains when it is not sure."""

from tablerag.agent.offline.reasoner import OfflineReasoner

__all__ = ["OfflineReasoner"]
