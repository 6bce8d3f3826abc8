// The Ask view: the turns of one conversation, which is a thread on the server.

import { leaveUndecided } from "./approval.js";
import { emptyComposer, showRunning, startComposer, stopping } from "./composer.js";
import { announce, byId, quiet } from "./dom.js";
import { failure, ServerError } from "./errors.js";
import { closePanel } from "./panel.js";
import { leaveReadings } from "./readings.js";
import * as server from "./server.js";
import * as store from "./store.js";
import { Turn } from "./turn.js";
import { isActive, turnsOf } from "./turns.js";
import { welcome } from "./welcome.js";

let page = null;
/** The open conversation: {id, corpus, run}, with the id of its latest run; its id is "" until the first question. */
let current = null;
/** The current run: {thread, run, stopped, abort}; null if there is none. */
let running = null;
let ready = null;
/** Settled when the first conversation is shown: a question sent before waits for it. */
const opened = new Promise((resolve) => (ready = resolve));
const actions = {
  ask: (question) => ask(question),
  choose: (meaning) => ask(meaning, true),
  decide: (turn, decisions) => resume(turn, { command: { resume: { decisions } } }),
  retry: (turn) => resume(turn, inputOf(turn)),
};

/** Wire the view; `found` has corpus(), useCorpus(), summary() and onChange(). */
export function startChat(found) {
  page = found;
  startComposer(ask, stop);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && renew());
}

export const currentId = () => current?.id ?? "";

/** Show an empty conversation. */
export function newConversation() {
  leave();
  current = { id: "", corpus: page.corpus(), run: "" };
  showEmpty(true);
  byId("turns").replaceChildren(welcome(current.corpus, page.summary(), ask));
  page.onChange();
  ready();
}

function showEmpty(on) {
  byId("ask-view").classList.toggle("empty", on);
  byId("suggestions").replaceChildren();
}

function leave() {
  // The run continues on the server: reopening the conversation shows its result.
  running?.abort.abort();
  running = null;
  showRunning(false);
  closePanel();
}

/** Show a thread: each turn as it ended, and the one that still runs as it goes on. */
export async function openConversation(id) {
  leave();
  const mine = { id, corpus: "", run: "" };
  current = mine;
  page.onChange();
  showEmpty(false);
  const place = byId("turns");
  place.replaceChildren(quiet("Loading …"));
  try {
    const [about, runs] = await Promise.all([server.threadAbout(id), server.listRuns(id)]);
    const kept = turnsOf(runs);
    const states = await Promise.all(kept.map((t) => (isActive(t.run) ? null : server.stateAfter(id, t.run.run_id))));
    if (current !== mine) return;
    Object.assign(mine, { corpus: about.corpus ?? page.corpus(), run: runs.at(-1)?.run_id ?? "" });
    page.useCorpus(mine.corpus);
    const drawn = kept.map((t) => new Turn(t.question, mine.corpus, actions, t.id));
    place.replaceChildren(...drawn.map((turn) => turn.node));
    drawn.forEach((turn, i) => {
      const { run } = kept[i];
      if (!isActive(run)) turn.settle(states[i], { failed: run.status === "error" });
    });
    leaveReadings();
    place.lastElementChild?.scrollIntoView({ block: "start" });
    const first = kept.findIndex((t) => isActive(t.run));
    if (first >= 0) follow(drawn[first], kept[first].run);
  } catch (error) {
    if (current !== mine) return;
    const gone = error.status === 404 && "This conversation is no longer on the server.";
    place.replaceChildren(failure(gone || error));
  }
  ready();
}

/** Open the conversation again if a later run is in it, asked in another tab. */
async function renew() {
  const mine = current;
  if (!mine?.id || running) return;
  const runs = await server.listRuns(mine.id).catch(() => []);
  if (current === mine && !running && runs.length && runs.at(-1).run_id !== mine.run) openConversation(mine.id);
}

