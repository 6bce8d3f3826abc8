"""Builds a corpus like DocRAGLib: reads the sets, filters questions, draws documents, and writes what is kept."""

import hashlib
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from tablerag.evaluation.datasets.merged_tables import file_names
from tablerag.evaluation.docraglib.records import (
    DECISIONS,
    DOCUMENTS,
    MANIFEST,
    QUESTIONS,
    SETTINGS,
    Built,
    Decision,
    LibQuestion,
    LibSource,
    Manifest,
    Split,
    write_lines,
    write_record,
)
from tablerag.evaluation.docraglib.sources import Candidate, candidates
from tablerag.evaluation.journal import Journal
from tablerag.evaluation.locking import held
from tablerag.evaluation.threads import in_threads
from tablerag.tools.errors import ConfigError

__all__ = ["Build", "Filter"]

Filter = Callable[[Candidate], Decision]
Progress = Callable[[int, int, str], None]
LOCK = "build.lock"
NOT_DRAWN = "its document was not drawn"
SHARES: tuple[tuple[Split, float], ...] = (("train", 0.67), ("dev", 0.11), ("test", 0.22))
"""The shares of DocRAGLib's splits: 2,990, 502 and 976 of 4,468 questions. Documents are divided, not questions."""


class Build:
    """One build, from its sets to its manifest; repeating an interrupted one goes on with the decisions made so far."""

    def __init__(self, made: Built, out: Path) -> None:
        """Read the sets. Raises ConfigError if they do not fit, or the folder has another build."""
        self._made, self._out = made, out
        self._journal = Journal(out / DECISIONS, Decision)
        folders: Mapping[LibSource, Path] = {name: Path(folder) for name, folder in made.sources.items()}
        self.candidates = candidates(folders, made.splits)
        if not self.candidates:
            raise ConfigError("no set given: use --multihiertt, --hitab or --tatqa")
        _claim(made, out)

    def pages(self) -> dict[str, str]:
        """Return all documents of the sets as HTML, by key."""
        return {c.document: c.page() for c in {c.document: c for c in self.candidates}.values()}

    def undecided(self) -> list[Candidate]:
        """Return the questions without a decision."""
        known = {d.id for d in self._journal.read()}
        return [c for c in self.candidates if c.id not in known]

    def run(
        self, decide: Filter, *, workers: int = 1, on_progress: Progress = lambda done, total, doing: None
    ) -> Manifest:
        """Decide on the questions that are open, and write the documents, questions and manifest.

        Raises what ``decide`` raises; decisions so far are kept.
        """
        with held(self._out / LOCK, "another process is building here"):
            self._journal.repair()
            open_ = self.undecided()
            for done, decision in enumerate(in_threads(open_, decide, workers), start=1):
                self._journal.append(decision)
                on_progress(done, len(open_), "filtering questions")
            decided = {d.id: d for d in self._journal.read()}
            kept = [c for c in self.candidates if decided[c.id].kept]
            if not kept:
                raise ConfigError("no question is left after the filter: use more sets or splits, or --filter none")
            names = file_names(_drawn(kept, self._made))
            questions = [_question(c, names[c.document], self._made.seed) for c in kept if c.document in names]
            self._write_documents(names, on_progress)
            write_lines(self._out / QUESTIONS, questions)
            manifest = self._manifest(names, questions, decided.values())
            write_record(self._out / MANIFEST, manifest)
            return manifest

    def _write_documents(self, names: Mapping[str, str], on_progress: Progress) -> None:
        folder = self._out / DOCUMENTS
        shutil.rmtree(folder, ignore_errors=True)  # what an interrupted build left
        folder.mkdir(parents=True)
        by_document = {c.document: c for c in self.candidates if c.document in names}
        for done, (key, candidate) in enumerate(by_document.items(), start=1):
            (folder / names[key]).write_text(candidate.page(), encoding="utf-8")
            on_progress(done, len(by_document), "writing documents")

    def _manifest(
        self, names: Mapping[str, str], questions: Sequence[LibQuestion], decided: Iterable[Decision]
    ) -> Manifest:
        return Manifest(
            made=self._made,
            documents=len(names),
            questions=len(questions),
            candidates=len(self.candidates),
            documents_by_source=Counter(key.partition(":")[0] for key in sorted(names)),
            questions_by_source=Counter(q.source for q in questions),
            questions_by_split=Counter(q.split for q in questions),
            rejected=Counter(d.reason or NOT_DRAWN for d in decided if d.id not in {q.id for q in questions}),
        )


def _claim(made: Built, out: Path) -> None:
    """Write the build's settings to its folder; raise ConfigError if another or a complete build is there."""
    if out.exists() and not out.is_dir():
        raise ConfigError(f"{out}: not a folder: choose another one with --out")
    path = out / SETTINGS
    if (out / MANIFEST).exists():
        raise ConfigError(f"{out / MANIFEST} already exists: choose another folder with --out")
    if not path.exists():
        if out.exists() and any(out.iterdir()):
            raise ConfigError(f"{out}: folder is not empty: choose another one with --out")
        write_record(path, made)
        return
    try:
        found = Built.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ConfigError(f"{path}: invalid build settings: choose another folder with --out") from error
    differ = [k for k, v in found.model_dump().items() if v != made.model_dump()[k]]
    if differ:
        changes = ", ".join(f"{k} was {_told(getattr(found, k))}, is {_told(getattr(made, k))}" for k in differ)
        raise ConfigError(f"{out}: contains another build ({changes}): choose another folder with --out")


def _told(value: object) -> str:
    """Return a setting as people write it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _drawn(kept: Sequence[Candidate], made: Built) -> list[str]:
    """Return the keys of the documents, all or drawn by the seed."""
    keys = sorted({c.document for c in kept})
    if not made.documents or made.documents >= len(keys):
        return keys
    return sorted(random.Random(made.seed).sample(keys, made.documents))


def _question(candidate: Candidate, document: str, seed: int) -> LibQuestion:
    return LibQuestion(
        id=candidate.id,
        source=candidate.source,
        split=_split(candidate.document, seed),
        question=candidate.question,
        gold=candidate.gold,
        document=document,
        operators=candidate.operators,
        evidence=candidate.evidence,
        native=candidate.native,
    )


def _split(document: str, seed: int) -> Split:
    """Return the split of a document, by the seed."""
    place = int(hashlib.sha256(f"{seed} {document}".encode()).hexdigest()[:8], 16) / 16**8
    for split, share in SHARES:
        place -= share
        if place < 0:
            return split
    return "test"
