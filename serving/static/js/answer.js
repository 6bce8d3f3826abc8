// A turn's answer: the value, what it is, how far it can be trusted, its result and its sources.

import { followUps } from "./api.js";
import { button, copyButton, count, fill, grouped, h, icon, quiet } from "./dom.js";
import { failure } from "./errors.js";
import { feedbackView } from "./feedback.js";
import { readingsView } from "./readings.js";
import { other, resultView } from "./result.js";
import { saveButton } from "./saved.js";
import { sourcesView } from "./sources.js";
import { causeNote, conflictNote, rejectedNote, verdictDetails } from "./verdict.js";

const SHORT = 48;

/**
 * Return the answer in a final state; its citations open in `corpus`.
 *
 * `actions.choose` takes the reading that is meant.
 */
export function answerView(outcome, corpus, actions) {
  const { answer = "", steps = [], verdict = "none", explanation = "", readings = [] } = outcome;
  // A greeting or a question about the page is answered without steps.
  if (!steps.length) return h("div", { class: "answer" }, h("p", { class: "answer-text" }, answer));
  if (readings.length) {
    const about = explanation && quiet(explanation);
    return h("div", { class: "answer" }, readingsView(outcome, actions.choose), about, foot(outcome));
  }
  const rejected = rejectedNote(outcome);
  if (rejected) return h("div", { class: "answer" }, rejected, foot(outcome));
  const text = textOf(outcome);
  const short = text.length <= SHORT && verdict !== "none" && text === answer;
  const value = headline(outcome);
  const note = causeNote(outcome) ?? conflictNote(outcome);
  const computed = steps.filter((s) => s.sql && !s.error && (outcome.sql ?? []).includes(s.sql));
  return h(
    "div",
    { class: "answer" },
    h(
      "div",
      { class: "answer-head" },
      value && !text.startsWith(value) && h("p", { class: "answer-value" }, value),
      h("p", { class: `answer-text ${text !== answer ? "title" : short ? "short" : ""}` }, text),
      whatLine(outcome),
      verdictDetails(verdict, explanation, note),
    ),
    steps.some((s) => s.approval === "edited") && h("p", { class: "warning" }, "Computed by SQL that you edited."),
    note,
    ["iteration_limit", "budget"].includes(outcome.stopped_by) &&
      h("p", { class: "warning" }, "Limit of steps or tokens reached: the answer may be incomplete."),
    assumed(outcome, corpus),
    computed.map((step) => resultView(step, corpus, computed.length > 1 ? step.subquery : "")),
    sourcesView(outcome.citations ?? [], corpus),
    answerActions(outcome, corpus),
    foot(outcome),
  );
}

const answerActions = (outcome, corpus) =>
  h(
    "div",
    { class: "answer-actions" },
    copyButton(copied(outcome), "answer"),
    saveButton(outcome, corpus),
    feedbackView(outcome, corpus),
  );

/** Return the answer's text; one of several rows is a Markdown table, and the result shows it. */
export function textOf({ answer = "", table }) {
  return answer.startsWith("| ") && table ? table.caption || tableCount(table) : answer;
}

/** Return the computed value that the answer states, with its unit; "" if it states several, or none. */
export const headline = ({ value = null, steps }) =>
  (value !== null && steps.findLast((s) => s.presented?.value === value)?.presented.text) || "";

/** Return what was computed, in the document's words, unless the explanation says so. */
function whatLine({ value = null, table, explanation = "", verdict }) {
  const what = value !== null && table?.columns.length === 1 ? table.columns[0] : "";
  const said = verdict === "none" || verdict === "conflict" ? "" : explanation;
  const parts = [what && !said.includes(what) && what, said].filter(Boolean);
  return parts.length > 0 && h("p", { class: "answer-what" }, parts.join(" · "));
}

const tableCount = ({ row_count: rows, truncated }) => `${truncated ? "more than " : ""}${count(rows, "row")}`;

/** Return what the answer takes for granted, and what the same statement gives elsewhere; null if neither. */
function assumed({ assumption = "", alternatives = [] }, corpus) {
  if (!assumption && !alternatives.length) return null;
  const place = h("div", { "aria-live": "polite" });
  const show = async ({ sql, title, table }) => {
    fill(place, quiet("Running…"));
    try {
      fill(place, await other(corpus, sql, `Over ${title || table} instead`));
    } catch (error) {
      fill(place, failure(error));
    }
  };
  const choices = alternatives.map((a) => {
    const title = h("span", {}, `${a.title || a.table}, ${a.source}`);
    return h("li", {}, button("chip", () => show(a), title, h("b", {}, a.answer)));
  });
  return h(
    "div",
    { class: "assumed", role: "group", "aria-label": "Assumptions" },
    assumption && h("p", {}, h("span", { class: "tag" }, "Assumed"), " ", assumption),
    choices.length > 0 && h("p", { class: "quiet" }, "Other tables with these columns:"),
    choices.length > 0 && h("ul", { class: "chips" }, choices),
    place,
  );
}

/** Return what is copied: the answer on one line, or its rows for a spreadsheet. */
function copied({ answer = "", table }) {
  if (!answer.startsWith("| ") || !table) return answer;
  return [table.columns, ...table.texts].map((row) => row.join("\t")).join("\n");
}

/** Add questions to a turn that were tried and are answered; none if that fails. */
export async function suggestMore(node, { sql = [], understood, question }, corpus, ask) {
  if (!sql.length) return;
  const found = await followUps(corpus, sql.at(-1), understood || question).catch(() => []);
  if (!found.length) return;
  const items = found.map((q) => h("li", {}, button("chip", () => ask(q), icon("ask"), h("span", {}, q))));
  const about = { class: "follow-ups", role: "group", "aria-label": "Ask next" };
  node.append(h("div", about, h("ul", { class: "chips" }, items)));
}

function foot({ model, usage }) {
  const tokens = usage?.calls && grouped(usage.input_tokens + usage.output_tokens);
  const cached = usage?.cached_tokens ? ` (${grouped(usage.cached_tokens)} cached)` : "";
  const cost = usage?.calls && `${count(usage.calls, "model call")}, ${tokens} tokens${cached}`;
  const by = model === "offline" ? "Answered offline, without a language model" : model;
  return h("p", { class: "answer-foot quiet" }, [by, cost].filter(Boolean).join(" · "));
}
