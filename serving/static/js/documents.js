// The Documents view: what a corpus holds, and what to add or remove.

import * as api from "./api.js";
import { announce, byId, count, grouped, h, icon } from "./dom.js";
import { openTable } from "./panel.js";
import { uploadBox } from "./uploads.js";

let drawn = 0;

/** Draw the view of a corpus; `page` gives known(corpus), choose(corpus) and refresh(). */
export async function showDocuments(corpus, page) {
  drawn += 1;
  const mine = drawn;
  const view = byId("documents-view");
  const list = h("div", { class: "documents" }, h("p", { class: "quiet loading" }, "Loading …"));
  const load = async (renewing) => {
    try {
      if (renewing) await page.refresh();
      const found = page.known(corpus) ? await api.documents(corpus) : { total: 0, documents: [], united: [] };
      if (mine === drawn) list.replaceChildren(...content(corpus, found, list, renew));
    } catch (error) {
      if (mine === drawn) list.replaceChildren(h("p", { class: "error", role: "alert" }, error.message));
    }
  };
  const renew = () => load(true);
  view.replaceChildren(
    h(
      "header",
      { class: "page-head" },
      h("h1", { id: "documents-title" }, "Documents"),
      h("p", { class: "quiet" }, "Corpus ", h("b", {}, corpus)),
    ),
    uploadBox(corpus, renew),
    list,
    newCorpus(page),
  );
  await load(false);
}

function content(corpus, found, list, renew) {
  if (!found.total) return [h("p", { class: "quiet empty" }, "No documents yet.")];
  const shown = found.documents.map((d) => documentItem(corpus, d, renew));
  const rest = found.total - found.documents.length;
  const more =
    rest > 0 &&
    h(
      "button",
      { type: "button", class: "button", onclick: (event) => next(corpus, found, list, renew, event.target) },
      `Show ${grouped(rest)} more`,
    );
  return [
    h("p", { class: "quiet" }, count(found.total, "document")),
    h("ul", { class: "document-list" }, shown),
    more || "",
    found.united.length ? united(corpus, found.united) : "",
  ];
}

async function next(corpus, found, list, renew, button) {
  button.disabled = true;
  try {
    const more = await api.documents(corpus, found.documents.length);
    const all = { ...more, documents: [...found.documents, ...more.documents] };
    list.replaceChildren(...content(corpus, all, list, renew));
  } catch (error) {
    button.replaceWith(h("p", { class: "error", role: "alert" }, error.message));
  }
}

function documentItem(corpus, document, renew) {
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
      h("h2", {}, document.source),
      document.title && !document.source.endsWith(document.title) && !document.source.startsWith(`${document.title}.`)
        ? h("p", { class: "document-title" }, document.title)
        : "",
      h("p", { class: "quiet facts" }, facts.filter(Boolean).join(" · ")),
      document.tables.length
        ? h(
            "ul",
            { class: "chips", "aria-label": `Tables of ${document.source}` },
            document.tables.map((t) => tableChip(corpus, t)),
          )
        : "",
      document.warnings.length ? warnings(document.warnings) : "",
    ),
    document.uploaded ? removal(corpus, document, renew) : "",
  );
}

const tableChip = (corpus, t) =>
  h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "chip", onclick: () => openTable(corpus, t.name) },
      icon("table"),
      h("span", {}, t.name),
      h("span", { class: "chip-count" }, grouped(t.rows)),
    ),
  );

const warnings = (all) =>
  h(
    "details",
    { class: "warnings" },
    h("summary", {}, count(all.length, "note")),
    h(
      "ul",
      {},
      all.map((w) => h("li", {}, w)),
    ),
  );

const size = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

function united(corpus, all) {
  return h(
    "section",
    { class: "united" },
    h("h2", {}, "Tables that unite others"),
    h(
      "ul",
      { class: "chips" },
      all.map((t) => tableChip(corpus, t)),
    ),
  );
}

/** Return a button that asks once more before it removes. */
function removal(corpus, document, renew) {
  let sure = false;
  const says = h("span", { class: "unseen" }, `Remove ${document.source}`);
  const button = h("button", { type: "button", class: "button quiet-button remove" }, icon("trash"), says);
  button.addEventListener("blur", () => ask(false));
  const ask = (on) => {
    sure = on;
    says.className = on ? "" : "unseen";
    says.textContent = on ? "Remove for good?" : `Remove ${document.source}`;
  };
  button.addEventListener("click", async () => {
    if (!sure) return ask(true);
    button.disabled = true;
    try {
      await api.removeDocument(corpus, document.id);
      announce(`${document.source} removed`);
    } catch (error) {
      button.after(h("p", { class: "error", role: "alert" }, error.message));
      return;
    }
    await renew();
    byId("main").focus();
  });
  return button;
}

function newCorpus(page) {
  const name = h("input", {
    id: "new-corpus",
    type: "text",
    maxlength: "60",
    autocomplete: "off",
    required: true,
  });
  const form = h(
    "form",
    { class: "new-corpus" },
    h("label", { for: "new-corpus" }, "Begin another corpus"),
    h("div", {}, name, h("button", { type: "submit", class: "button" }, "Begin")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (name.value.trim()) page.choose(name.value.trim());
  });
  return form;
}
