"""Compares runs: figures with confidence intervals, kinds of failure, paired differences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tablerag.evaluation.judge import verdicts_of
from tablerag.evaluation.records import FAILURES, Answered, Judged, RunSettings
from tablerag.evaluation.runner import SETTINGS, read_run
from tablerag.evaluation.statistics import bootstrap_interval, paired_difference
from tablerag.tools.errors import ConfigError

__all__ = ["DIFFERENCE_COLUMNS", "NOTE", "Run", "compared", "differences", "figure_columns", "figure_rows", "figures",
           "load_runs", "summary_lines", "with_distinct_titles"]  # fmt: skip

JUDGED = "judged right %"
"""Replaced by one column for each judge."""
PER_TOKENS = "right % per 1,000 tokens in"
FIGURE_COLUMNS = (
    "system", "model", "setting", "asked", "metric", "right %", "95 % interval", JUDGED, "other metrics",
    "iterations", "calls", "tokens in", "new", "cached", "tokens out", "seconds", PER_TOKENS,
    *(f.replace("_", " ") for f in FAILURES),
)  # fmt: skip
NOTE = (
    "Every figure covers all questions: failed, blank and unasked ones count as wrong; a run without answers is listed "
    "as not run. Intervals are bootstrap percentiles over 10,000 resamples. Iterations (subqueries or actions), model "
    "calls, tokens and seconds are means over the questions asked; tokens in are new or were cached by the model's "
    "server, as far as it says so. Right % per 1,000 tokens in: the share of the questions asked that were answered "
    "right, divided by their mean of tokens in. Only one right: questions that only the first system, and only the "
    "second, got right."
)
"""How to read the tables."""

NOT_RUN = "not run"
DIFFERENCE_COLUMNS = ("system", "against", "gain in points (95 %)", "only one right", "p (McNemar)")


@dataclass(frozen=True, slots=True)
class Run:
    """One run as read from its folder."""

    folder: Path
    settings: RunSettings
    answers: tuple[Answered, ...]
    judged: tuple[Judged, ...]
    shows_model: bool = False
    """Whether the title names the model, because other runs have another one."""

    @property
    def title(self) -> str:
        """Its system with the settings that differ from the defaults, and its model if runs have several."""
        return f"{self.settings.title} [{self.settings.model}]" if self.shows_model else self.settings.title

    def values(self, metric: str) -> list[float]:
        """Return a metric for every question, ordered by id; unasked questions count as 0."""
        found = sorted((a.id, a.scores.get(metric, 0.0)) for a in self.answers)
        return [v for _, v in found] + [0.0] * (self.settings.questions - len(found))

    def mean(self, field: str) -> float:
        """Return the mean of a numeric field over the questions asked."""
        return sum(float(getattr(a, field)) for a in self.answers) / max(len(self.answers), 1)

    def failures(self) -> Counter[str]:
        """Count the answers by kind of failure."""
        return Counter(a.failure for a in self.answers if a.failure)

    def judged_shares(self) -> dict[str, float]:
        """Return the share of all questions that each judge found right, by judge."""
        judges = sorted({j.judge for j in self.judged})
        return {n: sum(j.right for j in self.judged if j.judge == n) / self.settings.questions for n in judges}


def load_runs(folders: Sequence[Path]) -> list[Run]:
    """Read the runs in the given folders or directly below them; raise ConfigError if there are none."""
    found: dict[Path, Run] = {}
    for folder in folders:
        below = sorted(p.parent for p in folder.glob(f"*/{SETTINGS}"))
        for path in [folder] if (folder / SETTINGS).is_file() else below:
            settings, answers = read_run(path)
            found[path.resolve()] = Run(path, settings, tuple(answers), tuple(verdicts_of(path, answers)))
    if not found:
        raise ConfigError(f"{', '.join(map(str, folders))}: no run found: run `tablerag eval DATASET --data DIR` first")
    return list(found.values())


def with_distinct_titles(runs: Sequence[Run]) -> list[Run]:
    """Return the runs with their model in the title, if there are several models."""
    several = len({r.settings.model for r in runs}) > 1
    return [replace(r, shows_model=several) for r in runs]


def compared(runs: Sequence[Run]) -> list[list[Run]]:
    """Group runs over the same questions; in each group the best run comes first, and runs without answers last."""
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.settings.benchmark, run.settings.split, run.settings.digest), []).append(run)
    return [
        sorted(group, key=lambda r: (not r.answers, -sum(r.values(r.settings.main)), r.title))
        for _, group in sorted(groups.items())
    ]


def figures(run: Run) -> dict[str, str]:
    """Return a run's row of the table as text; for a run without answers, only its settings."""
    about = {"system": run.title, "model": run.settings.model, "setting": run.settings.setting}
    about |= {"asked": f"{len(run.answers)} of {run.settings.questions}", "metric": run.settings.main}
    return about | (_measured(run) if run.answers else {"right %": NOT_RUN})


