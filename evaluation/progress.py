"""Shows a run's progress: questions done, answers right, and the cost so far."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tablerag.evaluation.records import Answered, Judged
from tablerag.ingestion.pipeline import Progress as IngestProgress
from tablerag.tools.errors import ConfigError

__all__ = ["Prices", "RunProgress"]

PRINT_EVERY_S = 15.0
"""Seconds between two lines if the output is not a terminal."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens."""

    input: float = 0.0
    output: float = 0.0

    @classmethod
    def read(cls, text: str) -> Prices:
        """Parse ``IN,OUT``; "" means no prices. Raises ConfigError."""
        if not text:
            return cls()
        try:
            prices = cls(*(float(p) for p in text.split(",")))
        except (TypeError, ValueError) as error:
            raise ConfigError(f"--price {text!r}: expected two numbers separated by a comma, e.g. 0.15,0.60") from error
        if "," not in text or not (0 <= prices.input < 1e6 and 0 <= prices.output < 1e6):
            raise ConfigError(f"--price {text!r}: expected two amounts in US dollars, e.g. 0.15,0.60")
        return prices

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Return the cost of these tokens in US dollars."""
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


class RunProgress:
    """A progress bar on a terminal, a line every 15 seconds elsewhere."""

    def __init__(self, doing: str, screen: Console, total: int | None = None, prices: Prices | None = None) -> None:
        self._doing, self._screen, self._total, self._prices = doing, screen, total, prices or Prices()
        self._done = self._right = self._input = self._cached = self._output = 0
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        times = (TimeElapsedColumn(), TimeRemainingColumn())
        status = TextColumn("{task.fields[status]}", markup=False)
        self._bar = Progress(*columns, *times, status, console=screen, transient=True)
        self._task = self._bar.add_task(doing, total=total, status="")
        self._printed = time.monotonic()

    def __enter__(self) -> RunProgress:
        if self._screen.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._screen.is_terminal:
            self._bar.stop()
        if self._done:
            self._print()

    def ingested(self, step: IngestProgress) -> None:
        """Show the progress of an ingest."""
        self._bar.update(self._task, completed=step.done, total=step.total)

    def answered(self, answered: Answered | Judged) -> None:
        """Count an answer or a verdict, its tokens, and whether it is right."""
        self._done += 1
        self._right += answered.right
        self._input += answered.input_tokens
        self._cached += answered.cached_tokens
        self._output += answered.output_tokens
        self._bar.update(self._task, completed=self._done, status=self._status())
        if not self._screen.is_terminal and time.monotonic() - self._printed > PRINT_EVERY_S:
            self._print()

    def _print(self) -> None:
        self._printed = time.monotonic()
        line = f"{self._doing}: {self._done} of {self._total}, {self._status()}"
        self._screen.print(line, markup=False, soft_wrap=True)

    def _status(self) -> str:
        """Return the number right, and the cost so far with an estimate of the total."""
        status = f"{self._right} right"
        if self._input:
            whole = (self._total or self._done) / self._done
            cached = f" ({self._cached:,} cached)" if self._cached else ""
            status += f", {self._input:,} tokens in{cached}, {self._output:,} out"
            cost = self._prices.of(self._input, self._output)
            if cost:
                status += f", ${cost:.2f} of about ${cost * whole:.2f}"
            else:
                status += f", about {int((self._input + self._output) * whole):,} in total"
        return status
