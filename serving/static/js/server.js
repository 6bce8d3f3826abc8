// The LangGraph server's API: threads and streamed runs.

import { request } from "./api.js";

const ASSISTANT = "tablerag";
const HEADERS = { "content-type": "application/json" };

const post = (path, body) => request(`../${path}`, { method: "POST", headers: HEADERS, body: JSON.stringify(body) });

/** Create a thread; resolves to its id. */
export async function createThread() {
  return (await (await post("threads", {})).json()).thread_id;
}

/** Resolve to a thread's state now, or at one of its checkpoints. */
export async function threadState(thread, checkpoint = "") {
  return (await request(`../threads/${thread}/state${checkpoint ? `/${checkpoint}` : ""}`)).json();
}

/** Cancel a run. */
export const cancelRun = (thread, run) => post(`threads/${thread}/runs/${run}/cancel?wait=false&action=interrupt`, {});

/** Start a run and yield its events as {event, data}; `body` has the context and an input or command. */
export async function* streamRun(thread, body, signal) {
  const response = await request(`../threads/${thread}/runs/stream`, {
    method: "POST",
    headers: HEADERS,
    signal,
    body: JSON.stringify({
      assistant_id: ASSISTANT,
      stream_mode: ["custom", "messages-tuple", "values"],
      stream_subgraphs: false,
      on_disconnect: "continue",
      ...body,
    }),
  });
  yield* events(response.body);
}

/** Yield the server-sent events in a byte stream, their data parsed as JSON. */
async function* events(body) {
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
