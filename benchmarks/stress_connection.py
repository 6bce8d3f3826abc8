"""Requests of the stress test's clients, to a server that is stopped and started again under their hands."""

import random
import threading
import time
from typing import Any

import httpx

from benchmarks.stress_documents import Document, Question, judged
from benchmarks.stress_outcomes import Outcomes
from tests.support.graph_server import MODEL

__all__ = ["RUN_S", "Connection", "Cut", "World"]

RUN_S = 120.0
"""Seconds after which a run or another request is stuck."""
EXPLAINED_S = 3.0
"""Seconds after a failed request within which the server's stop explains it."""
TRIES = 30
"""How often a request is sent that the server answers with "busy"."""
BUSY = (429, 503)
KEPT = (
    "value",
    "answer",
    "verdict",
    "sql",
    "explanation",
    "cause",
    "stopped_by",
    "citations",
    "understood",
    "__error__",
)
"""What is written down of an odd reply."""


class Cut(Exception):
    """The server was stopped or killed during a request."""


class World:
    """What the clients share: the server that runs now, and their pace."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes, self.over, self.up = outcomes, threading.Event(), threading.Event()
        self.url, self.lifetime, self.pause = "", 0, 1.0

    def wait_until_up(self) -> None:
        """Wait until a server is ready, or the time is over."""
        while not self.up.wait(0.5) and not self.over.is_set():
            pass

    def sleep(self, seconds: float) -> None:
        """Sleep, until the time is over at most."""
        self.over.wait(seconds)


class Connection:
    """One client's requests; each failure that no restart explains is an outcome."""

    def __init__(self, number: int, world: World, corpus: str, seed: int, http: httpx.Client | None = None) -> None:
        self.number, self.world, self.corpus = number, world, corpus
        self.chance = random.Random(f"{seed}-{number}")
        self.doing, self.step = "", 0
        self.http = http or httpx.Client(timeout=RUN_S)

    def count(self, outcome: str) -> None:
        self.world.outcomes.count(self.doing, outcome)

    def odd(self, outcome: str, **details: Any) -> None:
        """Write an outcome down with what it takes to find it again."""
        who = {"client": self.number, "step": self.step, "lifetime": self.world.lifetime, "corpus": self.corpus}
        self.world.outcomes.odd(self.doing, outcome, **who, **details)

    def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request, again while the server is busy.

        Raises Cut if it was stopped meanwhile, and if the request failed by itself, which is written down.
        """
        for _ in range(TRIES):
            lifetime, begun = self.world.lifetime, time.monotonic()
            if not self.world.up.is_set():
                raise Cut
            try:
                reply = self.http.request(method, self.world.url + path, **more)
            except httpx.TransportError as error:
                self.explain(error, lifetime, f"{method} {path}", begun)
                raise Cut from error
            if reply.status_code >= 500 and reply.status_code not in BUSY:
                self.explain(reply.text[:500], lifetime, f"{method} {path}", begun)
            if reply.status_code not in BUSY and not (reply.status_code == 409 and "is busy" in reply.text):
                return reply
            self.count(f"{reply.status_code}, sent again")
            self.world.sleep(1 + self.chance.random())
        return reply

    def explain(self, error: object, lifetime: int, request: str, begun: float) -> None:
        """Write a failed request down, unless the server was stopped."""
        took, deadline = time.monotonic() - begun, time.monotonic() + EXPLAINED_S
        while time.monotonic() < deadline:
            if self.world.lifetime != lifetime or not self.world.up.is_set():
                return
            time.sleep(0.05)
        kind = "stuck" if isinstance(error, httpx.ReadTimeout) else "crashed"
        self.odd(kind, request=request, error=repr(error), took_s=round(took, 1))

    def new_thread(self) -> str:
        return self.send("POST", "/threads", json={}).json()["thread_id"]

    def bring_back(self, thread: str) -> None:
        """Make the server know a thread that a kill took from its list, and wait for what it still runs there."""
        self.send("POST", "/threads", json={"thread_id": thread, "if_exists": "do_nothing"})
        self.wait_idle(thread)

    def delete(self, thread: str) -> None:
        """Delete a thread: the development server keeps all others in memory."""
        self.send("DELETE", f"/threads/{thread}")

    def wait_idle(self, thread: str) -> str:
        """Return the status of a thread when nothing runs in it; "" if that takes too long, or there is no thread."""
        deadline = time.monotonic() + RUN_S
        while (found := self.send("GET", f"/threads/{thread}")).status_code == 200:
            if (status := found.json()["status"]) != "busy":
                return status
            if time.monotonic() > deadline:
                runs = self.send("GET", f"/threads/{thread}/runs").text[:1500]
                self.odd("stuck", thread=found.text[:800], runs=runs)
                break
            self.world.sleep(0.5)
        return ""

    def asked(self, question: str | None, *, by_model: bool = False, **context: Any) -> dict[str, Any]:
        """Return the body of a run; None continues where the thread stopped."""
        context |= {"corpus": self.corpus} | ({"model": MODEL} if by_model else {})
        return {"assistant_id": "tablerag", "context": context, "input": question and {"question": question}}

    def ask(self, thread: str, question: Question, document: Document, *, by_model: bool = False) -> str:
        """Ask, in a thread or ("") without one, and return what the reply is."""
        begun = time.monotonic()
        path = f"/threads/{thread}/runs/wait" if thread else "/runs/wait"
        reply = self.send("POST", path, json=self.asked(question.text, by_model=by_model))
        took = time.monotonic() - begun
        self.world.outcomes.seconds.append(took)
        return self.judge(reply, question, document, thread=thread, took_s=round(took, 2))

    def judge(
        self, reply: httpx.Response, question: Question, document: Document, before: set[int] = frozenset(), **more: Any
    ) -> str:
        """Return what a reply is; all but right ones are written down, and answers that a change explains."""
        body = body_of(reply)
        outcome, why = judged(body, question, document, before=before)
        if outcome == "right" or (outcome != "wrong" and not document.is_present):
            self.count("right" if outcome == "right" else f"{outcome}, document may be absent")
            return outcome
        found = {key: body[key] for key in KEPT if key in body} if isinstance(body, dict) else body
        found_in = {"document": document.source, "is_sure": document.is_sure, "thread_id": more.pop("thread", "")}
        shown = outcome if outcome == "wrong" else f"{outcome}: {why.split(':')[0]}"
        self.odd(shown, question=question.text, why=why, reply=found, **found_in, **more)
        return outcome


def body_of(reply: httpx.Response) -> Any:
    """Return the state that a run ended with, or an error in its place."""
    if reply.status_code == 200:
        return reply.json()
    return {"__error__": {"error": f"HTTP {reply.status_code}", "message": reply.text[:300]}}
