// A turn's steps, shown while it runs and folded once it is answered.

import { announce, button, count, fill, h, icon, quiet } from "./dom.js";
import { openPassage, openTable } from "./panel.js";
import { dataTable } from "./result_table.js";
import { sqlFigure } from "./sql.js";
import { rejection, verdictBadge } from "./verdict.js";

const SHOWN_ROWS = 6;
/** A model that says nothing for so long is worth a notice. */
const SILENT_S = 20;
/** Shorter waits show no time. */
const SHORT_S = 2;

/** A turn's steps: `event` takes the stream's custom events, `finish` the steps in the final state. */
export class Timeline {
  constructor(corpus) {
    this.corpus = corpus;
    this.steps = new Map();
    this.list = h("ol", { class: "steps" });
    this.summary = h("span", {}, "Thinking …");
    this.elapsed = h("span", { class: "elapsed", role: "timer" });
    this.silence = quiet("Still waiting for the language model. You can go on waiting, or stop and try again.");
    const spinner = h("span", { class: "spinner", "aria-hidden": "true" });
    this.node = h(
      "details",
      { class: "timeline running", open: true },
      h("summary", {}, icon("chevron"), spinner, this.summary, this.elapsed),
      this.list,
      this.silence,
    );
    this.since(Date.now());
  }

  /** Count the time from a moment, in milliseconds since 1970, until the run ends. */
  since(began) {
    clearInterval(this.ticking);
    this.heard = Date.now();
    const tick = () => {
      const seconds = Math.floor((Date.now() - began) / 1000);
      this.elapsed.textContent = seconds < SHORT_S ? "" : duration(seconds);
      this.silence.hidden = Date.now() - this.heard < SILENT_S * 1000;
    };
    tick();
    this.ticking = setInterval(tick, 1000);
  }

  event(event) {
    this.heard = Date.now();
    if (event.type === "turn") this.understand(event.question, event.understood);
    if (event.text) {
      this.summary.textContent = `${event.text} …`;
      announce(event.text);
    }
    if (!Number.isInteger(event.iteration)) return;
    const step = this.#step(event.iteration);
    (EVENTS[event.type] ?? note)(step, event);
    this.#draw(step);
  }

  /** Show how a follow-up question was understood. */
  understand(question, understood) {
    if (!understood || understood === question || this.understood) return;
    this.understood = h("p", { class: "understood quiet" }, "Understood as: ", h("span", {}, understood));
    this.list.before(this.understood);
  }

  /** Show the steps in the final state and fold them; evidence that only the stream had stays. */
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
    this.pause(parts.filter(Boolean).join(" · "));
    this.node.open = false;
  }

  /** End with a summary, or without an answer: stopped, waiting or failed. */
  pause(summary) {
    clearInterval(this.ticking);
    this.node.classList.remove("running");
    this.summary.textContent = summary;
    this.elapsed.textContent = "";
    this.silence.hidden = true;
  }

  /** Pause for a person, who is shown the latest statement elsewhere. */
  wait(summary) {
    this.pause(summary);
    this.node.open = false;
  }

  resume() {
    this.node.classList.add("running");
    this.summary.textContent = "Continuing …";
    this.node.open = true;
    this.since(Date.now());
  }

  #step(iteration) {
    if (!this.steps.has(iteration)) {
      const node = h("li", { class: "step" });
      this.list.append(node);
      const none = { subquery: "", tables: [], chunks: [], attempts: [], notes: [], columns: [], rows: [] };
      this.steps.set(iteration, { iteration, node, ...none });
    }
    return this.steps.get(iteration);
  }

  #draw(step) {
    step.node.classList.toggle("done", Boolean(step.verdict));
    fill(step.node, drawn(step, this.corpus));
  }
}

const duration = (s) => (s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`);

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
  verdict: (step, { verdict, intermediate_answer, reason }) =>
    Object.assign(step, { verdict, intermediate_answer, reason }),
};

const note = (step, { text }) => text && step.notes.push(text);

const APPROVALS = {
  approved: "You approved the statement.",
  edited: "You edited the statement.",
  rejected: "You rejected the statement.",
};
function drawn(step, corpus) {
  const result = step.columns.length > 0 && step.rows.length > 0;
  return [
    h("p", { class: "step-subquery" }, step.subquery || "…"),
    APPROVALS[step.approval] && quiet(APPROVALS[step.approval]),
    evidence(step, corpus),
    ...step.attempts.map((a) => attempt(a, rejection(step) !== null)),
    ...step.notes.map((text) => quiet(text)),
    result &&
      dataTable({
        columns: step.presented?.table?.columns ?? step.columns,
        rows: (step.presented?.table?.texts ?? step.rows).slice(0, SHOWN_ROWS),
        numeric: step.presented?.table?.numeric,
        caption: `Result of step ${step.iteration}`,
      }),
    result && step.rows.length > SHOWN_ROWS && quiet(`Only the first ${SHOWN_ROWS} rows are shown.`),
    step.verdict &&
      h(
        "p",
        { class: "step-verdict" },
        verdictBadge(step.verdict),
        step.intermediate_answer ? h("b", {}, shownAnswer(step)) : "",
        h("span", { class: "quiet" }, step.reason ?? ""),
      ),
  ];
}

/** Return a step's answer on one line, the computed value with its unit. */
const shownAnswer = ({ intermediate_answer: answer, presented }) =>
  presented?.plain === answer ? presented.text : answer;

function evidence({ tables, chunks }, corpus) {
  if (!tables.length && !chunks.length) return null;
  const chip = (kind, text, open) => h("li", {}, button("chip", open, icon(kind), h("span", {}, text)));
  return h(
    "ul",
    { class: "chips", "aria-label": "Evidence" },
    tables.map((t) => chip("table", t.name, () => openTable(corpus, t.name))),
    chunks
      .filter((c) => c.kind === "text")
      .map((c) => chip("text", [c.source, c.locator].filter(Boolean).join(", "), () => openPassage(c))),
  );
}

function attempt({ sql, error }, rejected) {
  if (!error) return sqlFigure(sql);
  if (rejected) return sqlFigure(sql, "Rejected SQL");
  return h("div", { class: "attempt" }, sqlFigure(sql, "Failed SQL"), h("p", { class: "error" }, error));
}
