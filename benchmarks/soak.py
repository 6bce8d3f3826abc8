"""Kill everything in turn: two ingesting hosts, two asking hosts, three Galera nodes and a Chroma server.

Every round changes documents, ingests and asks, and kills one process with SIGKILL meanwhile; clocks are wrong, disks
are full. Then everything is started again, the hosts ingest once more, and every host must hold every document
completely. Nothing but leases repairs. Exit status 1 if an invariant failed.

python -m benchmarks.soak --rounds 30 --seed 1
"""

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.soak_documents import TOPICS, page
from benchmarks.soak_processes import FAKETIME, Chroma, HostProcess
from tests.support.galera import Cluster, running_cluster

__all__ = ["main"]

INGESTING, ASKING = ("ingest1", "ingest2"), ("ask1", "ask2")
OWN = {host: sorted(TOPICS)[place :: len(INGESTING)] for place, host in enumerate(INGESTING)}
"""The documents of each ingesting host."""
LEASE_S = 10.0
"""Longer than the cluster takes to leave a node out: until then no lease can be renewed."""
LATEST_KILL_S = 1.5
"""An ingest of these documents takes about as long."""
SLOWEST_S = 120.0
"""A command that takes longer is stuck."""
REPAIRS = 8
"""Ingests after a round until nothing unfinished may be left."""
SKEW_S = 3_600
SMALL_FILE = 2_000
"""Bytes that a file may have on a full disk."""
FRESH_S = 0.3
"""How long a process may not know what another host has published: see tools/replica.py."""


@dataclass
class Round:
    """What happened in one round."""

    number: int
    killed: str = ""
    beside: list[str] = field(default_factory=list)
    ingests: dict[str, str] = field(default_factory=dict)
    answers: int = 0
    refused: int = 0
    """Questions that ended with one clear line, as a server was down or the document was replaced meanwhile."""
    missed: int = 0
    """Questions that found nothing in a document that was replaced at that moment."""
    repairs: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


