// The Documents view: list, add and remove a corpus's documents, and list its tables.

import * as api from "./api.js";
import { announce, button, byId, count, debounced, fill, grouped, h, icon, quiet } from "./dom.js";
import { failure } from "./errors.js";
import { hasWords, pick, searchBox } from "./lists.js";
import { openTable } from "./panel.js";
import { fileButton } from "./sources.js";
import { uploadBox } from "./uploads.js";

const SORTS = { name: "Name", newest: "Newest first", largest: "Largest first", tables: "Most tables first" };
const TABLE_SORTS = {
  name: ["Name", (a, b) => b.set_aside - a.set_aside || a.name.localeCompare(b.name)],
  rows: ["Most rows first", (a, b) => b.row_count - a.row_count],
  columns: ["Most columns first", (a, b) => b.columns.length - a.columns.length],
  source: ["Document", (a, b) => a.source.localeCompare(b.source)],
};
/** Tables that are drawn at once. */
const MOST_TABLES = 200;
let drawn = 0;

/** Draw a corpus's documents, or its tables if `part` says so; `page` has known(), choose() and refresh(). */
export async function showDocuments(corpus, page, part) {
  drawn += 1;
  const mine = drawn;
  const list = h("div", { class: "documents" }, quiet("Loading …"));
  const tab = (href, name, on) => h("a", { href, "aria-current": on ? "page" : null }, name);
  const inTables = part === "tables";
  const tabs = h(
    "nav",
    { class: "tabs", "aria-label": "Documents and tables" },
    tab("#documents", "Documents", !inTables),
    tab("#documents/tables", "Tables", inTables),
  );
  const load = async (renewing) => {
    if (renewing) await page.refresh();
    if (mine !== drawn) return;
    if (!page.known(corpus)) fill(list, quiet("No documents yet."));
    else if (inTables) await new TableList(corpus, list).show();
    else await new DocumentList(corpus, list, renew).show();
  };
  const renew = () => load(true).catch((error) => mine === drawn && list.replaceChildren(failure(error)));
  const title = h("h1", { id: "documents-title" }, inTables ? "Tables" : "Documents");
  byId("documents-view").replaceChildren(
    h("header", { class: "page-head" }, title, quiet("Corpus ", h("b", {}, corpus))),
    tabs,
    inTables ? "" : uploadBox(corpus, renew),
    list,
    inTables ? "" : newCorpus(page),
  );
  await load(false).catch((error) => mine === drawn && list.replaceChildren(failure(error)));
}

/** The documents of a corpus, which the server searches, filters and sorts. */
class DocumentList {
  constructor(corpus, place, renew) {
    Object.assign(this, { corpus, place, renew, asked: 0 });
    const again = debounced(() => this.show());
    this.search = searchBox("Search documents", again);
    this.sort = pick("Sort documents", Object.entries(SORTS), again);
    this.format = pick("Format", [["", "All formats"]], again);
    this.note = h("p", { class: "quiet", "aria-live": "polite" });
    this.list = h("ul", { class: "document-list" });
    this.rest = h("div", {});
  }

  async show(offset = 0) {
    this.asked += 1;
    const mine = this.asked;
    const wanted = { offset, search: this.search.value, format: this.format.value, sort: this.sort.value };
    const found = await api.documents(this.corpus, wanted);
    if (mine !== this.asked) return;
    if (!this.list.isConnected) this.#begin(found);
    const items = found.documents.map((d) => documentItem(this.corpus, d, this.renew));
    if (offset) this.list.append(...items);
    else fill(this.list, items);
    const shown = offset + items.length;
    this.note.textContent = `${count(found.total, "document")}${wanted.search || wanted.format ? " found" : ""}`;
    const more = ({ target }) => {
      target.disabled = true;
      this.show(shown).catch((error) => target.replaceWith(failure(error)));
    };
    const left = found.total - shown;
    const next = left > 0 && button("button", more, `Show ${grouped(left)} more`);
    fill(this.rest, next, combined(this.corpus, found.united));
  }

  #begin({ formats, total }) {
    this.format.append(...formats.map((f) => h("option", { value: f }, f)));
    const tools = total > 1 && h("div", { class: "list-tools" }, this.search, this.format, this.sort);
    fill(this.place, total ? [tools, this.note, this.list, this.rest] : quiet("No documents yet."));
  }
}