/** Ask a question in the open conversation; after a choice, the other readings can still be chosen. */
export async function ask(text, choice = false) {
  await opened;
  const question = text.trim();
  if (!question || running || document.body.classList.contains("reading")) return;
  const conversation = current;
  emptyComposer();
  if (byId("ask-view").classList.contains("empty")) {
    showEmpty(false);
    byId("turns").replaceChildren();
  }
  leaveUndecided();
  const turn = new Turn(question, conversation.corpus, actions);
  byId("turns").append(turn.node);
  if (choice !== true) leaveReadings();
  document.querySelectorAll(".follow-ups").forEach((e) => e.remove());
  turn.node.scrollIntoView({ block: "start" });
  announce("Question sent");
  await run(turn, inputOf(turn), conversation);
}

/** The input of a turn. A message with a known id takes its place: a turn that is tried again is there once. */
const inputOf = ({ id, question }) => ({ input: { messages: [{ type: "human", id, content: question }] } });

/** Run a turn again, or go on after a decision. */
function resume(turn, body) {
  if (running) return;
  turn.resume();
  byId("question").focus();
  run(turn, body, current);
}

/** Run a turn in its thread, which its first turn creates. */
async function run(turn, body, conversation) {
  const mine = begin();
  try {
    if (!conversation.id) {
      const title = turn.question.slice(0, 120);
      conversation.id = await server.createThread(title, conversation.corpus);
      if (running === mine) page.onChange(title);
    }
  } catch (error) {
    return end(mine, () => turn.fail(error));
  }
  if (mine.stopped) return end(mine, () => turn.stopped());
  if (running !== mine) return;
  const { corpus } = conversation;
  const context = { corpus, ...(store.setting("approve") ? { approve_sql: true } : {}) };
  const asked = { ...body, context, metadata: { turn: turn.id, question: turn.question } };
  mine.thread = conversation.id;
  await drawn(mine, turn, server.streamRun(conversation.id, asked, mine.abort.signal), conversation);
}

/** Follow a run that was started before the page was loaded, or in another tab. */
async function follow(turn, { run_id: id, created_at: at }) {
  const conversation = current;
  const mine = Object.assign(begin(), { thread: conversation.id, run: id });
  turn.timeline.since(Date.parse(at));
  await drawn(mine, turn, server.joinRun(conversation.id, id, mine.abort.signal), conversation);
  if (current === conversation) renew();
}

function begin() {
  running = { thread: "", run: "", stopped: false, abort: new AbortController() };
  showRunning(true);
  return running;
}

/** End a run and draw its outcome, unless another conversation is open by now. */
function end(mine, draw) {
  if (running !== mine) return;
  running = null;
  showRunning(false);
  draw();
}

/** Draw a run's events into its turn, then the state in which it ended. */
async function drawn(mine, turn, events, conversation) {
  let error = null;
  let state = null;
  try {
    for await (const { event, data } of events) {
      if (event === "metadata") {
        mine.run = data.run_id;
        if (mine.stopped) cancel(mine);
      } else if (event === "custom") turn.timeline.event(data);
      else if (event === "error") error = new ServerError(data.message ?? "", { kind: data.error ?? "Error" });
    }
    if (!mine.run && !error) error = new ServerError("the stream ended before the run began", { status: 0 });
    if (!mine.stopped && !error && running === mine) state = await server.stateAfter(mine.thread, mine.run);
  } catch (failed) {
    if (failed.name !== "AbortError") error = failed;
  }
  if (mine.run) conversation.run = mine.run;
  if (mine.stopped) end(mine, () => turn.stopped());
  else if (error) end(mine, () => turn.fail(error));
  else end(mine, () => turn.settle(state, { fresh: true }));
}

/** Stop the run as soon as its id is known. */
function stop() {
  if (!running) return;
  running.stopped = true;
  stopping();
  if (running.run) cancel(running);
}

async function cancel({ thread, run: id, abort }) {
  try {
    await server.cancelRun(thread, id);
  } catch {
    // It has already ended.
  }
  abort.abort();
}