class Soak:
    """The deployment, and what is known of its documents."""

    def __init__(self, folder: Path, cluster: Cluster, seed: int) -> None:
        self._folder, self._cluster, self._chance = folder, cluster, random.Random(seed)
        self._chroma = Chroma(folder / "chroma")
        self.versions: dict[str, int] = {}
        self._published: list[tuple[float, dict[str, int]]] = []
        """When an ingest had returned, and what it had published."""
        self._answers: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._deck: list[str] = []
        self._database = cluster.new_database()
        self.hosts = {name: self._host(name, place) for place, name in enumerate((*INGESTING, *ASKING))}
        for host in self.hosts.values():
            host.start()

    def _host(self, name: str, first: int) -> HostProcess:
        nodes = [self._cluster.nodes[(first + n) % len(self._cluster.nodes)] for n in range(len(self._cluster.nodes))]
        settings = {
            "database_url": self._cluster.url(self._database, *nodes),
            "chroma_url": f"http://127.0.0.1:{self._chroma.port}",
            "lease_s": LEASE_S,
        }
        return HostProcess(name, self._folder, settings, self._note_answer)

    def _note_answer(self, host: str, answer: dict[str, Any]) -> None:
        with self._lock:
            self._answers.append({"host": host, **answer})

    def round(self, number: int) -> Round:
        """Change, ingest, ask and kill; repair by ingesting; compare all stores of all hosts."""
        this, started = Round(number), time.monotonic()
        self._answers.clear()
        skewed = self._skew_a_clock(this)
        self._write()
        quota = self._chance.choice(INGESTING) if self._chance.random() < 0.15 else ""
        if quota:
            this.beside.append(f"{quota}: disk full")
        for name in ASKING:
            self.hosts[name].tell("ask_on", names=sorted(self.versions))
            self._expect(this, name)
        before = time.monotonic()
        for name in INGESTING:
            self.hosts[name].tell("ingest", folder=str(self._docs(name)), file_bytes=SMALL_FILE * (name == quota))
        self._kill(this)
        for name in INGESTING:
            this.ingests[name] = self._ended(this, name, before)
        for name in ASKING:
            if self.hosts[name].is_running:
                self.hosts[name].tell("ask_off")
                self._expect(this, name)
        away = this.killed if this.killed in INGESTING and self._chance.random() < 0.5 else ""
        self._start_again(skewed, away)
        if away:  # its lease must expire: only its own home knows that it has ended
            this.beside.append(f"{away}: away")
            self._repair(this, [name for name in INGESTING if name != away])
            self.hosts[away].start()
        self._repair(this, INGESTING)
        self._check_answers(this)
        self._check_stores(this)
        this.seconds = time.monotonic() - started
        return this

    def _docs(self, name: str) -> Path:
        return self._folder / f"docs-{name}"

    def _write(self) -> None:
        """Write new versions of some documents: every cell and every text tells the version."""
        for host in INGESTING:
            self._docs(host).mkdir(exist_ok=True)
            for name in OWN[host]:
                if name in self.versions and self._chance.random() < 0.3:
                    continue
                version = self.versions[name] = self.versions.get(name, 100) + 1
                (self._docs(host) / f"{name}.html").write_text(page(name, version), encoding="utf-8")

    def _skew_a_clock(self, this: Round) -> str:
        if not FAKETIME.exists() or self._chance.random() > 0.2:
            return ""
        name, skew = self._chance.choice(list(self.hosts)), self._chance.choice([-SKEW_S, SKEW_S])
        if time.monotonic() + skew <= 0:
            skew = SKEW_S  # a machine that was just started has no such time
        this.beside.append(f"{name}: clock {skew // 3600:+d} h")
        self.hosts[name].kill()
        self.hosts[name].start(skew)
        return name

    def _kill(self, this: Round) -> None:
        victims = {**self.hosts, **{n.name: n for n in self._cluster.nodes}, "chroma": self._chroma}
        if not self._deck:  # each process once, then each again
            self._deck = sorted(victims)
            self._chance.shuffle(self._deck)
        this.killed = self._deck.pop()
        time.sleep(self._chance.uniform(0.0, LATEST_KILL_S))
        victims[this.killed].kill()
        if this.killed != "chroma" and self._chance.random() < 0.15:
            this.beside.append("chroma: restarted")
            self._chroma.kill()
            self._chroma.start()

    def _ended(self, this: Round, name: str, before: float) -> str:
        """Wait for an ingest; return how it ended, and note what it has published."""
        said = self.hosts[name].result(SLOWEST_S)
        if "crash" in said or said["what"] == "stuck" or (said["what"] == "died" and this.killed != name):
            this.wrong.append(f"{name}: ingest {said}")
        if said["what"] != "done":
            return said["what"]
        if error := said.get("error") or said.get("crash"):
            return f"failed: {error}"
        if said["failed"]:
            return f"failed: {'; '.join(said['failed'])}"
        mine = {n: self.versions[n] for n in OWN[name]}
        self._published.append((time.monotonic(), mine))
        return "ok"

    def _expect(self, this: Round, name: str) -> dict[str, Any]:
        said = self.hosts[name].result(SLOWEST_S)
        if "crash" in said or said["what"] == "stuck" or (said["what"] == "died" and this.killed != name):
            this.wrong.append(f"{name}: {said}")
        return said

    def _start_again(self, skewed: str, away: str) -> None:
        if not self._chroma.is_running:
            self._chroma.start()
        for node in self._cluster.nodes:
            if not node.is_running:
                self._cluster.start(node)
        if skewed:
            self.hosts[skewed].kill()
        for name, host in self.hosts.items():
            if not host.is_running and name != away:
                host.start()

    def _repair(self, this: Round, names: Sequence[str]) -> None:
        """Let hosts ingest until nothing unfinished is left, as a schedule would."""
        ends: list[str] = []
        left = 0
        for _ in range(REPAIRS):
            this.repairs += 1
            ends, left = [], 0
            for name in names:
                before = time.monotonic()
                self.hosts[name].tell("ingest", folder=str(self._docs(name)))
                said = self.hosts[name].result(SLOWEST_S)
                if said["what"] == "done" and not said.get("error") and not said.get("crash") and not said["failed"]:
                    left = said["unfinished"]
                    mine = {n: self.versions[n] for n in OWN[name]}
                    self._published.append((time.monotonic(), mine))
                else:
                    ends.append(f"{name}, {time.monotonic() - before:.0f} s: {said}")
            if not ends and not left:
                return
            time.sleep(LEASE_S / 2)
        this.wrong.append(f"not repaired: {ends}, {left} unfinished")

    def _check_answers(self, this: Round) -> None:
        """Each answer is one version, and none that was replaced before the question."""
        for answer in self._answers:
            if "error" in answer:
                this.refused += 1
                continue
            if "crash" in answer:
                this.wrong.append(f"{answer['host']}: {answer['crash']}")
                continue
            name, text = answer["name"], answer["text"]
            least = self._least(name, answer["at"] - FRESH_S)
            version = int(text) if text.isdecimal() else None
            if version is None:
                replaced = self._least(name, time.monotonic()) > least or least < self.versions[name]
                this.missed += bool(least and replaced)
                if least and not replaced:  # before the first publication there is nothing to answer from
                    this.wrong.append(f"{answer['host']}: {name}: {text[:200]!r}")
                continue
            this.answers += 1
            if not least <= version <= self.versions[name] or not set(answer["quoted"]) <= {version}:
                this.wrong.append(f"{answer['host']}: {name}: {answer}, at least {least}")

    def _least(self, name: str, before: float) -> int:
        """Return the version that was published of a document before a time."""
        return max((mine[name] for at, mine in self._published if at < before and name in mine), default=0)

    def _check_stores(self, this: Round) -> None:
        for name, host in self.hosts.items():
            host.tell("check", versions=self.versions)
            said = self._expect(this, name)
            this.wrong += [f"{name}: {w}" for w in said.get("wrong", [said.get("error")])]

    def close(self) -> None:
        """End all processes."""
        for host in self.hosts.values():
            host.kill()
        self._chroma.kill()


