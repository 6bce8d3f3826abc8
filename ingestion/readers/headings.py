"""The headings above the current place in a document."""

from tablerag.tools.counting import shortened

__all__ = ["HeadingPath"]


class HeadingPath:
    """Headings by level; a heading closes those of its own level and deeper."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def enter(self, level: int, text: str) -> None:
        """Open a heading; level 1 is the highest."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, shortened(text)))

    @property
    def path(self) -> tuple[str, ...]:
        """The headings from the highest to the nearest."""
        return tuple(text for _, text in self._open)
