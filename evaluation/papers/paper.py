"""A paper as data: its tables and figures, each a list of cells with the published value and the trial behind ours."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablerag.evaluation.document_retrieval import FINDERS
from tablerag.evaluation.trial import Trial

__all__ = ["MAIN", "Cell", "Figure", "Paper"]

MAIN = ""
"""The metric by which an answer is right or wrong; with a judge's verdicts where the figure is judged."""
WITHOUT_A_MODEL = ("retrieval", "reranked_retrieval", *FINDERS)
"""Systems that ask no chat model."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a table or figure."""

    row: str
    column: str
    trial: Trial | None = None
    """What measures ours; None if nothing can, which ``why`` explains."""
    metric: str = MAIN
    """A metric's name, such as recall@5; a share of the questions: iterations=1, iterations>=5, failure=refused; or
    seconds, seconds per step."""
    by: str = ""
    """A facet of the questions, such as domain: one cell for each of its values, which is put after the column."""
    published: Mapping[str, float] = field(default_factory=dict)
    """Percent or seconds, by what they were obtained with, such as the model, or "". Empty: none known."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A table or figure of a paper."""

    name: str
    """As on the command line: table-1, figure-4."""
    title: str
    cells: tuple[Cell, ...]
    ours: str = ""
    """The row that the others are compared with; "" compares none."""
    curve: str = ""
    """What the columns' numbers count, if it is a curve, such as "documents"; it is then also drawn."""
    judged: bool = False
    """Whether the paper has a model judge the answers."""
    impossible: str = ""
    """Why nothing of it can be repeated; "" if something can."""
    notes: tuple[str, ...] = ()
    """How data or method differ from the paper's."""

    @property
    def trials(self) -> tuple[Trial, ...]:
        """The trials of its cells, each once."""
        return tuple(dict.fromkeys(c.trial for c in self.cells if c.trial))

    @property
    def state(self) -> str:
        """Whether it can be repeated: runnable, also in part, needs a model, or impossible with the reason."""
        if self.impossible or not self.trials:
            return f"impossible: {self.impossible or 'nothing here measures it'}"
        asked = [t.system not in WITHOUT_A_MODEL for t in self.trials]
        if all(asked):
            return "needs a model"
        return "runnable, some rows with a model" if any(asked) else "runnable"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper with its tables and figures."""

    name: str
    """As on the command line."""
    title: str
    arxiv: str
    figures: tuple[Figure, ...]