/** The tables of a corpus. */
class TableList {
  constructor(corpus, place) {
    Object.assign(this, { corpus, place });
    const again = debounced(() => this.#draw(), 80);
    this.search = searchBox("Search tables and columns", again);
    this.source = pick("Document", [["", "All documents"]], again);
    this.sort = pick("Sort tables", Object.entries(TABLE_SORTS).map(([k, [name]]) => [k, name]), again);
    this.note = h("p", { class: "quiet", "aria-live": "polite" });
    this.list = h("ul", { class: "item-list" });
  }

  async show() {
    this.tables = (await api.tables(this.corpus)).tables;
    const sources = [...new Set(this.tables.map((t) => t.source))].sort();
    this.source.append(...sources.map((s) => h("option", { value: s }, s)));
    fill(this.place, h("div", { class: "list-tools" }, this.search, this.source, this.sort), this.note, this.list);
    this.#draw();
  }

  #draw() {
    const words = (t) => `${t.name} ${t.title} ${t.source} ${t.columns.map((c) => `${c.name} ${c.header}`).join(" ")}`;
    const found = this.tables
      .filter((t) => !this.source.value || t.source === this.source.value)
      .filter((t) => hasWords(words(t), this.search.value))
      .sort(TABLE_SORTS[this.sort.value][1]);
    const cut = found.length > MOST_TABLES ? `, the first ${MOST_TABLES} are shown` : "";
    this.note.textContent = `${count(found.length, "table")}${this.search.value ? " found" : ""}${cut}`;
    fill(this.list, found.slice(0, MOST_TABLES).map((t) => this.#item(t)));
  }

  #item(table) {
    const open = button("link", () => openTable(this.corpus, table.name), table.name);
    const facts = [count(table.row_count, "row"), count(table.columns.length, "column"), table.source];
    const aside = table.set_aside && h("span", { class: "warning" }, "Set aside: answers do not use it");
    const title = table.title !== table.name && table.title;
    const text = h("div", { class: "item-text" }, open, title && h("span", {}, title), aside, quiet(facts.join(" · ")));
    return h("li", {}, text);
  }
}

function documentItem(corpus, document, renew) {
  const { source, title, same_as: same } = document;
  const titled = title && !source.endsWith(title) && !source.startsWith(`${title}.`);
  const facts = [
    document.tables.length ? count(document.tables.length, "table") : "no tables",
    count(document.chunk_count, "passage"),
    size(document.size_bytes),
    document.ingested_at.slice(0, 10),
  ];
  return h(
    "li",
    { class: "document" },
    h("span", { class: "format", "aria-hidden": "true" }, document.format.slice(0, 4)),
    h(
      "div",
      { class: "document-body" },
      h("h2", {}, source),
      titled && h("p", { class: "document-title" }, title),
      h("p", { class: "quiet facts" }, facts.join(" · ")),
      same.length > 0 && h("p", { class: "warning facts" }, `Same content as ${same.join(", ")}`),
      document.tables.length > 0 && tableChips(corpus, document.tables, `Tables of ${source}`),
      document.warnings.length > 0 && warnings(document.warnings),
      h("div", { class: "document-actions" }, fileButton(corpus, source), removal(corpus, document, renew)),
    ),
  );
}

const tableChips = (corpus, tables, label) =>
  h(
    "ul",
    { class: "chips", "aria-label": label },
    tables.map(({ name, rows, set_aside: aside }) => {
      const size = h("span", { class: "chip-count" }, aside ? "set aside" : grouped(rows));
      return h("li", {}, button("chip", () => openTable(corpus, name), icon("table"), h("span", {}, name), size));
    }),
  );

const warnings = (all) => {
  const items = all.map((w) => h("li", {}, w));
  return h("details", { class: "warnings" }, h("summary", {}, count(all.length, "warning")), h("ul", {}, items));
};

const size = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

const combined = (corpus, tables) =>
  tables.length > 0 &&
  h("section", { class: "united" }, h("h2", {}, "Combined tables"), tableChips(corpus, tables, "Combined tables"));

/** Return a button that tells what depends on a document, and removes it once confirmed. */
function removal(corpus, document, renew) {
  const place = h("div", { class: "removal" });
  const ask = async () => {
    try {
      fill(place, removalNote(document, await api.documentUses(corpus, document.id), remove, () => fill(place, start)));
      place.querySelector(".note-title").focus({ preventScroll: true });
    } catch (error) {
      fill(place, start, failure(error));
    }
  };
  const remove = async ({ currentTarget: pressed }) => {
    pressed.disabled = true;
    try {
      await api.removeDocument(corpus, document.id);
      announce(`${document.source} removed`);
    } catch (error) {
      return pressed.after(failure(error));
    }
    await renew();
    return byId("main").focus();
  };
  const start = button("button quiet-button remove", ask, icon("trash"), h("span", {}, "Remove"));
  start.setAttribute("aria-label", `Remove ${document.source}`);
  fill(place, start);
  return place;
}

function removalNote({ source }, { tables, united, saved, confirmed, keeps_file: keeps }, remove, cancel) {
  const parts = [
    [tables, "Its tables"],
    [united, "Combined tables that have its rows"],
    [saved, "Saved questions that will no longer run"],
    [confirmed, "Confirmed answers that will no longer run"],
  ];
  const told = parts.flatMap(([names, what]) => (names.length ? [h("li", {}, `${what}: ${names.join(", ")}`)] : []));
  return h(
    "div",
    { class: "note", role: "group", "aria-label": `Remove ${source}` },
    h("p", { class: "note-title", tabindex: "-1" }, `Remove ${source}?`),
    told.length > 0 ? h("ul", { class: "depends" }, told) : quiet("Nothing else depends on it."),
    quiet(keeps ? "Its file on the server stays: the next ingest reads it again." : "Its uploaded file is deleted."),
    h(
      "div",
      { class: "actions" },
      button("button remove", remove, "Remove permanently"),
      button("button", cancel, "Cancel"),
    ),
  );
}

function newCorpus(page) {
  const name = h("input", { id: "new-corpus", type: "text", maxlength: "60", autocomplete: "off", required: true });
  const create = h("button", { type: "submit", class: "button" }, "Create");
  const label = h("label", { for: "new-corpus" }, "New corpus");
  const form = h("form", { class: "new-corpus" }, label, h("div", {}, name, create));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (name.value.trim()) page.choose(name.value.trim());
  });
  return form;
}
