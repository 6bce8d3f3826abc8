// The Ask view: turns of one conversation, asked and shown as they run.

import { answerView } from "./answer.js";
import { approvalAsked, approvalForm } from "./approval.js";
import { announce, byId, h } from "./dom.js";
import { closePanel } from "./panel.js";
import * as server from "./server.js";
import * as store from "./store.js";
import { Timeline } from "./timeline.js";
import { welcome } from "./welcome.js";

const BUSY_POLL_MS = 1500;
let page = null;
/** The conversation that is shown: {id, title, corpus, turns}; its id is "" until something is asked. */
let current = null;
/** The run under way: {thread, run, abort}; null when none is. */
let running = null;

/** Wire the view; `found` gives corpus(), onChange() and ask-able corpora. */
export function startChat(found) {
  page = found;
  const question = byId("question");
  byId("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    ask(question.value);
  });
  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      ask(question.value);
    }
  });
  question.addEventListener("input", fit);
  byId("stop").addEventListener("click", stop);
  document.addEventListener("keydown", (event) => {
    if (
      event.key === "/" &&
      !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName) &&
      !byId("ask-view").hidden
    ) {
      event.preventDefault();
      question.focus();
    }
  });
}

function fit() {
  const question = byId("question");
  question.style.height = "auto";
  question.style.height = `${Math.min(question.scrollHeight, 180)}px`;
}

export const currentId = () => current?.id ?? "";

/** Show an empty conversation. */
export function newConversation() {
  leave();
  current = { id: "", title: "", corpus: page.corpus(), turns: [] };
  showEmpty(true);
  byId("turns").replaceChildren(welcome(current.corpus, page.summary(), ask));
  page.onChange();
}

function showEmpty(on) {
  byId("ask-view").classList.toggle("empty", on);
  byId("suggestions").replaceChildren();
}

function leave() {
  // The run goes on at the server: reopening the conversation shows what came of it.
  running?.abort.abort();
  running = null;
  showRunning(false);
  closePanel();
}

/** Show a kept conversation: each turn as it ended. */
export async function openConversation(id) {
  const kept = store.conversation(id);
  if (!kept) return newConversation();
  leave();
  current = kept;
  page.onChange();
  const turns = byId("turns");
  showEmpty(false);
  turns.replaceChildren(h("p", { class: "quiet loading" }, "Loading …"));
  const states = await Promise.all(kept.turns.map((t, i) => stateOf(kept, t, i === kept.turns.length - 1)));
  if (current !== kept) return;
  turns.replaceChildren(...kept.turns.map((turn, i) => reopened(kept, turn, states[i])));
  toEnd();
}

function stateOf(kept, turn, last) {
  if (!last && !turn.checkpoint) return Promise.resolve(null);
  return server.threadState(kept.id, last ? "" : turn.checkpoint).catch((error) => ({ error }));
}

function reopened(kept, turn, state) {
  const drawn = turnNode(turn.question, kept.corpus);
  if (state?.error) {
    drawn.timeline.node.remove();
    const gone =
      state.error.status === 404 ? "The server does not keep this conversation any more." : state.error.message;
    drawn.place.append(h("p", { class: "error" }, gone));
  } else if (state && (state.next ?? []).length && !approvalAsked(state)) {
    drawn.timeline.pause("Still at work …");
    setTimeout(() => current === kept && !running && openConversation(kept.id), BUSY_POLL_MS);
  } else settle(drawn, state?.values ?? null, approvalAsked(state), turn.question);
  return drawn.node;
}

function turnNode(question, corpus) {
  const timeline = new Timeline(corpus);
  const place = h("div", { class: "turn-answer" });
  const node = h("article", { class: "turn" }, h("h2", { class: "turn-question" }, question), timeline.node, place);
  return { node, timeline, place, corpus, asked: performance.now() };
}

