"""The clients of the stress test: each asks, uploads, decides, cancels and hangs up, one thing after the other."""

import threading
import time
from collections.abc import Callable
from typing import Any

import httpx

from benchmarks.stress_connection import Cut, World, body_of
from benchmarks.stress_documents import DEPOTS, Document, Question, judged
from benchmarks.stress_uploads import Uploads

__all__ = ["Client", "started"]

THINK_S = 4.0
MOST_DOCUMENTS, LEAST_DOCUMENTS = 5, 2
LONG_WAIT_S = (30.0, 200.0)
"""How long some statements wait for their approval: a restart may come between."""


class Client(Uploads):
    """A user who does one thing after the other."""

    def act(self) -> None:
        """Do one thing by chance; after a restart, check all documents first."""
        self.step += 1
        lifetime = self.world.lifetime
        try:
            if lifetime == self.checked_in:
                self.do(self.chosen())
            else:
                self.do(self.check)
                self.checked_in = lifetime
        except Cut:
            self.count("cut by a restart")
        except Exception as error:  # the load must go on
            self.odd(f"unexpected {type(error).__name__}", error=repr(error))

    checked_in = 0
    """The lifetime of the server in which the documents were checked last."""

    def do(self, action: Callable[[], Any]) -> None:
        self.doing = action.__name__
        action()

    def chosen(self) -> Callable[[], Any]:
        """Return an action by chance."""
        if len(self.documents) < LEAST_DOCUMENTS:
            return self.upload
        weights = {self.converse: 34, self.ask_model: 10, self.approve: 9, self.cancel: 7, self.hang_up: 7}
        weights |= {self.upload: 9} if len(self.documents) < MOST_DOCUMENTS else {}
        weights |= {self.remove: 5} if len(self.documents) > LEAST_DOCUMENTS else {}
        weights |= {self.replace: 6} | ({self.ask_removed: 3} if self.removed else {})
        return self.chance.choices(list(weights), list(weights.values()))[0]

    def converse(self) -> None:
        """Ask, without a thread or in one; there, follow up, and continue after a restart."""
        document = self.some()
        if self.chance.random() < 0.3:
            self.ask("", document.question(self.chance), document)
            return
        thread, (first, *others) = self.new_thread(), self.chance.sample(DEPOTS, len(DEPOTS))
        questions = [document.question(self.chance), document.total_of(first)]
        questions += [document.total_of(d, f"and of the depot {d}?") for d in others[: self.chance.randrange(4)]]
        for number, question in enumerate(questions):
            try:
                self.ask(thread, question, document)
            except Cut:
                self.count("question cut by a restart")
                self.go_on(thread, questions[: number + 1], document)
                break
            self.world.sleep(self.chance.random() * 2)
        self.delete(thread)

    def go_on(self, thread: str, asked: list[Question], document: Document) -> None:
        """Let a thread continue where a restart stopped it, as far as it was written, and ask again."""
        self.world.wait_until_up()
        self.bring_back(thread)
        if self.send("GET", f"/threads/{thread}/state").json().get("next"):
            reply = self.send("POST", f"/threads/{thread}/runs/wait", json=self.asked(None))
            before = set[int]().union(*(document.values(question) for question in asked))
            self.count(f"continued: {self.judge(reply, asked[-1], document, before, thread=thread)}")
        self.ask_in(thread, document)

    def ask_in(self, thread: str, document: Document) -> None:
        """Ask in a thread that was disturbed, and follow up."""
        first, second = self.chance.sample(DEPOTS, 2)
        self.ask(thread, document.total_of(first), document)
        self.ask(thread, document.total_of(second, f"and of the depot {second}?"), document)

    def ask_model(self) -> None:
        """Ask the stand-in for a model."""
        document, thread = self.some(), self.new_thread()
        self.ask(thread, document.one_row(self.chance), document, by_model=True)
        self.delete(thread)

    def ask_removed(self) -> None:
        """Ask about a removed document: its value must not come back."""
        document, question, values = self.chance.choice(self.removed)
        body = body_of(self.send("POST", "/runs/wait", json=self.asked(question.text)))
        outcome, why = judged(body, question, document, gone=values)
        if outcome in ("wrong", "other"):
            self.odd("returned" if outcome == "wrong" else outcome, question=question.text, why=why, reply=body)
        else:
            self.count(outcome)

    def approve(self) -> None:
        """Let a statement wait, then approve, edit or reject it, again if a restart comes between."""
        document, depot, thread = self.some(), self.chance.choice(DEPOTS), self.new_thread()
        asked = self.asked(document.total_of(depot).text, approve_sql=True)
        self.send("POST", f"/threads/{thread}/runs/wait", json=asked)
        sql = self.waiting(thread)
        if not sql:
            self.odd("nothing waits", state=self.send("GET", f"/threads/{thread}/state").text[:1500])
            return
        self.world.sleep(self.chance.uniform(*LONG_WAIT_S) if self.chance.random() < 0.3 else 3 * self.chance.random())
        decision = self.chance.choice(("approve", "edit", "reject"))
        given = {"type": decision}
        if decision == "edit":
            given |= {"edited_action": {"name": "execute_sql", "args": {"sql": sql.replace("SUM(", "MIN(")}}}
        try:
            reply = self.decided(thread, given)
        except Cut:
            self.count("decision cut by a restart")
            self.world.wait_until_up()
            self.bring_back(thread)
            reply = self.decided(thread, given) if self.waiting(thread) else None
        if reply:
            self.judge_decision(reply, given, depot, document)
        else:
            self.ask_in(thread, document)
        self.delete(thread)

    def waiting(self, thread: str) -> str:
        """Return the statement that waits in a thread; "" if none does."""
        state = self.send("GET", f"/threads/{thread}/state")
        tasks = state.json().get("tasks", []) if state.status_code == 200 else []
        found = [i["value"]["action_requests"][0]["args"]["sql"] for t in tasks for i in t.get("interrupts", [])]
        return found[0] if found else ""

    def decided(self, thread: str, given: dict[str, Any]) -> httpx.Response:
        """Send a decision; a thread that a kill took from the server's list is brought back first."""
        body = {"assistant_id": "tablerag", "command": {"resume": {"decisions": [given]}}}
        reply = self.send("POST", f"/threads/{thread}/runs/wait", json=body)
        if reply.status_code == 404:
            self.bring_back(thread)
            reply = self.send("POST", f"/threads/{thread}/runs/wait", json=body)
        return reply

    def judge_decision(self, reply: httpx.Response, given: dict[str, Any], depot: str, document: Document) -> None:
        """See that the approved statement ran, the edited one in its place, or none."""
        if given["type"] == "approve":
            self.judge(reply, document.total_of(depot), document, decision=given)
            return
        steps = reply.json().get("steps") or [{}] if reply.status_code == 200 else [{}]
        found = steps[0].get("rows")
        smallest = Question("", lambda c: min(w for _, d, w in c.rows if d == depot))
        if given["type"] == "reject":
            is_right = reply.status_code == 200 and not found and reply.json().get("sql") == []
        else:
            is_right = found in [[[value]] for value in document.values(smallest)]
        if is_right:
            self.count(f"{given['type']}: right")
        elif document.is_sure and (found or given["type"] == "reject"):
            self.odd("wrong", decision=given, expected=sorted(document.values(smallest)), reply=reply.text[:1500])
        else:
            self.odd("failed decision", decision=given, is_sure=document.is_sure, reply=reply.text[:1500])

    def cancel(self) -> None:
        """Cancel a run while it runs or waits, and ask in its thread."""
        document, thread, by_model = self.some(), self.new_thread(), self.chance.random() < 0.7
        asked = self.asked(document.one_row(self.chance).text, by_model=by_model)
        path = f"/threads/{thread}/runs/{self.send('POST', f'/threads/{thread}/runs', json=asked).json()['run_id']}"
        self.world.sleep(self.chance.uniform(0, 2.5))
        how = {"wait": self.chance.choice(("true", "false")), "action": "interrupt"}
        reply = self.send("POST", f"{path}/cancel", params=how)
        if reply.status_code not in (200, 202, 204, 404, 409):
            self.odd(f"cancel answered {reply.status_code}", reply=reply.text[:500])
        self.wait_idle(thread)
        run = self.send("GET", path)
        status = run.json()["status"] if run.status_code == 200 else run.status_code
        if status in ("pending", "running"):
            self.odd("stuck", run=run.text[:500])
        self.count(f"run: {status}")
        self.ask_in(thread, document)
        self.delete(thread)

    def hang_up(self) -> None:
        """Hang up in the middle of a stream, and ask in its thread."""
        document, by_model = self.some(), self.chance.random() < 0.7
        thread = self.new_thread() if self.chance.random() < 0.7 else ""
        body = self.asked(document.one_row(self.chance).text, by_model=by_model)
        body |= {"stream_mode": ["custom", "messages-tuple", "values"]}
        body |= {"on_disconnect": self.chance.choice(("cancel", "continue"))} if thread else {}
        lifetime, begun, left = self.world.lifetime, time.monotonic(), self.chance.randrange(1, 12)
        path = f"/threads/{thread}/runs/stream" if thread else "/runs/stream"
        try:
            with self.http.stream("POST", self.world.url + path, json=body) as reply:
                for _ in reply.iter_lines():
                    left -= 1
                    if not left:
                        break
        except httpx.TransportError as error:
            self.explain(error, lifetime, f"POST {path}", begun)
            raise Cut from error
        self.count("ended before" if left else "hung up")
        if thread:
            self.wait_idle(thread)
            self.ask_in(thread, document)
            self.delete(thread)


def started(client: Client, world: World) -> threading.Thread:
    """Return a running thread in which a client acts until the time is over."""

    def work() -> None:
        while not world.over.is_set():
            world.wait_until_up()
            if world.up.is_set():
                client.act()
            world.sleep(client.chance.expovariate(1 / (THINK_S * world.pause)))

    thread = threading.Thread(target=work, name=f"client {client.number}", daemon=True)
    thread.start()
    return thread
