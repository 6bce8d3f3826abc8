// The LangGraph server's API: threads and streamed runs.

import { request } from "./api.js";

const ASSISTANT = "tablerag";
const HEADERS = { "content-type": "application/json" };
/** Metadata of the page's own threads; other clients' threads are not listed. */
const CLIENT = "page";
const MOST_RUNS = 100;

const send = (method, path, body) => request(`../${path}`, { method, headers: HEADERS, body: JSON.stringify(body) });
const post = async (path, body) => (await send("POST", path, body)).json();
const get = async (path) => (await request(`../${path}`)).json();

/** Create a thread with a title and a corpus; resolves to its id. */
export const createThread = async (title, corpus) =>
  (await post("threads", { metadata: { client: CLIENT, title, corpus } })).thread_id;

/** Resolve to {title, corpus} of a thread. */
export const threadAbout = async (thread) => (await get(`threads/${thread}`)).metadata;

/** List the page's threads, latest first: [{thread_id, metadata}]. */
export const listThreads = (offset, limit) =>
  post("threads/search", {
    metadata: { client: CLIENT },
    sort_by: "updated_at",
    sort_order: "desc",
    select: ["thread_id", "metadata"],
    offset,
    limit,
  });

export const renameThread = (thread, title) => send("PATCH", `threads/${thread}`, { metadata: { title } });

/** Delete a thread with its runs and states. */
export const deleteThread = (thread) => request(`../threads/${thread}`, { method: "DELETE" });

/** List a thread's latest runs, oldest first: [{run_id, status, metadata, created_at}]. */
export async function listRuns(thread) {
  const select = ["run_id", "status", "metadata", "created_at"].map((name) => `&select=${name}`).join("");
  return (await get(`threads/${thread}/runs?limit=${MOST_RUNS}${select}`)).reverse();
}

/** Resolve to the state in which a run ended, or is; null if it has none. */
export const stateAfter = async (thread, run) =>
  (await post(`threads/${thread}/history`, { limit: 1, metadata: { run_id: run } }))[0] ?? null;

/** Cancel a run. */
export const cancelRun = (thread, run) =>
  send("POST", `threads/${thread}/runs/${run}/cancel?wait=false&action=interrupt`, {});

/** Start a run and yield its events as {event, data}; `body` has context, metadata and an input or command. */
export async function* streamRun(thread, body, signal) {
  const asked = { assistant_id: ASSISTANT, stream_mode: "custom", on_disconnect: "continue", ...body };
  const path = `../threads/${thread}/runs/stream`;
  yield* events(await request(path, { method: "POST", headers: HEADERS, signal, body: JSON.stringify(asked) }));
}

/** Yield the events of a run that was started elsewhere, from now on. */
export async function* joinRun(thread, run, signal) {
  yield* events(await request(`../threads/${thread}/runs/${run}/stream?stream_mode=custom`, { signal }));
}

/** Yield the server-sent events in a response, their data parsed as JSON. */
async function* events({ body }) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer = (buffer + value).replaceAll("\r\n", "\n");
    for (let end = buffer.indexOf("\n\n"); end >= 0; end = buffer.indexOf("\n\n")) {
      const found = parsed(buffer.slice(0, end));
      buffer = buffer.slice(end + 2);
      if (found) yield found;
    }
  }
}

function parsed(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null;
}
