// A turn's answer: verdict, chart, result, SQL and sources.

import { openReceipt } from "./api.js";
import { chartFigure } from "./chart.js";
import { button, count, fill, grouped, h, icon, quiet } from "./dom.js";
import { failure } from "./errors.js";
import { feedbackView } from "./feedback.js";
import { openCitation } from "./panel.js";
import { readingsView } from "./readings.js";
import { resultTable } from "./result_table.js";
import { sqlFigure } from "./sql.js";
import { causeNote, conflictNote, rejectedNote, verdictBadge } from "./verdict.js";

const SHORT = 48;

/** Return the answer in a final state; its citations open in `corpus`, and `choose` takes the reading that is meant. */
export function answerView(outcome, corpus, choose) {
  const { answer = "", steps = [], verdict = "none", explanation = "", readings = [] } = outcome;
  // A greeting or a question about the page is answered without steps.
  if (!steps.length) return h("div", { class: "answer" }, h("p", { class: "answer-text" }, answer));
  if (readings.length) {
    const about = explanation && quiet(explanation);
    return h("div", { class: "answer" }, readingsView(outcome, choose), about, foot(outcome));
  }
  // An answer of several rows is a Markdown table: the result below shows it.
  const text = answer.startsWith("| ") && outcome.table ? outcome.table.caption || tableCount(outcome.table) : answer;
  const short = text.length <= SHORT && verdict !== "none";
  const value = headline(outcome);
  const rejected = rejectedNote(outcome);
  if (rejected) return h("div", { class: "answer" }, rejected, foot(outcome));
  const note = causeNote(outcome) ?? conflictNote(outcome);
  return h(
    "div",
    { class: "answer" },
    value && !text.startsWith(value) && h("p", { class: "answer-value" }, value),
    h("p", { class: short ? "answer-text short" : "answer-text" }, text),
    computedLine(outcome),
    h("p", { class: "answer-verdict" }, verdictBadge(verdict), note ? "" : h("span", { class: "quiet" }, explanation)),
    steps.some((s) => s.approval === "edited") && h("p", { class: "warning" }, "Computed by SQL that you edited."),
    note,
    ["iteration_limit", "budget"].includes(outcome.stopped_by) &&
      h("p", { class: "warning" }, "Limit of steps or tokens reached: the answer may be incomplete."),
    computed(
      steps.filter((s) => s.sql && !s.error && (outcome.sql ?? []).includes(s.sql)),
      corpus,
    ),
    sources(outcome.citations ?? [], corpus),
    feedbackView(outcome, corpus),
    foot(outcome),
  );
}

/** Return the computed value that the answer states, with its unit; "" if it states several, or none. */
const headline = ({ value = null, steps }) =>
  (value !== null && steps.findLast((s) => s.presented?.value === value)?.presented.text) || "";

/** Return what the value is, in the document's words, unless the explanation says so. */
function computedLine({ value = null, table, explanation = "" }) {
  const what = value !== null && table?.columns.length === 1 ? table.columns[0] : "";
  return what && !explanation.includes(what) && h("p", { class: "answer-what quiet" }, what);
}

const tableCount = ({ row_count: rows, truncated }) => `${truncated ? "more than " : ""}${count(rows, "row")}`;

/** Return the statements with their results, titled by subquery if there are several. */
function computed(steps, corpus) {
  return steps.map((step) => {
    const found = step.presented?.chart;
    const single = step.rows.length === 1 && step.columns.length === 1;
    const rows = step.rows.length ? resultTable(step) : quiet("The query returned no rows.");
    return h(
      "div",
      { class: "computed", role: "group", "aria-label": "Computed" },
      steps.length > 1 && h("h3", {}, step.subquery),
      found && [found, ...(found.apart ?? []).map((one) => ({ ...found, series: [one] }))].map(chartFigure),
      !single && rows,
      sqlFigure(step.sql),
      step.receipt && receiptView(step.receipt, corpus),
    );
  });
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

function sources(citations, corpus) {
  if (!citations.length) return null;
  const items = citations.map((c, i) => {
    const open = button(
      "source",
      () => openCitation(corpus, c),
      h("span", { class: "source-number", "aria-hidden": "true" }, `${i + 1}`),
      h(
        "span",
        { class: "source-text" },
        h("span", { class: "source-name" }, icon(c.table ? "table" : "text"), c.source),
        c.locator && h("span", { class: "source-place" }, c.locator),
        c.quote && h("span", { class: "source-quote" }, c.table ? c.quote : `“${c.quote}”`),
      ),
    );
    return h("li", {}, open);
  });
  const list = h("ol", {}, items);
  return h("div", { class: "sources", role: "group", "aria-label": "Sources" }, h("h3", {}, "Sources"), list);
}

function foot({ model, usage }) {
  const tokens = usage?.calls && grouped(usage.input_tokens + usage.output_tokens);
  const cached = usage?.cached_tokens ? ` (${grouped(usage.cached_tokens)} cached)` : "";
  const cost = usage?.calls && `${count(usage.calls, "model call")}, ${tokens} tokens${cached}`;
  const by = model === "offline" ? "Answered offline, without a language model" : model;
  return h("p", { class: "answer-foot quiet" }, [by, cost].filter(Boolean).join(" · "));
}
