// The Ask view: the turns of one conversation, drawn as they run.

import { answerView } from "./answer.js";
import { approvalAsked, approvalForm, leaveUndecided } from "./approval.js";
import { emptyComposer, showRunning, startComposer, stopping } from "./composer.js";
import { announce, byId, failure, h, quiet } from "./dom.js";
import { closePanel } from "./panel.js";
import { leaveReadings } from "./readings.js";
import * as server from "./server.js";
import * as store from "./store.js";
import { Timeline } from "./timeline.js";
import { welcome } from "./welcome.js";

const BUSY_POLL_MS = 1500;
let page = null;
/** The open conversation: {id, title, corpus, turns}; its id is "" until the first question. */
let current = null;
/** The current run: {thread, run, stopped, abort}; null if there is none. */
let running = null;
let ready = null;
/** Settled when the first conversation is shown: a question sent before waits for it. */
const opened = new Promise((resolve) => (ready = resolve));

/** Wire the view; `found` has corpus(), summary() and onChange(). */
export function startChat(found) {
  page = found;
  startComposer(ask, stop);
}

export const currentId = () => current?.id ?? "";

/** Show an empty conversation. */
export function newConversation() {
  leave();
  current = { id: "", title: "", corpus: page.corpus(), turns: [] };
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

/** Show a stored conversation: each turn as it ended. */
export async function openConversation(id) {
  const kept = store.conversation(id);
  if (!kept) return newConversation();
  leave();
  current = kept;
  page.onChange();
  const turns = byId("turns");
  showEmpty(false);
  turns.replaceChildren(quiet("Loading …"));
  const states = await Promise.all(kept.turns.map((t, i) => stateOf(kept, t, i === kept.turns.length - 1)));
  if (current !== kept) return;
  turns.replaceChildren(...kept.turns.map((turn, i) => reopened(kept, turn, states[i])));
  leaveReadings();
  turns.lastElementChild?.scrollIntoView({ block: "start" });
  ready();
}

function stateOf(kept, turn, last) {
  if (!last && !turn.checkpoint) return Promise.resolve(null);
  return server.threadState(kept.id, last ? "" : turn.checkpoint).catch((error) => ({ error }));
}

function reopened(kept, turn, state) {
  const drawn = turnNode(turn.question, kept.corpus);
  if (state?.error) {
    drawn.timeline.node.remove();
    const gone = state.error.status === 404 && "This conversation is no longer on the server.";
    drawn.place.append(h("p", { class: "error" }, gone || state.error.message));
  } else if (state && (state.next ?? []).length && !approvalAsked(state)) {
    drawn.timeline.pause("Still running …");
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

/** Choose a reading of the last question: its words are the message. */
const choose = (meaning) => ask(meaning, true);

/** Ask a question in the open conversation; after a choice, the other readings can still be chosen. */
export async function ask(text, choice = false) {
  await opened;
  const question = text.trim();
  if (!question || running) return;
  const conversation = current;
  emptyComposer();
  if (byId("ask-view").classList.contains("empty")) {
    showEmpty(false);
    byId("turns").replaceChildren();
  }
  leaveUndecided();
  const drawn = turnNode(question, conversation.corpus);
  byId("turns").append(drawn.node);
  if (choice !== true) leaveReadings();
  drawn.node.scrollIntoView({ block: "start" });
  announce("Question sent");
  const mine = begin();
  try {
    conversation.id ||= await server.createThread();
  } catch (error) {
    return end(mine, () => fail(drawn, error.message));
  }
  if (mine.stopped) return end(mine, () => stopped(drawn));
  if (running !== mine) return;
  conversation.title ||= question.slice(0, 120);
  conversation.turns.push({ question, checkpoint: "" });
  store.keep(conversation);
  page.onChange();
  await run(drawn, { input: { messages: [{ type: "human", content: question }] } }, question, conversation);
}

function begin() {
  running = { thread: "", run: "", stopped: false, abort: new AbortController() };
  showRunning(true);
  return running;
}

/** End a run and draw its outcome, unless another conversation is open by now. */
function end(mine, draw) {
  if (running !== mine) return false;
  running = null;
  showRunning(false);
  draw();
  return true;
}

/** Stream the run into its turn, then draw the final state. */
async function run(drawn, body, question, conversation) {
  const mine = running;
  mine.thread = conversation.id;
  const asked = { ...body, context: context(conversation) };
  let values = null;
  let error = "";
  try {
    for await (const { event, data } of server.streamRun(conversation.id, asked, mine.abort.signal)) {
      if (event === "metadata") {
        mine.run = data.run_id;
        if (mine.stopped) cancel(mine);
      } else if (event === "custom") drawn.timeline.event(data);
      else if (event === "values") values = { ...values, ...data };
      else if (event === "error") error = data.message || data.error || "The run failed.";
    }
  } catch (failure) {
    if (failure.name !== "AbortError") error = failure.message;
  }
  if (mine.stopped) return end(mine, () => stopped(drawn));
  if (error) return end(mine, () => fail(drawn, error));
  const seconds = (performance.now() - drawn.asked) / 1000;
  if (end(mine, () => settle(drawn, values, approvalAsked(values), question, seconds)))
    await keepCheckpoint(conversation);
}

const context = ({ corpus }) => ({ corpus, ...(store.setting("approve") ? { approve_sql: true } : {}) });

/** Show a turn's outcome: its answer, a statement that waits for approval, or that it was stopped. */
function settle(drawn, values, asked, question, seconds = null) {
  if (asked) {
    drawn.timeline.pause("Waiting for your approval");
    announce("SQL is waiting for your approval");
    drawn.place.replaceChildren(approvalForm(asked, (decisions) => decided(drawn, decisions, question)));
    drawn.place.querySelector("button.primary, button")?.focus();
  } else if (values?.answer && values.question === question) {
    drawn.timeline.understand(question, values.understood);
    if (values.steps?.length) drawn.timeline.finish(values.steps, seconds);
    else drawn.timeline.node.remove();
    drawn.place.replaceChildren(answerView(values, drawn.corpus, choose));
    if (seconds === null) return;
    drawn.node.scrollIntoView({ block: "start" });
    announce(`Answer: ${values.answer.startsWith("| ") ? (values.table?.caption ?? "a table") : values.answer}`);
  } else stopped(drawn);
}

function decided(drawn, decisions, question) {
  drawn.place.replaceChildren();
  drawn.timeline.resume();
  begin();
  byId("question").focus();
  run(drawn, { command: { resume: { decisions } } }, question, current);
}

function stopped(drawn) {
  drawn.timeline.pause("Stopped");
  drawn.place.replaceChildren(quiet("Stopped before there was an answer."));
  announce("Stopped");
  byId("question").focus();
}

function fail(drawn, message) {
  drawn.timeline.pause("Failed");
  drawn.place.replaceChildren(failure(message));
}

/** Store the checkpoint in which a turn ended: the turn is redrawn from it when the conversation is reopened. */
async function keepCheckpoint(conversation) {
  try {
    const state = await server.threadState(conversation.id);
    conversation.turns.at(-1).checkpoint = state.checkpoint?.checkpoint_id ?? "";
    store.keep(conversation);
  } catch {
    // Without it the last turn is still drawn, from the thread's state.
  }
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
