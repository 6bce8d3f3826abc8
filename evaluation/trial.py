"""A trial: one system over one benchmark, as a user names it, and how its run is planned from that."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablerag.agent.context import Context
from tablerag.evaluation.benchmarks import load_benchmark
from tablerag.evaluation.corpus_size import SIZED, of_size
from tablerag.evaluation.datasets.benchmark import Benchmark, Question
from tablerag.evaluation.document_retrieval import FINDERS, as_retrieval
from tablerag.evaluation.records import RunSettings
from tablerag.evaluation.runner import drawn, settings_of
from tablerag.evaluation.systems import check_fits, thinking
from tablerag.tools.settings import get_settings

__all__ = ["Plan", "Sample", "Trial", "plan_of", "safe_name"]


@dataclass(frozen=True, slots=True)
class Trial:
    """One system over one benchmark."""

    benchmark: str
    """Its name on the command line, such as "hybridqa"."""
    split: str = "dev"
    variant: str = ""
    """The variant of its documents or questions, or documents-N for a corpus of N; "" for the benchmark itself."""
    system: str = "tablerag"
    group: str = ""
    closed: bool = False
    switches: tuple[tuple[str, Any], ...] = ()
    """Fields of the context that are set, such as ("top_k", 5); those with their default values change nothing."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a run is made with, whatever the trial."""

    data: Path
    """The benchmark's folder in its native layout, or the folder above it."""
    out: Path
    """Folder for the runs and their stores."""
    model: str = ""
    """PROVIDER:NAME, gguf:PATH or offline; "" for the configured one."""
    limit: int = 0
    """How many questions are drawn; 0 for all."""
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Plan:
    """A trial whose benchmark is loaded and whose questions are drawn."""

    benchmark: Benchmark
    questions: tuple[Question, ...]
    context: Context
    settings: RunSettings
    folder: Path


def plan_of(trial: Trial, sample: Sample, loaded: dict[tuple[str, str, str], Benchmark] | None = None) -> Plan:
    """Load the benchmark, draw its questions and check that the system fits; raise ConfigError.

    ``loaded`` keeps benchmarks between calls.
    """
    kept, key = {} if loaded is None else loaded, (trial.benchmark, trial.split, trial.variant)
    if key not in kept:
        sized = trial.variant.startswith(SIZED)
        found = load_benchmark(trial.benchmark, sample.data, trial.split, "" if sized else trial.variant)
        kept[key] = of_size(found, trial.variant.removeprefix(SIZED)) if sized else found
    benchmark = as_retrieval(kept[key]) if trial.system in FINDERS else kept[key]
    chosen = drawn(benchmark, sample.limit, sample.seed, trial.group)
    switches: Mapping[str, Any] = dict(trial.switches)
    configured = get_settings()
    model = thinking(trial.system, sample.model or configured.resolved_model, configured)
    context = Context.model_validate({"model": model, **switches})
    about: dict[str, Any] = {"system": trial.system, "split": trial.split, "closed": trial.closed, "group": trial.group}
    about |= {"embedding": configured.embedding}
    settings = settings_of(benchmark, chosen, context, **about, limit=sample.limit, seed=sample.seed)
    check_fits(benchmark, settings)
    return Plan(benchmark, tuple(chosen), context, settings, sample.out / _folder_name(settings))


def _folder_name(settings: RunSettings) -> str:
    """Return the name of a run's folder, which distinguishes it from other runs under the same --out."""
    changed = "".join(f"-{'no-' * (v is False)}{k}{'' if v is False else v}" for k, v in settings.context.items())
    group = "".join(f"-{c}" for c in re.findall(r"\w+", settings.group))
    limited = f"-{settings.limit}of{settings.seed}" if settings.limit else ""
    model = safe_name(settings.model)
    embedding = f"-{safe_name(settings.embedding)}" if settings.embedding != "embedded" else ""
    setting = "closed" if settings.closed else "open"
    return (
        f"{settings.benchmark}-{settings.split}{group}{limited}-{setting}-{settings.system}{changed}-{model}{embedding}"
    )


def safe_name(text: str) -> str:
    """Return a name of a model as part of a file's name."""
    return "".join(c if c.isalnum() or c in "._" else "-" for c in text)