/** Ask a question in the conversation that is shown. */
export async function ask(text) {
  const question = text.trim();
  if (!question || running) return;
  byId("question").value = "";
  fit();
  if (!current.turns.length) {
    showEmpty(false);
    byId("turns").replaceChildren();
  }
  const drawn = turnNode(question, current.corpus);
  byId("turns").append(drawn.node);
  drawn.node.scrollIntoView({ block: "start" });
  announce("Asked");
  const abort = new AbortController();
  running = { thread: current.id, run: "", abort };
  showRunning(true);
  try {
    if (!current.id) current.id = running.thread = await server.createThread();
    current.title ||= question.slice(0, 120);
    current.turns.push({ question, checkpoint: "" });
    store.keep(current);
    page.onChange();
  } catch (error) {
    running = null;
    showRunning(false);
    return fail(drawn, error.message);
  }
  const message = { type: "human", content: question };
  return run(drawn, { input: { messages: [message] } }, question);
}

/** Stream a run into a turn that is drawn, and settle it with the final state. */
async function run(drawn, body, question) {
  const mine = running;
  const conversation = current;
  let values = null;
  let error = "";
  try {
    for await (const { event, data } of server.streamRun(
      conversation.id,
      { ...body, context: context(conversation) },
      mine.abort.signal,
    )) {
      if (event === "metadata") mine.run = data.run_id;
      else if (event === "custom") drawn.timeline.event(data);
      else if (event === "values") values = { ...values, ...data };
      else if (event === "error") error = data.message || data.error || "The run failed.";
    }
  } catch (failure) {
    if (failure.name === "AbortError") return;
    error = failure.message;
  }
  if (running !== mine) return;
  running = null;
  showRunning(false);
  if (error) return fail(drawn, error);
  settle(drawn, values, approvalAsked(values), question, (performance.now() - drawn.asked) / 1000);
  await keepCheckpoint(conversation);
}

const context = ({ corpus }) => ({ corpus, ...(store.setting("approve") ? { approve_sql: true } : {}) });

/** Show what came of a turn: its answer, a statement that waits, or that it was stopped. */
function settle(drawn, values, asked, question, seconds = null) {
  if (asked) {
    drawn.timeline.pause("Waiting for your approval");
    announce("A statement waits for your approval");
    drawn.place.replaceChildren(approvalForm(asked, (decisions) => decided(drawn, decisions, question)));
    drawn.place.querySelector("button.primary, button")?.focus();
  } else if (values?.answer && values.question === question) {
    drawn.timeline.understand(question, values.understood);
    if (values.steps?.length) drawn.timeline.finish(values.steps, seconds);
    else drawn.timeline.node.remove();
    drawn.place.replaceChildren(answerView(values, drawn.corpus));
    if (seconds !== null) announce(`Answer: ${values.answer}`);
  } else {
    drawn.timeline.pause("Stopped");
    drawn.place.replaceChildren(h("p", { class: "quiet" }, "Stopped before there was an answer."));
  }
}

function decided(drawn, decisions, question) {
  drawn.place.replaceChildren();
  drawn.timeline.resume();
  running = { thread: current.id, run: "", abort: new AbortController() };
  showRunning(true);
  byId("question").focus();
  run(drawn, { command: { resume: { decisions } } }, question);
}

function fail(drawn, message) {
  drawn.timeline.pause("Failed");
  drawn.place.replaceChildren(h("p", { class: "error", role: "alert" }, message));
}

/** Remember the state in which a turn ended: from it the turn is drawn when the conversation is reopened. */
async function keepCheckpoint(conversation) {
  try {
    const state = await server.threadState(conversation.id);
    conversation.turns.at(-1).checkpoint = state.checkpoint?.checkpoint_id ?? "";
    store.keep(conversation);
  } catch {
    // Without it the last turn is still drawn from the thread's state.
  }
}

async function stop() {
  const ended = running;
  if (!ended) return;
  byId("stop").disabled = true;
  try {
    if (ended.run) await server.cancelRun(ended.thread, ended.run);
  } catch {
    // It has ended by itself meanwhile.
  }
  ended.abort.abort();
  if (running === ended) running = null;
  showRunning(false);
  const last = byId("turns").lastElementChild;
  last?.querySelector(".timeline.running")?.classList.remove("running");
  last
    ?.querySelector(".turn-answer")
    ?.replaceChildren(h("p", { class: "quiet" }, "Stopped before there was an answer."));
  announce("Stopped");
  byId("question").focus();
}

function showRunning(on) {
  byId("send").hidden = on;
  byId("stop").hidden = !on;
  byId("stop").disabled = false;
}

function toEnd() {
  byId("turns").lastElementChild?.scrollIntoView({ block: "start" });
}
