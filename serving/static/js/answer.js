// The answer of a turn: verdict, chart, result, SQL and sources.

import { chartFigure, seriesOf } from "./chart.js";
import { count, grouped, h, icon } from "./dom.js";
import { openCitation } from "./panel.js";
import { resultTable } from "./result_table.js";
import { sqlFigure } from "./sql.js";
import { causeNote, conflictNote, verdictBadge } from "./verdict.js";

const SHORT = 48;

/** Return the answer of a final state; `corpus` is where its citations are looked up. */
export function answerView(outcome, corpus) {
  const { answer = "", steps = [], verdict = "none", explanation = "" } = outcome;
  // What is no question to the documents is answered without a step: a greeting, a question about the page.
  if (!steps.length) return h("div", { class: "answer" }, h("p", { class: "answer-text" }, answer));
  const short = answer.length <= SHORT && verdict !== "none";
  const note = causeNote(outcome) ?? conflictNote(outcome);
  return h(
    "div",
    { class: "answer" },
    h("p", { class: short ? "answer-text short" : "answer-text" }, answer),
    h("p", { class: "answer-verdict" }, verdictBadge(verdict), note ? "" : h("span", { class: "quiet" }, explanation)),
    note,
    outcome.stopped_by === "iteration_limit" &&
      h("p", { class: "warning" }, "Stopped at the limit of steps: the answer may be incomplete."),
    computed(steps.filter((s) => s.sql && !s.error && (outcome.sql ?? []).includes(s.sql))),
    sources(outcome.citations ?? [], corpus),
    foot(outcome),
  );
}

/** Return statements with their results; each is named by its subquery where there are several. */
function computed(steps) {
  return steps.map((step) => {
    const found = seriesOf(step.columns, step.rows, step.truncated);
    const single = step.rows.length === 1 && step.columns.length === 1;
    const rows = step.rows.length
      ? resultTable({ columns: step.columns, rows: step.rows, truncated: step.truncated })
      : h("p", { class: "quiet" }, "The statement found no rows.");
    return h(
      "div",
      { class: "computed", role: "group", "aria-label": "Computed" },
      steps.length > 1 && h("h3", {}, step.subquery),
      found && chartFigure(found),
      single ? null : rows,
      sqlFigure(step.sql),
      step.receipt && receipt(step.receipt),
    );
  });
}

/** Say which stored rows a result was computed from, null where that is not known. */
function receipt({ rows = [], result_hash: hash = "" }) {
  const known = rows.filter((r) => r.row_count !== null && !r.chooses);
  if (!known.length) return null;
  const counted = known.map((r) => `${count(r.row_count, "row")} of ${r.table}`).join(" and ");
  return h("p", { class: "receipt quiet" }, `Computed from ${counted} · receipt ${hash.slice(0, 8)}`);
}

function sources(citations, corpus) {
  if (!citations.length) return null;
  const items = citations.map((c, i) => {
    const open = h(
      "button",
      { type: "button", class: "source", onclick: () => openCitation(corpus, c) },
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
  return h(
    "div",
    { class: "sources", role: "group", "aria-label": "Sources" },
    h("h3", {}, "Sources"),
    h("ol", {}, items),
  );
}

function foot({ model, usage }) {
  const cost = usage?.calls
    ? `${usage.calls} model calls, ${grouped(usage.input_tokens + usage.output_tokens)} tokens`
    : "";
  const who =
    model === "offline"
      ? "Answered by the embedded offline reasoner; no language model was used."
      : [model, cost].filter(Boolean).join(" · ");
  return who && h("p", { class: "answer-foot quiet" }, who);
}
