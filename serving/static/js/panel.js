// The side panel (a sheet on phones): a cited passage, cited rows, or a table.

import * as api from "./api.js";
import { button, byId, count, fill, grouped, h, quiet } from "./dom.js";
import { doubtfulNote } from "./doubtful.js";
import { failure } from "./errors.js";
import { passageView } from "./passage.js";
import { dataTable } from "./result_table.js";

const NARROW = matchMedia("(max-width: 1099px)");
const PAGE_ROWS = 50;
const AROUND = 2;
const panel = byId("panel");
let opener = null;
let shown = 0;

/** Close the panel on its button, Escape or a click outside it. */
export function startPanel() {
  byId("close-panel").addEventListener("click", closePanel);
  panel.addEventListener("cancel", (event) => {
    event.preventDefault();
    closePanel();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && panel.open && !document.querySelector("dialog.settings[open]")) closePanel();
  });
  panel.addEventListener("click", (event) => event.target === panel && closePanel());
  NARROW.addEventListener("change", closePanel);
}

export function closePanel() {
  if (!panel.open) return;
  shown += 1;
  panel.close();
  document.body.classList.remove("with-panel");
  if (opener?.isConnected) opener.focus();
  opener = null;
}

async function open(title, place, load) {
  if (!panel.contains(document.activeElement)) opener = document.activeElement;
  shown += 1;
  const mine = shown;
  byId("panel-title").textContent = title;
  byId("panel-place").textContent = place;
  const body = byId("panel-body");
  body.replaceChildren(quiet("Loading …"));
  if (!panel.open) {
    if (NARROW.matches) panel.showModal();
    else panel.show();
    document.body.classList.add("with-panel");
  }
  byId("panel-title").focus();
  let content;
  try {
    content = await load();
  } catch (error) {
    content = failure(error);
  }
  // The panel may show something else by now, or be closed.
  if (mine !== shown) return;
  fill(body, content);
  body.scrollTop = 0;
  body.querySelector("mark")?.scrollIntoView({ block: "center" });
}

const placeOf = ({ source, locator }) => [source, locator].filter(Boolean).join(", ");

/** Open a citation: its passage with the quote marked, or its rows with the cited cells marked. */
export function openCitation(corpus, citation) {
  if (citation.table) openRows(corpus, citation);
  else if (citation.chunk_id) {
    open(citation.source, citation.locator, async () =>
      passageContent(await api.passage(corpus, citation.chunk_id), citation.quote),
    );
  } else open(citation.source, citation.locator, async () => [h("blockquote", { class: "passage" }, citation.quote)]);
}

/** Open a passage whose text is already loaded. */
export function openPassage(chunk) {
  open(chunk.title || chunk.source, placeOf(chunk), async () => passageContent(chunk, ""));
}

function passageContent(chunk, quote) {
  return [chunk.title && h("p", { class: "passage-title" }, chunk.title), passageView(chunk.text, quote)];
}

function openRows(corpus, citation) {
  const wanted = citation.row_ids ?? [];
  open(citation.table, placeOf(citation), async () => {
    const parameters = wanted.length ? { row_ids: wanted.join(","), around: AROUND } : { limit: PAGE_ROWS };
    const found = citedFirst(await api.rows(corpus, citation.table, parameters), citation.columns ?? []);
    const cited = new Set(wanted);
    const read = new Set(citation.columns ?? []);
    const others = found.rows.some((r) => !cited.has(r.id));
    const showAll = button("button", () => openTable(corpus, found.name), "Show the whole table");
    const marks = (r, c) =>
      cited.has(found.rows[r].id) && (c < 0 ? others : !read.size || read.has(found.columns[c].name));
    return [quiet(citedText(citation, found)), rowsTable(found, marks), showAll];
  });
}

/** Move the cited columns next to the first one, which usually names the row, so that they are visible at once. */
function citedFirst(table, names) {
  const all = table.columns.map((_, i) => i);
  const order = [...new Set([0, ...all.filter((i) => names.includes(table.columns[i].name)), ...all])];
  const sorted = (values) => order.map((i) => values[i]);
  return { ...table, columns: sorted(table.columns), rows: table.rows.map((r) => ({ ...r, cells: sorted(r.cells) })) };
}

