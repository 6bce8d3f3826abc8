"""What the stress test counts, and writes down when it is odd."""

import json
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

__all__ = ["FAILURES", "Outcomes"]

FAILURES = frozenset({"wrong", "lost", "returned", "stuck", "unhealthy", "crashed"})
"""Outcomes after which the test has failed."""


class Outcomes:
    """Counts of outcomes by action, and a file of the odd ones, a line each. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.seconds: list[float] = []
        """What each answer took."""
        self._lock, self._begun = threading.Lock(), time.monotonic()
        self._file = folder / "odd.jsonl"

    def count(self, action: str, outcome: str) -> None:
        """Count an outcome that is in order."""
        with self._lock:
            self.counts[action, outcome] += 1

    def odd(self, action: str, outcome: str, **details: Any) -> None:
        """Count an outcome, and write it down with its details."""
        line = {"at_s": round(time.monotonic() - self._begun, 1), "time": time.strftime("%H:%M:%S")}
        line |= {"action": action, "outcome": outcome} | details
        with self._lock, self._file.open("a", encoding="utf-8") as file:
            self.counts[action, outcome] += 1
            file.write(json.dumps(line, default=str) + "\n")

    def total(self, *outcomes: str) -> int:
        """Return how often some outcomes came, of any action."""
        return sum(n for (_, outcome), n in self.counts.items() if outcome.split(":")[0] in outcomes)

    @property
    def failures(self) -> dict[str, int]:
        """The outcomes that fail the test."""
        return {f"{action}: {o}": n for (action, o), n in sorted(self.counts.items()) if o in FAILURES}
