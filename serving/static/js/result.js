// What a statement gives: its chart, its result, and the statement itself, which can be edited and run again.

import { openReceipt, runStatement } from "./api.js";
import { chartFigure } from "./chart.js";
import { button, count, fill, h, icon, quiet } from "./dom.js";
import { failure } from "./errors.js";
import { resultTable } from "./result_table.js";
import { sqlFigure } from "./sql.js";
import { sqlEditor } from "./sql_editor.js";

/** Return a step's result; `title` heads it if there are several. */
export function resultView(step, corpus, title = "") {
  return h(
    "div",
    { class: "computed", role: "group", "aria-label": "Computed" },
    title && h("h3", {}, title),
    picture(step, corpus),
    statement(step, corpus),
  );
}

/** Return a step's charts and rows; a single value is shown as the answer. */
function picture(step, corpus) {
  const found = step.presented?.chart;
  const single = step.rows.length === 1 && step.columns.length === 1;
  return [
    found && [found, ...(found.apart ?? []).map((one) => ({ ...found, series: [one], apart: [] }))].map(chartFigure),
    !step.rows.length && quiet("The query returned no rows."),
    !single && step.rows.length > 0 && resultTable(step, corpus),
  ].flat();
}

function statement(step, corpus) {
  const place = h("div", { class: "statement" });
  const edit = () => {
    const editor = sqlEditor("Edit the statement", step.sql, (sql) => other(corpus, sql, "Edited by you"));
    fill(place, editor.nodes);
    editor.box.focus({ preventScroll: true });
  };
  const change = button("button quiet-button", edit, icon("edit"), "Edit");
  fill(place, sqlFigure(step.sql), h("div", { class: "actions" }, change));
  return h(
    "details",
    { class: "folded" },
    h("summary", {}, icon("chevron"), "SQL and rows it was computed from"),
    place,
    step.receipt && receiptView(step.receipt, corpus),
  );
}

/** Run another statement than the answer's; resolves to its result, with what it is. */
export async function other(corpus, sql, what) {
  const { step, problem } = await runStatement(corpus, sql);
  if (problem) return failure(problem);
  const { text, value } = step.presented;
  return h(
    "div",
    { class: "other", role: "group", "aria-label": what },
    h("p", { class: "tag" }, what),
    text && h("p", { class: value === null ? "" : "answer-value" }, text),
    picture(step, corpus),
    step.receipt && receiptView(step.receipt, corpus),
  );
}

/** Return which stored rows a result was computed from, or a button that has them found; null if unknown. */
function receiptView(receipt, corpus) {
  const { rows = [], result_hash: hash = "" } = receipt;
  const line = receiptLine(rows, hash);
  if (!rows.some((r) => r.deferred)) return line;
  const part = h("div", { class: "receipt-open" });
  const open = button("button quiet-button", () => opened(part, receipt, corpus), "Find the rows it was computed from");
  fill(part, line, open);
  return part;
}

function receiptLine(rows, hash) {
  const known = rows.filter((r) => r.row_count !== null && !r.chooses);
  if (!known.length) return null;
  const counted = known.map((r) => `${count(r.row_count, "row")} of ${r.table}`).join(" and ");
  return h("p", { class: "receipt quiet" }, `Computed from ${counted} · receipt ${hash.slice(0, 8)}`);
}

async function opened(part, receipt, corpus) {
  fill(part, quiet("Finding the rows…"));
  try {
    const { status, says, rows } = await openReceipt(corpus, receipt);
    const line = status === "same" && receiptLine(rows, receipt.result_hash);
    fill(part, line || quiet(`${says[0].toUpperCase()}${says.slice(1)}.`));
  } catch (error) {
    fill(part, failure(error));
  }
}
