"""What a run shows while it goes on: how far it is, how many are right, and what it costs."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tablerag.evaluation.records import Answered, Judged
from tablerag.ingestion.pipeline import Progress as IngestProgress
from tablerag.tools.errors import ConfigError

__all__ = ["Prices", "RunProgress"]

PLAIN_EVERY_S = 15.0
"""Seconds between two lines where nobody sits at a terminal."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens."""

    input: float = 0.0
    output: float = 0.0

    @classmethod
    def read(cls, text: str) -> Prices:
        """Read ``IN,OUT``; "" for no prices. Raises ConfigError."""
        if not text:
            return cls()
        try:
            prices = cls(*(float(p) for p in text.split(",")))
        except (TypeError, ValueError) as error:
            raise ConfigError(f"--price {text!r}: expected two numbers divided by a comma, e.g. 0.15,0.60") from error
        if "," not in text or not (0 <= prices.input < 1e6 and 0 <= prices.output < 1e6):
            raise ConfigError(f"--price {text!r}: expected two amounts of US dollars, e.g. 0.15,0.60")
        return prices

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Return what so many tokens cost, in US dollars."""
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


class RunProgress:
    """A bar on a terminal, a line now and then elsewhere."""

    def __init__(self, doing: str, screen: Console, total: int | None = None, prices: Prices | None = None) -> None:
        self._doing, self._screen, self._total, self._prices = doing, screen, total, prices or Prices()
        self._done = self._right = self._input = self._output = 0
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        times = (TimeElapsedColumn(), TimeRemainingColumn())
        told = TextColumn("{task.fields[told]}", markup=False)
        self._bar = Progress(*columns, *times, told, console=screen, transient=True)
        self._task = self._bar.add_task(doing, total=total, told="")
        self._said = time.monotonic()

    def __enter__(self) -> RunProgress:
        if self._screen.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._screen.is_terminal:
            self._bar.stop()
        if self._done:
            self._say()

    def ingested(self, step: IngestProgress) -> None:
        """Show how far an ingest is."""
        self._bar.update(self._task, completed=step.done, total=step.total)

    def answered(self, answered: Answered) -> None:
        """Count an answer, its tokens and whether it is right."""
        self._count(right=answered.right, input_tokens=answered.input_tokens, output_tokens=answered.output_tokens)

    def judged(self, judged: Judged) -> None:
        """Count a judgement."""
        self._count(right=judged.right, input_tokens=judged.input_tokens, output_tokens=judged.output_tokens)

    def _count(self, *, right: bool, input_tokens: int, output_tokens: int) -> None:
        self._done += 1
        self._right += right
        self._input += input_tokens
        self._output += output_tokens
        self._bar.update(self._task, completed=self._done, told=self._told())
        if not self._screen.is_terminal and time.monotonic() - self._said > PLAIN_EVERY_S:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        line = f"{self._doing}: {self._done} of {self._total}, {self._told()}"
        self._screen.print(line, markup=False, soft_wrap=True)

    def _told(self) -> str:
        """Return what is right, and the cost so far with an estimate of the whole."""
        told = f"{self._right} right"
        if self._input:
            whole = (self._total or self._done) / self._done
            told += f", {self._input:,} tokens in, {self._output:,} out"
            cost = self._prices.of(self._input, self._output)
            if cost:
                told += f", ${cost:.2f} of about ${cost * whole:.2f}"
            else:
                told += f", about {int((self._input + self._output) * whole):,} in all"
        return told
