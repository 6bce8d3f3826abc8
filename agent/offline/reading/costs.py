"""What a draft costs: how much it leaves unexplained and assumes, by name."""

from collections.abc import Mapping

__all__ = ["Costs"]


class Costs(dict[str, float]):
    """Costs by name; a cost without an entry is 0."""

    def __missing__(self, name: str) -> float:
        return 0.0

    def __add__(self, other: Mapping[str, float]) -> "Costs":
        """Return the sums by name, without those that are not above 0."""
        sums = {name: self[name] + other.get(name, 0.0) for name in {**self, **other}}
        return Costs({name: cost for name, cost in sums.items() if cost > 0})