def table_row(this: Round) -> str:
    """Return a line of the table."""
    ends = ", ".join(f"{name}: {end[:40]}" for name, end in this.ingests.items() if end != "ok") or "ok"
    beside = ", ".join(this.beside) or "-"
    state = f"{len(this.wrong)} WRONG" if this.wrong else "whole"
    counts = f"{this.answers:>8} {this.refused:>7} {this.missed:>6} {this.repairs:>7}"
    return f"{this.number:>3}  {this.killed:<8} {beside:<38} {counts} {this.seconds:>4.0f} s {state:<8} {ends}"


def summary(rounds: list[Round], began: float) -> str:
    """Return what came of all rounds."""
    killed = sorted(Counter(r.killed for r in rounds).items())
    ends = [end for r in rounds for end in r.ingests.values()]
    return (
        f"{len(rounds)} rounds in {(time.monotonic() - began) / 60:.1f} minutes; killed: "
        f"{', '.join(f'{n} {c}x' for n, c in killed)}; {sum(len(r.beside) for r in rounds)} other faults\n"
        f"{ends.count('ok')} of {len(ends)} ingests went through at once; {sum(r.answers for r in rounds)} answers, "
        f"{sum(r.refused for r in rounds)} refused with one line, "
        f"{sum(r.missed for r in rounds)} found nothing in a document that was being replaced; "
        f"{sum(bool(r.wrong) for r in rounds)} rounds in which an invariant failed"
    )


def main() -> int:
    """Run the rounds; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the logs, which must not exist")
    given = parser.parse_args()
    began, rounds = time.monotonic(), []
    with ExitStack() as stack:
        made = tempfile.TemporaryDirectory(prefix="tablerag-soak-", ignore_cleanup_errors=True)
        folder = given.keep or Path(stack.enter_context(made))
        folder.mkdir(exist_ok=not given.keep)
        soak = Soak(folder, stack.enter_context(running_cluster()), given.seed)
        stack.callback(soak.close)
        if not FAKETIME.exists():
            print("libfaketime is not installed (apt-get install faketime): no clock is wrong in this run")
        print(f"  #  killed   {'beside':<38} answered refused missed repairs   time state    ingests")
        for number in range(1, given.rounds + 1):
            rounds.append(soak.round(number))
            print(table_row(rounds[-1]), flush=True)
            for wrong in rounds[-1].wrong:
                print(f"     ! {wrong[:1500]}", flush=True)
    print(summary(rounds, began))
    return int(any(r.wrong for r in rounds))


if __name__ == "__main__":
    sys.exit(main())
