"""The embedded reasoner: reads questions by their words, beside a learned ranker. It abstains when it is not sure."""

from tablerag.agent.offline.reasoner import OfflineReasoner

__all__ = ["OfflineReasoner"]