/** Describe which rows are cited. A citation lists the first of them only; its quote says how many there are. */
function citedText({ row_ids: ids = [], quote }, found) {
  const all = Number(/^(\d+) rows of /.exec(quote ?? "")?.[1] ?? ids.length);
  if (!ids.length || (all === found.row_count && all === ids.length))
    return `The whole table is cited (${count(found.row_count, "row")}).`;
  return all > ids.length
    ? `The first ${ids.length} of ${grouped(all)} cited rows are highlighted.`
    : `${count(all, "cited row")} of ${grouped(found.row_count)}, shown in context.`;
}

/** Draw rows, each with its row number or page in the source. */
function rowsTable(found, marked = null) {
  const rows = found.rows.map((r) => r.cells);
  const heads = found.rows.map((r) =>
    r.source_row !== null ? `${r.source_row}` : r.page !== null ? `p. ${r.page}` : `${r.id}`,
  );
  const numeric = found.columns.map((c) => c.type === "integer" || c.type === "decimal");
  return dataTable({
    columns: found.columns.map((c) => c.header || c.name),
    rows,
    caption: `Rows of ${found.name}`,
    numeric,
    heads,
    marked,
  });
}

/** Open a table: its columns and its rows, page by page. */
export function openTable(corpus, name) {
  open(name, "", async () => {
    const found = await api.rows(corpus, name, { limit: PAGE_ROWS });
    byId("panel-place").textContent = placeOf(found);
    const place = h("div", {}, rowsTable(found));
    return [
      quiet(found.title !== name && found.title && `${found.title}. `, extent(found)),
      found.members.length > 0 && quiet(`Combines ${found.members.join(", ")}.`),
      doubtfulNote(corpus, found, () => openTable(corpus, name)),
      ...found.warnings.map((w) => h("p", { class: "warning" }, w)),
      h("details", { class: "schema" }, h("summary", {}, "Columns"), schemaTable(found)),
      place,
      pager(corpus, found, place),
    ];
  });
}

const extent = (table) => `${count(table.row_count, "row")}, ${count(table.columns.length, "column")}.`;

function schemaTable({ columns, name }) {
  const rows = columns.map((c) => [
    c.name,
    [c.type, c.kind && c.kind !== c.type ? `(${c.kind})` : ""].join(" ").trim(),
    [c.scale, c.unit].filter(Boolean).join(" "),
    c.examples.slice(0, 3).join(" | "),
    c.means,
  ]);
  const head = ["column", "type", "unit", "examples", "meaning"];
  const filled = head.map((_, i) => i).filter((i) => i < 1 || rows.some((row) => row[i]));
  const kept = (row) => filled.map((i) => row[i]);
  return dataTable({ columns: kept(head), rows: rows.map(kept), caption: `Columns of ${name}`, numeric: [] });
}

function pager(corpus, first, place) {
  if (first.row_count <= PAGE_ROWS) return null;
  let offset = 0;
  const range = h("span", { class: "quiet", "aria-live": "polite" });
  const move = async (by) => {
    offset = Math.max(0, offset + by);
    try {
      place.replaceChildren(rowsTable(await api.rows(corpus, first.name, { offset, limit: PAGE_ROWS })));
    } catch (error) {
      place.replaceChildren(failure(error));
    }
    update();
  };
  const back = button("button", () => move(-PAGE_ROWS), "Previous");
  const next = button("button", () => move(PAGE_ROWS), "Next");
  const update = () => {
    const last = Math.min(first.row_count, offset + PAGE_ROWS);
    range.textContent = `${grouped(offset + 1)}–${grouped(last)} of ${grouped(first.row_count)}`;
    back.disabled = offset === 0;
    next.disabled = last >= first.row_count;
  };
  update();
  return h("div", { class: "pager" }, back, range, next);
}
