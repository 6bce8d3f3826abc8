// Draws a SQL result as a table, with what it leaves out said below, and a CSV file of it.

import { count, h, icon } from "./dom.js";

/** Return a cell's text; NULL is an empty cell. */
export const cellText = (value) => (value === null || value === undefined ? "" : String(value));

/** Characters beyond which a cell is broken into lines. */
const LONG = 28;
const isNumber = (value) => typeof value === "number";

/** Tell which columns hold numbers only. */
export function numberColumns(columns, rows) {
  return columns.map((_, i) => rows.some((r) => isNumber(r[i])) && rows.every((r) => r[i] === null || isNumber(r[i])));
}

/** Return a scrollable table; `marked` tells for (row, column) whether a cell is cited, `heads` names each row. */
export function dataTable({
  columns,
  rows,
  caption,
  numeric = numberColumns(columns, rows),
  heads = null,
  marked = null,
}) {
  const head = columns.map((c, i) => h("th", { scope: "col", class: numeric[i] ? "number" : null }, cellText(c)));
  const body = rows.map((row, r) => {
    const cells = row.map((value, c) => {
      const text = cellText(value);
      const cited = marked?.(r, c);
      const kinds = [numeric[c] && "number", text.length > LONG && "long", cited && "cited"].filter(Boolean);
      return h("td", { class: kinds.join(" ") || null }, cited ? h("mark", {}, text) : text);
    });
    const first = heads ? h("th", { scope: "row", class: "row-head" }, heads[r]) : null;
    return h("tr", { class: marked?.(r, -1) ? "cited-row" : null }, first, cells);
  });
  const corner = heads ? h("td", { class: "row-head" }) : null;
  const table = h(
    "table",
    {},
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, corner, head)),
    h("tbody", {}, body),
  );
  return h("div", { class: "table-scroll", tabindex: "0", role: "group", "aria-label": caption }, table);
}

/** Return a result as table, note and download. */
export function resultTable({ columns, rows, truncated }) {
  const shown = count(rows.length, "row");
  const note = truncated ? `The first ${shown} are shown; more exist.` : shown;
  const save = h(
    "button",
    { type: "button", class: "button quiet-button", onclick: () => download(columns, rows, truncated) },
    icon("download"),
    h("span", {}, truncated ? `CSV of these ${rows.length} rows` : "CSV"),
  );
  return h(
    "div",
    { class: "result" },
    dataTable({ columns, rows, caption: "Result" }),
    h("div", { class: "result-foot" }, h("span", { class: truncated ? "cut" : "quiet" }, note), save),
  );
}

function download(columns, rows, truncated) {
  const blob = new Blob([csv([columns, ...rows])], { type: "text/csv" });
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: truncated ? `result-first-${rows.length}.csv` : "result.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Write rows as CSV (RFC 4180) with a byte order mark, by which Excel knows UTF-8. */
export function csv(rows) {
  return `\ufeff${rows.map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

function csvCell(value) {
  const text = cellText(value);
  // A spreadsheet would run what looks like a formula, and texts come from documents.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
