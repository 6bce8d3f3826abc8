// The list of conversations: the page's threads on the server, those of this API key.

import { announce, button, byId, copyButton, fill, h, icon, sureButton } from "./dom.js";
import { failure } from "./errors.js";
import { hasWords } from "./lists.js";
import * as server from "./server.js";

const PAGE = 50;
const list = byId("conversations");
const search = byId("search-conversations");
/** The threads that are listed, latest first: {id, title}. */
let threads = [];
/** Whether the server may have older ones. */
let more = false;
let shown = "";
let deleted = null;

/** Wire the search; `gone` is called with the id of each conversation that is deleted. */
export function startConversations(gone) {
  deleted = gone;
  search.addEventListener("input", async () => {
    draw();
    while (search.value && more) await load(threads.length);
  });
}

/** Load the latest conversations, in place of those listed. */
export function loadConversations() {
  threads = [];
  return load(0);
}

/** Draw the list, in which `id` is the open one; a new one has a title and is added. */
export function drawConversations(id, title = "") {
  shown = id;
  if (title) threads.unshift({ id, title });
  draw();
}

async function load(offset) {
  let found;
  try {
    found = await server.listThreads(offset, PAGE);
  } catch (error) {
    more = false;
    list.replaceChildren(h("li", {}, failure(error)));
    return;
  }
  const fresh = found.map(({ thread_id: id, metadata }) => ({ id, title: metadata.title || "Untitled" }));
  // A conversation that began while the server was answering is listed already, and may be missing from its answer.
  threads = [...threads, ...fresh.filter((t) => !threads.some((known) => known.id === t.id))];
  more = found.length === PAGE;
  draw();
}

function draw() {
  const found = threads.filter((t) => hasWords(t.title, search.value));
  const none = h("li", { class: "quiet none-yet" }, search.value ? "No conversation found" : "No conversations yet");
  const older = more && h("li", {}, button("button quiet-button", () => load(threads.length), "Show older"));
  fill(list, found.length ? found.map(item) : none, older);
}

/** The address under which those with the same API key can read a conversation, not continue it. */
const linkTo = (id) => new URL(`#read/${id}`, location.href).href;

function item(thread) {
  const { id, title } = thread;
  const link = h("a", { href: `#ask/${id}`, "aria-current": id === shown ? "page" : null, title }, title);
  const summary = h("summary", { class: "icon-button small", "aria-label": `Actions for ${title}` }, icon("more"));
  const says = h("div", {});
  const run = (act) => async () => {
    try {
      await act();
    } catch (error) {
      says.replaceChildren(failure(error));
    }
  };
  const exported = async (way) => (await import("./export.js"))[way](id, title);
  const menu = h(
    "details",
    { class: "menu" },
    summary,
    h(
      "div",
      { class: "menu-items", role: "group", "aria-label": `Actions for ${title}` },
      button("button quiet-button", () => rename(thread, node, link), "Rename"),
      button("button quiet-button", run(() => exported("saveConversation")), "Export as Markdown"),
      button("button quiet-button", run(() => exported("saveAsHtml")), "Export as HTML"),
      copyButton(linkTo(id), "link for reading", "Copy link for reading"),
      sureButton("Delete", "Delete permanently?", run(() => remove(thread))),
      says,
    ),
  );
  const node = h("li", {}, link, menu);
  return node;
}

async function remove({ id, title }) {
  await server.deleteThread(id);
  threads = threads.filter((t) => t.id !== id);
  announce(`${title} deleted`);
  draw();
  deleted(id);
}

/** Replace the link by a box with the title: Enter saves it, Escape does not. */
function rename(thread, node, link) {
  const box = h("input", { type: "text", class: "rename", maxlength: "120", "aria-label": "Title" });
  box.value = thread.title;
  const save = async (event) => {
    event.preventDefault();
    const title = box.value.trim();
    try {
      if (title && title !== thread.title) await server.renameThread(thread.id, title);
      thread.title = title || thread.title;
      draw();
    } catch (error) {
      form.after(failure(error));
    }
  };
  const form = h("form", { onsubmit: save }, box);
  box.addEventListener("keydown", (event) => event.key === "Escape" && draw());
  node.replaceChildren(form);
  box.select();
}
