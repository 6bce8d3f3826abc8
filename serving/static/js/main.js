// Starts the page: views by URL hash, corpora, settings, and the menu on phones.

import * as api from "./api.js";
import * as chat from "./chat.js";
import { drawConversations, loadConversations, startConversations } from "./conversations.js";
import { byId, h, icon } from "./dom.js";
import { failure } from "./errors.js";
import { closePanel, startPanel } from "./panel.js";
import { showSaved } from "./saved.js";
import * as store from "./store.js";
import { setLimits } from "./uploads.js";

const NARROW = matchMedia("(max-width: 799px)");
let corpora = [];
let corpus = "";

const page = {
  corpus: () => corpus,
  known: (name) => corpora.some((c) => c.name === name),
  summary: () => ({ documents: corpora.find((c) => c.name === corpus)?.documents ?? 0, refresh: loadCorpora }),
  onChange: changed,
  useCorpus,
  choose,
  refresh: loadCorpora,
};

const ICONS = {
  "open-rail": "menu",
  "new-on-phone": "plus",
  new: "plus",
  "open-settings": "settings",
  "close-panel": "close",
  send: "send",
  stop: "stop",
};
for (const [id, name] of Object.entries(ICONS)) byId(id).append(icon(name));
byId("to-ask").prepend(icon("ask"));
byId("to-documents").prepend(icon("documents"));
byId("to-saved").prepend(icon("saved"));
byId("to-boards").prepend(icon("board"));

async function loadCorpora() {
  const found = await api.corpora();
  corpora = found.corpora;
  setLimits(found.upload);
  byId("reasoner").textContent = found.model === "offline" ? "none (offline)" : found.model.replace(/^openai:/, "");
  corpus ||= page.known(store.setting("corpus")) ? store.setting("corpus") : found.default;
  drawCorpora();
}

function drawCorpora() {
  const names = page.known(corpus) ? corpora.map((c) => c.name) : [...corpora.map((c) => c.name), corpus];
  byId("corpus").replaceChildren(...names.map((n) => h("option", { value: n, selected: n === corpus }, n)));
}

/** Show the corpus of the open conversation. */
function useCorpus(name) {
  corpus = name;
  drawCorpora();
}

/** Switch to a corpus, which may be new. A conversation belongs to one corpus, so a new one starts. */
function choose(name) {
  corpus = name;
  store.set("corpus", name);
  drawCorpora();
  const [view] = viewOf();
  if (VIEWS[view]) {
    if (location.hash === `#${view}`) route();
    else location.hash = `#${view}`;
  }
  else toNew();
}

function toNew() {
  if (location.hash === "#ask") route();
  else location.hash = "#ask";
}

/** Show which conversation is open, in the address and in the list; a new one has a title. */
function changed(title = "") {
  const id = chat.currentId();
  if (id && viewOf()[1] !== id) history.pushState(null, "", `#ask/${id}`);
  drawConversations(id, title);
}

/** The views beside the conversation: what draws each, loaded when it is first shown, and its title. */
const VIEWS = {
  saved: [(id) => showSaved(corpus, id), "Saved"],
  boards: [async (id) => (await import("./boards.js")).showBoards(corpus, id), "Boards"],
  documents: [async (part) => (await import("./documents.js")).showDocuments(corpus, page, part), "Documents"],
};

/** Return the view in the address, and the id of what it shows. */
function viewOf() {
  const [view, id = ""] = location.hash.slice(1).split("/");
  return [view, id];
}

async function route() {
  const [view, id] = viewOf();
  const [draw, title] = VIEWS[view] ?? [];
  closeRail();
  closePanel();
  const shown = draw ? view : "ask";
  for (const name of ["ask", ...Object.keys(VIEWS)]) {
    byId(`${name}-view`).hidden = name !== shown;
    if (name === shown) byId(`to-${name}`).setAttribute("aria-current", "page");
    else byId(`to-${name}`).removeAttribute("aria-current");
  }
  document.title = title ? `${title} – TableRAG` : "TableRAG";
  if (draw) return draw(id);
  const reading = view === "read" && id;
  document.body.classList.toggle("reading", Boolean(reading));
  byId("reading").hidden = !reading;
  byId("continue").href = `#ask/${id}`;
  if (!id) chat.newConversation();
  else if (id !== chat.currentId()) await chat.openConversation(id);
  if (!NARROW.matches && !reading) byId("question").focus();
}

function openRail(on) {
  document.body.classList.toggle("with-rail", on);
  byId("open-rail").setAttribute("aria-expanded", String(on));
  byId("rail").inert = NARROW.matches && !on;
  byId("main").inert = NARROW.matches && on;
}

function closeRail() {
  openRail(false);
}

function startSettings() {
  const dialog = byId("settings");
  const key = byId("api-key");
  key.value = store.apiKey();
  dialog.addEventListener("close", () => {
    if (key.value.trim() === store.apiKey()) return;
    store.setApiKey(key.value.trim());
    corpus = "";
    open();
  });
  byId("open-settings").addEventListener("click", () => dialog.showModal());
  const approve = byId("approve");
  approve.checked = Boolean(store.setting("approve"));
  approve.addEventListener("change", () => store.set("approve", approve.checked ? "yes" : ""));
  const theme = byId("theme");
  theme.value = store.setting("theme");
  theme.addEventListener("change", () => {
    store.set("theme", theme.value);
    if (theme.value) document.documentElement.dataset.theme = theme.value;
    else delete document.documentElement.dataset.theme;
  });
}

async function start() {
  startPanel();
  startSettings();
  chat.startChat(page);
  byId("corpus").addEventListener("change", (event) => choose(event.target.value));
  byId("new").addEventListener("click", toNew);
  byId("new-on-phone").addEventListener("click", toNew);
  byId("open-rail").addEventListener("click", () => openRail(!document.body.classList.contains("with-rail")));
  document.addEventListener("keydown", (event) => event.key === "Escape" && closeRail());
  document.addEventListener("click", ({ target }) => {
    if (!byId("rail").contains(target) && !byId("open-rail").contains(target)) closeRail();
  });
  NARROW.addEventListener("change", closeRail);
  closeRail();
  addEventListener("hashchange", route);
  startConversations((gone) => gone === chat.currentId() && toNew());
  await open();
}

/** Load the corpora and show the view; ask for an API key if the server requires one. */
async function open() {
  try {
    await loadCorpora();
  } catch (error) {
    byId("turns").replaceChildren(failure(error));
    if (error.status === 401) {
      byId("settings").showModal();
      byId("api-key").focus();
    }
    return;
  }
  byId("turns").replaceChildren();
  loadConversations();
  await route();
}

start();
