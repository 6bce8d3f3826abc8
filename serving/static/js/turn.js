// One turn: its question, its steps, and its outcome.

import { answerView, suggestMore } from "./answer.js";
import { approvalAsked, approvalForm } from "./approval.js";
import { announce, button, byId, h, quiet } from "./dom.js";
import { failure, raised } from "./errors.js";
import { Timeline } from "./timeline.js";

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

/** A turn as it is drawn; `actions` has retry(turn), decide(turn, decisions) and choose(meaning). */
export class Turn {
  constructor(question, corpus, actions, id = newId()) {
    Object.assign(this, { question, corpus, actions, id, began: performance.now() });
    this.timeline = new Timeline(corpus);
    this.place = h("div", { class: "turn-answer" });
    const title = h("h2", { class: "turn-question" }, question);
    this.node = h("article", { class: "turn" }, title, this.timeline.node, this.place);
  }

  /** Show that the turn runs, again or after a decision. */
  resume() {
    this.place.replaceChildren();
    this.timeline.resume();
  }

  /** Show the state in which the run ended: an answer, a statement to approve, an error, or no answer. */
  settle(state, { fresh = false, failed = false } = {}) {
    const values = state?.values ?? {};
    const asked = approvalAsked(state);
    const error = state?.tasks?.map((t) => t.error).find(Boolean);
    if (asked) this.#approval(asked, fresh);
    else if (!state?.next?.length && values.question === this.question && values.answer) this.#answer(values, fresh);
    else if (failed || (error && !error.startsWith("CancelledError"))) this.fail(raised(error ?? ""));
    else this.stopped();
  }

  #approval(asked, fresh) {
    const form = approvalForm(asked, (decisions) => this.actions.decide(this, decisions));
    this.timeline.wait("Waiting for your approval");
    this.place.replaceChildren(form);
    if (!fresh) return;
    announce("SQL is waiting for your approval");
    // Not the first button: a key pressed for the question box would press it.
    if (!byId("question").value) form.querySelector(".note-title").focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
  }

  #answer(values, fresh) {
    this.timeline.understand(this.question, values.understood);
    const seconds = fresh ? (performance.now() - this.began) / 1000 : null;
    if (values.steps?.length) this.timeline.finish(values.steps, seconds);
    else this.timeline.node.remove();
    this.place.replaceChildren(answerView(values, this.corpus, this.actions));
    if (!fresh) return;
    suggestMore(this.place, values, this.corpus, this.actions.ask);
    this.node.scrollIntoView({ block: "start" });
    announce(`Answer: ${values.answer.startsWith("| ") ? (values.table?.caption ?? "a table") : values.answer}`);
  }

  /** Show why there is no answer; the question can be asked again. */
  fail(error) {
    this.timeline.pause("Failed");
    this.place.replaceChildren(failure(error, this.#retry()));
  }

  stopped() {
    this.timeline.pause("Stopped");
    this.place.replaceChildren(quiet("Stopped before there was an answer."), this.#retry());
  }

  #retry() {
    const again = button("button retry", () => this.actions.retry(this), "Retry");
    again.setAttribute("aria-label", `Retry: ${this.question}`);
    return again;
  }
}
