// The Documents view: list, add and remove a corpus's documents.

import * as api from "./api.js";
import { announce, button, byId, count, fill, grouped, h, icon, quiet, sureButton } from "./dom.js";
import { failure } from "./errors.js";
import { openTable } from "./panel.js";
import { uploadBox } from "./uploads.js";

let drawn = 0;

/** Draw the view of a corpus; `page` has known(corpus), choose(corpus) and refresh(). */
export async function showDocuments(corpus, page) {
  drawn += 1;
  const mine = drawn;
  const view = byId("documents-view");
  const list = h("div", { class: "documents" }, quiet("Loading …"));
  const load = async (renewing) => {
    try {
      if (renewing) await page.refresh();
      const found = page.known(corpus) ? await api.documents(corpus) : { total: 0, documents: [], united: [] };
      if (mine === drawn) fill(list, content(corpus, found, list, renew));
    } catch (error) {
      if (mine === drawn) list.replaceChildren(failure(error));
    }
  };
  const renew = () => load(true);
  const title = h("h1", { id: "documents-title" }, "Documents");
  view.replaceChildren(
    h("header", { class: "page-head" }, title, quiet("Corpus ", h("b", {}, corpus))),
    uploadBox(corpus, renew),
    list,
    newCorpus(page),
  );
  await load(false);
}

function content(corpus, found, list, renew) {
  if (!found.total) return [quiet("No documents yet.")];
  const rest = found.total - found.documents.length;
  const more = ({ target }) => next(corpus, found, list, renew, target);
  return [
    quiet(count(found.total, "document")),
    h("ul", { class: "document-list" }, found.documents.map((d) => documentItem(corpus, d, renew))),
    rest > 0 && button("button", more, `Show ${grouped(rest)} more`),
    found.united.length > 0 && combined(corpus, found.united),
  ];
}

async function next(corpus, found, list, renew, pressed) {
  pressed.disabled = true;
  try {
    const more = await api.documents(corpus, found.documents.length);
    const all = { ...more, documents: [...found.documents, ...more.documents] };
    fill(list, content(corpus, all, list, renew));
  } catch (error) {
    pressed.replaceWith(failure(error));
  }
}

function documentItem(corpus, document, renew) {
  const { source, title } = document;
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
      document.tables.length > 0 && tableChips(corpus, document.tables, `Tables of ${source}`),
      document.warnings.length > 0 && warnings(document.warnings),
    ),
    document.uploaded && removal(corpus, document, renew),
  );
}

const tableChips = (corpus, tables, label) =>
  h(
    "ul",
    { class: "chips", "aria-label": label },
    tables.map(({ name, rows }) => {
      const size = h("span", { class: "chip-count" }, grouped(rows));
      return h("li", {}, button("chip", () => openTable(corpus, name), icon("table"), h("span", {}, name), size));
    }),
  );

const warnings = (all) => {
  const items = all.map((w) => h("li", {}, w));
  return h("details", { class: "warnings" }, h("summary", {}, count(all.length, "warning")), h("ul", {}, items));
};

const size = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

const combined = (corpus, tables) =>
  h("section", { class: "united" }, h("h2", {}, "Combined tables"), tableChips(corpus, tables, "Combined tables"));

/** Return a button that removes a document once confirmed. */
function removal(corpus, document, renew) {
  const remove = async (node) => {
    node.disabled = true;
    try {
      await api.removeDocument(corpus, document.id);
      announce(`${document.source} removed`);
    } catch (error) {
      node.after(failure(error));
      return;
    }
    await renew();
    byId("main").focus();
  };
  return sureButton(`Remove ${document.source}`, "Remove permanently?", remove, true);
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