def _measured(run: Run) -> dict[str, str]:
    settings, values = run.settings, run.values(run.settings.main)
    low, high = bootstrap_interval(values)
    others = sorted({m for a in run.answers for m in a.scores} - {settings.main})
    failures = run.failures()
    shown = {
        "right %": f"{100 * sum(values) / len(values):.1f}",
        "95 % interval": f"{100 * low:.1f} to {100 * high:.1f}",
        **{_judged_by(judge): f"{100 * share:.1f}" for judge, share in run.judged_shares().items()},
        "other metrics": ", ".join(f"{m} {100 * sum(run.values(m)) / settings.questions:.1f}" for m in others),
        "iterations": f"{run.mean('iterations'):.2f}",
        "calls": f"{run.mean('calls'):.2f}",
        "tokens in": f"{run.mean('input_tokens'):.0f}",
        "new": f"{run.mean('input_tokens') - run.mean('cached_tokens'):.0f}",
        "cached": f"{run.mean('cached_tokens'):.0f}",
        "tokens out": f"{run.mean('output_tokens'):.0f}",
        "seconds": f"{run.mean('seconds'):.2f}",
        PER_TOKENS: _per_tokens(run, sum(values)),
    }
    return shown | {f.replace("_", " "): str(failures[f]) for f in FAILURES}


def _per_tokens(run: Run, right: float) -> str:
    """Return the accuracy for each 1,000 tokens in; "" if no model was asked."""
    tokens = sum(a.input_tokens for a in run.answers)
    return f"{100_000 * right / tokens:.2f}" if tokens else ""


def _judged_by(judge: str) -> str:
    return f"{JUDGED} ({judge})"


def figure_columns(runs: Sequence[Run]) -> list[str]:
    """Return the columns of these runs' figures, with one for each judge."""
    judged = [_judged_by(judge) for judge in sorted({j.judge for run in runs for j in run.judged})]
    return [column for c in FIGURE_COLUMNS for column in (judged if c == JUDGED else [c])]


def figure_rows(group: Sequence[Run]) -> tuple[list[str], list[list[str]]]:
    """Return the columns that are not empty for these runs, and each run's cells."""
    rows = [figures(run) for run in group]
    columns = [c for c in figure_columns(group) if any(row.get(c) for row in rows)]
    return columns, [[row.get(c, "") for c in columns] for row in rows]


def differences(group: Sequence[Run]) -> list[tuple[str, str, str, str, str]]:
    """Compare TableRAG with its default settings, or else the best run, with every other complete run."""
    whole = [r for r in group if len(r.answers) == r.settings.questions]
    first = next((r for r in whole if r.settings.title == "tablerag"), whole[0] if whole else None)
    rows = []
    for other in whole:
        if first is None or other is first:
            continue
        main = other.settings.main
        d = paired_difference(other.values(main), first.values(main))
        gain = f"{100 * d.mean:+.1f} ({100 * d.low:+.1f} to {100 * d.high:+.1f})"
        rows.append((first.title, other.title, gain, f"{d.second_only} : {d.first_only}", f"{d.p:.3g}"))
    return rows


def summary_lines(runs: Sequence[Run]) -> list[str]:
    """Return one line for each run with its main figures."""
    lines = []
    for run in runs:
        row, name = figures(run), f"{run.settings.benchmark} {run.settings.title} [{run.settings.model}]"
        if not run.answers:
            lines.append(f"{name}: {NOT_RUN}")
            continue
        kinds = [f.replace("_", " ") for f in FAILURES]
        failed = ", ".join(f"{row[kind]} {kind}" for kind in kinds if row[kind] != "0") or "none"
        lines.append(
            f"{name}: {row['metric']} {row['right %']} % "
            f"(95 % {row['95 % interval']}) of {run.settings.questions}; {row['asked']} asked"
            + (f"; {row['other metrics']}" if row["other metrics"] else "")
            + "".join(f"; judged right {100 * s:.1f} % by {judge}" for judge, s in run.judged_shares().items())
            + f"; failures: {failed}; {row['iterations']} iterations, {row['calls']} calls, "
            f"{row['tokens in']} tokens in ({row['new']} new, {row['cached']} cached), {row['tokens out']} out, "
            f"{row['seconds']} s per question" + (f"; {row[PER_TOKENS]} {PER_TOKENS}" if row[PER_TOKENS] else "")
        )
    return lines
