// Draws a SQL result as a table, with a note if it is truncated and a CSV download.

import { button, count, h, icon, saveFile } from "./dom.js";

/** Return a cell's text; "" for NULL. */
export const cellText = (value) => String(value ?? "");

/** Longer cells are wrapped. */
const LONG = 28;
const isNumber = (value) => typeof value === "number";

/** Return for each column whether it holds numbers only. */
export function numberColumns(columns, rows) {
  return columns.map((_, i) => rows.some((r) => isNumber(r[i])) && rows.every((r) => r[i] === null || isNumber(r[i])));
}

/** Return a scrollable table. `marked(row, column)` says whether a cell is cited; `heads` labels the rows. */
export function dataTable({ columns, rows, caption, numeric = numberColumns(columns, rows), heads, marked }) {
  const head = columns.map((c, i) => h("th", { scope: "col", class: numeric[i] ? "number" : null }, cellText(c)));
  const body = rows.map((row, r) => {
    const cells = row.map((value, c) => {
      const text = cellText(value);
      const cited = marked?.(r, c);
      const kinds = [numeric[c] && "number", text.length > LONG && "long", cited && "cited"].filter(Boolean);
      return h("td", { class: kinds.join(" ") || null }, cited ? h("mark", {}, text) : text);
    });
    const first = heads && h("th", { scope: "row", class: "row-head" }, heads[r]);
    return h("tr", { class: marked?.(r, -1) ? "cited-row" : null }, first, cells);
  });
  const corner = heads && h("td", { class: "row-head" });
  const table = h(
    "table",
    {},
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, corner, head)),
    h("tbody", {}, body),
  );
  return h("div", { class: "table-scroll", tabindex: "0", role: "group", "aria-label": caption }, table);
}

/** Return a result with its row count and a download button. */
export function resultTable({ columns, rows, truncated, presented }) {
  const table = presented?.table;
  const seen = table ? { columns: table.columns, rows: table.texts, numeric: table.numeric } : { columns, rows };
  const shown = count(rows.length, "row");
  const note = truncated ? `Only the first ${shown} are shown.` : shown;
  const label = h("span", {}, truncated ? `CSV (first ${shown})` : "CSV");
  const save = button("button quiet-button", () => download(seen.columns, rows, truncated), icon("download"), label);
  return h(
    "div",
    { class: "result" },
    dataTable({ ...seen, caption: "Result" }),
    h("div", { class: "result-foot" }, h("span", { class: truncated ? "cut" : "quiet" }, note), save),
  );
}

function download(columns, rows, truncated) {
  saveFile(truncated ? `result-first-${rows.length}.csv` : "result.csv", "text/csv", csv([columns, ...rows]));
}

/** Format rows as CSV (RFC 4180), with a byte order mark so that Excel reads it as UTF-8. */
export function csv(rows) {
  return `\ufeff${rows.map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

/** The places before what begins a formula: the text itself, what a spreadsheet may take for the next cell, "sep=". */
const FORMULA = /(^|[;\t\r\n]["\s]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20]|sep=)|^(?=[\t\r\n])/gi;

function csvCell(value) {
  const text = cellText(value);
  // A spreadsheet would run text that looks like a formula, and the text comes from documents. In many countries it
  // divides cells at semicolons.
  const safe = typeof value === "string" ? text.replace(FORMULA, "$1'") : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
