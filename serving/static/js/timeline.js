// The steps of a turn while it runs, and folded away once it is answered.

import { announce, count, h, icon } from "./dom.js";
import { openPassage, openTable } from "./panel.js";
import { dataTable } from "./result_table.js";
import { sqlFigure } from "./sql.js";
import { verdictBadge } from "./verdict.js";

const SHOWN_ROWS = 6;

/** A turn's steps; `event` takes the stream's custom events, `finish` the steps of the final state. */
export class Timeline {
  constructor(corpus) {
    this.corpus = corpus;
    this.steps = new Map();
    this.list = h("ol", { class: "steps" });
    this.summary = h("span", {}, "Thinking …");
    this.node = h(
      "details",
      { class: "timeline running", open: true },
      h("summary", {}, icon("chevron"), h("span", { class: "spinner", "aria-hidden": "true" }), this.summary),
      this.list,
    );
  }

  event(event) {
    if (event.type === "turn") this.understand(event.question, event.understood);
    const apply = EVENTS[event.type];
    if (!apply || !Number.isInteger(event.iteration)) return;
    const step = this.#step(event.iteration);
    apply(step, event);
    const says = SAYS[event.type]?.(event);
    if (says) {
      this.summary.textContent = `${says} …`;
      announce(says);
    }
    this.#draw(step);
  }

  /** Say how a follow-up was spelled out. */
  understand(question, understood) {
    if (!understood || understood === question || this.understood) return;
    this.understood = h("p", { class: "understood quiet" }, "Understood as: ", h("span", {}, understood));
    this.list.before(this.understood);
  }

  /** Fold the steps, as the final state has them; evidence that only the stream told stays. */
  finish(steps, seconds = null) {
    for (const final of steps) {
      const step = this.#step(final.iteration);
      const names = new Set(step.tables.map((t) => t.name));
      step.tables.push(...(final.tables ?? []).filter((name) => !names.has(name)).map((name) => ({ name })));
      if (final.sql && !step.attempts.some((a) => a.sql === final.sql)) {
        step.attempts.push({ sql: final.sql, error: final.error });
      }
      Object.assign(step, { done: true, ...final, tables: step.tables });
      this.#draw(step);
    }
    const statements = steps.filter((s) => s.sql && !s.error).length;
    const parts = [
      count(steps.length, "step"),
      statements ? count(statements, "SQL statement") : "",
      seconds === null ? "" : `${seconds.toFixed(1)} s`,
    ];
    this.#end(parts.filter(Boolean).join(" · "));
    this.node.open = false;
  }

  /** End without an answer: stopped, waiting or failed. */
  pause(says) {
    this.#end(says);
  }

  #end(says) {
    this.node.classList.remove("running");
    this.summary.textContent = says;
  }

  resume() {
    this.node.classList.add("running");
    this.summary.textContent = "Going on …";
    this.node.open = true;
  }

  #step(iteration) {
    if (!this.steps.has(iteration)) {
      const node = h("li", { class: "step" });
      this.list.append(node);
      this.steps.set(iteration, {
        iteration,
        node,
        subquery: "",
        tables: [],
        chunks: [],
        attempts: [],
        columns: [],
        rows: [],
      });
    }
    return this.steps.get(iteration);
  }

  #draw(step) {
    step.node.classList.toggle("done", Boolean(step.verdict));
    step.node.replaceChildren(...drawn(step, this.corpus).filter(Boolean));
  }
}

const EVENTS = {
  subquery: (step, e) => (step.subquery = e.subquery),
  evidence: (step, e) => Object.assign(step, { tables: e.tables ?? [], chunks: e.chunks ?? [] }),
  sql: (step, e) => step.attempts.push({ sql: e.sql, error: "" }),
  sql_error: (step, e) => {
    const same = step.attempts.findLast((a) => a.sql === e.sql);
    if (same) same.error = e.error;
    else step.attempts.push({ sql: e.sql, error: e.error });
  },
  rows: (step, e) =>
    Object.assign(step, { columns: e.columns, rows: e.rows, row_count: e.row_count, truncated: e.truncated }),
  verdict: (step, e) =>
    Object.assign(step, {
      verdict: e.verdict,
      intermediate_answer: e.intermediate_answer,
      reason: e.reason,
      cause: e.cause,
    }),
};

const SAYS = {
  subquery: (e) => `Step ${e.iteration}: ${e.subquery}`,
  evidence: (e) => `Found ${count(e.tables?.length ?? 0, "table")} and ${count(e.chunks?.length ?? 0, "passage")}`,
  sql: (e) => (e.attempt > 1 ? "Running a mended statement" : "Running SQL"),
  sql_error: () => "The statement did not run; mending it",
  rows: (e) => `${count(e.row_count ?? e.rows.length, "row")} found; checking against the text`,
};

const APPROVALS = {
  approved: "You approved the statement.",
  edited: "You edited the statement.",
  rejected: "You rejected a statement.",
};

function drawn(step, corpus) {
  const result = step.columns.length > 0 && step.rows.length > 0;
  return [
    h("p", { class: "step-subquery" }, step.subquery || "…"),
    APPROVALS[step.approval] && h("p", { class: "quiet" }, APPROVALS[step.approval]),
    evidence(step, corpus),
    ...step.attempts.map((a) => attempt(a)),
    result &&
      dataTable({
        columns: step.columns,
        rows: step.rows.slice(0, SHOWN_ROWS),
        caption: `Result of step ${step.iteration}`,
      }),
    result && step.rows.length > SHOWN_ROWS && h("p", { class: "quiet" }, `The first ${SHOWN_ROWS} rows are shown.`),
    step.verdict &&
      h(
        "p",
        { class: "step-verdict" },
        verdictBadge(step.verdict),
        step.intermediate_answer ? h("b", {}, step.intermediate_answer) : "",
        h("span", { class: "quiet" }, step.reason ?? ""),
      ),
  ];
}

function evidence({ tables, chunks }, corpus) {
  if (!tables.length && !chunks.length) return null;
  const chip = (kind, text, open) =>
    h("li", {}, h("button", { type: "button", class: "chip", onclick: open }, icon(kind), h("span", {}, text)));
  return h(
    "ul",
    { class: "chips", "aria-label": "Evidence" },
    tables.map((t) => chip("table", t.name, () => openTable(corpus, t.name))),
    chunks
      .filter((c) => c.kind === "text")
      .map((c) => chip("text", [c.source, c.locator].filter(Boolean).join(", "), () => openPassage(c))),
  );
}

function attempt({ sql, error }) {
  if (!error) return sqlFigure(sql);
  return h("div", { class: "attempt" }, sqlFigure(sql, "SQL that did not run"), h("p", { class: "error" }, error));
}
